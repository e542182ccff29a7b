"""A try at one sister service: what it answers and what would come of that, keeping nothing."""

import time
from dataclasses import dataclass, replace
from datetime import date, datetime

from archive.canonical import sha256_hex
from archive.models import Signal, SisterService, Snapshot
from archive.signals import ParsedSignal, SignalRefused, check_signature, parse
from archive.sisters import SIGNATURE_HEADER, signal_url
from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient

EXCERPT_BYTES = 2000


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a try showed. ``refusal`` is why nothing would be kept, else "" and ``signal`` is what would be.

    ``status`` is the HTTP status where there was an answer; ``milliseconds`` the whole exchange; ``size`` and
    ``excerpt`` are of the body. ``revision`` is the number it would get: that of the same body where it is known.
    """

    day: date
    milliseconds: int = 0
    status: int | None = None
    size: int = 0
    excerpt: str = ""
    refusal: str = ""
    signal: ParsedSignal | None = None
    known: bool = False
    revision: int = 0
    late: bool = False


def probe(service: SisterService, day: date, *, now: datetime, http: HttpClient) -> ProbeResult:
    """Ask a service about a day as the evening does, switched on or not. Writes nothing down."""
    if not service.url or not service.secret:
        return ProbeResult(day, refusal="address or shared secret is missing")
    began = time.monotonic()
    found = _asked(service, day, now=now, http=http)
    return replace(found, milliseconds=int((time.monotonic() - began) * 1000))


def _asked(service: SisterService, day: date, *, now: datetime, http: HttpClient) -> ProbeResult:
    try:
        fetched = http.get(
            signal_url(service.url, day),
            accept="application/json",
            min_interval=0,
            secrets=(service.secret,),
        )
    except SourceError as error:
        return ProbeResult(day, status=error.status, refusal=str(error))
    body = fetched.body
    answered = ProbeResult(
        day, status=fetched.status, size=len(body), excerpt=body[:EXCERPT_BYTES].decode("utf-8", "replace")
    )
    try:
        check_signature(body, service.secret, fetched.headers.get(SIGNATURE_HEADER, ""))
        return _kept(answered, service, parse(body, slug=service.slug, day=day, now=now))
    except SignalRefused as refusal:
        return replace(answered, refusal=str(refusal))


def _kept(answered: ProbeResult, service: SisterService, signal: ParsedSignal) -> ProbeResult:
    """The answer with the place that the signal would have among those of its day."""
    same_day = Signal.objects.filter(service=service, day=signal.day, rehearsal=False)
    revisions = dict(same_day.values_list("sha256", "revision"))
    digest = sha256_hex(signal.body)
    return replace(
        answered,
        signal=signal,
        known=digest in revisions,
        revision=revisions.get(digest, max(revisions.values(), default=0) + 1),
        late=Snapshot.objects.filter(day=signal.day, rehearsal=False).exists(),
    )
