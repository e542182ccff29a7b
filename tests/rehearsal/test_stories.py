"""The invented news of the fortnight, whenever in a week the world is made."""

from datetime import UTC, datetime, timedelta

import pytest

from rehearsal.stories import written

MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
DRAWN_FROM = 3  # weeks with documents


@pytest.mark.parametrize("hours", range(0, 7 * 24, 4))
def test_the_company_has_news_in_enough_weeks_for_a_chart(hours: int) -> None:
    now = MONDAY + timedelta(hours=hours)
    told = [
        now - timedelta(hours=ago)
        for ago, _of, *texts in written()["stories"]
        if "가온거래소" in " ".join(texts)
    ]
    assert len({at.isocalendar()[:2] for at in told}) >= DRAWN_FROM
