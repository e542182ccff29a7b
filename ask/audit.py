"""The citation audit: seed questions, put verbatim and without our name to a model that may search the web.

A question counts as cited when most of its repeats cite an address of ours. Web-search input cannot be bounded
beforehand, so a run reserves its whole share of the day before it starts and stops before it would pass it; the
questions that waited longest come first, so that runs together cover all of them.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypedDict
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils import timezone

from ask import budget, model_calls, prices
from ask.anthropic_client import Received
from ask.citation_audits import AuditedQuery, CitationAudit
from ask.ledger import Purpose
from ask.model_calls import Account
from ask.model_errors import ModelUnavailable
from ask.models import SeedQuestion
from ask.wire import Deadline

logger = logging.getLogger(__name__)

TOOL = "web_search_20250305"
SEARCHES_MAX = 3
REPEATS = 3
MAX_TOKENS = 1200
# Two searches were seen to bring 27,000 tokens; the allowance is what three may bring on a bad day.
INPUT_TOKENS_ALLOWED = 90_000
DEADLINE_SECONDS = 100.0  # a reservation is taken for lost after 120
RUNS_SHOWN = 30
URL_MAX_LENGTH = 500


class AuditRun(TypedDict):
    """A run in health's trend. ``distinct_cited`` is the number of different pages of ours that were cited."""

    date: str
    queries: int
    cited: int
    distinct_cited: int


class AuditTrend(TypedDict):
    """Contract B3, newest run first. Without a run the figures are null and the list is empty."""

    latest_date: str | None
    latest_rate: float | None
    runs: list[AuditRun]


@dataclass(slots=True)
class RepeatCounts:
    """What the repeats of one question showed."""

    repeats: int = 0
    errors: int = 0
    retrieved: int = 0
    cited: int = 0
    urls: dict[str, None] = field(default_factory=dict)

    def count(self, received: Received, hosts: Iterable[str]) -> None:
        if received.stop_reason not in ("end_turn", "max_tokens", "stop_sequence"):
            self.errors += 1
            return
        ours = dict.fromkeys(url for url in cited_urls(received.content) if is_ours(url, hosts))
        self.repeats += 1
        self.retrieved += any(is_ours(url, hosts) for url in retrieved_urls(received.content))
        self.cited += bool(ours)
        self.urls |= ours


def run(*, now: datetime) -> CitationAudit | None:
    """Audit the active seeds, once a day; None when nothing is measured (no key, no money, run before)."""
    if not settings.ANTHROPIC_API_KEY or settings.FAKE_LLM:
        return None
    day = budget.spend_day(now)
    if CitationAudit.objects.filter(date=day).exists() or not SeedQuestion.objects.active().exists():
        return None
    account = _account(now)
    if account is None:
        return None
    audit, made = CitationAudit.objects.get_or_create(
        date=day, defaults={"model": settings.ASK_MODEL, "tool": TOOL, "started_at": now}
    )
    try:
        if made:
            _ask_all(audit, account)
    finally:
        account.settle(timezone.now())
    audit.finished_at, audit.cost_micro_usd = timezone.now(), account.charged
    audit.save(update_fields=["finished_at", "cost_micro_usd"])
    return audit


def _account(now: datetime) -> Account | None:
    """The audit's whole share of the day, reserved; None when it cannot be had, or would not do for one question."""
    share = budget.share(Purpose.AUDIT)
    try:
        model_calls.require_callable(now)
        if share >= _allowance(now):
            return model_calls.open_account(Purpose.AUDIT, share, now=now)
    except (ModelUnavailable, prices.UnknownPriceError) as error:
        logger.warning("no citation audit today: %s", type(error).__name__)
    return None


def _ask_all(audit: CitationAudit, account: Account) -> None:
    for seed in _longest_waiting():
        tally = _asked(seed.text, account)
        if tally is None:
            logger.info("the audit's share of the day is used up")
            return
        AuditedQuery.objects.create(
            audit=audit,
            question=seed.text,
            question_hash=seed.question_hash,
            repeats=tally.repeats,
            errors=tally.errors,
            retrieved_repeats=tally.retrieved,
            cited_repeats=tally.cited,
            cited=tally.cited * 2 > tally.repeats,
            urls=[url[:URL_MAX_LENGTH] for url in tally.urls],
            asked_at=timezone.now(),
        )


def _longest_waiting() -> list[SeedQuestion]:
    seeds = {seed.question_hash: seed for seed in SeedQuestion.objects.active()}
    last = dict(
        AuditedQuery.objects.filter(question_hash__in=seeds)
        .values_list("question_hash")
        .annotate(Max("asked_at"))
    )
    never = datetime.min.replace(tzinfo=budget.SEOUL)
    return sorted(seeds.values(), key=lambda seed: (last.get(seed.question_hash, never), seed.order))


def _asked(question: str, account: Account) -> RepeatCounts | None:
    """All repeats of a question; None when the account did not last for all of them."""
    tally, hosts = RepeatCounts(), own_hosts()
    for _repeat in range(REPEATS):
        # A run takes many minutes, so the clock is read for each of its calls.
        now = timezone.now()
        if account.left < _allowance(now) or not budget.extend(account.reservation, now):
            return None
        paid = model_calls.use(account, _request(question), Deadline(DEADLINE_SECONDS), now=now)
        if paid is None:
            tally.errors += 1
        else:
            tally.count(paid.received, hosts)
    return tally


def _allowance(now: datetime) -> int:
    return prices.search_allowance(
        settings.ASK_MODEL,
        input_tokens=INPUT_TOKENS_ALLOWED,
        max_tokens=MAX_TOKENS,
        searches=SEARCHES_MAX,
        now=now,
    )


def _request(question: str) -> dict[str, Any]:
    tool = {
        "type": TOOL,
        "name": "web_search",
        "max_uses": SEARCHES_MAX,
        "user_location": {
            "type": "approximate",
            "city": "Seoul",
            "country": "KR",
            "timezone": "Asia/Seoul",
        },
    }
    return model_calls.message_request(content=question, max_tokens=MAX_TOKENS, tools=[tool])


def own_hosts() -> frozenset[str]:
    """The host names under which we are cited."""
    origins = (settings.BASE_URL, settings.CITY_URL)
    return frozenset(host for origin in origins if (host := urlsplit(origin).hostname))


def is_ours(url: str, hosts: Iterable[str]) -> bool:
    """Whether an address is one of ours: the very host, or a name under it."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    return any(host == own or host.endswith(f".{own}") for own in hosts)


def cited_urls(content: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The addresses that the text blocks of a web-search answer cite."""
    for block in content:
        if block["type"] == "text":
            yield from _urls(block.get("citations"), "web_search_result_location")


def retrieved_urls(content: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The addresses that its searches found. A search that failed has an object in place of the list."""
    for block in content:
        if block["type"] == "web_search_tool_result":
            yield from _urls(block.get("content"), "web_search_result")


def _urls(entries: object, kind: str) -> Iterator[str]:
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, Mapping) and entry.get("type") == kind and isinstance(entry.get("url"), str):
            yield entry["url"]


def audit_trend() -> AuditTrend:
    """The outcomes of the latest runs that measured anything."""
    answered = Q(queries__repeats__gt=0)
    audits = CitationAudit.objects.annotate(
        asked=Count("queries", filter=answered),
        found=Count("queries", filter=answered & Q(queries__cited=True)),
    ).filter(asked__gt=0)[:RUNS_SHOWN]
    runs = [_shown(audit) for audit in audits.prefetch_related("queries")]
    if not runs:
        return {"latest_date": None, "latest_rate": None, "runs": []}
    latest = runs[0]
    rate = round(latest["cited"] / latest["queries"], 4)
    return {"latest_date": latest["date"], "latest_rate": rate, "runs": runs}


def _shown(audit: CitationAudit) -> AuditRun:
    answered = [query for query in audit.queries.all() if query.repeats]
    return {
        "date": audit.date.isoformat(),
        "queries": len(answered),
        "cited": sum(query.cited for query in answered),
        "distinct_cited": len({url for query in answered if query.cited for url in query.urls}),
    }


def wilson(cited: int, queries: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson, 1927), which stays sensible for the few questions that we ask."""
    if not queries:
        return 0.0, 1.0
    z = 1.96
    rate, scale = cited / queries, 1 + z * z / queries
    middle = (rate + z * z / (2 * queries)) / scale
    half = z * math.sqrt(rate * (1 - rate) / queries + z * z / (4 * queries * queries)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)
