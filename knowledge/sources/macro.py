"""Macro series: ``ecos`` (Bank of Korea), ``fred`` (St. Louis Fed), ``frankfurter`` (ECB reference rates).

``Source.url`` is the base of the interface and an entry of ``settings["series"]`` says what to ask; without that
setting the address is read as it stands (a dry run). Dates are stored as their first moment in UTC.
Values are revised by their publishers, so a point is upserted. On weekends and holidays there is no value:
carrying forward, with a stale flag, is the reader's work.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from knowledge.models import Source
from knowledge.sources.base import MAX_POINTS, ObservationItem, finite
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.charsets import decode
from knowledge.sources.http.client import HttpClient
from knowledge.sources.json_bodies import describe, objects, parse_json, unexpected

ECOS_KEY, FRED_KEY = "ECOS_API_KEY", "FRED_API_KEY"
_FRED_UNITS = {
    "DGS10": "%",
    "DFEDTARU": "%",
    "CPIAUCSL": "index 1982-1984=100",
    "DTWEXBGS": "index Jan 2006=100",
    "SP500": "index",
}
# How far back is asked again for revisions, and how far on a first run.
_REVISIONS = timedelta(days=120)
_FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)
_JSON = "application/json"
_MAX_COLUMNS = 100
# "Call less", said with status 200.
_ECOS_BUSY = {"ERROR-400", "ERROR-602"}
_ECOS_PASSING = {"ERROR-500", "ERROR-600", "ERROR-601"}
_ECOS_PERIOD = re.compile(r"(\d{4})(?:(\d{2})(\d{2})?)?")


def fetch_ecos(
    source: Source, wanted: Mapping[str, str], since: datetime | None, http: HttpClient
) -> list[ObservationItem]:
    """One series (``{stat, item, cycle}``); the key is part of the path."""
    return parse_ecos(
        http.get(_ecos_address(source.url, http.key(ECOS_KEY), wanted, since), accept=_JSON).body
    )


def ecos_series_of(entry: Mapping[str, str]) -> str:
    """The series that an entry of ``settings["series"]`` brings."""
    return f"{entry['stat']}/{entry['item']}"


def _ecos_address(base: str, key: str, wanted: Mapping[str, str], since: datetime | None) -> str:
    cycle = wanted.get("cycle", "D")
    form = {"A": "%Y", "M": "%Y%m"}.get(cycle, "%Y%m%d")
    start = _start(since).strftime(form)
    end = {"A": "2100", "M": "210012"}.get(cycle, "21001231")
    stat, item = wanted["stat"], wanted["item"]
    return f"{base.rstrip('/')}/StatisticSearch/{key}/json/kr/1/10000/{stat}/{cycle}/{start}/{end}/{item}"


def parse_ecos(body: bytes) -> list[ObservationItem]:
    """Rows of ``{"StatisticSearch": {"row": [...]}}``, as series ``<statistic>/<items>``.

    ECOS reports errors with HTTP 200 as ``{"RESULT": {"CODE", "MESSAGE"}}``.
    """
    expected = "ECOS rows"
    answer = parse_json(body, expected)
    if not isinstance(answer, dict):
        raise unexpected(expected, describe(answer))
    if isinstance(answer.get("RESULT"), dict):
        raise _ecos_error(answer["RESULT"])
    found = answer.get("StatisticSearch")
    if not isinstance(found, dict):
        raise unexpected(expected, describe(answer))
    if isinstance(found.get("RESULT"), dict):
        raise _ecos_error(found["RESULT"])
    rows = objects(found.get("row"), expected)
    return _in_order([item for row in rows if (item := _ecos_row(row)) is not None])


def _ecos_error(result: Mapping[str, Any]) -> SourceError:
    code, message = str(result.get("CODE", "")), str(result.get("MESSAGE", ""))
    detail = f"ECOS answers {code[:20]} {message[:120]}".rstrip()
    if code == "INFO-200":
        return SourceError("empty", detail)
    if code in _ECOS_BUSY:
        return SourceError("status", detail, retry_after=3600.0)
    return SourceError("status", detail, permanent=code not in _ECOS_PASSING)


def _ecos_row(row: Mapping[str, Any]) -> ObservationItem | None:
    at = _ecos_period(str(row.get("TIME", "")))
    if at is None or "DATA_VALUE" not in row or not row.get("STAT_CODE"):
        raise unexpected("ECOS rows with STAT_CODE, TIME and DATA_VALUE", describe(row))
    value = finite(row["DATA_VALUE"])
    if value is None:  # not yet published, or confidential
        return None
    items = [
        str(row[name]) for name in ("ITEM_CODE1", "ITEM_CODE2", "ITEM_CODE3", "ITEM_CODE4") if row.get(name)
    ]
    unit = row.get("UNIT_NAME")
    return ObservationItem(
        "/".join([str(row["STAT_CODE"]), *items]), at, value, unit.strip() if isinstance(unit, str) else ""
    )


def _ecos_period(text: str) -> datetime | None:
    """The beginning of 2026, 202608 or 20260821."""
    found = _ECOS_PERIOD.fullmatch(text)
    if not found:
        return None
    year, month, day = found.groups()
    return _date(int(year), int(month or 1), int(day or 1))


def fetch_fred(
    source: Source, series: str, since: datetime | None, http: HttpClient
) -> list[ObservationItem]:
    """One series, by the keyed interface or, at a fredgraph.csv address, without a key."""
    start = f"{_start(since):%Y-%m-%d}"
    if "fredgraph.csv" in source.url:
        parameters = {"id": series, "cosd": start}
    else:
        parameters = {
            "series_id": series,
            "file_type": "json",
            "observation_start": start,
            "api_key": http.key(FRED_KEY),
        }
    return parse_fred(http.get(_with_query(source.url, **parameters)).body, series=series)


def _with_query(url: str, **parameters: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def parse_fred(body: bytes, *, series: str) -> list[ObservationItem]:
    """Observations from FRED's JSON or CSV; "." is a missing value. Only CSV names its series."""
    if not body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[", b"<")):
        return _fred_csv(decode(body))
    expected = "FRED observations"
    answer = parse_json(body, expected)
    if not isinstance(answer, dict) or "observations" not in answer:
        raise unexpected(expected, describe(answer))
    rows = objects(answer["observations"], expected)
    points = [_fred_point(series, row.get("date"), row.get("value")) for row in rows]
    return _in_order([point for point in points if point is not None])


def _fred_csv(text: str) -> list[ObservationItem]:
    """Columns ``DATE`` or ``observation_date`` and one series or more."""
    expected = "FRED observations"
    if text.partition("\n")[0].count(",") > _MAX_COLUMNS:
        raise unexpected(expected, f"a table of more than {_MAX_COLUMNS} columns")
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        header = [name.strip() for name in next(rows, [])]
        if len(header) < 2 or header[0].lower() not in ("date", "observation_date"):
            raise unexpected(expected, "text without a date column")
        points = [
            _fred_point(series, row[0], value)
            for row in rows
            if row
            for series, value in zip(header[1:], row[1:], strict=True)
        ]
    except (csv.Error, ValueError):
        raise unexpected(expected, "a broken table") from None
    return _in_order([point for point in points if point is not None])


def _fred_point(series: str, date: object, value: object) -> ObservationItem | None:
    at = _iso_date(date)
    if at is None or not isinstance(value, str):
        raise unexpected("FRED observations with date and value", describe(date if at is None else value))
    if value.strip() in (".", ""):
        return None
    number = finite(value)
    if number is None:
        raise unexpected("FRED observations with numbers", "another text")
    return ObservationItem(series, at, number, _FRED_UNITS.get(series, ""))


def fetch_frankfurter(
    source: Source, pair: Mapping[str, str], since: datetime | None, http: HttpClient
) -> list[ObservationItem]:
    """One pair (``{base, quote}``) from ``since``, months over for revisions."""
    days = f"{source.url.rstrip('/')}/{_start(since):%Y-%m-%d}.."
    return parse_frankfurter(
        http.get(_with_query(days, base=pair["base"], symbols=pair["quote"]), accept=_JSON).body
    )


def frankfurter_series_of(pair: Mapping[str, str]) -> str:
    """The series that a pair of ``settings["series"]`` brings."""
    return f"{pair['base']}{pair['quote']}"


def parse_frankfurter(body: bytes) -> list[ObservationItem]:
    """Rates as series such as ``USDKRW`` in units of the quoted currency, per one of the base.

    ``{"amount", "base", "rates"}`` with rates by date, or by currency beside a ``date``.
    """
    expected = "Frankfurter's rates"
    answer = parse_json(body, expected)
    rates = answer.get("rates") if isinstance(answer, dict) else None
    base = answer.get("base") if isinstance(answer, dict) else None
    if not isinstance(rates, dict) or not isinstance(base, str) or not re.fullmatch(r"[A-Z]{3}", base):
        raise unexpected(expected, describe(answer))
    amount = finite(answer.get("amount", 1)) or 1.0
    by_date = {answer["date"]: rates} if "date" in answer else rates
    points = [
        _rate(base, quote, date, value, amount)
        for date, day in by_date.items()
        for quote, value in _rates_of_day(day, expected)
    ]
    return _in_order(points)


def _rates_of_day(day: object, expected: str) -> list[tuple[str, object]]:
    if not isinstance(day, dict):
        raise unexpected(expected, describe(day))
    return list(day.items())


def _rate(base: str, quote: str, date: object, value: object, amount: float) -> ObservationItem:
    at, number = _iso_date(date), finite(value)
    if at is None or number is None or number <= 0 or not re.fullmatch(r"[A-Z]{3}", quote):
        raise unexpected("Frankfurter's rates by date and currency", describe(value))
    return ObservationItem(f"{base}{quote}", at, number / amount, quote)


def _start(since: datetime | None) -> datetime:
    """From when on to ask: a first run goes years back, a later one months, for revisions."""
    return max(since - _REVISIONS, _FIRST_DAY) if since else _FIRST_DAY


def _iso_date(text: object) -> datetime | None:
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", text, re.ASCII) if isinstance(text, str) else None
    return _date(int(found[1]), int(found[2]), int(found[3])) if found else None


def _date(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def _in_order(items: list[ObservationItem]) -> list[ObservationItem]:
    """By time, each point once, the newest ``MAX_POINTS``."""
    distinct = {(item.series, item.at): item for item in items}
    return sorted(distinct.values(), key=lambda item: item.at)[-MAX_POINTS:]
