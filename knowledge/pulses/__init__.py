"""Pulses: sudden price moves and document bursts. Pure functions of closed bars and of documents."""

from knowledge.pulses.bars import DAY, HOUR, INTERVALS, Bar, BarRules, infer_interval
from knowledge.pulses.bursts import Burst, BurstDocument, detect_bursts
from knowledge.pulses.confidence import NamedDocument
from knowledge.pulses.detector import Detector, MarketContext, PulseEvent, detect
from knowledge.pulses.summary import summary_en, summary_ko

__all__ = [
    "DAY",
    "HOUR",
    "INTERVALS",
    "Bar",
    "BarRules",
    "Burst",
    "BurstDocument",
    "Detector",
    "MarketContext",
    "NamedDocument",
    "PulseEvent",
    "detect",
    "detect_bursts",
    "infer_interval",
    "summary_en",
    "summary_ko",
]
