"""Macro series of three publishers."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from knowledge.sources.adapters import ADAPTERS
from knowledge.sources.base import SourceItem
from knowledge.sources.errors import NeedsKey, SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import parsed, read, unsaved

Recorded = Callable[[str], bytes]
MakeHttp = Callable[..., HttpClient]


def rows(items: object) -> list[tuple[str, str, float, str]]:
    assert isinstance(items, list)
    return [(item.series, f"{item.at:%Y-%m-%dT%H:%M}", item.value, item.unit) for item in items]


def refusal(parse: Callable[[], list[SourceItem]]) -> SourceError:
    with pytest.raises(SourceError) as caught:
        parse()
    return caught.value


def test_ecos_values_are_texts_and_an_empty_one_is_not_yet_known(recorded: Recorded) -> None:
    assert rows(parsed("ecos", recorded("ecos/base_rate.json"))) == [
        ("722Y001/0101000", "2026-06-01T00:00", 2.25, "연%"),
        ("722Y001/0101000", "2026-07-01T00:00", 2.0, "연%"),
    ]


@pytest.mark.parametrize(
    ("period", "start"),
    [("2026", "2026-01-01"), ("202608", "2026-08-01"), ("20260831", "2026-08-31")],
)
def test_ecos_periods_begin_on_their_first_day(period: str, start: str) -> None:
    row = f'{{"STAT_CODE":"S","ITEM_CODE1":"A","TIME":"{period}","DATA_VALUE":"1"}}'
    [item] = parsed("ecos", f'{{"StatisticSearch":{{"row":[{row}]}}}}'.encode())
    assert f"{item.at:%Y-%m-%d}" == start


@pytest.mark.parametrize(
    ("code", "cause", "waits"),
    [
        ("INFO-100", "status", False),
        ("INFO-200", "empty", False),
        ("ERROR-602", "status", True),
        ("ERROR-500", "status", False),
    ],
)
def test_ecos_errors_with_status_200_are_errors(code: str, cause: str, waits: bool) -> None:
    error = refusal(lambda: list(parsed("ecos", f'{{"RESULT":{{"CODE":"{code}","MESSAGE":"m"}}}}'.encode())))
    assert (error.cause, error.retry_after is not None) == (cause, waits)


def test_an_item_of_ecos_that_is_no_text_is_not_taken_for_the_whole_statistic() -> None:
    row = b'{"STAT_CODE":"S","ITEM_CODE1":101000,"TIME":"2026","DATA_VALUE":"1"}'
    assert refusal(lambda: parsed("ecos", b'{"StatisticSearch":{"row":[%b]}}' % row)).cause == "parse"


def test_ecos_asks_for_every_series_with_the_key_in_the_path_and_never_shows_it(
    replay: Replay, make_http: MakeHttp, recorded: Recorded, settings: Any
) -> None:
    base = "/api/StatisticSearch/ecos-canary-key/json/kr/1/10000"
    replay.serve(f"{base}/722Y001/M/202605/210012/0101000", recorded("ecos/base_rate.json"))
    source = unsaved(
        "ecos",
        replay.url("/api"),
        settings={
            "series": [
                {"stat": "722Y001", "item": "0101000", "cycle": "M"},
                {"stat": "999Y999", "item": "0", "cycle": "D"},
            ]
        },
    )
    settings.ECOS_API_KEY, http = "ecos-canary-key", make_http()
    known, missing = source.settings["series"]
    since = datetime(2026, 8, 31, tzinfo=UTC)
    ecos = ADAPTERS["ecos"]
    assert len(list(ecos.fetch(source, known, since, http))) == 2
    with pytest.raises(SourceError) as caught:
        list(ecos.fetch(source, missing, since, http))
    assert caught.value.status == 404
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("adapter", "key", "series"),
    [
        ("ecos", "ECOS_API_KEY", {"stat": "722Y001", "item": "0101000", "cycle": "M"}),
        ("fred", "FRED_API_KEY", "DGS10"),
    ],
)
def test_a_keyed_source_without_its_key_needs_a_key_and_asks_nobody(
    adapter: str, key: str, series: object, replay: Replay, make_http: MakeHttp, settings: Any
) -> None:
    setattr(settings, key, "")
    source = unsaved(adapter, replay.url("/api"), settings={"series": [series]})
    with pytest.raises(NeedsKey, match=f"needs a key: set {key}"):
        read(source, make_http())
    assert replay.asked == []


def test_fred_skips_missing_values_in_both_formats(recorded: Recorded) -> None:
    first = ("DGS10", "2026-08-27T00:00", 4.31, "%")
    assert rows(parsed("fred", recorded("fred/observations.json"), url="https://x.example/DGS10.json")) == [
        first,
        ("DGS10", "2026-08-31T00:00", 4.29, "%"),
    ]
    assert rows(parsed("fred", recorded("fred/fredgraph.csv"), url="https://x.example/.json")) == [
        first,
        ("DGS10", "2026-09-01T00:00", 4.25, "%"),
    ]


def test_a_table_of_fred_may_have_several_series() -> None:
    body = b"DATE,DGS10,SP500\n2026-08-27,4.31,.\n2026-08-28,4.25,6500\n"
    assert rows(parsed("fred", body)) == [
        ("DGS10", "2026-08-27T00:00", 4.31, "%"),
        ("DGS10", "2026-08-28T00:00", 4.25, "%"),
        ("SP500", "2026-08-28T00:00", 6500.0, "index"),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"DATE\n2026-08-27\n",
        b"DATE" + b",S" * 101 + b"\n",
        b'{"error_code":400,"error_message":"Bad Request"}',
        b"{}",
        b"[]",
        b'{"observations":[{"date":"2026-08-27"}]}',
        b'{"observations":[{"date":"27.08.2026","value":"1"}]}',
        b'{"observations":[{"date":"2026-08-27","value":"1e999"}]}',
        b'{"observations":[{"date":"2026-08-27","value":"high"}]}',
        b'<error code="400" message="Bad Request" />',
        b"<observations/>",
        b"<!DOCTYPE html><html></html>",
        b"nothing,here\n1,2\n",
        b"DATE,DGS10\n2026-08-27\n",
        b"DATE,DGS10\n27.8.2026,4\n",
    ],
)
def test_what_are_no_observations_is_refused(body: bytes) -> None:
    assert refusal(lambda: list(parsed("fred", body, url="https://x.example/X.json"))).cause == "parse"


def test_fred_is_asked_by_key_or_by_table(
    replay: Replay, make_http: MakeHttp, recorded: Recorded, settings: Any
) -> None:
    replay.serve("/fred/series/observations", recorded("fred/observations.json"))
    replay.serve("/graph/fredgraph.csv", recorded("fred/fredgraph.csv"))
    settings.FRED_API_KEY, http = "fred-canary-key", make_http()
    keyed = unsaved("fred", replay.url("/fred/series/observations"), settings={"series": ["DGS10"]})
    assert len(read(keyed, http, since=datetime(2026, 9, 1, tzinfo=UTC))) == 2
    query = replay.last("/fred/series/observations").query
    assert query == ("series_id=DGS10&file_type=json&observation_start=2026-05-03&api_key=fred-canary-key")
    table = unsaved("fred", replay.url("/graph/fredgraph.csv"), settings={"series": ["DGS10"]})
    assert len(read(table, make_http())) == 2
    assert replay.last("/graph/fredgraph.csv").query == "id=DGS10&cosd=2020-01-01"


def test_an_address_as_it_stands_names_its_series(
    replay: Replay, make_http: MakeHttp, recorded: Recorded
) -> None:
    replay.serve("/DGS10.json", recorded("fred/observations.json"))
    by_query = unsaved("fred", replay.url("/DGS10.json?series_id=DFEDTARU"))
    by_file = unsaved("fred", replay.url("/DGS10.json"))
    assert read(by_query, make_http())[0].series == "DFEDTARU"
    assert read(by_file, make_http())[0].series == "DGS10"


def test_a_redirect_does_not_rename_a_series(
    replay: Replay, make_http: MakeHttp, recorded: Recorded, settings: Any
) -> None:
    replay.serve("/moved", b"", status=302, headers={"Location": "/elsewhere?series_id=CPIAUCSL"})
    replay.serve("/elsewhere", recorded("fred/observations.json"))
    source = unsaved("fred", replay.url("/moved?units=pc1"), settings={"series": ["DGS10"]})
    settings.FRED_API_KEY = "fred-canary-key"
    points = read(source, make_http())
    assert {point.series for point in points} == {"DGS10"}
    assert replay.last("/moved").query.startswith("units=pc1&series_id=DGS10&")


def test_an_address_may_leave_a_place_for_the_key(
    replay: Replay, make_http: MakeHttp, recorded: Recorded, settings: Any
) -> None:
    replay.serve("/api/ecos-key-1/rows", recorded("ecos/base_rate.json"))
    source = unsaved("ecos", replay.url("/api/{key}/rows"))
    settings.ECOS_API_KEY = "ecos-key-1"
    assert len(read(source, make_http())) == 2
    settings.ECOS_API_KEY = ""
    with pytest.raises(NeedsKey):
        read(source, make_http())


def test_frankfurter_rates_are_per_one_of_the_base(recorded: Recorded) -> None:
    assert rows(parsed("frankfurter", recorded("frankfurter/timeseries.json"))) == [
        ("USDKRW", "2026-08-28T00:00", 1391.5, "KRW"),
        ("USDKRW", "2026-08-31T00:00", 1388.25, "KRW"),
    ]
    assert rows(parsed("frankfurter", recorded("frankfurter/latest.json"))) == [
        ("USDKRW", "2026-08-31T00:00", 1388.25, "KRW")
    ]


@pytest.mark.parametrize(
    "body",
    [
        b'{"message":"not found"}',
        b"[]",
        b'{"base":"USD","rates":[]}',
        b'{"base":"usd","rates":{}}',
        b'{"base":"USD","rates":{"2026-08-28":1391.5}}',
        b'{"base":"USD","rates":{"2026-08-28":{"KRW":0}}}',
        b'{"base":"USD","rates":{"2026-08-28":{"<b>":1}}}',
        b'{"base":"USD","date":7,"rates":{"KRW":1}}',
    ],
)
def test_what_are_no_rates_is_refused(body: bytes) -> None:
    assert refusal(lambda: list(parsed("frankfurter", body))).cause == "parse"


def test_frankfurter_is_asked_from_the_last_days_on(
    replay: Replay, make_http: MakeHttp, recorded: Recorded
) -> None:
    replay.serve("/v1/2026-05-04..", recorded("frankfurter/timeseries.json"))
    source = unsaved("frankfurter", replay.url("/v1"), settings={"series": [{"base": "USD", "quote": "KRW"}]})
    items = read(source, make_http(), since=datetime(2026, 9, 1, tzinfo=UTC))
    assert len(items) == 2
    assert replay.last("/v1/2026-05-04..").query == "base=USD&symbols=KRW"


def test_fear_and_greed_is_a_value_of_its_day(recorded: Recorded) -> None:
    items = parsed("alternative_me", recorded("alternative_me/index.json"))
    assert [(item.series, item.period, item.value, item.unit) for item in items] == [
        ("fear-greed", "2026-09-01", 41.0, "index"),
        ("fear-greed", "2026-08-31", 38.0, "index"),
    ]
    assert items[0].as_json()["at"] == "2026-09-01T00:00:00Z"


@pytest.mark.parametrize(
    "body",
    [
        b'{"data":[],"metadata":{"error":null}}',
        b'{"data":[{"value":"41","timestamp":"1788220800"}],"metadata":{"error":"busy"}}',
        b'{"data":[{"value":"greed","timestamp":"1788220800"}]}',
        b'{"data":[{"value":"41"}]}',
        b"[]",
    ],
)
def test_what_is_no_index_is_refused(body: bytes) -> None:
    assert refusal(lambda: list(parsed("alternative_me", body))).cause == "parse"
