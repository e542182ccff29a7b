"""The gates on real history, which lies beside the project: SAMPLES_DIR says where."""

import csv
import os
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from knowledge.evaluation.pulses import agreed_interval, read_candles
from knowledge.pulses.detector import PulseEvent, detect

ROOT = Path(__file__).resolve().parents[2]
CANDLES = Path(os.environ.get("SAMPLES_DIR", ROOT / "../shared/samples")) / "candles"

pytestmark = pytest.mark.skipif(
    not (CANDLES / "labels.csv").is_file(),
    reason="no recorded candles: SAMPLES_DIR names no folder with them",
)


def pulses_of(name: str) -> list[PulseEvent]:
    bars = read_candles(CANDLES / name)
    return detect(bars, asset=name, interval=agreed_interval(bars, None))


def time_of(text: str) -> datetime:
    if text.endswith("KST"):
        return datetime.fromisoformat(text.removesuffix(" KST")).replace(tzinfo=ZoneInfo("Asia/Seoul"))
    return datetime.fromisoformat(text).astimezone(UTC)


def recorded_series() -> list[str]:
    return sorted(path.name for path in CANDLES.glob("*_1[hd]_*.csv"))


def test_every_labelled_window_has_its_pulse() -> None:
    with (CANDLES / "labels.csv").open(encoding="utf-8") as lines:
        labels = list(csv.DictReader(lines))
    missed = []
    for label in labels:
        first, last = time_of(label["window_start"]), time_of(label["window_end"])
        hits = [
            pulse
            for pulse in pulses_of(label["file"])
            if pulse.direction == label["direction"]
            and first <= pulse.started_at <= last
            and float(label["pct_lo"]) <= pulse.magnitude_pct <= float(label["pct_hi"])
        ]
        if not hits:
            missed.append(label["what"])
    assert labels
    assert missed == []


def test_a_quiet_market_has_at_most_one_pulse_a_month() -> None:
    bars = read_candles(CANDLES / "upbit_KRW-BTC_1h_quiet.csv")
    months = (bars[-1].at - bars[0].at) / timedelta(days=30)
    assert len(pulses_of("upbit_KRW-BTC_1h_quiet.csv")) <= months


def test_no_direction_opens_twice_within_a_day() -> None:
    assert recorded_series()
    for name in recorded_series():
        for one, other in combinations(pulses_of(name), 2):
            if one.direction == other.direction:
                assert other.detected_at - one.detected_at > timedelta(hours=24), name
