"""Values of an input as rows: a corrected one is a new revision, an unchanged one writes nothing, a doubtful one waits.

A value is held back when it is below or above what its series can be, more times its predecessor than the series
jumps, in another unit than before, dated in the future, a second one for one time in the same answer, or larger than
its column. Held values wait for an editor; the last good one is shown meanwhile, with its age.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Context, Decimal
from typing import Any, NamedTuple

from django.db import connection, transaction

from knowledge.models import (
    UNIT_LENGTH,
    VALUE_DIGITS,
    VALUE_PLACES,
    Cadence,
    HeldValue,
    Observation,
    SeriesInput,
)
from knowledge.series import yearly
from knowledge.sources.base import ObservationItem

# Clocks differ a little; what is dated later than this has not happened yet.
CLOCKS_WITHIN = timedelta(minutes=15)
AT_ONCE = 2_000  # rows a statement
MONTH = len("2026-10")
Known = Mapping[tuple[int, datetime], Observation]  # by input and time
_SMALLEST, _EXACT = Decimal(1).scaleb(-VALUE_PLACES), Context(prec=VALUE_DIGITS)
_TOO_LARGE = 10.0 ** (VALUE_DIGITS - VALUE_PLACES)

_KNOWN = """
SELECT point.* FROM unnest(%s::bigint[], %s::timestamptz[], %s::timestamptz[]) AS wanted (input_id, first, last)
JOIN knowledge_observation point
    ON point.input_id = wanted.input_id AND point.newest AND point.at BETWEEN wanted.first AND wanted.last
"""
_BEFORE = """
SELECT wanted.input_id, point.value FROM unnest(%s::bigint[], %s::timestamptz[]) AS wanted (input_id, first)
CROSS JOIN LATERAL (
    SELECT value FROM knowledge_observation
    WHERE input_id = wanted.input_id AND newest AND at < wanted.first ORDER BY at DESC LIMIT 1
) AS point
"""


def stored_value(value: float) -> Decimal:
    """As its column holds it: the shortest decimal that is this float, to twelve places."""
    return Decimal(repr(value)).quantize(_SMALLEST, context=_EXACT)


def record(of: SeriesInput, items: Iterable[ObservationItem], *, now: datetime) -> Counter[str]:
    """Store what is new or corrected; counts of ``fetched``, ``created``, ``updated``, ``unchanged`` and ``held``."""
    return record_all({of: items}, now=now)


@transaction.atomic
def record_all(answers: Mapping[SeriesInput, Iterable[ObservationItem]], *, now: datetime) -> Counter[str]:
    """The same for many inputs at once, by as many statements as for one: tickers come by the hundred."""
    found = {of: sorted(items, key=lambda item: item.at) for of, items in answers.items()}
    found = {of: items for of, items in found.items() if items}
    _lock(found)
    known, before = _known(found), _values_before(found)
    accepted: list[tuple[SeriesInput, ObservationItem]] = []
    held: list[HeldValue] = []
    counts: Counter[str] = Counter()
    for of, items in found.items():
        sifted = _sift(of, items, known, before.get(of.pk), now=now)
        accepted += [(of, item) for item in sifted.accepted]
        held += sifted.held
        counts.update(fetched=len(items), unchanged=sifted.unchanged)
    counts.update(_write(accepted, known, now=now), held=_keep(held))
    _let_go(accepted, known)
    for of in found:
        _derive(of, now=now)
    return counts


def accept(held: HeldValue, *, now: datetime) -> bool:
    """Take a held value for true: it is stored as the newest of its time, and waits no longer; its unit is that of the
    values to come. False where somebody has accepted it already, and of a number that no column holds."""
    item = ObservationItem(held.input.key, held.at, held.value, held.unit, held.period)
    with transaction.atomic():
        _lock([held.input])
        if not _can_be_stored(held.value) or not HeldValue.objects.filter(pk=held.pk).exists():
            return False
        known = _known({held.input: [item]})
        if not _is_known(held.input, item, known):
            _write([(held.input, item)], known, now=now)
        SeriesInput.objects.filter(pk=held.input.pk).exclude(unit__in=("", held.unit)).update(unit=held.unit)
        held.delete()
        _derive(held.input, now=now)
    return True


def _derive(of: SeriesInput, *, now: datetime) -> None:
    """Bring the series that is calculated from this one in line with it."""
    derived = yearly.input_that_follows(of)
    if derived is not None:
        record(derived, yearly.changes(of, derived.key), now=now)


def reject(held: HeldValue, *, now: datetime) -> None:
    """Throw a held value away; fetched again it asks nobody."""
    HeldValue.objects.filter(pk=held.pk, rejected_at=None).update(rejected_at=now)


def recall(held: HeldValue) -> None:
    """Let a value that was thrown away wait again."""
    HeldValue.objects.filter(pk=held.pk).update(rejected_at=None)


class _Sifted(NamedTuple):
    accepted: Collection[ObservationItem]
    held: list[HeldValue]
    unchanged: int


def _sift(
    of: SeriesInput, items: Sequence[ObservationItem], known: Known, former: Decimal | None, *, now: datetime
) -> _Sifted:
    """Tell what is to be written of one input from what may be a mistake; items in the order of their times."""
    accepted: dict[datetime, ObservationItem] = {}
    held, unchanged = [], 0
    # Of two values for one time the one that is stored counts, else the first: or each run would correct the last one.
    counted = {item.at: item.value for item in items if _is_known(of, item, known)}
    for item in items:
        if _is_known(of, item, known):
            unchanged += 1
        elif reason := _doubt(of, item, counted.get(item.at), former, now=now):
            held.append(_held(of, item, reason, now))
            continue
        else:
            accepted[item.at] = item
            counted[item.at] = item.value
        former = stored_value(item.value)
    return _Sifted(accepted.values(), held, unchanged)


def _is_known(of: SeriesInput, item: ObservationItem, known: Known) -> bool:
    present = known.get((of.pk, item.at))
    return present is not None and _can_be_stored(item.value) and present.value == stored_value(item.value)


def _can_be_stored(value: float) -> bool:
    return abs(value) < _TOO_LARGE


def _lock(inputs: Iterable[SeriesInput]) -> None:
    """Until the end of the transaction nobody else writes values of these inputs: two sources may tell of one, and each
    writes what the other has not."""
    keys = [of.pk for of in inputs]
    rows = SeriesInput.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
    list(rows.values_list("pk", flat=True))


def _known(found: Mapping[SeriesInput, Sequence[ObservationItem]]) -> Known:
    """The newest revisions that are stored of the times that these items span."""
    spans = [(of.pk, items[0].at, items[-1].at) for of, items in found.items()]
    rows: Iterable[Observation] = Observation.objects.raw(_KNOWN, _columns(spans, 3))
    return {(row.input_id, row.at): row for row in rows}


def _values_before(found: Mapping[SeriesInput, Sequence[ObservationItem]]) -> dict[int, Decimal]:
    """By input the value before the first of its items."""
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, _columns([(of.pk, items[0].at) for of, items in found.items()], 2))
        return dict(cursor.fetchall())


def _columns(rows: Sequence[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [[row[place] for row in rows] for place in range(width)]


def _doubt(
    of: SeriesInput, item: ObservationItem, counted: float | None, former: Decimal | None, *, now: datetime
) -> str:
    """Why a value may be a mistake, empty where nothing speaks against it. Editors read it. ``counted`` is what counts
    for its time already."""
    if not _can_be_stored(item.value):
        return "저장할 수 있는 수보다 큽니다."
    if item.at > now + CLOCKS_WITHIN:
        return "아직 오지 않은 시각의 값입니다."
    if counted is not None and counted != item.value:
        return f"한 응답에 같은 시각의 값이 둘입니다({counted:g})."
    if of.unit and item.unit[:UNIT_LENGTH] != of.unit:
        return f"단위가 {of.unit}에서 {item.unit or '없음'}(으)로 바뀌었습니다."
    series = of.series
    if series is None:
        return ""
    if series.least is not None and item.value < series.least:
        return f"최솟값 {series.least:g}보다 작습니다."
    if series.most is not None and item.value > series.most:
        return f"최댓값 {series.most:g}보다 큽니다."
    if series.largest_jump and former and former > 0 and item.value > 0:
        times = max(item.value / float(former), float(former) / item.value)
        if times > series.largest_jump:
            return f"앞 값 {former.normalize():f}에서 {times:,.0f}배 변했습니다."
    return ""


def _held(of: SeriesInput, item: ObservationItem, reason: str, now: datetime) -> HeldValue:
    return HeldValue(
        input=of,
        at=item.at,
        period=item.period,
        value=item.value,
        unit=item.unit[:UNIT_LENGTH],
        reason=reason[:200],
        fetched_at=now,
    )


def _keep(held: list[HeldValue]) -> int:
    """Each once: a value that waits, or that an editor threw away, is fetched again with every run."""
    HeldValue.objects.bulk_create(held, batch_size=AT_ONCE, ignore_conflicts=True)
    return len(held)


def _let_go(accepted: Iterable[tuple[SeriesInput, ObservationItem]], known: Known) -> None:
    """What is stored by now waits for nobody: the time of a value came, or an operator changed its rule."""
    stored = {place: point.value for place, point in known.items()}
    stored |= {(of.pk, item.at): stored_value(item.value) for of, item in accepted}
    waiting = HeldValue.objects.filter(input__in={of for of, _at in stored}, rejected_at=None)
    gone = [
        held.pk
        for held in waiting
        if _can_be_stored(held.value) and stored.get((held.input_id, held.at)) == stored_value(held.value)
    ]
    if gone:
        HeldValue.objects.filter(pk__in=gone).delete()


def _write(
    accepted: Iterable[tuple[SeriesInput, ObservationItem]], known: Known, *, now: datetime
) -> Counter[str]:
    rows = [
        Observation(
            input=of,
            at=item.at,
            period=item.period[:MONTH] if of.series and of.series.cadence == Cadence.MONTHLY else item.period,
            value=stored_value(item.value),
            revision=known[of.pk, item.at].revision + 1 if (of.pk, item.at) in known else 1,
            fetched_at=now,
        )
        for of, item in accepted
    ]
    corrected = [known[row.input_id, row.at].pk for row in rows if (row.input_id, row.at) in known]
    if corrected:
        Observation.objects.filter(pk__in=corrected).update(newest=False)
    Observation.objects.bulk_create(rows, batch_size=AT_ONCE)
    return Counter(created=len(rows) - len(corrected), updated=len(corrected))
