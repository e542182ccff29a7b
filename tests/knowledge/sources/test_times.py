"""Times are UTC or unknown, never guessed and never in the future."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.times import parse_time
from knowledge.times import iso_utc


@pytest.mark.parametrize(
    ("raw", "utc"),
    [
        ("Fri, 21 Aug 2026 21:12:12 +0000", "2026-08-21T21:12:12Z"),
        ("Fri, 21 Aug 2026 21:12:12 GMT", "2026-08-21T21:12:12Z"),
        ("21 Aug 2026 21:12 KST", "2026-08-21T12:12:00Z"),
        ("Fri, 21 Aug 26 21:12:12 +09:00", "2026-08-21T12:12:12Z"),
        ("Friday, 21-Aug-26 21:12:12 GMT", "2026-08-21T21:12:12Z"),
        ("Fri, 21 August 2026 17:12:12 EDT", "2026-08-21T21:12:12Z"),
        ("Fri, 21 Aug 2026 21:12:12 -0000 (UTC)", "2026-08-21T21:12:12Z"),
        ("2026-08-21T21:50:05+09:00", "2026-08-21T12:50:05Z"),
        ("2026-08-21T00:10:41.893Z", "2026-08-21T00:10:41Z"),
        ("2026-08-21 21:50:05 +0900", "2026-08-21T12:50:05Z"),
        ("2026/08/21 21:50 KST", "2026-08-21T12:50:00Z"),
        ("2026-08-21T21:50:05 GMT+9", "2026-08-21T12:50:05Z"),
    ],
)
def test_times_with_an_offset_are_read(raw: str, utc: str) -> None:
    assert iso_utc(parse_time(raw)) == utc


@pytest.mark.parametrize(
    ("raw", "utc"),
    [
        ("2026-08-21 19:00:00", "2026-08-21T10:00:00Z"),
        ("2026-08-21T19:00:00.5", "2026-08-21T10:00:00Z"),
        ("2026.08.21 오후 7:05", "2026-08-21T10:05:00Z"),
        ("2026. 8. 21. 오전 12:05", "2026-08-20T15:05:00Z"),
        ("2026-08-21 7:05 PM", "2026-08-21T10:05:00Z"),
        ("20260821190000", "2026-08-21T10:00:00Z"),
        ("2026-08-21", "2026-08-20T15:00:00Z"),
        ("Fri, 21 Aug 2026 19:00:00", "2026-08-21T10:00:00Z"),
    ],
)
def test_a_time_without_an_offset_needs_the_rule_of_its_source(raw: str, utc: str) -> None:
    assert parse_time(raw) is None
    assert iso_utc(parse_time(raw, naive_timezone="Asia/Seoul")) == utc


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-08-21T25:00:00Z",
        "2026-08-21T10:00:00+99:00",
        "Fri, 21 Foo 2026 21:12:12 GMT",
        "Fri, 21 Aug 2026 21:12:12 XYZ",
        "1970-01-01T00:00:00Z",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "0000-00-00 00:00:00Z",
        "9" * 5000,
        "٢٠٢٦-٠٨-٢١T00:00:00Z",
        "2026-08-21T00:00:00Z\x00",
    ],
)
def test_what_is_no_time_is_unknown(raw: str) -> None:
    assert parse_time(raw, naive_timezone="Asia/Seoul") is None


def test_an_unknown_zone_rule_leaves_the_time_unknown() -> None:
    for rule in ("Mars/Olympus", "../../etc/passwd", "Asia/Seoul\x00"):
        assert parse_time("2026-08-21 19:00:00", naive_timezone=rule) is None


def test_the_future_is_clamped_to_now_and_a_quarter_of_an_hour_is_not() -> None:
    now = datetime(2026, 9, 1, 12, 0, tzinfo=UTC)
    assert parse_time("2026-09-01T12:15:00Z", now=now) == now + timedelta(minutes=15)
    assert parse_time("2026-09-01T12:15:01Z", now=now) == now
    assert parse_time("9999-12-31T23:59:59Z", now=now) == now


@given(st.text(max_size=80))
def test_any_text_is_a_time_in_utc_or_unknown(raw: str) -> None:
    at = parse_time(raw, naive_timezone="Asia/Seoul")
    assert at is None or at.utcoffset() == timedelta(0)


@given(st.datetimes(min_value=datetime(1990, 1, 2), timezones=st.timezones()))
def test_an_iso_time_comes_back_as_the_same_moment(at: datetime) -> None:
    whole = at.astimezone(UTC).replace(microsecond=0)
    assert parse_time(whole.isoformat()) == whole
