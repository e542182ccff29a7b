"""Makes the rehearsed world: a fortnight is played through, each source answering in its time, and the jobs of beat run
after it as they would have. Nothing is asked of the network.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.test.utils import override_settings
from django.utils import timezone

from archive.days import yesterday
from archive.rehearsal import rehearse
from ask import proposals, renewal
from ask.canon import loader as questions
from ask.models import SeedQuestion
from bulk import writing
from bulk.nights import due_day
from feeds import status
from knowledge import counting
from knowledge.canon import loader as canon
from knowledge.canon.units import resolve
from knowledge.events import announcements, decisions, intake
from knowledge.events.clusters import doubt
from knowledge.ingestion import runs
from knowledge.ingestion.health import verdicts
from knowledge.ingestion.health.freshness import OK
from knowledge.models import (
    EventCluster,
    Persona,
    PersonaPost,
    PossibleMerge,
    Source,
    SubsystemVerdict,
    Unit,
    UnitType,
    Venue,
)
from knowledge.publications import build
from knowledge.pulses import burst_recording, premium_recording, recording
from knowledge.search import indexing, statistics
from knowledge.series import premium, premium_history
from knowledge.sources.adapters import ADAPTERS
from rehearsal.market import InventedMarket
from rehearsal.stories import FORTNIGHT, by_address, stories, written
from rehearsal.web import InventedWeb

CANON = Path(__file__).parent / "canon.json"
CITY_DAYS = 14
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# When sources are asked: each day at this hour, in the last two days more often. The first look brings history.
OFTEN, OFTEN_FOR = 6 * HOUR, 2 * DAY
BARS_ASKED = (FORTNIGHT, 7 * DAY, timedelta(0))
DAY_BARS_ASKED = (199 * DAY, timedelta(0))
PREMIUMS_SINCE = 200 * DAY
PROPOSED = 2
EXCHANGES = ("upbit_markets", "upbit_tickers", "binance_tickers")
BARS = ("upbit_candles", "binance_klines")
TOLD = ("rss",)
VERDICT_DAYS = 14
KEYS = dict.fromkeys(("ECOS_API_KEY", "FRED_API_KEY"), "key-of-nobody")  # of answers that are invented too

Say = Callable[[str], None]


@dataclass
class World:
    """A world in the making; ``web`` is asked as of the moment that is being played."""

    now: datetime
    market: InventedMarket
    web: InventedWeb


def make(*, now: datetime, say: Say = lambda _line: None) -> None:
    """Fill an empty database that has the starter canon. ``say`` is told of each step."""
    world = _begin(now)
    with override_settings(**KEYS):
        say("numbers and prices of 400 days")
        _numbers(world)
        say("a fortnight of news, videos and notices")
        _fortnight(world)
    say("pulses, premiums and bursts")
    _moves(world)
    say("what waits at the desk")
    _desk(world)
    say("the city and its days")
    list(rehearse(CITY_DAYS, until=yesterday(now)))
    say("answers to the seed questions")
    _search()
    _answers(now)
    _switch_off(now)
    say("public files")
    _publish(now)


def _begin(now: datetime) -> World:
    parsed = [canon.read(CANON)]
    canon.load(parsed, now=now)
    questions.load(parsed, now=now)
    market = InventedMarket(now)
    feeds = Source.objects.filter(adapter__in=TOLD).values_list("slug", "url")
    return World(now, market, InventedWeb(market=market, at=now, stories=by_address(stories(market), feeds)))


def _ask(world: World, sources: Iterable[Source], at: datetime) -> None:
    world.web.at = at
    for source in sources:
        run = runs.ingest(source, now=at, http=world.web, jitter=lambda: 0.0)
        if run.cause:
            raise RuntimeError(f"{source.slug}: {run.cause} {run.detail}")


def _of(*adapters: str) -> list[Source]:
    return list(Source.objects.filter(adapter__in=adapters).order_by("pk"))


def _numbers(world: World) -> None:
    """History first: what is asked for once and brings years."""
    now = world.now
    slow = [
        name
        for name in ADAPTERS
        if name in ("ecos", "fred", "frankfurter", "alternative_me", "defillama", "mempool_space")
    ]
    macro = [source for source in _of(*slow) if source.slug != "fred-csv"]
    _ask(world, macro, now - DAY)
    for ago in DAY_BARS_ASKED:
        _ask(world, _of(*EXCHANGES), now - max(ago, FORTNIGHT))
        _ask(world, [one for one in _of(*BARS) if one.settings["interval"] == "1d"], now - ago)
    world.web.slipped = True
    _ask(world, macro, now)
    for ago in BARS_ASKED:
        _ask(world, [one for one in _of(*BARS) if one.settings["interval"] == "1h"], now - ago)
    both = Unit.objects.filter(markets__venue=Venue.BINANCE, type=UnitType.ASSET).distinct()
    for asset in both:
        list(premium_history.fill_in(asset, now - PREMIUMS_SINCE, now=now))


def moments(now: datetime) -> list[datetime]:
    """When the fortnight's sources are asked, the last time now."""
    days = [now - FORTNIGHT + at * DAY for at in range((FORTNIGHT - OFTEN_FOR) // DAY)]
    return [*days, *(now - OFTEN_FOR + at * OFTEN for at in range(OFTEN_FOR // OFTEN + 1))]


def _fortnight(world: World) -> None:
    told = [source for source in _of(*TOLD) if source.url in world.web.stories]
    exchanges, last = _of("upbit_tickers", "binance_tickers"), world.now - 15 * DAY
    for at in moments(world.now):
        bringing = [one for one in told if any(last < story.at <= at for story in world.web.stories[one.url])]
        _ask(world, bringing, at)
        _ask(world, exchanges, at)
        premium.record_all(now=at)
        intake.cluster_new_documents(now=at)
        last = at
    announcements.announce(now=world.now)


def _moves(world: World) -> None:
    for at in (world.now - 7 * DAY, world.now):
        recording.record_price_pulses(now=at)
        premium_recording.record_premium_pulses(now=at)
    burst_recording.record_bursts(now=world.now)


def _desk(world: World) -> None:
    """What editors have decided already, and drafts that wait for them."""
    for beginning in written()["published"]:
        cluster = EventCluster.objects.awaiting().filter(documents__title__contains=beginning).first()
        if cluster is not None:
            decisions.publish(cluster, now=world.now)
    if not PossibleMerge.objects.awaiting().exists():
        _doubt_one_pair(world.now)
    personas = list(Persona.objects.order_by("pk"))
    for record in written()["posts"]:
        post = PersonaPost.objects.create(
            persona=personas[record["persona"]],
            slug=record["slug"],
            body=record["body"],
            status=record["status"],
            published_at=world.now - record["ago"] * HOUR,
        )
        post.units.set(resolve(unit) for unit in record["units"])


def _doubt_one_pair(now: datetime) -> None:
    """Two candidates of which the clustering made no pair: the hack, and what was told of it afterwards."""
    pair = list(
        EventCluster.objects.awaiting().filter(documents__title__contains="누리체인랩스").distinct()[:2]
    )
    if len(pair) == 2:
        doubt([(pair[0].pk, pair[1].pk)], noted_at=now)


def _search() -> None:
    counting.fold()
    while indexing.refresh():
        pass
    statistics.rebuild_statistics()


def _answers(now: datetime) -> None:
    renewal.answer_seeds(now=now)
    for seed in SeedQuestion.objects.answered()[:PROPOSED]:
        proposals.propose(seed.text, now=now)


def _switch_off(now: datetime) -> None:
    """Nobody is asked from here on; the record of hours says how the fortnight went."""
    Source.objects.update(enabled=False, next_fetch_at=None)
    found = status.subsystems(now)
    hours = [timezone.localtime(now - number * HOUR) for number in range(1, VERDICT_DAYS * 24)]
    SubsystemVerdict.objects.bulk_create(
        SubsystemVerdict(subsystem=row.name, day=at.date(), hour=at.hour, status=OK)
        for row in found
        for at in hours
    )
    verdicts.record(found, now=now)


def _publish(now: datetime) -> None:
    build(now=now, force=True)
    writing.write(due_day(now), now=now, tell=lambda _line: None)
