"""What a sister service may say about a day: checked here before anything is stored or believed.

``parse`` refuses with a reason; keys that nobody declared stay in the signal and mean nothing.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeGuard

from django.db import transaction
from django.db.models import Max

from archive.canonical import canonical_bytes, sha256_hex
from archive.days import ONE_DAY, end_of, start_of
from archive.metrics import SERVICES_BY_SLUG, Metric
from archive.models import Signal, SisterService, Snapshot

SCHEMA_VERSION = 1
BODY_MAX_BYTES = 256 * 1024  # six of these make a day file of at most 1.5 MB
HIGHLIGHTS_MAX = 5
TOPICS_MAX = 20
TEXT_MAX = 80
CLOCK_TOLERANCE = timedelta(minutes=10)


class SignalRefused(ValueError):  # noqa: N818 - what happened to the signal
    """A signal that is not believed; ``str()`` says why."""


@dataclass(frozen=True, slots=True)
class ParsedSignal:
    """A signal that holds to its declaration. ``body`` is what was signed; ``raw`` the same as a value."""

    slug: str
    day: date
    complete: bool
    generated_at: datetime
    body: bytes
    raw: dict[str, Any]


def signature_of(body: bytes, secret: str) -> str:
    """HMAC-SHA256 over the raw bytes, in hex."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def check_signature(body: bytes, secret: str, signature: str) -> None:
    """Raises SignalRefused unless ``signature`` (hex, or ``sha256=`` and hex) is that of ``body``."""
    given = signature.strip().removeprefix("sha256=").lower()
    if not secret or not given.isascii() or not hmac.compare_digest(given, signature_of(body, secret)):
        raise SignalRefused("signature: X-Signature is not the HMAC-SHA256 of the body")


def parse(body: bytes, *, slug: str, day: date, now: datetime) -> ParsedSignal:
    """The signal in ``body``, or SignalRefused with the first thing that is wrong."""
    raw = _object(body)
    version = raw.get("schemaVersion")
    _require(_is_number(version) and version == SCHEMA_VERSION, "schemaVersion", f"must be {SCHEMA_VERSION}")
    _require(raw.get("service") == slug, "service", f"must be {slug}")
    _require(raw.get("day") == day.isoformat(), "day", f"must be {day.isoformat()}")
    _require(isinstance(raw.get("complete"), bool), "complete", "must be true or false")
    generated_at = _moment(raw.get("generatedAt"))
    _check_moment(generated_at, day, now)
    _check_metrics(raw.get("metrics"), slug)
    _check_highlights(raw.get("highlights", []))
    return ParsedSignal(slug, day, raw["complete"], generated_at, body, raw)


def _require(holds: bool, field: str, what: str) -> None:
    if not holds:
        raise SignalRefused(f"{field}: {what}")


def _object(body: bytes) -> dict[str, Any]:
    _require(len(body) <= BODY_MAX_BYTES, "body", f"is larger than {BODY_MAX_BYTES} bytes")
    try:
        raw = json.loads(body.decode("utf-8"), object_pairs_hook=_without_repeats)
        canonical_bytes(raw)
    except (ValueError, RecursionError) as error:
        raise SignalRefused(
            "body: is not one JSON object in UTF-8 with finite numbers and no repeated keys"
        ) from error
    _require(isinstance(raw, dict), "body", "is not a JSON object")
    return dict(raw)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _moment(text: object) -> datetime:
    _require(isinstance(text, str), "generatedAt", "must be an RFC 3339 time")
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        raise SignalRefused("generatedAt: must be an RFC 3339 time") from None
    _require(moment.tzinfo is not None, "generatedAt", "needs an offset")
    return moment


def _check_moment(moment: datetime, day: date, now: datetime) -> None:
    """A signal is made on its day, or within the next one, on which the archive may still ask for it."""
    _require(moment <= now + CLOCK_TOLERANCE, "generatedAt", "lies in the future")
    _require(moment >= start_of(day), "generatedAt", f"lies before {day} began in Seoul")
    _require(
        moment < end_of(day) + ONE_DAY, "generatedAt", f"lies more than a day after {day} ended in Seoul"
    )


def _check_metrics(metrics: object, slug: str) -> None:
    if not isinstance(metrics, Mapping):
        raise SignalRefused("metrics: must be an object")
    for metric in SERVICES_BY_SLUG[slug].metrics:
        field = f"metrics.{metric.name}"
        _require(metric.name in metrics, field, "is missing")
        check = _check_topics if metric.kind == "topics" else _check_number
        check(metrics[metric.name], metric, field)


def _is_number(value: object) -> TypeGuard[int | float]:
    # Python's bool is an int, and JSON's true is no number.
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_number(value: object, metric: Metric, field: str) -> None:
    if not _is_number(value):
        raise SignalRefused(f"{field}: must be a number")
    if metric.is_count:
        _require(isinstance(value, int), field, "must be a whole number")
    _require(metric.low <= value <= metric.high, field, f"must be {metric.low:g} to {metric.high:g}")


def _check_topics(value: object, metric: Metric, field: str) -> None:
    if not isinstance(value, list) or len(value) > TOPICS_MAX:
        raise SignalRefused(f"{field}: must be a list of at most {TOPICS_MAX}")
    for topic in value:
        _require(isinstance(topic, Mapping) and {"id", "n"} <= set(topic), field, "needs id and n")
        _require(_is_short(topic["id"]), field, f"an id is text of at most {TEXT_MAX} characters")
        _check_number(topic["n"], Metric("n", ""), field)


def _check_highlights(value: object) -> None:
    if not isinstance(value, list) or len(value) > HIGHLIGHTS_MAX:
        raise SignalRefused(f"highlights: must be a list of at most {HIGHLIGHTS_MAX}")
    for item in value:
        _require(
            isinstance(item, Mapping) and {"label", "value"} <= set(item),
            "highlights",
            "need label and value",
        )
        fits = _is_short(item["label"]) and (_is_number(item["value"]) or _is_short(item["value"]))
        _require(
            fits,
            "highlights",
            f"a label is text and a value text or a number, of at most {TEXT_MAX} characters",
        )


def _is_short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= TEXT_MAX


@transaction.atomic
def store(service: SisterService, signal: ParsedSignal, *, now: datetime, rehearsal: bool = False) -> Signal:
    """Keep a signal. The same body again gives the row that is there; another body is a new revision."""
    # Two pullers of one service would otherwise both find the same next number.
    SisterService.objects.select_for_update().get(pk=service.pk)
    same_day = Signal.objects.filter(service=service, day=signal.day, rehearsal=rehearsal)
    digest = sha256_hex(signal.body)
    known = same_day.filter(sha256=digest).first()
    if known is not None:
        return known
    newest: int = same_day.aggregate(newest=Max("revision"))["newest"] or 0
    return Signal.objects.create(
        service=service,
        day=signal.day,
        revision=newest + 1,
        sha256=digest,
        body=signal.body,
        complete=signal.complete,
        generated_at=signal.generated_at,
        received_at=now,
        late=Snapshot.objects.filter(day=signal.day, rehearsal=rehearsal).exists(),
        rehearsal=rehearsal,
    )


def final_signals(day: date, *, rehearsal: bool, received_by: datetime) -> dict[str, Signal]:
    """The last complete signal of each service about ``day`` that had come by then."""
    rows = Signal.objects.filter(
        day=day, rehearsal=rehearsal, complete=True, received_at__lte=received_by
    ).order_by("revision")
    return {row.service.slug: row for row in rows.select_related("service")}


def raw_of(signal: Signal) -> dict[str, Any]:
    """The stored body as a value."""
    value: dict[str, Any] = json.loads(bytes(signal.body))
    return value
