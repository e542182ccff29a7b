"""The line of a number, across the whole card."""

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageDraw

from feeds.cards import palette
from knowledge.queries.charts import SeriesPoint

POINTS_MIN = 3
THICK, ABOVE_GROUND = 5, 14


def paint(
    image: Image.Image, points: Sequence[SeriesPoint], colour: str, top: int, ground: int, *, stepped: bool
) -> None:
    """Draw the points between the row ``top`` and the ``ground``, down to which all below them is shaded."""
    scale = image.height / 630
    places = _places(points, image.width, top, ground - round(ABOVE_GROUND * scale))
    if stepped:
        places = [
            at
            for before, after in pairwise(places)
            for at in ((before[0], before[1]), (after[0], before[1]))
        ] + [places[-1]]
    draw = ImageDraw.Draw(image, "RGBA")
    draw.polygon([(0, ground), *places, (image.width, ground)], fill=(*palette.rgb(colour), 38))
    draw.line(places, fill=palette.rgb(colour), width=round(THICK * scale), joint="curve")


def _places(points: Sequence[SeriesPoint], width: int, top: int, foot: int) -> list[tuple[float, float]]:
    begin, values = points[0].at, [float(point.value) for point in points]
    span = (points[-1].at - begin).total_seconds() or 1.0
    low, spread = min(values), max(values) - min(values)
    return [
        (
            (point.at - begin).total_seconds() / span * width,
            foot - (foot - top) * ((value - low) / spread if spread else 0.5),
        )
        for point, value in zip(points, values, strict=True)
    ]
