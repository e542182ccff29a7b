"""One address of every type of page, in the rehearsed world that stands in the database."""

from datetime import datetime

from archive.days import yesterday
from ask.models import SeedQuestion
from knowledge.models import EventCluster

# Of these the README shows pictures, in this order: docs/images/<name>-light.png and -dark.png.
PICTURES = ("home", "asset", "answer", "city")


def paths(now: datetime) -> dict[str, str]:
    """By the name of its type. Raises where the world has none of a type."""
    told = EventCluster.objects.exclude(event=None).order_by("-first_document_at")[0].event
    assert told is not None
    return {
        "home": "/",
        "list": "/asset",
        "asset": "/asset/btc",
        "topic": "/topic/kimchi-premium",
        "rate": "/topic/usd-krw",
        "event": told.get_absolute_url(),
        "events": "/event",
        "company": "/entity/gaon-exchange",
        "person": "/entity/do-yeonwoo",
        "creator": "/creator/coin-seodang",
        "persona": "/creator/jangbu",
        "pulses": "/pulses",
        "numbers": "/numbers",
        "number": "/number/usd-krw",
        "embed": "/embed/number/kimchi-premium",
        "city": "/city",
        "city day": f"/city/{yesterday(now)}",
        "ask": "/ask",
        "answer": SeedQuestion.objects.answered()[0].get_absolute_url(),
        "search": "/search?q=%EB%88%84%EB%A6%AC%EC%B2%B4%EC%9D%B8%EB%9E%A9%EC%8A%A4",
        "status": "/status",
        "about": "/about",
        "terms": "/terms",
        "docs": "/docs",
        "missing": "/asset/btcc",
    }
