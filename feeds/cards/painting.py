"""A card as PNG: its words in the middle square, which is all that some messengers show, its picture across the foot.

Everything is drawn at twice the size and made smaller, so that edges are smooth, then brought to few colours, so that
it is light.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.conf import settings
from PIL import Image, ImageDraw
from PIL.ImageFont import FreeTypeFont

from feeds.cards import curve, palette, scene
from feeds.cards.content import Card
from feeds.cards.fonts import Typeface, typeface
from feeds.cards.lines import shortened, wrapped

WIDTH, HEIGHT = 1200, 630
BYTES_MAX = 60_000
_FINE = 2  # drawn so many times as large
# Messengers that cut a square keep these columns; the words keep a margin inside them.
SAFE_WIDTH, _SAFE_MARGIN = 630, 26
_TOP, _GROUND, _FOOT = 46, 552, 592
_ROOM = SAFE_WIDTH - 2 * _SAFE_MARGIN
_TITLES, _ON_ONE_LINE = (76, 68, 60, 54, 50), 60
_VALUES = (104, 92, 80, 68, 58)
_SENTENCE, _KICKER, _NOTE, _ADDRESS = 48, 30, 29, 27
_LEADING, _BEFORE = 1.28, 8
_HOUSES = 245  # pixels of the highest one on its own page
_SKY_LEFT = 24  # between the words and what is highest of the picture
_SAID = ("kicker", "title", "value", "moved", "sentence", "note")
_COLOURS = (256, 128, 64, 32)


@dataclass(frozen=True, slots=True)
class Backdrop:
    """What is drawn behind the words: the line of a number (``feeds.charts``), and the state of a city with its day, if
    it is one of ours."""

    city: Mapping[str, Any]
    line: str = ""
    day: date | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    font: FreeTypeFont
    colour: str
    leading: int
    before: int = 0

    @property
    def height(self) -> int:
        return self.before + self.leading


def painted(card: Card, backdrop: Backdrop, address: str) -> bytes:
    """The PNG of a card; ``address`` is where its page stands. Without a font it has no words."""
    face = typeface()
    if face is None:
        return wordless(backdrop, card.direction)
    lines = _lines(card, face)
    foot = _TOP + sum(line.height for line in lines)
    lower = max(0, min(40, (300 - foot) // 2))  # few words stand lower
    image = _background(backdrop, card.direction, foot + lower)
    _write(image, lines, _TOP + lower)
    _sign(image, face, address)
    return _png(image)


def wordless(backdrop: Backdrop, direction: str = "") -> bytes:
    return _png(_background(backdrop, direction, _TOP))


def general() -> bytes:
    """The picture of no page: ``static/card.png``."""
    return wordless(Backdrop(scene.invented(settings.SERVICE_SLUG)))


def drawn_with() -> str:
    """What else than its content decides how a card looks."""
    face = typeface()
    return f"{face.name if face else '-'} {settings.SERVICE_NAME} {settings.BASE_URL} {settings.CITY_URL}"


def _background(backdrop: Backdrop, direction: str, foot: int) -> Image.Image:
    """What stands behind words that end at the row ``foot``."""
    image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE))
    room = _GROUND - foot - _SKY_LEFT
    rise = 0.25 if backdrop.line else min(max(room / _HOUSES, 0.3), 1.25)
    left, right = (WIDTH - SAFE_WIDTH) // 2, (WIDTH + SAFE_WIDTH) // 2
    stage = scene.Stage(_GROUND * _FINE, rise * _FINE, left * _FINE, right * _FINE, (foot + 40) * _FINE)
    scene.paint(image, backdrop.city, backdrop.day, stage)
    if backdrop.line:
        colour = {"rise": palette.RISE, "fall": palette.FALL}.get(direction, palette.LINK)
        top = min(foot + _SKY_LEFT, _GROUND - 60)
        curve.paint(image, backdrop.line, colour, top * _FINE, _GROUND * _FINE)
    return image.reduce(_FINE)


def _lines(card: Card, face: Typeface) -> list[_Line]:
    says = {name: face.visible(getattr(card, name)) for name in _SAID}
    found: list[_Line] = []

    def add(text: str, size: int, most: int, colour: str, *, bold: bool = False) -> None:
        font, leading = face.sized(size, bold=bold), round(size * _LEADING)
        added = [_Line(each, font, colour, leading) for each in shortened(text, font, _ROOM, most)]
        if added and found:  # a little more room before each kind of text than between its lines
            added[0] = replace(added[0], before=_BEFORE)
        found.extend(added)

    add(says["kicker"], _KICKER, 1, palette.LINK, bold=True)
    titles = _TITLES[2:] if says["value"] else _TITLES
    size = _size(says["title"], face, titles, 1 if says["value"] else 2)
    add(says["title"], size, 1 if says["value"] else 3, palette.INK, bold=True)
    if says["value"]:
        add(says["value"], _size(says["value"], face, _VALUES, 1), 1, "#ffffff", bold=True)
        moved = {"rise": palette.RISE, "fall": palette.FALL}.get(card.direction, palette.QUIET)
        add(says["moved"], 40, 1, moved, bold=True)
    add(says["sentence"], _SENTENCE, 3 if len(found) < 4 else 2, palette.INK)
    add(says["note"], _NOTE, 2, palette.QUIET)
    return found


def _size(text: str, face: Typeface, sizes: Sequence[int], most: int) -> int:
    """The largest at which a text has room in so many lines, or on one line where that needs no small size.

    The smallest where it has room at none.
    """

    def fitting(sizes: Sequence[int], lines: int) -> Iterator[int]:
        return (size for size in sizes if len(wrapped(text, face.sized(size, bold=True), _ROOM)) <= lines)

    on_one = next(fitting([size for size in sizes if size >= _ON_ONE_LINE], 1), None)
    return on_one or next(fitting(sizes, most), sizes[-1])


def _write(image: Image.Image, lines: Sequence[_Line], top: int) -> None:
    draw = ImageDraw.Draw(image)
    for line in lines:
        middle = top + line.before + line.leading / 2
        draw.text((WIDTH / 2, middle), line.text, font=line.font, fill=line.colour, anchor="mm")
        top += line.height


def _sign(image: Image.Image, face: Typeface, address: str) -> None:
    """The service's name and where the page stands, on the ground."""
    name, font = face.visible(settings.SERVICE_NAME), face.sized(_ADDRESS, bold=True)
    if font.getlength(name) + 20 + face.sized(_ADDRESS).getlength(address) > _ROOM:
        address = address.partition("/")[0]
    wide = font.getlength(name) + 20 + face.sized(_ADDRESS).getlength(address)
    left, draw = (WIDTH - wide) / 2, ImageDraw.Draw(image)
    draw.text((left, _FOOT), name, font=font, fill=palette.LINK, anchor="lm")
    place = (left + font.getlength(name) + 20, _FOOT)
    draw.text(place, address, font=face.sized(_ADDRESS), fill=palette.QUIET, anchor="lm")


def _png(image: Image.Image) -> bytes:
    """As many colours as the weight allows."""
    for colours in _COLOURS:
        few = image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        file = io.BytesIO()
        few.save(file, "PNG", compress_level=6)  # the highest takes as long as all the rest, for a tenth less
        if file.tell() <= BYTES_MAX:
            break
    return file.getvalue()
