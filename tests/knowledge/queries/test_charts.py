"""Series for the plots of a unit's page."""

from datetime import datetime, timedelta

import pytest

from knowledge import curation
from knowledge.counting import fold
from knowledge.models import Mention, Unit
from knowledge.queries.charts import WEEKS_SHOWN, documents_by_week
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

WEEK = timedelta(weeks=1)


def tell(number: int, at: datetime | None, *units: Unit) -> None:
    document = make_document(make_source(f"source-{number}"), str(number), published_at=at)
    for unit in units:
        Mention.objects.create(document=document, unit=unit, start=0, end=1, surface=unit.label)


def test_documents_of_the_last_weeks_are_counted_once_for_the_whole_family() -> None:
    survivor, loser = make_unit("pol", "폴리곤"), make_unit("matic", "매틱")
    times = [NOON, NOON + timedelta(days=30), NOON - WEEK, NOON - 15 * WEEK, NOON - 16 * WEEK, None]
    for number, at in enumerate(times):
        tell(number, at, survivor, loser)
    tell(9, NOON - WEEK, loser)
    fold()
    curation.merge(loser, survivor, now=NOON)
    fold()
    points = documents_by_week(survivor, now=NOON)
    assert [point.value for point in points] == [1, *[0] * (WEEKS_SHOWN - 3), 2, 1]
    assert points[-1].at <= NOON < points[-1].at + WEEK


def test_a_unit_of_which_nothing_was_published_lately_has_no_plot() -> None:
    unit = make_unit()
    tell(1, NOON - 17 * WEEK, unit)
    fold()
    assert documents_by_week(unit, now=NOON) == []
