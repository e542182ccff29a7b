"""What the units that a question names measure now, as evidence: series with their changes, and the newest pulse.

A passage is made for the question and stored nowhere; it is cited by the page of the unit that shows the number.
Whatever asks for no number gets none: what a thing is does not change with its price.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ask.asked_units import AskedUnit
from ask.language import Language, language_of
from ask.patterns import pattern
from knowledge.linking.store import series_named
from knowledge.models import Series, Unit, UnitType
from knowledge.models.search import PassageKind, SearchPassage
from knowledge.normalise import normalise_alias
from knowledge.queries.numbers import ShownNumber
from knowledge.queries.series import series_by_unit
from knowledge.queries.units import pulses_of
from knowledge.search import words
from knowledge.search.ranking import UnderstoodQuestion
from knowledge.series.values import figures_of

UNITS_MAX = 3  # of those that a question names
SERIES_MAX = 4  # of one unit: its headline, and those that the question names
PULSE_LATELY = timedelta(hours=72)


def with_holders(question: UnderstoodQuestion) -> UnderstoodQuestion:
    """The question with the units that hold the series it calls by name, before those that it names itself."""
    keys = [one.unit for one in series_named(question.lexical.text)]
    found = Unit.objects.published().in_bulk(keys) if keys else {}
    holders = [found[key].public_id for key in keys if key in found]
    return replace(question, named=tuple(dict.fromkeys([*holders, *question.named])))


def passages_about(
    question: UnderstoodQuestion, named: Sequence[AskedUnit], *, now: datetime
) -> Iterator[SearchPassage]:
    """The passages of the first units of those that the question names, of each what the question calls by name first,
    else the headline; ``landing_unit`` is the unit that shows the number."""
    asked = question.lexical.text
    lang, terms = language_of(asked), {token.term for token in question.lexical.tokens}
    names = {one.norm for one in series_named(asked)}
    asks = bool(pattern("now", "offered", lang).search(asked)) or normalise_alias(asked) in names
    units = named[:UNITS_MAX]
    assets = any(one.unit.type == UnitType.ASSET for one in units)
    shown_by_unit = series_by_unit([one.unit.pk for one in units], assets=assets) if units else {}
    for unit, own in ((one.unit, one.words) for one in units):
        wanted = [
            series
            for place, series in enumerate(shown_by_unit.get(unit.pk, ()))
            if (asks and (place == 0 or _is_called(series, names))) or _names_of(series) & terms - own
        ]
        wanted.sort(key=lambda series: not _is_called(series, names))
        for figures in figures_of(wanted[:SERIES_MAX], now=now) if wanted else ():
            if figures.latest is not None:
                shown = ShownNumber(figures, now, lang)
                passage = _passage(unit, _said(shown), lang, figures.due_at, figures.series.names)
                passage.outlet, passage.measured_at = shown.source_label, figures.latest.at
                yield passage
        if wanted and unit.type == UnitType.ASSET:
            lately = pulses_of(unit).filter(detected_at__gt=now - PULSE_LATELY, detected_at__lte=now).first()
            if lately is not None:
                said = lately.summary if lang == "ko" else lately.summary_en
                # The next one may be seen at any time.
                passage = _passage(unit, said, lang, now)
                passage.measured_at = lately.detected_at
                yield passage


def _is_called(series: Series, names: Collection[str]) -> bool:
    """Whether one of these norms is the name of the series."""
    return any(normalise_alias(name) in names for name in series.names)


def _names_of(series: Series) -> set[str]:
    """The words of a series' names: those that are the unit's as well say nothing of the series."""
    return set(words.terms(" ".join((series.label, series.label_en, *series.aliases))))


def _said(shown: ShownNumber) -> str:
    """``원/달러 환율은 1,391.5원이다`` needs particles that a name decides, so it is said in the form of a list."""
    facts = [shown.measured, shown.source_label, shown.age]
    said = f"{shown.label}: {shown.value} ({', '.join(filter(None, facts))})"
    moved = [f"{since} {movement.size or movement.word}" for since, movement in shown.changes]
    return f"{said}, {', '.join(moved)}." if moved else f"{said}."


def _passage(
    unit: Unit, text: str, lang: Language, due_at: datetime | None, names: Iterable[str] = ()
) -> SearchPassage:
    """``names`` are those by which a question may have called what the text says."""
    kind = PassageKind.TOPIC if unit.type == UnitType.TOPIC else PassageKind.ENTITY
    passage = SearchPassage(
        unit=unit, kind=kind, title=" · ".join((unit.label, *names)), text=text, lang=lang
    )
    passage.landing_unit, passage.due_at = unit, due_at
    return passage
