"""Production's pages name their stylesheets by hash; the hashes stand in a manifest that ``collectstatic`` writes."""

from typing import Any

from django.contrib.staticfiles.storage import ManifestFilesMixin
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from whitenoise.middleware import WhiteNoiseMiddleware

from knowledge.publications.keeping import keep

KEPT_SECONDS = 24 * 3600.0


class CollectedFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # it comes without types
    """WhiteNoise, whose files with a hash in their name the front door may give out again."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> Any:
        response = WhiteNoiseMiddleware.serve(static_file, request)
        if "immutable" in response.headers.get("Cache-Control", ""):
            keep(request, response, scopes=(), seconds=KEPT_SECONDS, variant="")
        return response


def require_collected(storage: object) -> None:
    """Refuse to serve pages whose stylesheets nobody collected. Raises ImproperlyConfigured."""
    if isinstance(storage, ManifestFilesMixin) and storage.read_manifest() is None:
        raise ImproperlyConfigured(
            "The static files are not collected, so every page would fail. "
            "Run `python manage.py collectstatic --noinput`, once for each version, then start again."
        )
