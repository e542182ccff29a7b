"""Signals, days and states with sensible defaults."""

import json
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from archive import capture
from archive.city import derive
from archive.city_inputs import Inputs, Reading
from archive.day_facts import DayFacts
from archive.days import ONE_DAY, end_of
from archive.metrics import SLUGS, numeric_metrics
from archive.models import Signal, Snapshot
from archive.norms import Norm, scale
from archive.reflection import Compose
from archive.signals import parse, signature_of, store
from archive.sisters import six_services
from ask.model_calls import Completion
from knowledge.times import iso_kst
from tests.fakes.replay import Exchange

DAY = date(2026, 11, 20)
MIDNIGHT = end_of(DAY)
SECRET = "a secret shared with the harbour"
GOOD = (
    "11월 20일 도시의 하늘은 온종일 맑았고 사람들은 천천히 저녁을 맞았다. "
    "여섯 구역이 모두 문을 열어 두었고 광장의 활기는 50이었다. "
    "경제 지수는 50으로 적혔으며 기분 지수 24가 그 곁에 나란히 놓였다. "
    "깨어 있던 사람은 11,600명이었고 불빛은 늦은 밤까지 이어졌다. "
    "그렇게 하루가 저물고 기록자는 등불을 내려놓았다."
)
TEXT = GOOD.replace("24", "20")  # holds for the first sealed day of the default signals
QUIET_CONTEXT = {"pulsesUp": 0, "pulsesDown": 0, "kimchiPremium": None, "documents": 0}

METRICS: dict[str, dict[str, Any]] = {
    "market": {
        "activeTraders": 5000, "orders": 40_000, "volumeKrw": 15_000_000_000, "volatilityPct": 3.5, "upShare": 0.5,
    },
    "community": {
        "posts": 1200, "comments": 6000, "activeUsers": 3000, "newUsers": 80, "positive": 3000, "negative": 2000,
        "neutral": 1500, "reports": 20,
    },
    "learning": {
        "learners": 1400, "lessonsCompleted": 3200, "quizAttempts": 5000, "avgScore": 71.5, "streakUsers": 430,
    },
    "media": {
        "published": 45, "views": 64_000, "watchMinutes": 250_000, "saves": 1100,
        "topTopics": [{"id": "bitcoin", "n": 900}],
    },
    "arena": {"players": 2200, "matches": 6100, "wins": 3000, "avgSessionMin": 34.5, "seasonDay": 12},
    "infra": {
        "requests": 2_400_000, "errorRate": 0.004, "p95Ms": 150.5, "uptime": 0.9995, "cpuPct": 46.5, "deploys": 3,
    },
}  # fmt: skip


def raw_signal(slug: str, day: date = DAY, /, **changes: Any) -> dict[str, Any]:
    """A signal that holds; ``metrics`` changes single ones, other keywords whole fields."""
    metrics = METRICS[slug] | changes.pop("metrics", {})
    return {
        "schemaVersion": 1,
        "service": slug,
        "day": day.isoformat(),
        "generatedAt": iso_kst(end_of(day) - timedelta(minutes=5)),
        "complete": True,
        "metrics": metrics,
        "highlights": [{"label": "오늘의 말", "value": 3}],
    } | changes


def body_of(raw: dict[str, Any]) -> bytes:
    return json.dumps(raw, ensure_ascii=False).encode()


def answering(body: bytes, signature: str | None = None) -> Callable[[Exchange], None]:
    headers = {"Content-Type": "application/json", "X-Signature": signature or signature_of(body, SECRET)}
    return lambda exchange: exchange.answer(body, headers=headers)


def say(
    slug: str, day: date = DAY, *, at: datetime | None = None, rehearsal: bool = False, **changes: Any
) -> Signal:
    """Store a signal as if it had come five minutes before the day's midnight."""
    received = at or end_of(day) - timedelta(minutes=5)
    parsed = parse(body_of(raw_signal(slug, day, **changes)), slug=slug, day=day, now=received)
    return store(six_services()[slug], parsed, now=received, rehearsal=rehearsal)


def say_all(day: date = DAY, slugs: Sequence[str] = SLUGS, **options: Any) -> None:
    for slug in slugs:
        say(slug, day, **options)


def sealed(
    day: date = DAY, *, slugs: Sequence[str] = SLUGS, compose: Compose | None = None, **options: Any
) -> Snapshot:
    """A day with the signals of these services, sealed seconds after its midnight."""
    say_all(day, slugs, **options)
    return capture.seal(day, now=end_of(day) + timedelta(seconds=3), compose=compose, **options)


def sealed_days(count: int, last: date = DAY, **options: Any) -> list[Snapshot]:
    return [sealed(last - back * ONE_DAY, **options) for back in range(count - 1, -1, -1)]


def readings(**states: str) -> dict[str, Reading]:
    """All six services heard, but for those whose state is given."""
    found = {}
    for slug in SLUGS:
        state: Any = states.get(slug, "ok")
        numbers = {name: value for name, value in METRICS[slug].items() if not isinstance(value, list)}
        found[slug] = Reading(state, numbers if state != "missing" else {})
    return found


def warm_norms() -> dict[str, Norm]:
    """Norms of a city in which the default signals are an ordinary day."""
    return {
        f"{service.slug}.{metric.name}": Norm(28, scale(metric, METRICS[service.slug][metric.name]), 0.1)
        for service, metric in numeric_metrics()
    }


def facts(**changes: Any) -> DayFacts:
    """The facts of an ordinary day; keywords replace fields of the weather, the mood or the whole."""
    state = derive(Inputs(DAY.isoformat(), readings(), warm_norms()))
    state["city"]["weather"]["condition"] = changes.pop("condition", "clear")
    state["city"]["mood"] = changes.pop("mood", {"score": 24, "label": "bright"})
    state["districts"] = changes.pop("districts", state["districts"])
    state["delta"] = changes.pop("delta", state["delta"])
    fields: dict[str, Any] = {
        "day": DAY, "status": "complete", "state": state, "heard": 6, "context": QUIET_CONTEXT,
    }  # fmt: skip
    return DayFacts(**(fields | changes))


class ComposeFake:
    """A model that says the given texts, one a call, and then cannot be asked any more."""

    def __init__(self, *texts: str | None) -> None:
        self.texts = list(texts)
        self.asked: list[tuple[str, str]] = []

    def __call__(self, system: str, content: str) -> Completion | None:
        self.asked.append((system, content))
        text = self.texts.pop(0) if self.texts else None
        return None if text is None else Completion(text, "model-of-the-test", 1500)
