"""Macro series: ``ecos`` (Bank of Korea), ``fred`` (St. Louis Fed), ``frankfurter`` (ECB reference rates),
``alternative_me`` (fear and greed).

``Source.url`` is the base of the interface and an entry of ``settings["series"]`` says what to ask; without that
setting the address is read as it stands (a dry run). A date stands for its first moment where the publisher is.
Values are revised by their publishers, so months are asked for again. On weekends and holidays there is no value:
carrying forward, with a stale flag, is the reader's work.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from zoneinfo import ZoneInfo

from knowledge.models import Source
from knowledge.sources.base import ObservationItem, name_in_address
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.charsets import decode
from knowledge.sources.http.client import Fetched
from knowledge.sources.json_bodies import epoch, finite, json_of, needed, number, positive, rows, text

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
# "Call less", said with status 200.
_ECOS_BUSY = {"ERROR-400", "ERROR-602"}
_ECOS_ITEMS = ("ITEM_CODE1", "ITEM_CODE2", "ITEM_CODE3", "ITEM_CODE4")
# How a period is asked for, by how often a series has a point; how it is written and called, by its length.
_ECOS_CYCLES = {"A": "%Y", "M": "%Y%m"}
_ECOS_PERIODS = {4: ("%Y", "%Y"), 6: ("%Y%m", "%Y-%m"), 8: ("%Y%m%d", "%Y-%m-%d")}
_ECOS_LAST_DAY = "21001231"
_DAY = "%Y-%m-%d"
_SEOUL, _NEW_YORK, _FRANKFURT = (
    ZoneInfo("Asia/Seoul"),
    ZoneInfo("America/New_York"),
    ZoneInfo("Europe/Berlin"),
)
_MAX_COLUMNS = 100
FEAR_GREED = "fear-greed"
_CURRENCY = re.compile("[A-Z]{3}")


def ecos_address(source: Source, wanted: Mapping[str, str], since: datetime | None) -> str:
    """Of one series (``{stat, item, cycle}``); the key is part of the path."""
    start = _ecos_period(wanted, _start(since, _SEOUL))
    return _ecos_search(source, wanted, start, _ECOS_LAST_DAY[: len(start)])


def ecos_history(source: Source, wanted: Mapping[str, str], first: datetime, last: datetime) -> str:
    return _ecos_search(source, wanted, _ecos_period(wanted, first), _ecos_period(wanted, last))


def _ecos_period(wanted: Mapping[str, str], at: datetime) -> str:
    return at.astimezone(_SEOUL).strftime(_ECOS_CYCLES.get(wanted.get("cycle", "D"), "%Y%m%d"))


def _ecos_search(source: Source, wanted: Mapping[str, str], start: str, end: str) -> str:
    cycle, stat, item = wanted.get("cycle", "D"), wanted["stat"], wanted["item"]
    search = f"{source.url.rstrip('/')}/StatisticSearch/{{key}}/json/kr/1/10000"
    return f"{search}/{stat}/{cycle}/{start}/{end}/{item}"


def parse_ecos(answer: Fetched, _source: Source) -> Iterator[ObservationItem]:
    """Rows of ``{"StatisticSearch": {"row": [...]}}``, as series ``<statistic>/<items>``.

    ECOS reports errors with HTTP 200 as ``{"RESULT": {"CODE", "MESSAGE"}}``.
    """
    body = json_of(answer.body)
    found = body.get("StatisticSearch", body)
    if "RESULT" in found:
        raise _ecos_error(found["RESULT"])
    for row in rows(found["row"]):
        value = finite(row["DATA_VALUE"])
        if value is None:  # not yet published, or confidential
            continue
        items = [needed(row, name) for name in _ECOS_ITEMS if row.get(name)]
        codes = [needed(row, "STAT_CODE"), *items]
        written, form = _ECOS_PERIODS[len(row["TIME"])]
        at = datetime.strptime(row["TIME"], written).replace(tzinfo=_SEOUL)
        yield ObservationItem("/".join(codes), at, value, text(row, "UNIT_NAME").strip(), at.strftime(form))


def _ecos_error(result: Mapping[str, Any]) -> SourceError:
    code, message = text(result, "CODE"), text(result, "MESSAGE")
    detail = f"ECOS answers {code[:20]} {message[:120]}".rstrip()
    if code == "INFO-200":
        return SourceError("empty", detail)
    return SourceError("status", detail, retry_after=3600.0 if code in _ECOS_BUSY else None)


def fred_address(source: Source, series: str, since: datetime | None) -> str:
    """Of one series, by the keyed interface or, at a fredgraph.csv address, without a key."""
    start = _start(since, _NEW_YORK).strftime(_DAY)
    base = f"{source.url}{'&' if '?' in source.url else '?'}"
    if "fredgraph.csv" in source.url:
        return f"{base}id={quote(series)}&cosd={start}"
    return f"{base}series_id={quote(series)}&file_type=json&observation_start={start}&api_key={{key}}"


def fred_history(source: Source, series: str, first: datetime, last: datetime) -> str:
    start, end = (f"{moment.astimezone(_NEW_YORK):{_DAY}}" for moment in (first, last))
    base = f"{source.url}{'&' if '?' in source.url else '?'}"
    if "fredgraph.csv" in source.url:
        return f"{base}id={quote(series)}&cosd={start}&coed={end}"
    named = f"{base}series_id={quote(series)}&file_type=json"
    return f"{named}&observation_start={start}&observation_end={end}&api_key={{key}}"


def parse_fred(answer: Fetched, _source: Source) -> list[ObservationItem]:
    """Observations from FRED's JSON, whose series only the address names, or its CSV; "." is a missing value."""
    if answer.body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[", b"<")):
        series = name_in_address(answer.asked, "series_id", "id")
        found = rows(json_of(answer.body)["observations"])
        points: Iterable[tuple[str, str, str]] = ((series, row["date"], row["value"]) for row in found)
    else:
        points = _fred_table(decode(answer.body))
    return [
        ObservationItem(
            series, _first_moment(date, _NEW_YORK), number(value), _FRED_UNITS.get(series, ""), date
        )
        for series, date, value in points
        if value.strip() not in (".", "")
    ]


def _fred_table(table: str) -> Iterator[tuple[str, str, str]]:
    """(series, date, value) of the columns ``DATE`` or ``observation_date`` and one series or more."""
    try:
        (first, *names), *lines = csv.reader(io.StringIO(table, newline=""))
    except csv.Error as error:
        raise ValueError("a broken table") from error
    if first.strip().lower() not in ("date", "observation_date") or not 0 < len(names) <= _MAX_COLUMNS:
        raise ValueError(f"no column of dates before 1 to {_MAX_COLUMNS} series")
    for date, *values in filter(None, lines):
        for series, value in zip(names, values, strict=True):
            yield series.strip(), date, value


def frankfurter_address(source: Source, pair: Mapping[str, str], since: datetime | None) -> str:
    """Of one pair (``{base, quote}``) from ``since``, months over for revisions."""
    query = urlencode({"base": pair["base"], "symbols": pair["quote"]})
    return f"{source.url.rstrip('/')}/{_start(since, _FRANKFURT).strftime(_DAY)}..?{query}"


def frankfurter_history(source: Source, pair: Mapping[str, str], first: datetime, last: datetime) -> str:
    query = urlencode({"base": pair["base"], "symbols": pair["quote"]})
    start, end = (f"{moment.astimezone(_FRANKFURT):{_DAY}}" for moment in (first, last))
    return f"{source.url.rstrip('/')}/{start}..{end}?{query}"


def parse_frankfurter(answer: Fetched, _source: Source) -> list[ObservationItem]:
    """Rates as series such as ``USDKRW`` in units of the quoted currency, per one of the base.

    ``{"amount", "base", "rates"}`` with rates by date, or by currency beside a ``date``.
    """
    found = json_of(answer.body)
    base, amount = needed(found, "base"), positive(found.get("amount", 1))
    by_date = {found["date"]: found["rates"]} if "date" in found else found["rates"]
    per_base = [(day, *rate) for day, rates in by_date.items() for rate in rates.items()]
    if not all(map(_CURRENCY.fullmatch, [base, *(currency for _day, currency, _rate in per_base)])):
        raise ValueError("another name than a currency's")
    return [
        ObservationItem(
            base + currency, _first_moment(day, _FRANKFURT), positive(rate) / amount, currency, day
        )
        for day, currency, rate in per_base
    ]


def parse_alternative_me(answer: Fetched, _source: Source) -> list[ObservationItem]:
    """``{"data": [{"value": "25", "timestamp": "1788998400"}], "metadata": {"error": null}}``: one value a day, which
    begins at midnight UTC."""
    body = json_of(answer.body)
    if (body.get("metadata") or {}).get("error"):
        raise ValueError("metadata tells of an error")
    found = [(epoch(row["timestamp"]), number(row["value"])) for row in rows(body["data"])]
    if not found:
        raise ValueError("no day in data")
    return [ObservationItem(FEAR_GREED, at, value, "index", f"{at:{_DAY}}") for at, value in found]


def alternative_me_history(source: Source, _entry: Any, _first: datetime, _last: datetime) -> str:
    """Of all days: a limit of 0 is none."""
    return urlsplit(source.url)._replace(query="limit=0").geturl()


def _start(since: datetime | None, zone: ZoneInfo) -> datetime:
    """From when on to ask, where the publisher is: a first run goes years back, a later one months, for revisions."""
    return max(since.astimezone(zone) - _REVISIONS, _FIRST_DAY) if since else _FIRST_DAY


def _first_moment(day: str, zone: ZoneInfo) -> datetime:
    return datetime.strptime(day, _DAY).replace(tzinfo=zone)
