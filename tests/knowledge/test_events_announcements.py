"""New values of the key rates and price indexes become candidates: one a change, one a month, and nothing old."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from knowledge.events import decisions, drafts
from knowledge.events.announcements import announce
from knowledge.events.intake import cluster_new_documents
from knowledge.models import (
    AnnouncedValue,
    ClusterStatus,
    EventCluster,
    Series,
    SeriesInput,
    Status,
    Unit,
    UnitType,
)
from knowledge.series import recording
from knowledge.sources.base import ObservationItem
from knowledge.sources.http.client import Fetched
from knowledge.sources.macro import parse_ecos
from tests.factories.knowledge import make_source, make_unit
from tests.factories.series import make_series

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 3, tzinfo=UTC)
SEOUL = ZoneInfo("Asia/Seoul")
DAY = timedelta(days=1)


@pytest.fixture
def base_rate() -> Series:
    holder = make_unit("bok-rate", "한국은행 기준금리", type=UnitType.TOPIC)
    return make_series(
        "bok-base-rate",
        "722Y001/0101000",
        holder=holder,
        label="한국은행 기준금리",
        label_en="Bank of Korea base rate",
        event_on="change",
    )


def index(slug: str = "cpi-korea", key: str = "901Y009/0") -> Series:
    series = make_series(
        slug,
        key,
        unit="index",
        cadence="monthly",
        label="한국 소비자물가지수",
        label_en="Korea consumer price index",
        event_on="value",
    )
    make_series(f"{slug}-yoy", f"year:{slug}", cadence="monthly", decimals=1, holder=series.holder)
    return series


def come(series: Series, values: Sequence[tuple[str, float]], now: datetime = NOW) -> None:
    """Values by their periods, as a source gives them."""
    of = SeriesInput.objects.select_related("series").get(series=series)
    items = [ObservationItem(of.key, moment(period), value, "", period) for period, value in values]
    recording.record(of, items, now=now)


def moment(period: str) -> datetime:
    return datetime.fromisoformat(period if len(period) > 7 else f"{period}-01").replace(tzinfo=SEOUL)


def days(until: str, *values: float) -> list[tuple[str, float]]:
    """Values of successive days, the last of them on ``until``."""
    last = datetime.fromisoformat(until)
    return [(f"{last - DAY * back:%Y-%m-%d}", values[-1 - back]) for back in reversed(range(len(values)))]


def months(first: str, *values: float) -> list[tuple[str, float]]:
    year, month = map(int, first.split("-"))
    places = (divmod(year * 12 + month - 1 + n, 12) for n in range(len(values)))
    return [(f"{y}-{m + 1:02}", value) for (y, m), value in zip(places, values, strict=True)]


def labels() -> list[str]:
    return list(EventCluster.objects.order_by("pk").values_list("label", flat=True))


def test_a_changed_rate_is_one_candidate_with_its_former_value_date_and_source(base_rate: Series) -> None:
    bank = make_source("ecos", name="한국은행", homepage="https://bank.example", adapter="ecos")
    SeriesInput.objects.update(source=bank)
    come(base_rate, days("2026-11-19", 2.5, 2.5, 2.25, 2.25))
    assert announce(now=NOW) == 1
    told = AnnouncedValue.objects.get()
    assert (told.former, told.value, told.period) == (2.5, 2.25, "2026-11-18")
    assert (told.at, told.source) == (moment("2026-11-18"), bank)
    assert told.cluster.status == ClusterStatus.OPEN
    draft = drafts.draft(told.cluster)
    assert (draft.label, draft.slug) == (
        "한국은행 기준금리 인하: 2.50% → 2.25%",
        "2026-11-18-bok-base-rate",
    )
    assert (draft.units, draft.occurred_at) == ((base_rate.holder,), moment("2026-11-18"))
    assert draft.summary == (
        "한국은행 기준금리가 2026년 11월 18일부터 2.50%에서 2.25%로 인하됐다(0.25%p). 출처: 한국은행."
    )
    assert draft.summary_en == (
        "Bank of Korea base rate: 2.25% from 18 November 2026, after 2.50% (−0.25 percentage points). "
        "Source: https://bank.example"
    )


def test_a_recorded_history_of_months_makes_one_candidate_a_change(
    base_rate: Series, recorded: Callable[[str], bytes]
) -> None:
    """Read month by month as it came, not years later."""
    body = recorded("ecos/base_rate_months.json")
    answer = Fetched(200, body, {}, "https://bank.example", "https://bank.example", NOW)
    items = list(parse_ecos(answer, make_source("ecos", adapter="ecos")))
    of = SeriesInput.objects.select_related("series").get()
    for number, item in enumerate(items):
        recording.record(of, items[: number + 1], now=item.at + DAY)
        announce(now=item.at + DAY)
        announce(now=item.at + 2 * DAY)
    changed = [one.period for before, one in pairwise(items) if one.value != before.value]
    assert list(AnnouncedValue.objects.order_by("at").values_list("period", flat=True)) == changed
    assert len(changed) == 4 < len(items) - 1


def test_a_first_load_of_years_raises_nothing_old(base_rate: Series) -> None:
    come(base_rate, [("2024-10-11", 3.25), ("2025-02-25", 2.75), ("2026-10-01", 2.5), ("2026-11-19", 2.5)])
    assert announce(now=NOW) == 0
    come(index(), months("2020-01", *(100.0 + n for n in range(82))))
    assert announce(now=NOW) == 1
    assert AnnouncedValue.objects.get().period == "2026-10"


def test_a_history_filled_in_later_raises_nothing(base_rate: Series) -> None:
    come(base_rate, days("2026-11-19", 2.5, 2.25))
    assert announce(now=NOW) == 1
    come(base_rate, days("2026-09-30", 3.0, 2.75, 2.5))
    assert announce(now=NOW) == 0


def test_the_first_value_of_all_changes_nothing(base_rate: Series) -> None:
    come(base_rate, days("2026-11-19", 2.5))
    assert announce(now=NOW) == 0


def test_a_month_of_an_index_says_how_it_changed_over_the_year() -> None:
    series = index()
    come(series, months("2025-10", 115.5, *[116.0] * 11, 118.27))
    assert announce(now=NOW) == 1
    (cluster,) = EventCluster.objects.all()
    draft = drafts.draft(cluster)
    assert draft.label == "한국 소비자물가지수 2026년 10월: 1년 전보다 2.4% 상승"
    assert draft.summary == "2026년 10월 한국 소비자물가지수: 118.27(앞 달 116.00). 1년 전보다 2.4% 상승."
    assert draft.summary_en == (
        "Korea consumer price index, October 2026: 118.27 (116.00 the month before), up 2.4% over the year."
    )
    assert draft.occurred_at == NOW  # nothing says when it was published: that is when it was seen


def test_each_month_is_a_candidate_even_where_the_index_stands_still() -> None:
    series = index()
    come(series, months("2026-08", 118.0, 118.0), now=NOW - 40 * DAY)
    announce(now=NOW - 40 * DAY)
    come(series, months("2026-10", 118.0))
    assert announce(now=NOW) == 1
    assert labels()[-1] == "한국 소비자물가지수 2026년 10월: 118.00"


def test_a_revision_makes_no_second_candidate_and_corrects_one_that_waits() -> None:
    series = index()
    come(series, months("2025-10", 115.5, *[116.0] * 11, 118.27))
    announce(now=NOW)
    come(series, months("2026-10", 117.0), now=NOW + DAY)
    assert announce(now=NOW + DAY) == 0
    assert labels() == ["한국 소비자물가지수 2026년 10월: 1년 전보다 1.3% 상승"]
    told = AnnouncedValue.objects.get()
    decisions.reject(told.cluster, reason="이미 다룬 일", now=NOW + DAY)
    come(series, months("2026-10", 119.0), now=NOW + 2 * DAY)
    assert announce(now=NOW + 2 * DAY) == 0
    told.refresh_from_db()
    assert told.value == 117


def test_a_change_that_a_correction_takes_back_waits_no_longer(base_rate: Series) -> None:
    come(base_rate, days("2026-11-19", 2.5, 2.25))
    announce(now=NOW)
    come(base_rate, days("2026-11-19", 2.5), now=NOW + DAY)
    assert announce(now=NOW + DAY) == 0
    assert EventCluster.objects.get().status == ClusterStatus.EXPIRED


def test_an_editor_publishes_it_as_an_event_of_the_holder_and_it_is_not_raised_again(
    base_rate: Series,
) -> None:
    come(base_rate, days("2026-11-19", 2.5, 2.25))
    announce(now=NOW)
    event = decisions.publish(EventCluster.objects.get(), now=NOW)
    assert (event.type, event.status) == (UnitType.EVENT, Status.PUBLISHED)
    assert event.summary.startswith("한국은행 기준금리가")
    assert [link.unit for link in event.event_units.all()] == [base_rate.holder]
    assert announce(now=NOW + DAY) == 0


def test_joined_to_a_candidate_of_documents_it_stays_told(base_rate: Series) -> None:
    of_documents = EventCluster.objects.create(
        status=ClusterStatus.OPEN, label="금통위, 기준금리 인하", first_document_at=NOW, last_document_at=NOW
    )
    come(base_rate, days("2026-11-19", 2.5, 2.25))
    announce(now=NOW)
    joined = decisions.join(of_documents, AnnouncedValue.objects.get().cluster)
    assert joined == of_documents
    assert drafts.draft(joined).summary.startswith("한국은행 기준금리가")
    assert announce(now=NOW) == 0


def test_a_candidate_of_a_value_expires_like_any_other(base_rate: Series) -> None:
    come(base_rate, days("2026-11-19", 2.5, 2.25))
    announce(now=NOW)
    cluster_new_documents(now=NOW + 13 * DAY)
    assert EventCluster.objects.get().status == ClusterStatus.OPEN
    cluster_new_documents(now=NOW + 15 * DAY)
    assert EventCluster.objects.get().status == ClusterStatus.EXPIRED
    assert announce(now=NOW + 15 * DAY) == 0


def test_a_series_that_nobody_sees_raises_nothing(base_rate: Series) -> None:
    come(base_rate, days("2026-11-19", 2.5, 2.25))
    Unit.objects.update(status=Status.DRAFT)
    assert announce(now=NOW) == 0
