"""The invented news of the fortnight, whenever in a week the world is made."""

from datetime import UTC, datetime, timedelta

import pytest

from knowledge.queries.charts import POINTS_MIN
from rehearsal.stories import written

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)


@pytest.mark.parametrize("hours", range(7 * 24))
def test_the_company_has_news_in_enough_weeks_for_a_chart(hours: int) -> None:
    now = MONDAY + timedelta(hours=hours)
    told = [
        now - timedelta(hours=ago)
        for ago, _of, *texts in written()["stories"]
        if "가온거래소" in " ".join(texts)
    ]
    assert len({at.isocalendar()[:2] for at in told}) >= POINTS_MIN
