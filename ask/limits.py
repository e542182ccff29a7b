"""How often an address may cause an answer to be made: django-ratelimit's fixed windows, shortest first.

Only its counters are used. Its own keys are unsalted hashes of an address, it answers 403, and on a Redis error it
raises or lets pass; here a key is an HMAC, a refusal is a 429 with the window's end, and what cannot be counted is
not made (fail closed). Stored answers never come here.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django_ratelimit.core import get_usage  # type: ignore[import-untyped]
from redis.exceptions import RedisError

from ask.client_address import client_address
from ask.errors import LimitsUnavailable, RateLimited

PERIODS: dict[str, tuple[str, int]] = {
    "s": ("second", 1),
    "m": ("minute", 60),
    "h": ("hour", 3600),
    "d": ("day", 86_400),
}
_LIMIT = re.compile(r"([1-9][0-9]{0,8})/([smhd])")


@dataclass(frozen=True, slots=True)
class Limit:
    """``quota`` questions in a window of ``seconds``; ``name`` is minute, day …"""

    name: str
    quota: int
    seconds: int

    @property
    def policy(self) -> str:
        return f'"{self.name}";q={self.quota};w={self.seconds}'


@dataclass(frozen=True, slots=True)
class WindowCount:
    """A window, with the questions that were counted in it."""

    limit: Limit
    count: int
    seconds_left: int

    @property
    def remaining(self) -> int:
        return max(0, self.limit.quota - self.count)

    @property
    def header(self) -> str:
        return f'"{self.limit.name}";r={self.remaining};t={self.seconds_left}'


@dataclass(slots=True)
class Allowance:
    """What one asker may cause on one surface (``group``). ``used`` is empty until a question was counted."""

    group: str
    limits: Sequence[Limit]
    address: str = field(repr=False)
    used: list[WindowCount] = field(default_factory=list)

    def require_left(self) -> None:
        """Refuse whoever has nothing left, and count nothing. Raises RateLimited or LimitsUnavailable."""
        for limit in self.limits:
            usage = self._usage(limit, counting=False)
            if usage.count >= limit.quota:
                self._refuse(usage)

    def consume(self) -> None:
        """Count one question. Raises RateLimited, or LimitsUnavailable when Redis cannot count."""
        for limit in self.limits:
            usage = self._usage(limit, counting=True)
            if usage.count > limit.quota:
                self._refuse(usage)
            self.used.append(usage)

    def headers(self) -> dict[str, str]:
        """The policy of all windows and the state of the one that binds first; empty when nothing was counted."""
        if not self.used:
            return {}
        binding = min(self.used, key=lambda usage: usage.remaining)
        return {
            "RateLimit-Policy": ", ".join(limit.policy for limit in self.limits),
            "RateLimit": binding.header,
        }

    def _refuse(self, usage: WindowCount) -> NoReturn:
        self.used.append(usage)
        raise RateLimited(usage.limit.quota, usage.limit.name, retry_after=usage.seconds_left)

    def _usage(self, limit: Limit, *, counting: bool) -> WindowCount:
        key = salted_hmac("ask.limits", self.address, algorithm="sha256").hexdigest()
        try:
            found: dict[str, Any] | None = get_usage(
                None,
                group=self.group,
                key=lambda _group, _request: key,
                rate=(limit.quota, limit.seconds),
                increment=counting,
            )
        except (RedisError, OSError) as error:
            raise LimitsUnavailable from error
        # A counter that was lost meanwhile is told by a limit of 0, which none of ours has.
        if not found or not found["limit"]:
            raise LimitsUnavailable
        # In the second in which a window ends, 0 or -1 seconds of it are left.
        return WindowCount(limit, found["count"], max(1, found["time_left"]))


def of_visitor(request: HttpRequest) -> Allowance:
    """What the asker of a REST request or of the page's form may cause."""
    return Allowance("ask", parse("ASK_LIMITS", settings.ASK_LIMITS), client_address(request))


def of_agent(request: HttpRequest) -> Allowance:
    """What the asker of an MCP call may cause; counted apart from REST."""
    return Allowance("mcp-ask", parse("MCP_ASK_LIMITS", settings.MCP_ASK_LIMITS), client_address(request))


def parse(name: str, written: Iterable[str]) -> list[Limit]:
    """Limits such as ``5/m`` and ``50/d``, shortest window first. Raises ImproperlyConfigured."""
    limits = [_parsed(name, one.strip()) for one in written]
    limits.sort(key=lambda limit: limit.seconds)
    if not limits:
        raise ImproperlyConfigured(f"{name} is empty. Write limits such as 5/m,50/d.")
    if len({limit.seconds for limit in limits}) < len(limits):
        raise ImproperlyConfigured(f"{name} names a period twice. Write each once, such as 5/m,50/d.")
    return limits


def _parsed(name: str, written: str) -> Limit:
    found = _LIMIT.fullmatch(written)
    if found is None:
        raise ImproperlyConfigured(
            f"{name} has {written!r}: write a number of questions, 1 or more, a slash and s, m, h or d, "
            "such as 5/m,50/d."
        )
    period, seconds = PERIODS[found[2]]
    return Limit(period, int(found[1]), seconds)


def require_valid() -> None:
    """Refuse to start with limits that cannot be read. Raises ImproperlyConfigured."""
    parse("ASK_LIMITS", settings.ASK_LIMITS)
    parse("MCP_ASK_LIMITS", settings.MCP_ASK_LIMITS)
