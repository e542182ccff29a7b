"""One sentence about a pulse, from a template and no model. No Korean particle follows a variable part
whose last sound is unknown, except the label's, which is chosen by its last syllable."""

from knowledge.models import Venue
from knowledge.particles import subject_particle
from knowledge.pulses.bars import Direction
from knowledge.pulses.detector import PulseEvent
from knowledge.pulses.premiums import PremiumPulse

SHARP_PCT = 4.0  # below it (stablecoins) a move is no 급등 or 급락
SHARP_KO: dict[Direction, str] = {"up": "급등", "down": "급락"}
MILD_KO: dict[Direction, str] = {"up": "상승", "down": "하락"}
QUOTES = {Venue.UPBIT: ("KRW", "원"), Venue.BINANCE: ("USD", "달러")}


def summary_ko(pulse: PulseEvent, label: str, venue: Venue) -> str:
    """E.g. "비트코인이 1시간 새 5.2% 급등(업비트 기준 37,928,000원). 거래량 평소의 8.3배." """
    quote, unit = QUOTES[venue]
    hours = pulse.horizon_hours
    span = f"{hours}시간" if hours <= 24 else f"{hours // 24}일"
    brief = "" if pulse.extremum == "close" else "한때 "
    over = " 넘게" if _is_capped(pulse) else ""
    verbs = SHARP_KO if abs(pulse.magnitude_pct) >= SHARP_PCT else MILD_KO
    sentences = [
        f"{label}{subject_particle(label)} {span} 새 {brief}{abs(pulse.magnitude_pct):,.1f}%{over} "
        f"{verbs[pulse.direction]}({venue.label} 기준 {format_price(pulse.price, quote)}{unit})."
    ]
    if pulse.volume_ratio is not None:
        sentences.append(f"거래량 평소의 {format_ratio(pulse.volume_ratio)}배.")
    if pulse.scope == "local":
        sentences.append("국내 거래소 한정.")
    return " ".join(sentences)


def summary_en(pulse: PulseEvent, label: str, venue: Venue) -> str:
    """E.g. "Bitcoin rose 5.2% in 1 hour (37,928,000 KRW on Upbit). Volume 8.3 times the usual." """
    quote, _ = QUOTES[venue]
    hours = pulse.horizon_hours
    count, noun = (hours, "hour") if hours <= 24 else (hours // 24, "day")
    kind = "" if pulse.extremum == "close" else f"{pulse.extremum} of "
    brief = "" if pulse.extremum == "close" else "briefly "
    verb = "rose" if pulse.direction == "up" else "fell"
    over = "over " if _is_capped(pulse) else ""
    sentences = [
        f"{label} {brief}{verb} {over}{abs(pulse.magnitude_pct):,.1f}% in {count} {noun}{'s' if count > 1 else ''} "
        f"({kind}{format_price(pulse.price, quote)} {quote} on {venue.name.title()})."
    ]
    if pulse.volume_ratio is not None:
        sentences.append(f"Volume {format_ratio(pulse.volume_ratio)} times the usual.")
    if pulse.scope == "local":
        sentences.append("Seen on Korean exchanges only.")
    return " ".join(sentences)


def premium_summary_ko(pulse: PremiumPulse, label: str) -> str:
    """E.g. "비트코인 김치 프리미엄 +6.2%, 30일 중앙값(+1.1%)보다 5.1%p 높음." """
    side = "높음" if pulse.direction == "up" else "낮음"
    return (
        f"{label} 김치 프리미엄 {_signed(pulse.percent)}, "
        f"30일 중앙값({_signed(pulse.median)})보다 {abs(pulse.distance):.1f}%p {side}."
    )


def premium_summary_en(pulse: PremiumPulse, label: str) -> str:
    """E.g. "BTC kimchi premium at +6.2%, 5.1 percentage points above its 30-day median (+1.1%)." """
    side = "above" if pulse.direction == "up" else "below"
    return (
        f"{label} kimchi premium at {_signed(pulse.percent)}, {abs(pulse.distance):.1f} percentage points {side} "
        f"its 30-day median ({_signed(pulse.median)})."
    )


def _signed(percent: float) -> str:
    return f"{percent:+.1f}%".replace("-", "−")


def format_price(price: float, quote: str) -> str:
    """Thousands separated; as many decimals as a price of that size is quoted with, no trailing zeros below one."""
    if price >= 100:
        return f"{price:,.0f}" if quote == "KRW" or price >= 10_000 else f"{price:,.2f}"
    if price >= 1:
        return f"{price:,.2f}"
    decimals = next((places for places in range(4, 12) if price >= 10.0 ** (3 - places)), 12)
    return f"{price:.{decimals}f}".rstrip("0").rstrip(".")


def format_ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"


def _is_capped(pulse: PulseEvent) -> bool:
    return pulse.collapsed and pulse.magnitude_pct >= 100
