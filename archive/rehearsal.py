"""Six plausible services played on this machine, so that a city lives before any real service is connected.

What they say depends on the service and the day alone. Rehearsed days say so in their file and on their page, ask no
model, and never enter the norms of real ones.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from archive.canonical import canonical_bytes
from archive.capture import seal
from archive.days import ONE_DAY, days_between, end_of
from archive.metrics import SLUGS
from archive.models import SisterService, Snapshot
from archive.signals import SCHEMA_VERSION, parse, store
from archive.sisters import six_services
from knowledge.times import iso_kst

SEALED_AFTER = timedelta(seconds=4)
SENT_BEFORE = timedelta(minutes=3)
SILENCE_CHANCE = 0.025  # of one service on one day
OUTAGE_CHANCE = 0.006  # of all at once
FEAST_CHANCE, FEAST = 0.05, 3.0
TRADE_WON = 380_000  # an average order
TOPICS = ("bitcoin", "ethereum", "stablecoin", "etf", "kimchi-premium", "halving", "regulation", "staking")


@dataclass(frozen=True, slots=True)
class Weather:
    """What the whole city feels on a day, −1..1 about: business, spirits, trouble."""

    pace: float
    spirits: float
    trouble: float
    weekend: bool


def rehearse(days: int, *, until: date) -> Iterator[Snapshot]:
    """Seal up to ``days`` rehearsal days that end with ``until``; days that have a file keep it. Oldest first.

    Each is sealed as if the clock stood just after its own midnight.
    """
    sealed = set(Snapshot.objects.values_list("day", flat=True))
    services = six_services()
    for day in days_between(until - (days - 1) * ONE_DAY, until):
        if day not in sealed:
            for slug, service in services.items():
                _say(service, slug, day)
            yield seal(day, now=end_of(day) + SEALED_AFTER, compose=None, rehearsal=True)


def _say(service: SisterService, slug: str, day: date) -> None:
    body = signal_body(slug, day)
    if body is not None:
        sent = end_of(day) - SENT_BEFORE
        store(service, parse(body, slug=slug, day=day, now=sent), now=sent, rehearsal=True)


def signal_body(slug: str, day: date) -> bytes | None:
    """What a played service says about a day; None on the few days on which it is silent."""
    if _chance("outage", day) < OUTAGE_CHANCE or _chance(slug, day) < SILENCE_CHANCE:
        return None
    dice = _dice(f"{slug}|{day}")
    metrics, highlights = PLAYERS[slug](day, _felt_by(slug, day), dice)
    return canonical_bytes(
        {
            "schemaVersion": SCHEMA_VERSION,
            "service": slug,
            "day": day.isoformat(),
            "generatedAt": iso_kst(end_of(day) - SENT_BEFORE),
            "complete": True,
            "metrics": metrics,
            "highlights": highlights,
        }
    )


def weather_of(day: date) -> Weather:
    """Slow waves with a jolt now and then: the same for all services, so that their days belong together."""
    at, dice = day.toordinal(), _dice(f"weather|{day}")
    jolt = dice.choice((-1.2, 1.2)) if dice.random() < 0.12 else 0.0
    pace = 0.5 * math.sin(at / 9.1) + 0.3 * math.sin(at / 31.7) + 0.35 * dice.gauss(0, 1) + 0.5 * abs(jolt)
    spirits = 0.55 * math.sin(at / 13.3 + 1) + 0.3 * dice.gauss(0, 1) + 0.6 * jolt
    trouble = 0.35 * dice.gauss(0, 1) + 0.8 * abs(min(jolt, 0)) + 0.3 * math.sin(at / 17.9)
    return Weather(pace, spirits, trouble, day.weekday() >= 5)


def _felt_by(slug: str, day: date) -> Weather:
    """The city's day as one service has it: now and then a feast of its own, or an empty house."""
    weather, chance = weather_of(day), _chance(f"mood of {slug}", day)
    if chance < FEAST_CHANCE:
        return replace(weather, pace=weather.pace + FEAST)
    return replace(weather, pace=weather.pace - FEAST) if chance > 1 - FEAST_CHANCE else weather


def _dice(seed: str) -> random.Random:
    return random.Random(seed)  # noqa: S311  a play, and it must come out the same everywhere


def _chance(who: str, day: date) -> float:
    return _dice(f"silence|{who}|{day}").random()


def _count(usual: float, pull: float, dice: random.Random) -> int:
    return round(usual * math.exp(0.4 * pull + 0.08 * dice.gauss(0, 1)))


def _between(value: float, low: float, high: float, places: int) -> float:
    return round(min(max(value, low), high), places)


Said = tuple[dict[str, Any], list[dict[str, Any]]]


def _market(day: date, weather: Weather, dice: random.Random) -> Said:
    traders = _count(5200, weather.pace, dice)
    orders = _count(7.5 * traders, 0.5 * weather.pace, dice)
    volume = round(orders * TRADE_WON * math.exp(0.3 * weather.pace))
    volatility = _between(
        3 + 1.6 * abs(weather.pace) + 2.2 * max(weather.trouble, 0) + dice.random(), 0.3, 60, 2
    )
    up = _between(0.5 + 0.22 * weather.spirits + 0.05 * dice.gauss(0, 1), 0.03, 0.97, 3)
    metrics = {
        "activeTraders": traders,
        "orders": orders,
        "volumeKrw": volume,
        "volatilityPct": volatility,
        "upShare": up,
    }
    return metrics, [{"label": "거래 대금(억 원)", "value": round(volume / 1e8, 1)}]


def _community(day: date, weather: Weather, dice: random.Random) -> Said:
    users = _count(3100, 0.6 * weather.pace + 0.5 * weather.weekend, dice)
    posts = _count(0.42 * users, 0.4 * weather.pace, dice)
    reactions = _count(2.6 * users, 0.3 * weather.pace, dice)
    good = _between(0.42 + 0.26 * weather.spirits, 0.05, 0.85, 4)
    bad = _between((1 - good) * (0.5 - 0.2 * weather.spirits), 0.03, 0.9, 4)
    positive, negative = round(reactions * good), round(reactions * bad)
    metrics = {
        "posts": posts,
        "comments": _count(5.1 * posts, 0.3 * weather.pace, dice),
        "activeUsers": users,
        "newUsers": _count(85, weather.pace, dice),
        "positive": positive,
        "negative": negative,
        "neutral": max(reactions - positive - negative, 0),
        "reports": _count(24, 2.5 * weather.trouble, dice),
    }
    return metrics, [{"label": "새 글", "value": posts}]


def _learning(day: date, weather: Weather, dice: random.Random) -> Said:
    learners = _count(1450, 0.4 * weather.pace - 1.1 * weather.weekend, dice)
    metrics = {
        "learners": learners,
        "lessonsCompleted": _count(2.3 * learners, 0.2 * weather.pace, dice),
        "quizAttempts": _count(3.4 * learners, 0.2 * weather.pace, dice),
        "avgScore": _between(71 + 4 * weather.spirits + 2 * dice.gauss(0, 1), 20, 99, 1),
        "streakUsers": _count(0.31 * learners, 0, dice),
    }
    return metrics, [{"label": "평균 점수", "value": metrics["avgScore"]}]


def _media(day: date, weather: Weather, dice: random.Random) -> Said:
    views = _count(64_000, weather.pace + 0.4 * weather.weekend, dice)
    topics = dice.sample(TOPICS, 4)
    metrics = {
        "published": _count(46, 0.5 * weather.pace - 0.8 * weather.weekend, dice),
        "views": views,
        "watchMinutes": _count(3.9 * views, 0.2 * weather.pace, dice),
        "saves": _count(0.018 * views, 0.3 * weather.spirits, dice),
        "topTopics": [{"id": topic, "n": _count(900 / (at + 1), 0, dice)} for at, topic in enumerate(topics)],
    }
    return metrics, [{"label": "가장 많이 본 주제", "value": topics[0]}]


def _arena(day: date, weather: Weather, dice: random.Random) -> Said:
    players = _count(2250, 0.3 * weather.pace + 1.3 * weather.weekend, dice)
    matches = _count(2.8 * players, 0.3 * weather.weekend, dice)
    metrics = {
        "players": players,
        "matches": matches,
        "wins": round(matches * _between(0.5 + 0.02 * dice.gauss(0, 1), 0.3, 0.7, 4)),
        "avgSessionMin": _between(34 + 6 * weather.weekend + 3 * dice.gauss(0, 1), 3, 240, 1),
        "seasonDay": day.toordinal() % 90 + 1,
    }
    return metrics, [{"label": "시즌 날짜", "value": metrics["seasonDay"]}]


def _infra(day: date, weather: Weather, dice: random.Random) -> Said:
    requests = _count(2_400_000, 0.9 * weather.pace, dice)
    metrics = {
        "requests": requests,
        "errorRate": _between(0.0035 * math.exp(1.1 * weather.trouble + 0.3 * dice.gauss(0, 1)), 0, 1, 5),
        "p95Ms": _between(148 * math.exp(0.25 * weather.pace + 0.4 * weather.trouble), 20, 9000, 1),
        "uptime": _between(1 - 0.0006 * math.exp(1.6 * weather.trouble), 0.9, 1, 5),
        "cpuPct": _between(46 + 13 * weather.pace + 6 * weather.trouble + 3 * dice.gauss(0, 1), 4, 99, 1),
        "deploys": 0 if weather.weekend else dice.randint(1, 9),
    }
    return metrics, [{"label": "배포", "value": metrics["deploys"]}]


PLAYERS: dict[str, Callable[[date, Weather, random.Random], Said]] = dict(
    zip(SLUGS, (_market, _community, _learning, _media, _arena, _infra), strict=True)
)
