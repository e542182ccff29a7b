"""Asking the sister services what they have to say about a day, through the outbound door."""

import logging
from datetime import date, datetime
from urllib.parse import parse_qsl, urlencode, urlsplit

from archive.metrics import SERVICES
from archive.models import SisterService
from archive.signals import SignalRefused, check_signature, parse, store
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient

logger = logging.getLogger(__name__)

SIGNATURE_HEADER = "x-signature"
REFUSAL_LENGTH = 300


def six_services() -> dict[str, SisterService]:
    """The rows by slug; any that is missing is made again, switched off."""
    return {
        service.slug: SisterService.objects.get_or_create(
            slug=service.slug, defaults={"name": service.name, "district": service.district}
        )[0]
        for service in SERVICES
    }


def pull_all(day: date, *, now: datetime, http: HttpClient) -> dict[str, str]:
    """Ask every active service about ``day``: ``{slug: reason}``, an empty reason where a signal was taken."""
    return {
        service.slug: pull(service, day, now=now, http=http)
        for service in SisterService.objects.filter(active=True)
    }


def pull(service: SisterService, day: date, *, now: datetime, http: HttpClient) -> str:
    """Ask one service and keep what it says. Gives the reason when there is nothing to keep, else "".

    One service's failure is written on its row and stops no other.
    """
    try:
        fetched = http.get(
            signal_url(service.url, day),
            accept="application/json",
            min_interval=0,
            secrets=(service.secret,),
        )
        check_signature(fetched.body, service.secret, fetched.headers.get(SIGNATURE_HEADER, ""))
        store(service, parse(fetched.body, slug=service.slug, day=day, now=now), now=now)
        reason = ""
    except (SourceError, SignalRefused) as error:
        reason = str(error)[:REFUSAL_LENGTH]
        logger.warning("no signal of %s for %s: %s", service.slug, day, reason)
    _note(service, reason, now)
    return reason


def signal_url(url: str, day: date) -> str:
    """The address with ``day=`` beside whatever other parameters it has."""
    parts = urlsplit(url)
    others = [
        (name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "day"
    ]
    return parts._replace(query=urlencode([*others, ("day", day.isoformat())])).geturl()


def _note(service: SisterService, reason: str, now: datetime) -> None:
    changes: dict[str, object] = {"last_pulled_at": now, "last_refusal": reason}
    if not reason:
        changes["last_success_at"] = now
    SisterService.objects.filter(pk=service.pk).update(**changes)
