"""The facts of a day as the evening's writer gets them: Korean words, numbers already in their written form.

Both writers, the model and the templates, write from these, and the checks read both against them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext_noop

from archive.metrics import SERVICES

# Marked for the pages, which say them in the reader's language (``page_words``).
CONDITIONS_KO = {
    "storm": gettext_noop("폭풍"),
    "fog": gettext_noop("안개"),
    "rain": gettext_noop("비"),
    "cloudy": gettext_noop("흐림"),
    "clear": gettext_noop("맑음"),
    "rainbow": gettext_noop("무지개"),
}
MOODS_KO = {
    "gloomy": gettext_noop("침울함"),
    "low": gettext_noop("가라앉음"),
    "calm": gettext_noop("잔잔함"),
    "bright": gettext_noop("밝음"),
    "elated": gettext_noop("들뜸"),
    "unknown": gettext_noop("알 수 없음"),
}
STATUSES_KO = {
    "open": gettext_noop("열림"),
    "quiet": gettext_noop("한산함"),
    "festival": gettext_noop("축제"),
    "dark": gettext_noop("불이 꺼짐"),
}
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class DayFacts:
    """A day's state, its signals' states and its context; ``state`` is what ``city.derive`` gives."""

    day: date
    status: str
    state: Mapping[str, Any]
    heard: int  # services whose own signal of the day came
    context: Mapping[str, Any]

    @property
    def city(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.state["city"]
        return found

    @property
    def condition(self) -> str:
        return str(self.city["weather"]["condition"])

    @property
    def mood(self) -> str:
        return str(self.city["mood"]["label"])

    @property
    def districts(self) -> list[Mapping[str, Any]]:
        return list(self.state["districts"])

    def with_status(self, *statuses: str) -> list[Mapping[str, Any]]:
        return [district for district in self.districts if district["status"] in statuses]

    @property
    def busiest(self) -> Mapping[str, Any]:
        return max(self.districts, key=lambda district: district["activity"])

    def lines(self) -> list[str]:
        """What the model is told, a fact a line."""
        return [line for line in self._lines() if line]

    def _lines(self) -> Iterator[str]:
        city, delta = self.city, self.state["delta"]
        yield f"날짜: {self.day.month}월 {self.day.day}일"
        weather, mood = city["weather"], city["mood"]
        temperature = degrees(weather["temperatureC"])
        yield f"날씨: {CONDITIONS_KO[self.condition]}, {temperature}, 초속 {weather['windMs']}미터"
        score = "" if self.mood == "unknown" else f", 지수 {signed(mood['score'])}"
        yield f"기분: {MOODS_KO[self.mood]}{score}"
        yield f"깨어 있던 사람: {grouped(city['population']['awake'])}명"
        if city["economy"]["index"] is not None:
            yield f"경제 지수: {city['economy']['index']}{change(delta['economy'])}"
        if city["energy"]["balance"] is not None:
            energy = city["energy"]
            yield f"전기: 수요 {energy['load']}, 공급 {energy['supply']}" + (
                ", 부족함" if energy["brownout"] else ""
            )
        for name, label in (("safety", "안전"), ("culture", "문화"), ("learning", "배움")):
            if city[name]["score"] is not None:
                yield f"{label}: {city[name]['score']}"
        for district in self.districts:
            yield f"구역 {district['name']}: {STATUSES_KO[district['status']]}, 활기 {district['activity']}"
        yield f"신호: 여섯 구역 가운데 {self.heard}곳에서 옴"
        if self.context["pulsesUp"] or self.context["pulsesDown"]:
            yield f"도시 밖 시장: 급등 {self.context['pulsesUp']}건, 급락 {self.context['pulsesDown']}건"

    def numbers(self) -> set[str]:
        """Every number that a text about this day may hold, without commas and signs."""
        written = {number.replace(",", "") for line in self.lines() for number in NUMBER.findall(line)}
        counts = {str(len(self.with_status(status))) for status in STATUSES_KO}
        changes = {str(abs(value)) for value in self.state["delta"].values() if isinstance(value, int)}
        dates = {str(self.day.year), str(self.day.month), str(self.day.day)}
        return written | counts | changes | dates | {str(len(SERVICES))}


def grouped(number: int) -> str:
    return f"{number:,}"


def signed(number: int) -> str:
    """``마이너스 34``: a hyphen would be read as a dash."""
    return f"마이너스 {-number}" if number < 0 else str(number)


def degrees(number: int) -> str:
    return f"영하 {-number}도" if number < 0 else f"{number}도"


def change(number: int | None) -> str:
    if number is None:
        return ""
    if number == 0:
        return ", 어제와 같음"
    return f", 어제보다 {abs(number)} {'오름' if number > 0 else '내림'}"
