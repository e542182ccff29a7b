"""Series as readers see them: on their own page, on the page of the unit that holds them, in lists and in frames."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from knowledge.languages import ENGLISH, current_language, english_path
from knowledge.models import PREMIUM_KEYS, Cadence, Series, Unit
from knowledge.queries import series as queries
from knowledge.queries.amounts import Movement, age, amount, gloss, in_words, measured, movement, unit_word
from knowledge.queries.charts import Point, SeriesPoint, readings_of, sparks_of
from knowledge.queries.number_words import WORDS
from knowledge.queries.series_serializers import SeriesSource
from knowledge.search.sentences import split_sentences
from knowledge.series.values import Figures, Latest, figures_of
from knowledge.times import iso_kst

# What tells that a number may be another: a series is public with its holder, an entity or a topic.
SCOPES = frozenset({"series", "entity", "topic"})
# Days that a chart shows, by the word in its address; a monthly series has too few points for less than all.
RANGES: Mapping[str, int | None] = {"30": 30, "90": 90, "365": 365, "all": None}
RANGE_DEFAULT = "365"
SHOWN_A_GROUP = 8  # of a large group, where all groups are shown
SHOWN_A_PAGE = 60
STRIP = ("price-btc", "kimchi-premium", "usd-krw")  # of the first page, the largest first


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """A series in words of one language, that of the page where nothing else is asked for.

    ``readings`` are the points of its chart, ``spark`` those of a small one.
    """

    figures: Figures
    now: datetime
    lang: str = field(default_factory=current_language)
    readings: Sequence[SeriesPoint] = ()
    spark: Sequence[Point] = ()

    @property
    def series(self) -> Series:
        return self.figures.series

    @property
    def say(self) -> dict[str, str]:
        return WORDS[self.lang]

    @property
    def label(self) -> str:
        return self.series.label_en if self.lang == ENGLISH else self.series.label

    @property
    def note(self) -> str:
        return self.series.note_en if self.lang == ENGLISH else self.series.note

    @property
    def about(self) -> str:
        """The first two sentences of what it is a number of, in its language; empty where nothing is written there."""
        holder = self.series.holder.survivor
        summary = holder.summary_en if self.lang == ENGLISH else holder.summary
        return "".join(split_sentences(summary, self.lang)[:2]).strip()

    @property
    def path(self) -> str:
        korean = self.series.get_absolute_url()
        return english_path(korean) if self.lang == ENGLISH else korean

    @property
    def embed_path(self) -> str:
        return f"/embed/number/{self.series.slug}" + ("?lang=en" if self.lang == ENGLISH else "")

    @property
    def json_path(self) -> str:
        return f"/api/series/{self.series.slug}.json"

    @property
    def csv_path(self) -> str:
        """Empty for what may be shown, but not passed on."""
        return f"/api/series/{self.series.slug}.csv" if self.series.redistributable else ""

    @property
    def value(self) -> str:
        latest = self.figures.latest
        return self.amount(latest) if latest else ""

    @property
    def gloss(self) -> str:
        latest = self.figures.latest
        return gloss(latest.value, self.series.unit, self.lang) if latest else ""

    @property
    def headline(self) -> str:
        """The value as the largest thing of a page: ``1억 2,400만 원``, ``+2.31%`` of a premium."""
        latest = self.figures.latest
        if latest is None:
            return ""
        said = in_words(latest.value, self.series.unit, self.lang) or self.value
        return f"+{said}" if self.is_premium and latest.value > 0 else said

    @property
    def when(self) -> str:
        """When it was measured, without the year where that is this one."""
        latest = self.figures.latest
        return measured(latest.at, latest.period, self.lang, now=self.now) if latest else ""

    @property
    def measured(self) -> str:
        latest = self.figures.latest
        return measured(latest.at, latest.period, self.lang) if latest else ""

    @property
    def at(self) -> str:
        latest = self.figures.latest
        return iso_kst(latest.at) if latest else ""

    @property
    def age(self) -> str:
        """``9일 전 값`` where it is overdue."""
        latest = self.figures.latest
        return age(latest, self.now, self.lang) if latest else ""

    @property
    def licence(self) -> str:
        return self.series.licence_in_english if self.lang == ENGLISH else self.series.licence

    @property
    def source(self) -> SeriesSource | None:
        return queries.source_of(self.figures)

    @property
    def source_label(self) -> str:
        """Empty where nobody is known to have measured it."""
        source = self.source
        return source["labelEn" if self.lang == ENGLISH else "label"] if source else ""

    @property
    def unit(self) -> str:
        return unit_word(self.series.unit, self.lang).strip()

    @property
    def is_premium(self) -> bool:
        """Whether it is the kimchi premium of an asset."""
        return self.figures.input is not None and self.figures.input.key.startswith(PREMIUM_KEYS)

    @property
    def changes(self) -> list[tuple[str, Movement]]:
        """Each change that is known, after the words that say since when."""
        known = self.figures.changes.items()
        return [(self.say[name], movement(each, self.series, self.lang)) for name, each in known if each]

    @property
    def lately(self) -> tuple[str, Movement] | None:
        """The change that a list has room for: over a day where there is one."""
        changes = self.figures.changes
        name = next((name for name in ("day", "previous") if changes[name]), "")
        change = changes.get(name)
        return (self.say[name], movement(change, self.series, self.lang)) if change else None

    @property
    def briefly(self) -> list[tuple[str, Movement]]:
        """The changes that are known, each by its share and after few words: over a day or else against the former
        value, a week and a year."""
        often = self.series.cadence in (Cadence.LIVE, Cadence.HOURLY)
        words = {"day": "hours" if often else "day", "week": "week", "year": "year"}
        changes = self.figures.changes
        if not changes["day"]:
            words = {"previous": "previous"} | words
        return [
            (self.say[f"brief_{word}"], movement(change, self.series, self.lang))
            for name, word in words.items()
            if (change := changes[name])
        ]

    @property
    def ranges(self) -> list[tuple[str, str]]:
        """What its chart may span, each with its name; none where it shows everything."""
        monthly = self.series.cadence == Cadence.MONTHLY
        return [] if monthly else [(key, self.say[f"range_{key}"]) for key in RANGES]

    @property
    def citation(self) -> str:
        parts = [settings.SERVICE_NAME, self.label, self.measured, f"{settings.BASE_URL}{self.path}"]
        return ", ".join(part for part in parts if part)

    def amount(self, of: SeriesPoint | Latest) -> str:
        return amount(of.value, self.series.unit, self.series.decimals, self.lang)

    def dated(self, of: SeriesPoint) -> str:
        return of.period or iso_kst(of.at)[: len("2026-11-22T12:00")].replace("T", " ")


class Group(NamedTuple):
    """A group of the list of numbers: its series begin with one of ``starts``."""

    key: str
    label: str
    label_en: str
    starts: tuple[str, ...] = ()


MACRO = Group("macro", "거시 지표", "Macro")
GROUPS = (
    MACRO,
    Group("market", "시장 전체", "The whole market", ("defi-", "stablecoin-", "fear-greed")),
    Group("chain", "비트코인 온체인", "Bitcoin on chain", ("bitcoin-",)),
    Group("premium", "김치 프리미엄", "Kimchi premium", ("kimchi-premium",)),
    Group("price", "원화 가격", "Prices in won", ("price-",)),
    Group("value", "24시간 거래대금", "Trading value in 24 hours", ("trading-value-",)),
)


class ListedGroup(NamedTuple):
    """One group as a page of the list shows it; ``has_more`` of those that it has no room for."""

    group: Group
    size: int
    numbers: Sequence[ShownNumber]
    has_more: bool


def numbers_of(unit: Unit, *, now: datetime, span: str = RANGE_DEFAULT) -> list[ShownNumber]:
    """What a unit's page shows: its own headline first, with the points of a chart over ``span``, the others with a
    small one."""
    figures = figures_of(queries.shown_series(unit), now=now)
    sparks = sparks_of(figures[1:], now=now) if figures[1:] else {}
    return [
        ShownNumber(
            each,
            now,
            spark=sparks.get(each.series.pk, ()),
            readings=() if place else _readings(each, now, span),
        )
        for place, each in enumerate(figures)
    ]


def number_of(slug: str, *, now: datetime, span: str = RANGE_DEFAULT) -> ShownNumber | None:
    """A public series with the points of its chart; None where there is none of that slug."""
    figures = queries.find(slug, now=now)
    return ShownNumber(figures, now, readings=_readings(figures, now, span)) if figures else None


def few_numbers(slugs: Iterable[str], *, now: datetime) -> list[ShownNumber]:
    """Those of these series that are public and have a value, in this order: for a strip."""
    order = list(slugs)
    rows = Series.objects.public().filter(slug__in=order)
    figures = [each for each in figures_of(rows, now=now) if each.latest]
    return [
        ShownNumber(each, now) for each in sorted(figures, key=lambda each: order.index(each.series.slug))
    ]


def listed_groups(*, now: datetime, group: str = "", page: int = 1) -> list[ListedGroup]:
    """All groups with the beginning of each, or one page of the group with this key: as many queries for any number."""
    by_group = defaultdict(list)
    for one in Series.objects.public().select_related("holder__merged_into"):
        by_group[group_of(one.slug).key].append(one)
    start = (page - 1) * SHOWN_A_PAGE if group else 0
    shown = {}
    for each in GROUPS:
        if by_group[each.key] and group in ("", each.key):
            ranked = sorted(by_group[each.key], key=_rank)
            room = (
                SHOWN_A_PAGE
                if group
                else SHOWN_A_GROUP
                if each.starts and len(ranked) > 2 * SHOWN_A_GROUP
                else None
            )
            shown[each] = ranked[start : None if room is None else start + room]
    figures = figures_of([one for rows in shown.values() for one in rows], now=now)
    sparks = sparks_of(figures, now=now)
    numbers = {
        each.series.pk: ShownNumber(each, now, spark=sparks.get(each.series.pk, ())) for each in figures
    }
    return [
        ListedGroup(
            each,
            len(by_group[each.key]),
            [numbers[one.pk] for one in rows],
            start + len(rows) < len(by_group[each.key]),
        )
        for each, rows in shown.items()
    ]


def group_of(slug: str) -> Group:
    """The group of a series, by the beginning of its slug, which never changes."""
    return next((each for each in GROUPS if each.starts and slug.startswith(each.starts)), MACRO)


def _rank(one: Series) -> tuple[int, str, int, str]:
    """Most written about first; the series of one holder as its page has them."""
    holder = one.holder.survivor
    return -holder.document_count, holder.slug, one.position, one.slug


def _readings(figures: Figures, now: datetime, span: str = RANGE_DEFAULT) -> list[SeriesPoint]:
    days = None if figures.series.cadence == Cadence.MONTHLY else RANGES[span]
    if days is None or figures.latest is None:
        return readings_of(figures, now=now)
    # A series that stopped shows the days before it did.
    return readings_of(figures, now=now, first=figures.latest.at - timedelta(days=days))
