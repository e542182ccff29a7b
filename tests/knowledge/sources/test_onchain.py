"""The chain's own numbers."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import parsed, read, unsaved

Recorded = Callable[[str], bytes]
MakeHttp = Callable[..., HttpClient]


def values(items: object) -> dict[str, float]:
    assert isinstance(items, list)
    return {item.series: item.value for item in items}


def test_every_answer_of_mempool_space_is_told_by_its_form(recorded: Recorded, now: datetime) -> None:
    def read(name: str) -> dict[str, float]:
        items = parsed("mempool_space", recorded(f"mempool_space/{name}"), now=now)
        return values([item for item in items if item.at == now])

    assert read("fees.json") == {
        "bitcoin.fee.fastest": 12,
        "bitcoin.fee.half_hour": 8,
        "bitcoin.fee.hour": 5,
        "bitcoin.fee.economy": 2,
        "bitcoin.fee.minimum": 1,
    }
    assert read("mempool.json")["bitcoin.mempool.count"] == 4321
    assert read("difficulty.json") == {
        "bitcoin.retarget.progress": 44.5,
        "bitcoin.retarget.change": -3.2,
        "bitcoin.retarget.remaining_blocks": 1119,
    }
    assert read("hashrate.json") == {"bitcoin.hashrate": 1.25e21, "bitcoin.difficulty": 1.5e14}
    assert read("tip_height.txt") == {"bitcoin.height": 964545}


def test_histories_keep_their_own_times(recorded: Recorded, now: datetime) -> None:
    history = [
        item
        for item in parsed("mempool_space", recorded("mempool_space/hashrate.json"), now=now)
        if item.at < now
    ]
    assert [item.as_json() for item in history] == [
        {
            "series": "bitcoin.hashrate",
            "at": "2026-08-30T00:00:00Z",
            "value": 1.1e21,
            "unit": "H/s",
            "period": "",
        },
        {
            "series": "bitcoin.hashrate",
            "at": "2026-08-31T00:00:00Z",
            "value": 1.2e21,
            "unit": "H/s",
            "period": "",
        },
        {
            "series": "bitcoin.difficulty",
            "at": "2026-08-23T15:46:40Z",
            "value": 1.5e14,
            "unit": "",
            "period": "",
        },
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"Too many requests",
        b"12",
        b"123456789012",
        b"-964545",
        b"null",
        b"[]",
        b"[[1,2]]",
        b'{"USD": 110000, "time": 1788220800}',
        b'{"fastestFee": 1}',
        b'{"fastestFee":"NaN","halfHourFee":1,"hourFee":1,"economyFee":1,"minimumFee":1}',
        b'{"hashrates": {}, "difficulty": []}',
        b'{"hashrates":[{"timestamp":1e999,"avgHashrate":1}],"difficulty":[]}',
        b"<html>502 Bad Gateway</html>",
    ],
)
def test_what_is_none_of_the_five_answers_is_refused(body: bytes, now: datetime) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed("mempool_space", body, now=now)


def test_mempool_space_is_asked_one_path_in_ten_seconds(
    replay: Replay, make_http: MakeHttp, recorded: Recorded
) -> None:
    slept: list[float] = []
    replay.serve("/api/v1/fees/recommended", recorded("mempool_space/fees.json"))
    replay.serve(
        "/api/blocks/tip/height", recorded("mempool_space/tip_height.txt"), content_type="text/plain"
    )
    source = unsaved(
        "mempool_space",
        f"http://mempool.example:{replay.port}/api",
        settings={"paths": ["v1/fees/recommended", "blocks/tip/height"]},
    )
    http = make_http(resolver=lambda host, port: ["127.0.0.1"], monotonic=lambda: 1.0, sleep=slept.append)
    assert len(read(source, http)) == 6
    assert slept == [10.0]


def test_defillama_dates_are_texts_or_numbers_and_today_is_left_out(
    recorded: Recorded, now: datetime
) -> None:
    tvl = parsed("defillama", recorded("defillama/tvl.json"), now=now)
    assert [item.as_json() for item in tvl] == [
        {
            "series": "defi.tvl",
            "at": "2026-08-30T00:00:00Z",
            "value": 101000000000.0,
            "unit": "USD",
            "period": "2026-08-30",
        },
        {
            "series": "defi.tvl",
            "at": "2026-08-31T00:00:00Z",
            "value": 102000000000.5,
            "unit": "USD",
            "period": "2026-08-31",
        },
    ]
    assert len(parsed("defillama", recorded("defillama/tvl.json"), now=now + timedelta(days=1))) == 3
    supply = parsed("defillama", recorded("defillama/stablecoins.json"), now=now)
    assert [(item.series, item.value) for item in supply] == [
        ("stablecoins.supply", 306.5),
        ("stablecoins.supply", 310.0),
    ]


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{}",
        b'[{"date":"soon","tvl":1}]',
        b'[{"date":1788048000}]',
        b'[{"date":1788048000,"tvl":-1}]',
        b'[{"date":1788048000,"totalCirculatingUSD":{}}]',
        b'[{"date":1788048000,"totalCirculatingUSD":{"peggedUSD":"much"}}]',
        b"<!DOCTYPE html><html></html>",
    ],
)
def test_what_is_no_history_is_refused(body: bytes, now: datetime) -> None:
    with pytest.raises(SourceError, match="parse"):
        parsed("defillama", body, now=now)


def test_defillama_is_read_through_the_door(replay: Replay, make_http: MakeHttp, recorded: Recorded) -> None:
    url = replay.serve("/v2/historicalChainTvl", recorded("defillama/tvl.json"))
    assert len(read(unsaved("defillama", url), make_http())) == 2
