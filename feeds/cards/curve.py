"""The line of a number's chart, across the whole card."""

from PIL import Image, ImageDraw

from feeds import charts
from feeds.cards import palette
from feeds.cards.outlines import outlines

# Shares of the card's height.
THICK, ABOVE_GROUND = 5 / 630, 14 / 630
_SHADE = 38  # of 255


def paint(image: Image.Image, line: str, colour: str, top: int, ground: int) -> None:
    """Draw the path between the row ``top`` and the ``ground``, down to which all below it is shaded."""
    foot = ground - ABOVE_GROUND * image.height
    across, down = image.width / charts.WIDTH, (foot - top) / charts.HEIGHT
    draw, ink = ImageDraw.Draw(image, "RGBA"), palette.rgb(colour)
    for part in outlines(line):
        places = [(x * across, top + y * down) for x, y in part]
        draw.polygon([(places[0][0], ground), *places, (places[-1][0], ground)], fill=(*ink, _SHADE))
        draw.line(places, fill=ink, width=round(THICK * image.height), joint="curve")
