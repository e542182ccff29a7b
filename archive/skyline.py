"""The city as a picture: inline SVG from a day's state. Pure, without script, styles or outside references.

A district is a group of buildings: as high as it was active, as many windows lit as its lights say. The sky is the
weather; its colours and all others are classes of ``city.css``, so that light and dark schemes and paper each have
theirs. Where things stand and which windows are lit is decoration, drawn from the day itself.
"""

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any

from django.utils.translation import gettext

from archive.day_facts import grouped
from archive.page_words import condition_of, in_words, mood_of, status_of_district, temperature

WIDTH, HEIGHT = 960, 400
GROUND = 330
MARGIN = 14
BUILDINGS = 6  # a district
LOWEST, HIGHEST = 30, 245
WINDOW_W, WINDOW_H, STEP_X, STEP_Y = 4, 6, 8, 12
LABEL_Y = 356


@dataclass(frozen=True, slots=True)
class Building:
    x: int
    width: int
    height: int

    @property
    def top(self) -> int:
        return GROUND - self.height

    def windows(self) -> Iterator[tuple[int, int]]:
        columns = (self.width - 3) // STEP_X
        left = self.x + (self.width - columns * STEP_X + STEP_X - WINDOW_W) // 2
        for column in range(columns):
            for row in range((self.height - 14) // STEP_Y):
                yield left + column * STEP_X, self.top + 10 + row * STEP_Y


@dataclass(frozen=True, slots=True)
class Scene:
    """What a picture is put together from, as SVG; ``districts`` have their buildings and their labels."""

    gradient: str
    sky: str
    districts: Sequence[str]
    air: str

    def between(self, first: int, last: int) -> str:
        """The districts from ``first`` up to ``last`` under their part of the sky."""
        ground = f'<path class="ground" d="M0 {GROUND}h{WIDTH}v{HEIGHT - GROUND}H0z"/>'
        return f"{self.sky}{ground}{''.join(self.districts[first:last])}{self.air}</svg>"


def skyline(day: date, state: Mapping[str, Any], *, identifier: str = "skyline") -> str:
    """The picture of a day. ``identifier`` keeps the ids of two pictures on one page apart."""
    scene = _scene(day, state, identifier)
    return _titled(day, state, identifier, WIDTH) + scene.gradient + scene.between(0, 6)


def skyline_halves(day: date, state: Mapping[str, Any], *, identifier: str = "skyline") -> str:
    """The same picture in two halves of three districts each: side by side they are one, and narrow pages stack them.

    The first one says what both show.
    """
    scene, half = _scene(day, state, identifier), WIDTH // 2
    first = _titled(day, state, identifier, half) + scene.gradient + scene.between(0, 3)
    return first + _opened(state, half, half, 'aria-hidden="true"') + scene.between(3, 6)


def _scene(day: date, state: Mapping[str, Any], identifier: str) -> Scene:
    seed = hashlib.sha256(f"{day.isoformat()}|{state['rulesVersion']}".encode()).digest()
    dice = random.Random(seed)  # noqa: S311  decoration
    condition, mood = state["city"]["weather"]["condition"], state["city"]["mood"]["score"]
    sky = "".join([*_sky(condition, identifier, dice), *_hills(dice)])
    built = ["".join(_district(at, district, dice)) for at, district in enumerate(state["districts"])]
    labelled = [walls + _label(at, state["districts"][at]) for at, walls in enumerate(built)]
    return Scene(_gradient(mood, identifier), sky, labelled, "".join(_falling(condition, dice)))


def description(day: date, state: Mapping[str, Any]) -> str:
    """The picture in words, for those who cannot see it."""
    city = state["city"]
    return gettext("날씨 %(weather)s. 기분 %(mood)s. 깨어 있던 사람 %(awake)s명. %(districts)s.") % {
        "weather": f"{condition_of(city['weather']['condition'])}, {temperature(city['weather']['temperatureC'])}",
        "mood": mood_of(city["mood"]["label"]),
        "awake": grouped(city["population"]["awake"]),
        "districts": "; ".join(map(_in_words, state["districts"])),
    }


def _titled(day: date, state: Mapping[str, Any], identifier: str, width: int) -> str:
    """The beginning of a picture from its left edge, with what it shows in words."""
    title = gettext("%(day)s 도시의 스카이라인") % {"day": in_words(day)}
    named = f'role="img" aria-labelledby="{identifier}-title {identifier}-desc"'
    return (
        f'{_opened(state, 0, width, named)}<title id="{identifier}-title">{escape(title)}</title>'
        f'<desc id="{identifier}-desc">{escape(description(day, state))}</desc>'
    )


def _opened(state: Mapping[str, Any], left: int, width: int, role: str) -> str:
    condition = state["city"]["weather"]["condition"]
    view = f'viewBox="{left} 0 {width} {HEIGHT}" xmlns="http://www.w3.org/2000/svg"'
    return f'<svg class="skyline {condition}" {view} {role}>'


def _gradient(mood: int, identifier: str) -> str:
    warmth = "warm" if mood >= 20 else ("cool" if mood <= -20 else "even")
    return (
        f'<defs><linearGradient id="{identifier}-sky" x1="0" y1="0" x2="0" y2="1">'
        f'<stop class="high" offset="0"/><stop class="low {warmth}" offset="1"/></linearGradient></defs>'
    )


def _sky(condition: str, identifier: str, dice: random.Random) -> Iterator[str]:
    yield f'<rect width="{WIDTH}" height="{GROUND + 1}" fill="url(#{identifier}-sky)"/>'
    if condition in ("clear", "rainbow"):
        yield _stars(dice)
    if condition in ("clear", "rainbow", "cloudy"):
        x, y = dice.randrange(90, 870), dice.randrange(44, 84)
        yield f'<circle class="halo" cx="{x}" cy="{y}" r="34"/><circle class="moon" cx="{x}" cy="{y}" r="19"/>'
    if condition == "rainbow":
        yield from _rainbow(dice)
    clouds = {"clear": 1, "cloudy": 6, "rain": 7, "storm": 8, "fog": 3, "rainbow": 2}[condition]
    yield from (_cloud(at, clouds, dice) for at in range(clouds))


def _stars(dice: random.Random) -> str:
    dots = "".join(f"M{dice.randrange(WIDTH)} {dice.randrange(8, 150)}h.1" for _star in range(46))
    return f'<path class="stars" d="{dots}"/>'


def _rainbow(dice: random.Random) -> Iterator[str]:
    centre = dice.randrange(300, 660)
    for band in range(6):
        radius = 300 - 9 * band
        yield f'<path class="bow b{band}" d="M{centre - radius} {GROUND}a{radius} {radius} 0 0 1 {2 * radius} 0"/>'


def _cloud(at: int, count: int, dice: random.Random) -> str:
    x = (at + dice.random()) * WIDTH / count - 60
    y, size = dice.randrange(30, 105), 0.8 + 0.6 * dice.random()
    w, h = round(120 * size), round(17 * size)
    return (
        f'<path class="cloud" d="M{x:.0f} {y}a{h} {h} 0 0 1 {h} -{h}a{2 * h} {2 * h} 0 0 1 {w // 2 - h} -{h // 2}'
        f'a{2 * h} {2 * h} 0 0 1 {w // 2 - h} {h // 2}a{h} {h} 0 0 1 {h} {h}z"/>'
    )


def _hills(dice: random.Random) -> Iterator[str]:
    first, second = dice.randrange(30, 70), dice.randrange(30, 70)
    yield (
        f'<path class="hills" d="M0 {GROUND}V{GROUND - 60}Q160 {GROUND - 60 - first} 330 {GROUND - 52}'
        f'T650 {GROUND - 62}Q820 {GROUND - 62 - second} {WIDTH} {GROUND - 48}V{GROUND}z"/>'
    )


def _district(at: int, district: Mapping[str, Any], dice: random.Random) -> Iterator[str]:
    buildings = list(_buildings(at, district["activity"], dice))
    outline = "".join(_shape(district["id"], number, one) for number, one in enumerate(buildings))
    yield f'<g class="district {district["status"]}"><title>{escape(_in_words(district))}</title>'
    yield f'<path class="back" d="{_backs(at, district["activity"], dice)}"/><path class="walls" d="{outline}"/>'
    windows = [place for one in buildings for place in one.windows()]
    lit = set(dice.sample(range(len(windows)), round(len(windows) * district["lights"] / 100)))
    for name, chosen in (("lit", True), ("unlit", False)):
        path = "".join(
            f"M{x} {y}h{WINDOW_W}v{WINDOW_H}h-{WINDOW_W}z"
            for number, (x, y) in enumerate(windows)
            if (number in lit) == chosen
        )
        if path:
            yield f'<path class="{name}" d="{path}"/>'
    if district["status"] == "festival":
        yield from _festival(at, buildings, dice)
    yield "</g>"


def _in_words(district: Mapping[str, Any]) -> str:
    return gettext("%(name)s: %(status)s, 활기 %(activity)s, 불빛 %(lights)s") % {
        "name": gettext(district["name"]),
        "status": status_of_district(district["status"]),
        "activity": district["activity"],
        "lights": district["lights"],
    }


def _plot() -> float:
    return (WIDTH - 2 * MARGIN) / 6


def _buildings(at: int, activity: int, dice: random.Random) -> Iterator[Building]:
    """As high as the district was active; the middle ones tower over the rest."""
    left = MARGIN + at * _plot() + 5
    width = (_plot() - 10) / BUILDINGS
    ceiling = LOWEST + (HIGHEST - LOWEST) * activity / 100
    for number in range(BUILDINGS):
        share = (0.62, 0.84, 1.0, 0.9, 0.74, 0.56)[number] * (0.8 + 0.2 * dice.random())
        wide = round(width - 2 - 3 * dice.random())
        yield Building(round(left + number * width), wide, round(ceiling * share))


def _backs(at: int, activity: int, dice: random.Random) -> str:
    """A paler row behind, for depth."""
    left, path = MARGIN + at * _plot(), ""
    for number in range(5):
        height = round((LOWEST + 0.72 * (HIGHEST - LOWEST) * activity / 100) * (0.7 + 0.5 * dice.random()))
        x = round(left + number * _plot() / 5 + 4 * dice.random())
        path += f"M{x} {GROUND}v-{height}h{round(_plot() / 5 - 6)}v{height}z"
    return path


def _shape(slug: str, number: int, one: Building) -> str:
    """A building with the roof of its district: cranes, gables, towers, aerials, a dome, chimneys."""
    x, top, width = one.x, one.top, one.width
    body = f"M{x} {GROUND}V{top}h{width}V{GROUND}z"
    middle = x + width // 2
    roofs = {
        "market": (2, f"M{middle - 1} {top}v-26h-12v-3h34v3h-19v26z"),
        "community": (3, f"M{x} {top}l{width // 2} -14l{width - width // 2} 14z"),
        "learning": (2, f"M{x + 3} {top}v-8h3l{width // 2 - 6} -12l{width // 2 - 6} 12h3v8z"),
        "media": (
            2,
            f"M{middle - 1} {top}v-30h2v30zM{middle - 6} {top - 18}h12v2h-12zM{middle - 4} {top - 24}h8v2h-8z",
        ),
        "arena": (2, f"M{x - 8} {top}a{width // 2 + 8} 16 0 0 1 {width + 16} 0z"),
        "infra": (3, f"M{x + 2} {top}l2 -24h5l2 24zM{x + width - 10} {top}l2 -18h5l2 18z"),
    }
    place, roof = roofs.get(slug, (0, ""))
    return body + (roof if number == place else "")


def _festival(at: int, buildings: list[Building], dice: random.Random) -> Iterator[str]:
    """A string of lanterns from roof to roof, and fireworks above."""
    first, last = buildings[0], buildings[-1]
    y = min(first.top, last.top) - 6
    sag = f"M{first.x} {y}Q{(first.x + last.x) // 2} {y + 34} {last.x + last.width} {y}"
    yield f'<path class="string" d="{sag}"/>'
    peak = min(one.top for one in buildings)
    for _burst in range(2):
        x = dice.randrange(first.x + 10, last.x + 10)
        height = max(peak - dice.randrange(22, 60), 24)
        rays = "".join(f"M{x} {height}m{dx} {dy}l{dx} {dy}" for dx, dy in RAYS)
        yield f'<path class="firework" d="{rays}"/>'


RAYS = ((8, 0), (6, 6), (0, 8), (-6, 6), (-8, 0), (-6, -6), (0, -8), (6, -6))


def _label(at: int, district: Mapping[str, Any]) -> str:
    x = round(MARGIN + (at + 0.5) * _plot())
    note = f"{status_of_district(district['status'])} {district['activity']}"
    return (
        f'<text class="place" x="{x}" y="{LABEL_Y}">{escape(gettext(district["name"]))}</text>'
        f'<text class="state" x="{x}" y="{LABEL_Y + 22}">{escape(note)}</text>'
    )


def _falling(condition: str, dice: random.Random) -> Iterator[str]:
    """What is in the air before the houses: rain, lightning, fog."""
    if condition in ("rain", "storm"):
        lean = 9 if condition == "storm" else 4
        drops = "".join(
            f"M{dice.randrange(WIDTH)} {dice.randrange(70, GROUND - 20)}l-{lean} 17"
            for _drop in range(130 if condition == "storm" else 80)
        )
        yield f'<path class="drops" d="{drops}"/>'
    if condition == "storm":
        x = dice.randrange(180, 780)
        yield f'<path class="bolt" d="M{x} 84l-16 44h13l-9 42 34 -56h-15l13 -30z"/>'
    if condition == "fog":
        for band in range(9):
            x, y = dice.randrange(-160, 160), 120 + band * 22
            yield f'<rect class="mist" x="{x}" y="{y}" width="{WIDTH}" height="42" rx="21"/>'
