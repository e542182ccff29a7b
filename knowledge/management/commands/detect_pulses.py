import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from knowledge.evaluation.files import MalformedFileError
from knowledge.evaluation.pulses import agreed_interval, is_stablecoin, read_candles
from knowledge.pulses.bars import INTERVALS
from knowledge.pulses.detector import MarketContext, PulseEvent, detect
from knowledge.times import iso_utc


class Command(BaseCommand):
    help = "Finds sudden price moves in a CSV file of hour or day candles and prints them; stores nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "candles", type=Path, metavar="CANDLES.csv", help="timestamp_utc or timestamp_kst, OHLCV"
        )
        parser.add_argument(
            "--asset", required=True, metavar="SYMBOL", help="whose candles they are, e.g. BTC"
        )
        parser.add_argument("--interval", choices=sorted(INTERVALS), help="default: seen from the spacing")
        parser.add_argument("--json", action="store_true", help="print a JSON array")

    def handle(self, *, candles: Path, asset: str, interval: str | None, json: bool, **options: Any) -> None:
        bars = read_candles(candles)
        try:
            bar_length = agreed_interval(bars, interval)
        except ValueError as error:
            raise MalformedFileError(f"{candles}: {error}") from error
        context = MarketContext(stablecoin=is_stablecoin(asset))
        pulses = detect(bars, asset=asset, interval=bar_length, context=context)
        self.stdout.write(as_json(pulses) if json else as_table(pulses))


def as_json(pulses: Sequence[PulseEvent]) -> str:
    records = [
        {
            "id": pulse.id,
            "asset": pulse.asset,
            "direction": pulse.direction,
            "magnitudePct": pulse.magnitude_pct,
            "startedAt": iso_utc(pulse.started_at),
            "detectedAt": iso_utc(pulse.detected_at),
            "endedAt": None if pulse.ended_at is None else iso_utc(pulse.ended_at),
            "horizonHours": pulse.horizon_hours,
            "extremum": pulse.extremum,
            "confidence": pulse.confidence,
        }
        for pulse in pulses
    ]
    return json.dumps(records, ensure_ascii=False, indent=1)


def as_table(pulses: Sequence[PulseEvent]) -> str:
    lines = [
        f"{iso_utc(pulse.detected_at)}  {pulse.direction:<4}  {pulse.magnitude_pct:>+9.2f}%  "
        f"{pulse.horizon_hours:>3} h  {pulse.extremum:<5}  {pulse.confidence:.2f}  "
        f"{iso_utc(pulse.ended_at) if pulse.ended_at else 'open'}"
        for pulse in pulses
    ]
    head = f"{'detected':<20}  {'':<4}  {'size':>10}  {'over':>5}  {'by':<5}  {'sure':<4}  until"
    return "\n".join([head, *lines, f"{len(pulses)} pulses"])
