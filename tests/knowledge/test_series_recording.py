"""Values that cannot be true wait for an editor; the others are stored once, and again when they are corrected."""

import json
import threading
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

import knowledge
from knowledge.models import HeldValue, Observation, SeriesInput
from knowledge.series import recording
from knowledge.sources.base import ObservationItem
from tests.factories.knowledge import NOON
from tests.factories.series import make_series

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def item(value: float, at: datetime = NOON, **fields: Any) -> ObservationItem:
    return ObservationItem("hashrate", at, value, **({"unit": "H/s"} | fields))


@pytest.fixture
def read() -> SeriesInput:
    make_series("hashrate", unit="H/s", cadence="live", least=0, most=1e24, largest_jump=1000)
    SeriesInput.objects.update(unit="H/s")
    return SeriesInput.objects.select_related("series").get()


def stored() -> list[Decimal]:
    return list(Observation.objects.filter(newest=True).order_by("at").values_list("value", flat=True))


@pytest.mark.parametrize("value", [9.876543210123455e20, 0.1, 1e-12, 123456789.123456, 0.0])
def test_a_number_keeps_all_its_digits_and_is_known_again(value: float, read: SeriesInput) -> None:
    recording.record(read, [item(value)], now=NOON)
    (kept,) = stored()
    assert float(kept) == value
    assert recording.record(read, [item(value)], now=NOON)["unchanged"] == 1


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (item(-1.0), "최솟값"),
        (item(1e25), "최댓값"),
        (item(5e23), "배 변했습니다"),
        (item(1e17), "배 변했습니다"),
        (item(6.1e20, unit="EH/s"), "단위"),
        (item(6.1e20, NOON + HOUR), "아직 오지 않은"),
    ],
    ids=["negative", "enormous", "a thousandfold", "a thousandth", "another unit", "the future"],
)
def test_a_doubtful_value_waits_and_the_last_good_one_stays(
    odd: ObservationItem, reason: str, read: SeriesInput
) -> None:
    recording.record(read, [item(4e20, NOON - HOUR)], now=NOON)
    counts = recording.record(read, [odd], now=NOON)
    assert (counts["held"], counts["created"]) == (1, 0)
    assert stored() == [Decimal("4e20")]
    assert reason in HeldValue.objects.get().reason
    recording.record(read, [odd], now=NOON + timedelta(minutes=1))
    assert HeldValue.objects.count() == 1, "fetched again it waits once"


def test_of_two_values_for_one_time_the_second_waits(read: SeriesInput) -> None:
    recording.record(read, [item(4e20), item(5e20), item(4e20)], now=NOON)
    assert stored() == [Decimal("4e20")]
    assert HeldValue.objects.get().value == 5e20


def test_two_values_for_one_time_do_not_correct_each_other_in_turn(read: SeriesInput) -> None:
    for minute in range(3):
        recording.record(read, [item(4e20), item(5e20)], now=NOON + timedelta(minutes=minute))
        recording.record(read, [item(5e20), item(4e20)], now=NOON + timedelta(minutes=minute))
    assert list(Observation.objects.values_list("value", "revision")) == [(Decimal("4e20"), 1)]
    assert HeldValue.objects.get().value == 5e20


def test_a_number_larger_than_its_column_waits_and_keeps_no_other_away(read: SeriesInput) -> None:
    counts = recording.record(read, [item(1e300, NOON - HOUR), item(4e20)], now=NOON)
    assert (counts["held"], counts["created"]) == (1, 1)
    assert not recording.accept(HeldValue.objects.get(), now=NOON)
    assert HeldValue.objects.exists()


def test_a_value_whose_time_came_waits_no_longer(read: SeriesInput) -> None:
    early = item(4e20, NOON + HOUR)
    recording.record(read, [early], now=NOON)
    assert HeldValue.objects.awaiting().exists()
    recording.record(read, [early], now=NOON + HOUR)
    assert stored() == [Decimal("4e20")]
    assert not HeldValue.objects.exists()


def test_a_value_that_two_editors_accept_is_stored_once(read: SeriesInput) -> None:
    recording.record(read, [item(-1.0)], now=NOON)
    one, other = HeldValue.objects.get(), HeldValue.objects.get()
    assert recording.accept(one, now=NOON)
    assert not recording.accept(other, now=NOON)
    assert Observation.objects.count() == 1


RECORDS = json.loads((Path(knowledge.__file__).parent / "canon" / "series.json").read_bytes())["series"]
BOUNDED = [record for record in RECORDS if record.get("largest_jump")]


@pytest.mark.parametrize("record", BOUNDED, ids=lambda record: record["slug"])
def test_a_slip_by_a_thousand_waits_though_the_number_moved_meanwhile(record: dict[str, Any]) -> None:
    """A unit that was mistaken hides behind a move of its own: what comes is 700 times the value before."""
    unit, first = record["unit"], max(record["least"], 1.0) * 2
    of = SeriesInput.objects.get(
        series=make_series("x", unit=unit, least=record["least"], largest_jump=record["largest_jump"])
    )
    recording.record(of, [item(first, NOON - HOUR)], now=NOON)
    for value in (first * 700, first / 700):
        recording.record(of, [item(value)], now=NOON)
    assert HeldValue.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_sources_that_tell_of_one_input_at_once_lose_nothing(
    read: SeriesInput, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_read, known = threading.Barrier(2), recording._known
    counts: Counter[str] = Counter()

    def slowly(found: Any) -> recording.Known:
        present = known(found)
        with suppress(threading.BrokenBarrierError):
            both_read.wait(0.2)  # until the other has read as well, unless it has to wait
        return present

    def tell() -> None:
        try:
            counts.update(recording.record(read, [item(4e20), item(5e20, NOON - HOUR)], now=NOON))
        finally:
            connection.close()

    monkeypatch.setattr(recording, "_known", slowly)
    threads = [threading.Thread(target=tell) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (counts["created"], counts["unchanged"]) == (2, 2)
    assert Observation.objects.count() == 2


def test_an_accepted_value_is_stored_and_is_what_later_ones_are_compared_with(read: SeriesInput) -> None:
    recording.record(read, [item(1e15, NOON - 2 * HOUR)], now=NOON)
    recording.record(read, [item(4e20, NOON - HOUR)], now=NOON)
    recording.accept(HeldValue.objects.get(), now=NOON)
    assert not HeldValue.objects.exists()
    counts = recording.record(read, [item(4e20, NOON - HOUR), item(4.1e20)], now=NOON)
    assert (counts["unchanged"], counts["created"], counts["held"]) == (1, 1, 0)


def test_a_unit_that_its_publisher_calls_otherwise_is_asked_about_once(read: SeriesInput) -> None:
    """As an index does whose base year is another one now."""
    recording.record(read, [item(4e20, unit="H/s (2025)")], now=NOON)
    recording.accept(HeldValue.objects.get(), now=NOON)
    read.refresh_from_db()
    assert read.unit == "H/s (2025)"
    counts = recording.record(read, [item(4.1e20, NOON + HOUR, unit="H/s (2025)")], now=NOON + HOUR)
    assert (counts["created"], counts["held"]) == (1, 0)


def test_a_unit_with_a_name_longer_than_its_column_is_no_other_unit(read: SeriesInput) -> None:
    SeriesInput.objects.update(unit=("단위" * 30)[:40])
    read.refresh_from_db()
    assert recording.record(read, [item(4e20, unit="단위" * 30)], now=NOON)["held"] == 0


def test_a_held_value_says_what_came_before_it_without_noughts(read: SeriesInput) -> None:
    recording.record(read, [item(400.5, NOON - HOUR)], now=NOON)
    recording.record(read, [item(4e20)], now=NOON)
    assert HeldValue.objects.get().reason.startswith("앞 값 400.5에서")


def test_a_monthly_value_is_called_by_its_month(read: SeriesInput) -> None:
    assert read.series is not None
    read.series.cadence = "monthly"
    recording.record(read, [item(1e20, period="2026-10-01")], now=NOON)
    assert Observation.objects.get().period == "2026-10"
