"""What stood out on a day, in a sentence each, with the number that shows it."""

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from archive.particles import with_particles

NOTABLE_MAX = 8
MOOD_SWING = 25
ECONOMY_SWING = 15


class Notable(TypedDict):
    """``evidence`` names the field of the file and its value."""

    code: str
    text: str
    evidence: dict[str, Any]


def notable(
    state: Mapping[str, Any], signals: list[dict[str, Any]], context: Mapping[str, Any]
) -> list[Notable]:
    """At most eight remarks: outages first, then districts, the city, the world outside."""
    found = [*_signals(signals), *_districts(state), *_city(state), *_world(context)]
    return found[:NOTABLE_MAX]


def _note(code: str, text: str, **evidence: Any) -> Notable:
    return {"code": code, "text": with_particles(text), "evidence": evidence}


def _signals(signals: list[dict[str, Any]]) -> Iterator[Notable]:
    missing = [entry["service"] for entry in signals if entry["state"] == "missing"]
    stale = [entry["service"] for entry in signals if entry["state"] == "stale"]
    if missing:
        yield _note("missing", f"신호가 오지 않은 서비스가 {len(missing)}곳 있다.", services=missing)
    if stale:
        yield _note("stale", f"앞선 날의 신호로 대신한 서비스가 {len(stale)}곳 있다.", services=stale)


def _districts(state: Mapping[str, Any]) -> Iterator[Notable]:
    for district in state["districts"]:
        name, activity = district["name"], district["activity"]
        if district["status"] == "festival":
            yield _note(
                "festival", f"{name}[은/는] 축제처럼 붐볐다.", district=district["id"], activity=activity
            )
        elif district["status"] == "quiet":
            yield _note(
                "quiet", f"{name}[은/는] 평소보다 한산했다.", district=district["id"], activity=activity
            )
        elif district["status"] == "dark":
            yield _note("dark", f"{name}의 불이 꺼졌다.", district=district["id"], activity=activity)


def _city(state: Mapping[str, Any]) -> Iterator[Notable]:
    city, delta = state["city"], state["delta"]
    if city["energy"]["brownout"]:
        yield _note("brownout", "쓰는 전기가 만드는 전기보다 많았다.", balance=city["energy"]["balance"])
    if city["weather"]["condition"] in ("storm", "rainbow"):
        word = {"storm": "폭풍이 도시를 지나갔다.", "rainbow": "비가 그친 하늘에 무지개가 떴다."}
        condition = city["weather"]["condition"]
        yield _note(condition, word[condition], condition=condition)
    for key, threshold, subject in (("mood", MOOD_SWING, "기분"), ("economy", ECONOMY_SWING, "경제")):
        change = delta[key]
        if change is not None and abs(change) >= threshold:
            way = "크게 올랐다" if change > 0 else "크게 내렸다"
            yield _note(f"{key}_swing", f"{subject} 지수가 어제보다 {way}.", change=change)


def _world(context: Mapping[str, Any]) -> Iterator[Notable]:
    if context["pulsesUp"] or context["pulsesDown"]:
        up, down = context["pulsesUp"], context["pulsesDown"]
        yield _note(
            "pulses", f"도시 밖 시장에서 급등 {up}건, 급락 {down}건이 있었다.", pulsesUp=up, pulsesDown=down
        )
