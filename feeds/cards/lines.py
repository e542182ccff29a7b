"""Texts in lines of a width: broken at spaces, as Korean is read, and inside a word only where one is too long."""

from PIL.ImageFont import FreeTypeFont

MORE = "…"


def wrapped(text: str, font: FreeTypeFont, width: float) -> list[str]:
    """Lines no wider than ``width``, of about the same length."""
    lines = _filled(text, font, width)
    narrow, wide = width / 2, float(width)
    while wide - narrow > width / 40:  # the narrowest column that needs no line more
        middle = (narrow + wide) / 2
        if len(_filled(text, font, middle)) > len(lines):
            narrow = middle
        else:
            wide = middle
    return _filled(text, font, wide)


def shortened(text: str, font: FreeTypeFont, width: float, most: int) -> list[str]:
    """At most so many lines; what has no room is left out, which three dots say."""
    lines = wrapped(text, font, width)
    if len(lines) <= most:
        return lines
    kept = _filled(text, font, width)[:most]
    last = kept[-1]
    while last and font.getlength(last.rstrip() + MORE) > width:
        last = last[:-1]
    return [*kept[:-1], last.rstrip(" ,.·") + MORE]


def _filled(text: str, font: FreeTypeFont, width: float) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if font.getlength(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while font.getlength(line) > width and len(line) > 1:
            fits = next(
                (end for end in range(len(line) - 1, 1, -1) if font.getlength(line[:end]) <= width), 1
            )
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line] if line else lines
