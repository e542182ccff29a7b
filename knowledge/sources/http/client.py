"""The HTTP client for sources: everything that is fetched from the world goes through ``HttpClient.get``.

It hides httpx2 and httpcore2, and raises ``SourceError`` only. What it holds to: https on ports 80 and 443, checked
addresses, at most three checked redirects, one wall-clock deadline for the whole exchange, a cap on the body after
decompression, a named User-Agent, no Origin header, no proxy from the environment, a minimum interval per host,
Retry-After. httpx2's own client is not used: it logs every URL it fetches, and ours carry keys.
"""

import functools
import hashlib
import logging
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import httpcore2
import httpx2
from django.conf import settings

from knowledge.sources.errors import SourceError
from knowledge.sources.http.addresses import Resolver, check_url, system_resolver
from knowledge.sources.http.connections import CheckedBackend, ExchangeDeadline
from knowledge.sources.http.politeness import (
    Politeness,
    is_nearly_used_up,
    max_age_seconds,
    retry_after_seconds,
)
from knowledge.sources.http.redaction import redacted

# The wire log shows headers, and a redirect's Location may repeat a key: it stays off whatever the root
# level is.
logging.getLogger("httpcore2").setLevel(logging.WARNING)


# Longer ones would not fit the columns that keep them, and half a validator is none.
MAX_ETAG_LENGTH = 300
MAX_LAST_MODIFIED_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Validators:
    """What is known of the last body of an address. Many sources send neither ETag nor Last-Modified, so the hash of
    the body is the last resort.
    """

    etag: str = ""
    last_modified: str = ""
    body_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. ``not_modified`` means "fine, nothing new": the body is then empty.

    ``headers`` have lower-case names; ``asked`` is the address that was asked for and ``url`` the one that redirects
    led to, both with keys masked; ``max_age`` is the number of seconds for which the source itself calls this answer
    fresh; ``fetched_at`` is the time all parsing goes by; ``validators`` make the next request conditional. They are
    stored only once the body could be read: one that failed and is then "not modified" would hide its news.
    """

    status: int
    body: bytes
    headers: Mapping[str, str]
    asked: str
    url: str
    fetched_at: datetime
    not_modified: bool = False
    max_age: float | None = None
    validators: Validators = Validators()

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")


# Details go into rows and log lines; a redirect's address may be 60 kB long.
_DETAIL_LENGTH = 280
_PAUSES = frozenset({418, 429, 503})  # Upbit and Binance answer 418 to those who went on after 429


@dataclass(kw_only=True, eq=False)
class HttpClient:
    """Fetches addresses that were checked. One client serves a whole process, so that politeness is shared.

    The keys of the settings are masked in everything that leaves it. The clock and the resolver are replaceable.
    """

    allow_private: bool
    user_agent: str
    connect_seconds: float = 5.0
    total_seconds: float = 20.0  # of the whole exchange
    body_bytes: int = 5 * 1024 * 1024  # after decompression
    redirects: int = 3
    interval_seconds: float = 1.0  # between two requests to one host
    closed: bool = False  # a rehearsed world asks nobody
    resolver: Resolver = system_resolver
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        self._politeness = Politeness(monotonic=self.monotonic, sleep=self.sleep)

    def get(
        self,
        url: str,
        *,
        validators: Validators | None = None,
        accept: str = "*/*",
        min_interval: float | None = None,
        secrets: Sequence[str] = (),
    ) -> Fetched:
        """GET ``url``; 200 and 304 come back, everything else is a ``SourceError``.

        ``validators`` make the request conditional; ``min_interval`` (seconds) overrides the pause between
        two requests to the host; ``secrets`` are masked beside those of the settings.
        """
        if self.closed:
            raise SourceError("refused", "a rehearsal asks nobody outside")
        known = validators or Validators()
        headers = {"User-Agent": self.user_agent, "Accept": accept, "Accept-Encoding": "gzip, deflate, br"}
        try:
            with _as_source_errors():
                final, response, body = self._follow(url, headers | _conditions(known), min_interval)
        except SourceError as error:
            error.detail = redacted(error.detail, secrets)[:_DETAIL_LENGTH]
            error.args = (error.cause, error.detail)
            # The library's own exception may hold the URL, key and all, so it does not travel along.
            error.__cause__ = error.__context__ = None
            raise
        kept = known if response.status_code == 304 else _validators_of(response, body)
        # The same body again is "not modified" too.
        not_modified = response.status_code == 304 or kept.body_sha256 == known.body_sha256
        return Fetched(
            status=response.status_code,
            body=b"" if not_modified else body,
            headers=dict(response.headers),
            asked=redacted(url, secrets),
            url=redacted(str(final), secrets),
            fetched_at=self.now(),
            not_modified=not_modified,
            max_age=max_age_seconds(response.headers),
            validators=kept,
        )

    def _follow(
        self, address: str, headers: Mapping[str, str], interval: float | None
    ) -> tuple[httpx2.URL, httpx2.Response, bytes]:
        """Where the redirects end, and what is answered there."""
        url = self._checked(address)
        self._take_turn(url, self.interval_seconds if interval is None else interval)
        # Waiting for one's turn is ours, not the source's: the exchange begins after it.
        deadline = ExchangeDeadline(self.total_seconds, self.monotonic)
        for _hop in range(self.redirects + 1):
            response, body = self._exchange(url, headers, deadline)
            if is_nearly_used_up(response.headers):
                self._politeness.slow_down(url.host)
            if not response.has_redirect_location:
                return url, response, body
            former, url = url, self._checked(response.headers["location"], url)
            if url.host != former.host:
                self._take_turn(url, self.interval_seconds)
        raise SourceError("status", f"more than {self.redirects} redirects, the last to {url}")

    def _checked(self, address: str, base: httpx2.URL | None = None) -> httpx2.URL:
        try:
            url = base.join(address) if base else httpx2.URL(address)
        except (httpx2.InvalidURL, ValueError) as error:
            raise SourceError("forbidden_address", f"not an address: {error}") from None
        check_url(url, allow_private=self.allow_private)
        return url

    def _take_turn(self, url: httpx2.URL, interval: float) -> None:
        # Politeness is owed to strangers; a replay server on this machine is none.
        if not (self.allow_private and url.host in ("127.0.0.1", "::1", "localhost")):
            self._politeness.wait(url.host, interval)

    def _exchange(
        self, url: httpx2.URL, headers: Mapping[str, str], deadline: ExchangeDeadline
    ) -> tuple[httpx2.Response, bytes]:
        """One request: its answer and the body, which a redirect or "not modified" has not."""
        backend = CheckedBackend(deadline, self.resolver, self.allow_private)
        tls = _tls() if url.scheme == "https" else None
        request = httpx2.Request("GET", url, headers=headers)
        target = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        timeouts = {"timeout": {"connect": self.connect_seconds}}
        with (
            httpcore2.ConnectionPool(ssl_context=tls, network_backend=backend) as pool,
            pool.stream("GET", target, headers=request.headers.raw, extensions=timeouts) as raw,
        ):
            response = httpx2.Response(raw.status, headers=raw.headers, content=raw.iter_stream())
            # "Not modified" to a question without a condition is no answer, and would read as "no news" for ever.
            unchanged = raw.status == 304 and any(name.startswith("If-") for name in headers)
            if unchanged or response.has_redirect_location:
                return response, b""
            if raw.status not in (200, 203):
                raise self._status_error(url, response)
            body = _read(response, deadline, self.body_bytes)
            if not body:
                raise SourceError("empty", f"an empty body from {url}", status=raw.status)
            return response, body

    def _status_error(self, url: httpx2.URL, response: httpx2.Response) -> SourceError:
        status = response.status_code
        if status == 204:
            return SourceError("empty", f"HTTP 204 from {url}", status=status)
        retry_after = retry_after_seconds(response.headers.get("retry-after", ""), self.now())
        if status in _PAUSES and retry_after is not None:
            self._politeness.pause(url.host, retry_after)
        return SourceError("status", f"HTTP {status} from {url}", retry_after=retry_after, status=status)


@functools.cache
def _tls() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


def _read(response: httpx2.Response, deadline: ExchangeDeadline, limit: int) -> bytes:
    """The decoded body; stops as soon as it is over the limit, so a bomb is never inflated."""
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > limit:
            raise SourceError("too_large", f"the body is larger than {limit} bytes")
        deadline.left()
    return bytes(body)


def _conditions(known: Validators) -> dict[str, str]:
    named = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    # Validators are the other side's words: one that is no header value is not sent back.
    return {name: value for name, value in named.items() if value and value.isascii() and value.isprintable()}


def _validators_of(response: httpx2.Response, body: bytes) -> Validators:
    """What makes the next request conditional."""
    etag = response.headers.get("etag", "")
    last_modified = response.headers.get("last-modified", "")
    return Validators(
        etag=etag if len(etag) <= MAX_ETAG_LENGTH else "",
        last_modified=last_modified if len(last_modified) <= MAX_LAST_MODIFIED_LENGTH else "",
        body_sha256=hashlib.sha256(body).hexdigest(),
    )


@contextmanager
def _as_source_errors() -> Iterator[None]:
    """Exceptions of the libraries as ``SourceError``."""
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise SourceError("timeout", f"no answer in time ({type(error).__name__})") from error
    except httpx2.DecodingError as error:
        raise SourceError("parse", f"the body cannot be decompressed: {error}") from error
    except ssl.SSLError as error:
        raise SourceError("tls", str(error)) from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, OSError) as error:
        raise SourceError("refused", f"the connection failed: {error}") from error


_client = functools.lru_cache(maxsize=4)(HttpClient)


def http_client() -> HttpClient:
    """The process's client, made from the settings."""
    agent = named_user_agent(settings.SERVICE_NAME, settings.BASE_URL, settings.CONTACT_EMAIL)
    return _client(allow_private=settings.FETCH_ALLOW_PRIVATE, user_agent=agent, closed=settings.REHEARSAL)


def named_user_agent(service_name: str, base_url: str, contact_email: str) -> str:
    """Who we are and where to complain; the SEC refuses agents without a contact."""
    text = f"{service_name}/1.0 (+{base_url}/about; {contact_email})"
    return "".join(char for char in text if char.isascii() and char.isprintable()).strip()
