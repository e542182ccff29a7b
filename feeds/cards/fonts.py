"""Hangul for pictures: a font that a package carries, or one of the system.

The package's Python is never imported: it would want matplotlib. Where no font is found, pictures have no words; a
character that the font lacks is left out, for the box in its place would say nothing.
"""

import importlib.util
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont
from PIL.ImageFont import FreeTypeFont

CARRIER = "koreanize_matplotlib"
_INSTEAD = {"−": "-", "‐": "-", "‑": "-", "⋅": "·", "￦": "₩"}  # a number keeps its sign
_PROBE = "한"
_LACKING = "\U0010fffe"  # no character, so what is drawn for it is what is drawn for all that a font lacks
# Folders and names on Debian, Fedora, Alpine and macOS, with the place of the Korean face in a collection.
_OF_SYSTEMS = (
    (
        ("/usr/share/fonts/truetype/nanum/NanumGothic.ttf", 0),
        ("/usr/share/fonts/truetype/nanum/NanumGothicBold.ttf", 0),
    ),
    (
        ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 1),
        ("/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", 1),
    ),
    (
        ("/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc", 1),
        ("/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Bold.ttc", 1),
    ),
    (
        ("/usr/share/fonts/noto/NotoSansCJK-Regular.ttc", 1),
        ("/usr/share/fonts/noto/NotoSansCJK-Bold.ttc", 1),
    ),
    (
        ("/System/Library/Fonts/AppleSDGothicNeo.ttc", 0),
        ("/System/Library/Fonts/AppleSDGothicNeo.ttc", 6),
    ),
)


@dataclass(frozen=True, slots=True)
class Typeface:
    """The files of two weights, each with the place of the face in it."""

    regular: tuple[str, int]
    bold: tuple[str, int]

    @property
    def name(self) -> str:
        return Path(self.regular[0]).stem

    def sized(self, size: int, *, bold: bool = False) -> FreeTypeFont:
        return _loaded(*(self.bold if bold else self.regular), size)

    def visible(self, text: str) -> str:
        """The text without the characters that the font has no picture of, in single spaces."""
        shown = (self._shown(character) for character in unicodedata.normalize("NFC", text))
        return " ".join("".join(shown).split())

    def _shown(self, character: str) -> str:
        if character.isspace() or self._has(character):
            return character
        other = _INSTEAD.get(character, "")
        return other if other and self._has(other) else ""

    def _has(self, character: str) -> bool:
        return _draws(*self.regular, character) and _draws(*self.bold, character)


@cache
def typeface() -> Typeface | None:
    """The first that holds Hangul; None on a machine that has none."""
    for regular, bold in _candidates():
        try:
            if _draws(*regular, _PROBE) and _draws(*bold, _PROBE):
                return Typeface(regular, bold)
        except OSError:  # no such file, or none that FreeType reads
            continue
    return None


def _candidates() -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    found = importlib.util.find_spec(CARRIER)
    for folder in (found.submodule_search_locations or ()) if found else ():
        fonts = Path(folder) / "fonts"
        yield (str(fonts / "NanumGothic.ttf"), 0), (str(fonts / "NanumGothicBold.ttf"), 0)
    yield from _OF_SYSTEMS


@lru_cache(maxsize=64)
def _loaded(path: str, index: int, size: int) -> FreeTypeFont:
    # The basic layout gives the same picture on every machine; the other needs a library that some have.
    return ImageFont.truetype(path, size, index=index, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def _draws(path: str, index: int, character: str) -> bool:
    return _picture(path, index, character) != _picture(path, index, _LACKING)


def _picture(path: str, index: int, character: str) -> tuple[tuple[int, int], bytes]:
    mask = _loaded(path, index, 32).getmask(character)
    return mask.size, bytes(mask)
