"""What a value that was announced is called and how it is told, from templates and no model."""

from datetime import date
from decimal import Decimal

from knowledge.models import PER_CENT, AnnouncedValue, EventOn
from knowledge.particles import subject_particle

_RAISED, _CUT, _ROSE, _FELL = "인상", "인하", "상승", "하락"


def label(told: AnnouncedValue) -> str:
    """E.g. "한국은행 기준금리 인하: 2.50% → 2.25%", "한국 소비자물가지수 2026년 10월: 1년 전보다 2.4% 상승"."""
    name = told.series.label
    if told.series.event_on == EventOn.VALUE:
        said = _over_year_ko(told.over_year) if told.over_year is not None else told.value_in_words
        return f"{name} {_period_ko(told.period)}: {said}"
    assert told.former is not None
    return f"{name} {_moved_ko(told)}: {told.former_in_words} → {told.value_in_words}"


def summary_ko(told: AnnouncedValue) -> str:
    """E.g. "한국은행 기준금리가 2026년 10월 16일부터 2.50%에서 2.25%로 인하됐다(0.25%p). 출처: 한국은행." """
    name, period = told.series.label, _period_ko(told.period)
    if told.series.event_on == EventOn.VALUE:
        month_before = f"(앞 달 {told.former_in_words})" if told.former is not None else ""
        sentences = [f"{period} {name}: {told.value_in_words}{month_before}."]
        if told.over_year is not None:
            sentences.append(f"{_over_year_ko(told.over_year)}.")
    else:
        assert told.former is not None
        change = f"{told.series.in_words(abs(told.value - told.former))}{'p' if _is_rate(told) else ''}"
        sentences = [
            f"{name}{subject_particle(name)} {period}부터 {told.former_in_words}에서 "
            f"{told.value_in_words}로 {_moved_ko(told)}{'됐다' if _is_rate(told) else '했다'}({change})."
        ]
    return " ".join([*sentences, *([f"출처: {told.source.name}."] if told.source else [])])


def summary_en(told: AnnouncedValue) -> str:
    """E.g. "Bank of Korea base rate: 2.25% from 16 October 2026, after 2.50% (−0.25 percentage points)." """
    name, value = told.series.label_en, told.value_in_words
    former = told.former_in_words
    if told.series.event_on == EventOn.VALUE:
        month_before = f" ({former} the month before)" if former else ""
        over_year = f", {_over_year_en(told.over_year)}" if told.over_year is not None else ""
        sentence = f"{name}, {_period_en(told.period)}: {value}{month_before}{over_year}."
    else:
        assert told.former is not None
        change = told.value - told.former
        points = f"{change:+,.{told.series.decimals}f}".replace("-", "−")
        unit = " percentage points" if _is_rate(told) else ""
        sentence = f"{name}: {value} from {_period_en(told.period)}, after {former} ({points}{unit})."
    return f"{sentence} Source: {told.source.homepage or told.source.name}" if told.source else sentence


def _is_rate(told: AnnouncedValue) -> bool:
    return told.series.unit == PER_CENT


def _moved_ko(told: AnnouncedValue) -> str:
    assert told.former is not None
    up, down = (_RAISED, _CUT) if _is_rate(told) else (_ROSE, _FELL)
    return up if told.value > told.former else down


def _over_year_ko(change: Decimal) -> str:
    if not change:
        return "1년 전과 같음"
    return f"1년 전보다 {abs(change):.1f}% {_ROSE if change > 0 else _FELL}"


def _over_year_en(change: Decimal) -> str:
    if not change:
        return "unchanged over the year"
    return f"{'up' if change > 0 else 'down'} {abs(change):.1f}% over the year"


def _period_ko(period: str) -> str:
    year, month, *day = (int(part) for part in period.split("-"))
    return f"{year}년 {month}월" + "".join(f" {number}일" for number in day)


def _period_en(period: str) -> str:
    year, month, *day = (int(part) for part in period.split("-"))
    named = f"{date(year, month, 1):%B %Y}"
    return f"{day[0]} {named}" if day else named
