"""Values of an input as rows: a corrected one is a new revision, an unchanged one writes nothing, a doubtful one waits.

A value is held back when it is below or above what its series can be, more times its predecessor than the series
jumps, in another unit than before, dated in the future, or a second one for one time in the same answer. Held values
wait for an editor; the last good one is shown meanwhile, with its age.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Context, Decimal

from django.db import transaction

from knowledge.models import VALUE_DIGITS, VALUE_PLACES, Cadence, HeldValue, Observation, SeriesInput
from knowledge.sources.base import ObservationItem

# Clocks differ a little; what is dated later than this has not happened yet.
CLOCKS_WITHIN = timedelta(minutes=15)
AT_ONCE = 2_000  # rows a statement
MONTH = len("2026-10")
_SMALLEST, _EXACT = Decimal(1).scaleb(-VALUE_PLACES), Context(prec=VALUE_DIGITS)


def stored_value(value: float) -> Decimal:
    """As its column holds it: the shortest decimal that is this float, to twelve places."""
    return Decimal(repr(value)).quantize(_SMALLEST, context=_EXACT)


@transaction.atomic
def record(of: SeriesInput, items: Iterable[ObservationItem], *, now: datetime) -> Counter[str]:
    """Store what is new or corrected; counts of ``fetched``, ``created``, ``updated``, ``unchanged`` and ``held``."""
    found = sorted(items, key=lambda item: item.at)
    if not found:
        return Counter()
    known = _known(of, found[0].at, found[-1].at)
    accepted: dict[datetime, ObservationItem] = {}
    held: list[HeldValue] = []
    former = _value_before(of, found[0].at)
    counts = Counter(fetched=len(found))
    for item in found:
        value = stored_value(item.value)
        if item.at in known and known[item.at].value == value:
            counts["unchanged"] += 1
        elif reason := _doubt(of, item, accepted.get(item.at), former, now=now):
            held.append(_held(of, item, reason, now))
            continue
        else:
            accepted[item.at] = item
        former = value
    counts.update(_write(of, accepted.values(), known, now=now), held=_keep(held))
    return counts


def accept(held: HeldValue, *, now: datetime) -> None:
    """Take a held value for true: it is stored as the newest of its time, and waits no longer."""
    item = ObservationItem(held.input.key, held.at, held.value, held.unit, held.period)
    with transaction.atomic():
        _write(held.input, [item], _known(held.input, held.at, held.at), now=now)
        held.delete()


def reject(held: HeldValue, *, now: datetime) -> None:
    """Throw a held value away; fetched again it asks nobody."""
    HeldValue.objects.filter(pk=held.pk, rejected_at=None).update(rejected_at=now)


def recall(held: HeldValue) -> None:
    """Let a value that was thrown away wait again."""
    HeldValue.objects.filter(pk=held.pk).update(rejected_at=None)


def _known(of: SeriesInput, first: datetime, last: datetime) -> dict[datetime, Observation]:
    return {row.at: row for row in Observation.objects.filter(input=of, newest=True, at__range=(first, last))}


def _value_before(of: SeriesInput, at: datetime) -> Decimal | None:
    before = Observation.objects.filter(input=of, newest=True, at__lt=at).order_by("-at")
    return before.values_list("value", flat=True).first()


def _doubt(
    of: SeriesInput,
    item: ObservationItem,
    same_time: ObservationItem | None,
    former: Decimal | None,
    *,
    now: datetime,
) -> str:
    """Why a value may be a mistake, empty where nothing speaks against it. Editors read it."""
    if item.at > now + CLOCKS_WITHIN:
        return "아직 오지 않은 시각의 값입니다."
    if same_time is not None and same_time.value != item.value:
        return f"한 응답에 같은 시각의 값이 둘입니다({same_time.value:g})."
    if of.unit and item.unit != of.unit:
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
            return f"앞 값 {former:f}에서 {times:,.0f}배 변했습니다."
    return ""


def _held(of: SeriesInput, item: ObservationItem, reason: str, now: datetime) -> HeldValue:
    return HeldValue(
        input=of,
        at=item.at,
        period=item.period,
        value=item.value,
        unit=item.unit[:40],
        reason=reason[:200],
        fetched_at=now,
    )


def _keep(held: list[HeldValue]) -> int:
    """Each once: a value that waits, or that an editor threw away, is fetched again with every run."""
    HeldValue.objects.bulk_create(held, batch_size=AT_ONCE, ignore_conflicts=True)
    return len(held)


def _write(
    of: SeriesInput, items: Iterable[ObservationItem], known: dict[datetime, Observation], *, now: datetime
) -> Counter[str]:
    rows = [
        Observation(
            input=of,
            at=item.at,
            period=item.period[:MONTH] if of.series and of.series.cadence == Cadence.MONTHLY else item.period,
            value=stored_value(item.value),
            revision=known[item.at].revision + 1 if item.at in known else 1,
            fetched_at=now,
        )
        for item in items
    ]
    corrected = [known[row.at].pk for row in rows if row.at in known]
    if corrected:
        Observation.objects.filter(pk__in=corrected).update(newest=False)
    Observation.objects.bulk_create(rows, batch_size=AT_ONCE)
    return Counter(created=len(rows) - len(corrected), updated=len(corrected))
