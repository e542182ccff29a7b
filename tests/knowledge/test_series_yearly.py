"""The change of a price index over a year: a series of its own, right after every revision."""

from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from knowledge.models import HeldValue, Observation, SeriesInput
from knowledge.series import recording
from knowledge.series.values import figures_of
from knowledge.sources.base import ObservationItem
from tests.factories.series import make_series

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
SEOUL = ZoneInfo("Asia/Seoul")
OF, DERIVED = "901Y009/0", "year:cpi-korea"


@pytest.fixture(autouse=True)
def _index_and_its_change() -> None:
    index = make_series("cpi-korea", OF, unit="index", cadence="monthly", largest_jump=1.5)
    make_series("cpi-korea-yoy", DERIVED, cadence="monthly", decimals=1, holder=index.holder)


def item(period: str, value: float) -> ObservationItem:
    at = datetime.fromisoformat(f"{period}-01").replace(tzinfo=SEOUL)
    return ObservationItem(OF, at, value, "", period)


def come(*values: tuple[str, float]) -> None:
    of = SeriesInput.objects.select_related("series").get(key=OF)
    recording.record(of, [item(*value) for value in values], now=NOW)


def changes() -> dict[str, float]:
    rows = Observation.objects.filter(input__key=DERIVED, newest=True).order_by("at")
    return {period: float(value) for period, value in rows.values_list("period", "value")}


def test_it_is_stored_with_the_index_to_one_decimal() -> None:
    come(("2025-09", 114.0), ("2025-10", 115.4), ("2026-09", 116.22), ("2026-10", 118.17))
    assert changes() == {"2026-09": 1.9, "2026-10": 2.4}
    later = Observation.objects.get(input__key=DERIVED, period="2026-10")
    assert later.at == item("2026-10", 0).at


def test_halves_are_rounded_away_from_zero_as_offices_of_statistics_do() -> None:
    come(("2024-10", 100.0), ("2025-10", 100.25), ("2026-10", 100.0))
    assert changes() == {"2025-10": 0.3, "2026-10": -0.2}


def test_a_revision_corrects_both_years_that_it_stands_in() -> None:
    come(("2024-10", 100.0), ("2025-10", 102.0), ("2026-10", 104.04))
    come(("2025-10", 103.0))
    assert changes() == {"2025-10": 3.0, "2026-10": 1.0}
    assert Observation.objects.filter(input__key=DERIVED).count() == 4


def test_the_same_values_again_write_nothing() -> None:
    for _ in range(2):
        come(("2025-10", 100.0), ("2026-10", 102.0))
    assert Observation.objects.filter(input__key=DERIVED).count() == 1


def test_a_held_value_counts_once_an_editor_accepts_it() -> None:
    come(("2025-10", 100.0), ("2026-09", 102.0), ("2026-10", 200.0))
    assert changes() == {}
    recording.accept(HeldValue.objects.select_related("input__series").get(), now=NOW)
    assert changes() == {"2026-10": 100.0}


def test_it_says_what_it_is_like_any_series() -> None:
    come(("2025-10", 115.4), ("2026-10", 118.17))
    derived = SeriesInput.objects.select_related("series").get(key=DERIVED).series
    assert derived is not None
    (figures,) = figures_of([derived], now=NOW)
    assert figures.latest is not None
    assert (figures.latest.value, figures.latest.stale) == (Decimal("2.4"), False)
