"""The path of a request as a log line may hold it: none that no route knows, and of a secret link only its route."""

import logging

from django.http import HttpRequest

# Arguments of routes by which whoever has the address gets in: a draft's preview, a new password.
SECRET_ARGUMENTS = frozenset({"token", "uidb64"})


def shown_path(request: HttpRequest) -> str:
    """The path; the route's template where the path is a secret; empty where no named route takes it."""
    match = request.resolver_match
    # A route without a name takes any address under it, as the admin's last one does.
    if match is None or not match.url_name:
        return ""
    return f"/{match.route}" if SECRET_ARGUMENTS & match.kwargs.keys() else request.path_info


class ShownPaths(logging.Filter):
    """Django's own lines of a request, with its path as the others have it."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple(shown_path(request) if one == request.path else one for one in record.args)
        return True
