"""The HTTP client for sources: everything that is fetched from the world goes through ``HttpClient.get``.

It hides httpx2 and httpcore2, and raises ``SourceError`` only. What it holds to: https on ports 80 and 443,
checked addresses, at most three checked redirects, one wall-clock deadline for the whole exchange, a cap on
the body after decompression, a named User-Agent, no Origin header, no proxy from the environment, a minimum
interval per host, Retry-After. httpx2's own client is not used: it logs every URL it fetches, and ours
carry keys.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import httpcore2
import httpx2
from django.conf import settings

from knowledge.sources.errors import NeedsKey, SourceError
from knowledge.sources.http.addresses import Resolver, check_url, system_resolver
from knowledge.sources.http.connections import CheckedBackend, ExchangeDeadline
from knowledge.sources.http.headers import max_age_seconds, retry_after_seconds
from knowledge.sources.http.politeness import Politeness
from knowledge.sources.http.redaction import redacted

# The wire log shows headers, and a redirect's Location may repeat a key: it stays off whatever the root
# level is.
logging.getLogger("httpcore2").setLevel(logging.WARNING)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one exchange may cost."""

    connect_seconds: float = 5.0
    total_seconds: float = 20.0
    body_bytes: int = 5 * 1024 * 1024  # after decompression
    redirects: int = 3
    interval_seconds: float = 1.0  # between two requests to one host


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

    ``headers`` have lower-case names; ``url`` is the final address with keys masked; ``max_age`` is the
    number of seconds for which the source itself calls this answer fresh; ``fetched_at`` is the time all
    parsing goes by; ``validators`` make the next request conditional. They are stored only once the body could be
    read: one that failed and is then "not modified" would hide its news.
    """

    status: int
    body: bytes
    headers: Mapping[str, str]
    url: str
    fetched_at: datetime
    not_modified: bool = False
    max_age: float | None = None
    validators: Validators = Validators()

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")


# Sending these again cannot help; 404 is not among them: YouTube answers it for hours on most days.
PERMANENT_STATUSES = frozenset({400, 401, 405, 406, 410, 414, 451})
# Details go into rows and log lines; a redirect's address may be 60 kB long.
_DETAIL_LENGTH = 280
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PAUSES = frozenset({418, 429, 503})  # Upbit and Binance answer 418 to those who went on after 429


class HttpClient:
    """Fetches addresses that were checked. One client serves a whole process, so that politeness is shared.

    ``keys`` maps names of key settings to keys: ``key()`` gives them to adapters, and they are masked in
    everything that leaves it. The clock, the resolver and the TLS context are replaceable.
    """

    def __init__(
        self,
        *,
        allow_private: bool,
        user_agent: str,
        keys: Mapping[str, str] | None = None,
        limits: FetchLimits | None = None,
        resolver: Resolver = system_resolver,
        ssl_context: ssl.SSLContext | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._allow_private = allow_private
        self._user_agent = user_agent
        self._keys = dict(keys or {})
        self._limits = limits or FetchLimits()
        self._resolver = resolver
        self._ssl_context = ssl_context
        self._ssl_lock = threading.Lock()
        self._now = now
        self._monotonic = monotonic
        self._politeness = Politeness(monotonic=monotonic, sleep=sleep)

    def key(self, setting: str) -> str:
        """The key kept under a setting's name; raises ``NeedsKey`` when there is none."""
        key = self._keys.get(setting, "")
        if not key:
            raise NeedsKey(setting)
        return key

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
        two requests to the host; ``secrets`` are masked beside the client's own keys.
        """
        known = validators or Validators()
        secrets = (*self._keys.values(), *secrets)
        headers = _request_headers(self._user_agent, accept, known)
        interval = self._limits.interval_seconds if min_interval is None else min_interval
        try:
            return _compared(self._follow(_Request(url, headers, interval, secrets)), known)
        except SourceError as error:
            error.detail = redacted(error.detail, secrets)[:_DETAIL_LENGTH]
            error.args = (error.cause, error.detail)
            # The library's own exception may hold the URL, key and all, so it does not travel along.
            error.__cause__ = error.__context__ = None
            raise

    def _follow(self, request: _Request) -> Fetched:
        url = _parsed(request.url)
        check_url(url, allow_private=self._allow_private)
        self._take_turn(url, request.interval)
        # Waiting for one's turn is ours, not the source's: the exchange begins after it.
        deadline = ExchangeDeadline(self._limits.total_seconds, self._monotonic)
        for _hop in range(self._limits.redirects + 1):
            answer = self._exchange(url, request, deadline)
            if isinstance(answer, Fetched):
                return answer
            check_url(answer, allow_private=self._allow_private)
            if answer.host != url.host:
                self._take_turn(answer, self._limits.interval_seconds)
            url = answer
        raise SourceError("status", f"more than {self._limits.redirects} redirects from {request.url}")

    def _take_turn(self, url: httpx2.URL, interval: float) -> None:
        # Politeness is owed to strangers; a replay server on this machine is none.
        if not (self._allow_private and url.host in ("127.0.0.1", "::1", "localhost")):
            self._politeness.wait(url.host, interval)

    def _exchange(
        self, url: httpx2.URL, request: _Request, deadline: ExchangeDeadline
    ) -> Fetched | httpx2.URL:
        """One request: the answer, or where it redirects to."""
        with _as_source_errors(), self._pool(url, deadline) as pool:
            response = _send(pool, httpx2.Request("GET", url, headers=request.headers), self._limits)
            try:
                if response.status_code in _REDIRECTS and "location" in response.headers:
                    return _joined(url, response.headers["location"])
                self._check_status(url, response, request)
                unchanged = response.status_code == 304
                body = b"" if unchanged else _read(response, deadline, self._limits.body_bytes)
            finally:
                response.close()
        return self._fetched(url, response, body, request.secrets)

    @contextmanager
    def _pool(self, url: httpx2.URL, deadline: ExchangeDeadline) -> Iterator[httpcore2.ConnectionPool]:
        backend = CheckedBackend(
            deadline=deadline,
            resolver=self._resolver,
            allow_private=self._allow_private,
            connect_timeout=self._limits.connect_seconds,
        )
        tls = self._tls() if url.scheme == "https" else None
        with httpcore2.ConnectionPool(
            ssl_context=tls, http1=True, http2=False, retries=0, network_backend=backend
        ) as pool:
            yield pool

    def _tls(self) -> ssl.SSLContext:
        with self._ssl_lock:
            if self._ssl_context is None:
                self._ssl_context = httpx2.create_ssl_context(trust_env=False)
            return self._ssl_context

    def _check_status(self, url: httpx2.URL, response: httpx2.Response, request: _Request) -> None:
        status = response.status_code
        # "Not modified" to a question without a condition is no answer, and would read as "no news" for ever.
        if status in (200, 203) or (status == 304 and request.is_conditional):
            return
        if status == 204:
            raise SourceError("empty", f"HTTP 204 from {url}", status=status)
        retry_after = retry_after_seconds(response.headers.get("retry-after", ""), self._now())
        if status in _PAUSES and retry_after is not None:
            self._politeness.pause(url.host, retry_after)
        raise SourceError(
            "status",
            f"HTTP {status} from {url}",
            permanent=status in PERMANENT_STATUSES,
            retry_after=retry_after,
            status=status,
        )

    def _fetched(
        self, url: httpx2.URL, response: httpx2.Response, body: bytes, secrets: Sequence[str]
    ) -> Fetched:
        if response.status_code != 304 and not body:
            raise SourceError("empty", f"an empty body from {url}", status=response.status_code)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Fetched(
            status=response.status_code,
            body=body,
            headers=headers,
            url=redacted(str(url), secrets),
            fetched_at=self._now(),
            not_modified=response.status_code == 304,
            max_age=max_age_seconds(headers),
        )


@dataclass(frozen=True, slots=True)
class _Request:
    url: str
    headers: dict[str, str]
    interval: float
    secrets: Sequence[str] = field(repr=False)

    @property
    def is_conditional(self) -> bool:
        return "If-None-Match" in self.headers or "If-Modified-Since" in self.headers


class _ResponseStream(httpx2.SyncByteStream):
    """httpcore2's stream in the form httpx2 decodes."""

    def __init__(self, response: httpcore2.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        yield from self._response.iter_stream()

    def close(self) -> None:
        self._response.close()


def _send(pool: httpcore2.ConnectionPool, request: httpx2.Request, limits: FetchLimits) -> httpx2.Response:
    url = request.url
    timeouts = {
        "connect": limits.connect_seconds,
        "read": limits.total_seconds,
        "write": limits.total_seconds,
        "pool": limits.total_seconds,
    }
    response = pool.handle_request(
        httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            extensions={"timeout": timeouts},
        )
    )
    return httpx2.Response(
        response.status, headers=response.headers, stream=_ResponseStream(response), request=request
    )


def _read(response: httpx2.Response, deadline: ExchangeDeadline, limit: int) -> bytes:
    """The decoded body; stops as soon as it is over the limit, so a bomb is never inflated."""
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > limit:
            raise SourceError("too_large", f"the body is larger than {limit} bytes")
        deadline.left()
    return bytes(body)


def _compared(fetched: Fetched, known: Validators) -> Fetched:
    """The answer with the validators to keep; the same body again is "not modified" too."""
    if fetched.not_modified:
        return replace(fetched, validators=known)
    validators = Validators(
        etag=_short(fetched.headers.get("etag", ""), MAX_ETAG_LENGTH),
        last_modified=_short(fetched.headers.get("last-modified", ""), MAX_LAST_MODIFIED_LENGTH),
        body_sha256=hashlib.sha256(fetched.body).hexdigest(),
    )
    if validators.body_sha256 == known.body_sha256:
        return replace(fetched, validators=validators, not_modified=True, body=b"")
    return replace(fetched, validators=validators)


def _short(value: str, limit: int) -> str:
    return value if len(value) <= limit else ""


def _request_headers(user_agent: str, accept: str, known: Validators) -> dict[str, str]:
    headers = {"User-Agent": user_agent, "Accept": accept, "Accept-Encoding": "gzip, deflate, br"}
    for name, value in (("If-None-Match", known.etag), ("If-Modified-Since", known.last_modified)):
        # Validators are the other side's words: one that is no header value is not sent back.
        if value and value.isascii() and value.isprintable():
            headers[name] = value
    return headers


def _parsed(url: str) -> httpx2.URL:
    try:
        return httpx2.URL(url)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise SourceError("forbidden_address", f"not an address: {error}", permanent=True) from None


def _joined(url: httpx2.URL, location: str) -> httpx2.URL:
    try:
        return url.join(location)
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise SourceError("status", f"a redirect to nowhere from {url}") from None


@contextmanager
def _as_source_errors() -> Iterator[None]:
    """Exceptions of the libraries as ``SourceError``."""
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise SourceError("timeout", f"no answer in time ({type(error).__name__})") from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise SourceError("refused", f"the connection failed: {error}") from error
    except httpx2.DecodingError as error:
        raise SourceError("parse", f"the body cannot be decompressed: {error}") from error
    except ssl.SSLError as error:
        raise SourceError("tls", str(error)) from error
    except OSError as error:
        raise SourceError("refused", f"the connection failed: {error}") from error


def http_client() -> HttpClient:
    """The process's client, made from the settings."""
    return _client(
        allow_private=settings.FETCH_ALLOW_PRIVATE,
        user_agent=named_user_agent(settings.SERVICE_NAME, settings.BASE_URL, settings.CONTACT_EMAIL),
        keys=(("ECOS_API_KEY", settings.ECOS_API_KEY), ("FRED_API_KEY", settings.FRED_API_KEY)),
    )


@functools.lru_cache(maxsize=4)
def _client(*, allow_private: bool, user_agent: str, keys: tuple[tuple[str, str], ...]) -> HttpClient:
    return HttpClient(allow_private=allow_private, user_agent=user_agent, keys=dict(keys))


def named_user_agent(service_name: str, base_url: str, contact_email: str) -> str:
    """Who we are and where to complain; the SEC refuses agents without a contact."""
    text = f"{service_name}/1.0 (+{base_url}/about; {contact_email})"
    return "".join(char for char in text if char.isascii() and char.isprintable()).strip()
