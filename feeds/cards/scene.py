"""The city's skyline in pixels: the same SVG that its pages show (``archive.skyline``), in the colours of the night.

Names of districts are left out: on a card they would be too small to read.
"""

import hashlib
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from defusedxml import ElementTree
from PIL import Image, ImageDraw

from archive.metrics import SERVICES
from archive.skyline import GROUND, WIDTH, skyline
from feeds.cards import palette
from feeds.cards.outlines import Point, outlines

# A day's picture is invented where a card shows no day: any will do, as long as it stays the same.
_NO_DAY = date(2000, 1, 1)
_SMALL = {"stars", "drops"}  # which words are not crossed by
_OF_SKY = {"stars", "moon", "halo", "cloud", "drops", "bolt", "mist"}


def invented(name: str) -> Mapping[str, Any]:
    """As much of a city's state as a picture needs, from a name alone: the same name, the same houses."""
    dice = random.Random(hashlib.sha256(name.encode()).digest())  # noqa: S311  decoration
    districts = [
        {
            "id": service.slug,
            "name": "",
            "status": "open",
            "activity": dice.randrange(25, 95),
            "lights": dice.randrange(35, 90),
        }
        for service in SERVICES
    ]
    city = {
        "weather": {"condition": dice.choice(("clear", "clear", "cloudy")), "temperatureC": 0},
        "mood": {"score": dice.choice((-40, 0, 40)), "label": "calm"},
        "population": {"awake": 0},
    }
    return {"rulesVersion": name, "city": city, "districts": districts}


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a city stands in a picture: on the row ``ground``, its houses ``rise`` times as high as on its page.

    Words stand between the columns ``left`` and ``right`` above the row ``foot``: a star among
    them would pass for a full stop.
    """

    ground: int
    rise: float
    left: int
    right: int
    foot: int

    def holds(self, x: float, y: float) -> bool:
        """Whether words may stand there."""
        return self.left < x < self.right and y < self.foot


def paint(image: Image.Image, state: Mapping[str, Any], day: date | None, stage: Stage) -> None:
    """Fill a picture with a city."""
    root = ElementTree.fromstring(skyline(day or _NO_DAY, state))
    brush = _Brush(image, str(state["city"]["weather"]["condition"]), stage)
    for element in root:
        brush.draw(element, ())


class _Brush:
    """Draws elements of the skyline's SVG where they belong in a picture."""

    def __init__(self, image: Image.Image, condition: str, stage: Stage) -> None:
        self._image = image
        self._draw = ImageDraw.Draw(image, "RGBA")
        self._condition = condition
        self._across = image.width / WIDTH
        self._stage = stage

    def draw(self, element: Any, around: tuple[str, ...]) -> None:
        kind = element.tag.rpartition("}")[2]
        classes = tuple(element.get("class", "").split())
        if kind == "g":
            for inner in element:
                self.draw(inner, around + classes)
        elif kind == "defs":
            stops = [stop.get("class", "") for stop in element.iter() if stop.tag.endswith("stop")]
            self._sky(next(iter(stops[-1].split()[1:]), "even"))
        elif kind == "path":
            self._path(element.get("d", ""), classes, around)
        elif kind in ("circle", "rect") and classes:
            self._round(element, kind, classes[0], around)

    def _sky(self, warmth: str) -> None:
        high = palette.HIGH.get(self._condition, palette.HIGH[""])
        lows = palette.LOW[""] | palette.LOW.get(self._condition, {})
        top, foot = palette.rgb(high), palette.rgb(lows[warmth])
        column = Image.new("RGB", (1, self._image.height))
        for row in range(self._image.height):
            share = min(row / self._stage.ground, 1.0)
            column.putpixel(
                (0, row), tuple(round(a + (b - a) * share) for a, b in zip(top, foot, strict=True))
            )
        self._image.paste(column.resize(self._image.size, Image.Resampling.NEAREST))
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    def _path(self, d: str, classes: tuple[str, ...], around: tuple[str, ...]) -> None:
        name = next((each for each in classes if each in palette.STROKES), "")
        if name:
            colour, seen, width = palette.STROKES[name]
            for part in outlines(d):
                places = [self._placed(name, point) for point in part]
                if name not in _SMALL or not any(self._stage.holds(*place) for place in places):
                    self._line(places, _ink(colour, seen), width * self._across)
            return
        fill = self._fill(classes[0], around)
        for part in outlines(d):
            places = [self._placed(classes[0], point) for point in part]
            if classes[0] == "ground":
                places = [(x, y if y <= self._stage.ground else self._image.height) for x, y in places]
            self._draw.polygon(places, fill=fill)

    def _line(self, places: list[Point], ink: tuple[int, ...], width: float) -> None:
        if all(abs(x - places[0][0]) < 1 and abs(y - places[0][1]) < 1 for x, y in places):
            (x, y), reach = places[0], width / 2
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=ink)
        else:
            self._draw.line(places, fill=ink, width=max(1, round(width)), joint="curve")

    def _round(self, element: Any, kind: str, name: str, around: tuple[str, ...]) -> None:
        number = {key: float(value) for key, value in element.items() if key not in ("class", "fill")}
        fill = self._fill(name, around)
        if kind == "circle":
            (x, y), reach = self._aside((number["cx"], number["cy"])), number["r"] * self._across
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=fill)
            return
        left, top = self._placed(name, (number["x"], number["y"]))
        right, foot = self._placed(name, (number["x"] + number["width"], number["y"] + number["height"]))
        self._draw.rounded_rectangle((left, top, right, foot), radius=(foot - top) / 2, fill=fill)

    def _fill(self, name: str, around: tuple[str, ...]) -> tuple[int, ...]:
        within = ((each, name) for each in (*around, self._condition))
        said = next((palette.FILLS_WITHIN[each] for each in within if each in palette.FILLS_WITHIN), None)
        return _ink(*(said or palette.FILLS[name]))

    def _placed(self, name: str, point: Point) -> Point:
        """Where a point of such a shape belongs. What hangs in the sky stays there, however low the houses are."""
        x, y = point[0] * self._across, point[1] - GROUND
        high = self._stage.ground / GROUND if name in _OF_SKY else self._stage.rise
        return x, self._stage.ground + y * high

    def _aside(self, centre: Point) -> Point:
        """The moon's place: beside the words, on the side on which it stands."""
        x, y = self._placed("moon", centre)
        shares = (x / self._image.width, 0.8 * self._stage.left / self._image.width)
        moved = shares[0] * 2 * shares[1] if shares[0] < 1 / 2 else 1 - (1 - shares[0]) * 2 * shares[1]
        return moved * self._image.width, y


def _ink(colour: str, seen: float) -> tuple[int, ...]:
    return (*palette.rgb(colour), round(255 * seen))
