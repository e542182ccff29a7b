"""Who guesses passwords is locked out for a while, and nothing of the visitor is kept for it.

The service stores addresses nowhere else and logs none, so attempts are counted under a pseudonym: a keyed digest of
the address that limits count by, written as a private IPv6 address because that is the column axes has. Browsers,
paths and form data, which axes would store, are left empty. A row older than the cool-off is deleted by the next
sign-in, failed or not.
"""

import ipaddress
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.db.models import F, Max, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from ask.client_address import client_address

FAILURES_OF_A_NAME = 5  # from one address
FAILURES_OF_AN_ADDRESS = 20  # whatever the names: several editors may sit behind one
COUNTED = "desk_counted"  # on a request whose password was counted before it was looked at
PRIVATE_PREFIX = b"\xfd"  # fd00::/8 is nobody's address on the internet


def pseudonym(request: HttpRequest) -> str:
    """Stands for the visitor's address: the same one for the same address, and no way back without the key."""
    digest = salted_hmac("desk.lockout", client_address(request), algorithm="sha256").digest()
    return str(ipaddress.IPv6Address(PRIVATE_PREFIX + digest[:15]))


def cool_off() -> timedelta:
    wait: timedelta = settings.AXES_COOLOFF_TIME
    return wait


class DeskAttempts(AxesDatabaseHandler):  # type: ignore[misc]
    """Counts failures by pseudonym and name, and locks at two limits."""

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **kwargs: Any
    ) -> None:
        # A command that checks a password has no request and no address to lock out.
        if request is None:
            return
        if not request.axes_locked_out:
            if not getattr(request, COUNTED, False):
                record_failure(
                    username_of(request, credentials), request.axes_ip_address, request.axes_attempt_time
                )
            request.axes_locked_out = self.is_locked(request, credentials)
        request.axes_credentials = credentials

    def is_locked(self, request: Any, credentials: dict[str, Any] | None = None) -> bool:
        return is_over(username_of(request, credentials), request.axes_ip_address, request.axes_attempt_time)

    def reset_user_attempts(self, request: Any, credentials: dict[str, Any] | None = None) -> int:
        # Only the name's own failures: a guest account must not clear what its address tried under other names.
        deleted, _each = AccessAttempt.objects.filter(
            username=username_of(request, credentials), ip_address=request.axes_ip_address
        ).delete()
        return int(deleted)


def username_of(request: Any, credentials: dict[str, Any] | None) -> str:
    return str(get_client_username(request, credentials) or "")[:150]


def recent(now: datetime, address: str) -> QuerySet[Any]:
    """The failures of an address that still count."""
    attempts: QuerySet[Any] = AccessAttempt.objects.filter(
        ip_address=address, attempt_time__gt=now - cool_off()
    )
    return attempts


def is_over(username: str, address: str, now: datetime) -> bool:
    counts = recent(now, address).aggregate(
        of_address=Sum("failures_since_start", default=0),
        of_name=Sum("failures_since_start", filter=Q(username=username), default=0),
    )
    return bool(counts["of_name"] >= FAILURES_OF_A_NAME or counts["of_address"] >= FAILURES_OF_AN_ADDRESS)


@transaction.atomic
def record_failure(username: str, address: str, now: datetime) -> None:
    AccessAttempt.objects.filter(attempt_time__lte=now - cool_off()).delete()
    attempt, created = AccessAttempt.objects.select_for_update().get_or_create(
        username=username,
        ip_address=address,
        user_agent="",
        defaults={"failures_since_start": 1, "attempt_time": now},
    )
    if not created:
        attempt.failures_since_start = F("failures_since_start") + 1
        attempt.attempt_time = now
        attempt.save(update_fields=["failures_since_start", "attempt_time"])


@transaction.atomic
def count_guess(request: Any, username: str) -> None:
    """Count a password as wrong before it is looked at: of many at once, no more than the limit are looked at.

    Raises PermissionDenied where the visitor is locked out by then.
    """
    address, now = request.axes_ip_address, request.axes_attempt_time
    one_at_a_time(address)
    if is_over(username, address, now):
        request.axes_locked_out = True
        raise PermissionDenied
    record_failure(username, address, now)
    setattr(request, COUNTED, True)


def forgive_guess(request: Any, username: str) -> None:
    """The password was right: it counts no more. What was wrong before is forgotten by signing in, not by this."""
    rows = AccessAttempt.objects.filter(username=username, ip_address=request.axes_ip_address)
    rows.filter(failures_since_start__lte=1).delete()
    rows.update(failures_since_start=F("failures_since_start") - 1)


def one_at_a_time(address: str) -> None:
    """Let the attempts of an address pass one after the other until this transaction ends."""
    key = int.from_bytes(ipaddress.IPv6Address(address).packed[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [key])


def count_failure(sender: Any, request: HttpRequest, username: str) -> None:
    """A wrong code counts like a wrong password: whoever has stolen one must not guess the other at leisure."""
    user_login_failed.send(sender=sender, credentials={"username": username}, request=request)


def refusal(request: HttpRequest, response: HttpResponse | None, credentials: Any = None) -> HttpResponse:
    """The page that a locked-out visitor meets, with the time that is left: 429 and ``Retry-After`` in seconds."""
    now = timezone.now()
    seconds = seconds_left(pseudonym(request), now)
    context = {
        **admin.site.each_context(request),
        "title": _("로그인이 잠시 막혔습니다"),
        "minutes": -(-seconds // 60),
    }
    answer = render(request, "desk/locked.html", context, status=429)
    answer.headers["Retry-After"] = str(seconds)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def seconds_left(address: str, now: datetime) -> int:
    """Until the last failure of the address is forgotten; at least 1."""
    last = recent(now, address).aggregate(last=Max("attempt_time"))["last"] or now
    return max(1, int((last + cool_off() - now).total_seconds()))


def lift(attempts: Iterable[Any]) -> int:
    """Forget the failures of the addresses that the chosen rows stand for; the number of rows forgotten."""
    deleted, _each = AccessAttempt.objects.filter(
        ip_address__in={attempt.ip_address for attempt in attempts}
    ).delete()
    return int(deleted)
