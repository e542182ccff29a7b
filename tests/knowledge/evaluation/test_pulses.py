import csv
import json
from collections.abc import Sequence
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from knowledge.evaluation.pulses import is_stablecoin
from knowledge.pulses.bars import DAY, Bar
from tests.factories.candles import after_calm, bars_of, calm

KST = timezone(timedelta(hours=9))


def write(path: Path, bars: Sequence[Bar], *, value: float | None = None, kst: bool = False) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        header = [
            "timestamp_kst" if kst else "timestamp_utc",
            "open",
            "high",
            "low",
            "close",
            "volume",
            "note",
        ]
        writer.writerow([*header, *(["value"] if value is not None else [])])
        for bar in bars:
            at = f"{bar.at.astimezone(KST):%Y-%m-%d %H:%M:%S}" if kst else f"{bar.at:%Y-%m-%dT%H:%M:%SZ}"
            numbers = [bar.open, bar.high, bar.low, bar.close, bar.volume]
            writer.writerow([at, *numbers, "a remark", *([value] if value is not None else [])])
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("detect_pulses", *arguments)
    return capsys.readouterr().out


def pulses(capsys: pytest.CaptureFixture[str], path: Path, *arguments: str) -> list[dict[str, Any]]:
    printed: list[dict[str, Any]] = json.loads(run(capsys, str(path), "--asset", "BTC", "--json", *arguments))
    return printed


def test_the_json_has_exactly_the_promised_members(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [pulse] = pulses(capsys, write(tmp_path / "candles.csv", after_calm(106)))
    identity = pulse.pop("id")
    assert len(identity) == 16
    assert pulse == {
        "asset": "BTC",
        "direction": "up",
        "magnitudePct": 6.0,
        "startedAt": "2031-03-05T12:00:00Z",
        "detectedAt": "2031-03-05T13:00:00Z",
        "endedAt": None,
        "horizonHours": 1,
        "extremum": "close",
        "confidence": pulse["confidence"],
    }


def test_korean_times_are_read_as_korean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    korean = pulses(capsys, write(tmp_path / "kst.csv", after_calm(106), kst=True))
    assert korean == pulses(capsys, write(tmp_path / "utc.csv", after_calm(106)))


def test_day_bars_are_seen_from_their_spacing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "days.csv", bars_of([*calm(), 112], interval=DAY))
    [pulse] = pulses(capsys, path)
    assert pulse["horizonHours"] == 24
    assert pulses(capsys, path, "--interval", "1d") == [pulse]


def test_a_thin_market_has_no_pulses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pulses(capsys, write(tmp_path / "thin.csv", after_calm(106), value=1_000_000)) == []
    assert len(pulses(capsys, write(tmp_path / "thick.csv", after_calm(106), value=1e9))) == 1


def test_a_stablecoin_is_known_by_its_symbol(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bars = bars_of([1400 * (1.0001 if place % 2 else 1.0) for place in range(60)] + [1380])
    path = write(tmp_path / "candles.csv", bars)
    assert pulses(capsys, path) == []
    assert len(json.loads(run(capsys, str(path), "--asset", "USDT", "--json"))) == 1


@pytest.mark.parametrize(
    ("symbol", "stable"),
    [
        *[(symbol, True) for symbol in ("USDT", "KRW-USDT", "usdc", "USDCUSDT", "USDE", "DAI/KRW")],
        *[(symbol, False) for symbol in ("BTC", "BTCUSDT", "KRW-XRP", "USDTX", "USD")],
    ],
)
def test_markets_of_stablecoins_are_told_from_markets_in_them(symbol: str, stable: bool) -> None:
    assert is_stablecoin(symbol) is stable


def test_without_json_there_is_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, str(write(tmp_path / "candles.csv", after_calm(106))), "--asset", "BTC")
    assert "2031-03-05T13:00:00Z" in printed
    assert "+6.00%" in printed
    assert printed.rstrip().endswith("1 pulses")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "timestamp_utc"),
        ("time,open,high,low,close,volume\n", "timestamp_utc"),
        ("timestamp_utc,open,high,low,close\n", "volume"),
        ("timestamp_utc,open,high,low,close,volume\n", "no candles"),
        ("timestamp_utc,open,high,low,close,volume\nyesterday,1,1,1,1,1\n", "line 2: 'yesterday'"),
        ("timestamp_utc,open,high,low,close,volume\n2031-03-03,1,1,1,x,1\n", "line 2: close 'x'"),
        ("timestamp_utc,open,high,low,close,volume\n2031-03-03,1,1,1\n", "line 2: close None"),
        ("timestamp_utc,open,high,low,close,volume\n2031-03-03,1,1,1,0,1\n", "line 2: prices"),
        ("timestamp_utc,open,high,low,close,volume\n2031-03-03,1,1,1,1,1\n", "at least two bars"),
        (
            "timestamp_utc,open,high,low,close,volume\n2031-03-03,1,1,1,1,1\n2031-03-10,1,1,1,1,1\n",
            "only hour and day bars",
        ),
        ('timestamp_utc,open,high,low,close,volume\n"2031', "not CSV"),
    ],
)
def test_a_bad_file_is_named_with_its_fault(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "candles.csv"
    path.write_text(text)
    with pytest.raises(CommandError, match=message) as refusal:
        call_command("detect_pulses", str(path), "--asset", "BTC")
    assert refusal.value.returncode == 2
    assert str(path) in str(refusal.value)


def test_a_file_that_is_no_text_and_one_that_is_missing_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "candles.parquet"
    binary.write_bytes(b"\xff\xfe\x00PAR1\x9d")
    for path in (binary, tmp_path / "missing.csv", tmp_path):
        with pytest.raises(CommandError) as refusal:
            call_command("detect_pulses", str(path), "--asset", "BTC")
        assert refusal.value.returncode == 2


def test_an_interval_that_the_spacing_contradicts_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "candles.csv", after_calm(106))
    with pytest.raises(CommandError, match="1h apart, not 1d"):
        call_command("detect_pulses", str(path), "--asset", "BTC", "--interval", "1d")
