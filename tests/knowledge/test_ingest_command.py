"""``manage.py ingest``: the whole way from a source's answer to the tables, and the dry run that stores nothing."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command

from knowledge.counting import fold
from knowledge.ingestion.runs import claim_due
from knowledge.models import Candle, Document, FetchRun, Mention, Observation, Source, Unit
from rehearsal.bodies import channel, klines, news, rates, upbit_candles, upbit_notices
from tests.factories.candles import bars_of, calm
from tests.factories.knowledge import NOON, make_source, make_unit
from tests.fakes.replay import Replay

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
JSON = "application/json"
RECORDED = Path(__file__).parents[1] / "recorded"


@pytest.fixture(autouse=True)
def at_noon(settings: Any) -> Iterator[None]:
    settings.FETCH_ALLOW_PRIVATE = True
    with time_machine.travel(NOON, tick=True):
        yield


def ingest(*args: str, **options: Any) -> tuple[str, int]:
    """What the command printed, and its exit status."""
    out = StringIO()
    try:
        call_command("ingest", *args, stdout=out, stderr=out, **options)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def counts() -> dict[str, int]:
    tables = (Document, Mention, Observation, Candle)
    return {table.__name__: table._default_manager.count() for table in tables}


@pytest.fixture
def every_kind(replay: Replay) -> None:
    """A source of every kind, each behind the replay server."""
    make_unit("btc", "비트코인", aliases=["BTC"])
    bars = bars_of(calm(50), start=NOON - 50 * HOUR, volume=1e6)
    make_source("paper", url=replay.serve("/rss", news(("1", "비트코인 상승", NOON - HOUR)), etag='"1"'))
    tv = replay.serve("/tv", channel("마당TV", ("abcdefg1", "비트코인 전망", NOON - HOUR)))
    make_source("tv", kind="video", adapter="youtube_rss", url=tv)
    notices = replay.serve(
        "/n", upbit_notices((7, "비트코인(BTC) 입출금 일시 중지", NOON - HOUR)), content_type=JSON
    )
    make_source("notices", kind="notice", adapter="upbit_notices", url=notices, primary=True)
    replay.serve("/fx", rates(("2026-11-19", 1400.0)), content_type=JSON)
    make_source("fx", kind="macro", adapter="frankfurter", url=replay.url("/fx"))
    replay.serve("/u/candles/minutes/60", upbit_candles(bars), content_type=JSON)
    make_source(
        "upbit", kind="price", adapter="upbit_candles", url=replay.url("/u"),
        settings={"interval": "1h", "markets": [{"symbol": "KRW-BTC", "asset": "asset:btc"}]},
    )  # fmt: skip
    replay.serve("/b/klines", klines(bars), content_type=JSON)
    make_source(
        "binance", kind="price", adapter="binance_klines", url=replay.url("/b"),
        settings={"interval": "1h", "markets": [{"symbol": "BTCUSDT", "asset": "asset:btc"}]},
    )  # fmt: skip
    replay.serve_file("/chain", RECORDED / "mempool_space/fees.json", content_type=JSON)
    make_source("chain", kind="onchain", adapter="mempool_space", url=replay.url("/chain"))
    series = {"series": [{"stat": "722Y001", "item": "0101000"}]}
    make_source("ecos", kind="macro", adapter="ecos", url=replay.url("/ecos"), settings=series)


@pytest.mark.usefixtures("every_kind")
def test_all_due_sources_run_once_and_a_rerun_changes_nothing() -> None:
    printed, status = ingest()
    assert status == 0
    rows = {line.split()[0]: line.split()[1:] for line in printed.splitlines()[1:]}
    assert rows["paper"] == ["ok", "1", "1", "0", "0"]
    assert rows["upbit"][:3] == ["ok", "50", "50"]
    assert rows["ecos"][0] == "needs_key"
    fold()
    bitcoin = Unit.objects.get(slug="btc")
    assert (bitcoin.document_count, bitcoin.video_count) == (3, 1)
    before = counts()
    assert before == {"Document": 3, "Mention": 4, "Observation": 6, "Candle": 100}
    assert "No source is due" in ingest()[0]
    names = Source.objects.exclude(slug="ecos").values_list("slug", flat=True)
    printed, status = ingest(*names)
    assert status == 0
    assert counts() == before
    assert [line.split()[3:5] for line in printed.splitlines()[1:]] == [["0", "0"]] * 7


@pytest.mark.usefixtures("every_kind")
def test_one_broken_source_says_why_and_the_others_are_stored(replay: Replay) -> None:
    replay.serve("/rss", b"<!DOCTYPE html><p>Just a moment")
    printed, status = ingest()
    assert status == 1
    (line,) = [line for line in printed.splitlines() if line.startswith("paper")]
    assert "failed" in line
    assert "parse: " in line
    assert Document.objects.count() == 2
    assert FetchRun.objects.filter(outcome="failed").count() == 1


def test_what_a_worker_has_claimed_is_left_to_it(replay: Replay) -> None:
    make_source(url=replay.url("/rss"))
    claim_due(NOON)
    assert "No source is due" in ingest()[0]
    assert replay.asked == []


def test_a_named_source_runs_even_when_it_is_not_due(replay: Replay) -> None:
    url = replay.serve("/rss", news(("1", "비트코인", NOON)))
    make_source("paper", url=url, next_fetch_at=NOON + HOUR)
    assert ingest("paper")[1] == 0
    assert Document.objects.count() == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nobody",), "no source nobody. Known: off, paper"),
        (("off",), "switched off: off"),
        (("--dry-run",), "a dry run takes"),
        (("--adapter", "rss"), "a dry run takes"),
        (("paper", "--dry-run", "--adapter", "rss", "--url", "https://x.example"), "a dry run takes"),
        (("--adapter", "nothing", "--url", "https://x.example", "--dry-run"), "invalid choice"),
    ],
)
def test_wrong_use_is_explained_and_exits_2(args: tuple[str, ...], said: str) -> None:
    make_source("paper")
    make_source("off", enabled=False)
    with pytest.raises(CommandError, match=said.partition("Known")[0].strip()) as caught:
        ingest(*args)
    assert said in str(caught.value)
    assert getattr(caught.value, "returncode", 2) == 2 or "invalid choice" in said
    assert not FetchRun.objects.exists()


def dry(url: str, adapter: str = "rss") -> tuple[str, str, int]:
    out, err = StringIO(), StringIO()
    try:
        call_command(
            "ingest", "--adapter", adapter, "--url", url, "--dry-run", "--json", stdout=out, stderr=err
        )
    except SystemExit as end:
        return out.getvalue(), err.getvalue(), int(end.code or 0)
    return out.getvalue(), err.getvalue(), 0


def test_a_dry_run_prints_one_object_a_line_and_stores_nothing(replay: Replay) -> None:
    url = replay.serve("/rss", news(("1", "비트코인 상승", NOON), ("2", "글", None), summary="짧은 요약"))
    out, err, status = dry(url)
    assert (err, status) == ("", 0)
    first, second = map(json.loads, out.splitlines())
    assert first == {
        "external_id": "1",
        "url": "https://paper.example/1",
        "title": "비트코인 상승",
        "summary": "짧은 요약",
        "published_at": "2026-11-20T03:00:00Z",
        "updated_at": None,
        "lang": "ko",
        "author": "",
    }
    assert second["published_at"] is None
    assert not any(counts().values())
    assert not FetchRun.objects.exists()


def test_a_refused_body_prints_its_cause_and_nothing_else(replay: Replay) -> None:
    out, err, status = dry(replay.serve("/rss", b"<html>"))
    assert (out, status) == ("", 1)
    assert err.startswith("error: parse: ")


def test_a_dry_run_without_its_key_says_which_one(replay: Replay) -> None:
    out, err, status = dry(replay.url("/api/{key}/x"), adapter="ecos")
    assert (out, status) == ("", 1)
    assert err.strip() == "error: needs a key: set ECOS_API_KEY"


def test_the_tickers_and_candles_of_a_dry_run_have_their_form(
    replay: Replay, recorded: Callable[[str], bytes]
) -> None:
    url = replay.serve("/c", recorded("upbit_candles/hours.json"), content_type="application/json")
    out, _err, _status = dry(url, adapter="upbit_candles")
    names = ["symbol", "interval", "at", "open", "high", "low", "close", "volume"]
    assert all(list(json.loads(line)) == names for line in out.splitlines())
