"""``d`` of an SVG path as lines of points: the commands that ``archive.skyline`` writes, curves in short pieces."""

import math
import re
from collections.abc import Iterator

Point = tuple[float, float]

_WORD = re.compile(r"([MmHhVvLlAaQqTtZz])|(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Q": 4, "T": 2, "Z": 0}
CURVE_PIECES = 24


def outlines(d: str) -> list[list[Point]]:
    """Each part of the path; one that is closed ends where it began."""
    pen = _Pen()
    for command, numbers in _steps(d):
        pen.follow(command, numbers)
    return [part for part in pen.parts if part]


def _steps(d: str) -> Iterator[tuple[str, list[float]]]:
    """Each command with its arguments; further ones of the same command repeat it, after a move as lines."""
    command = ""
    numbers: list[float] = []
    for letter, number in _WORD.findall(d):
        if letter:
            command, numbers = letter, []
        else:
            numbers.append(float(number))
        if command and len(numbers) == _ARGUMENTS[command.upper()]:
            yield command, numbers
            numbers = []
            command = {"M": "L", "m": "l"}.get(command, command)


class _Pen:
    """Where a path is, and what it has drawn."""

    def __init__(self) -> None:
        self.parts: list[list[Point]] = []
        self.at: Point = (0.0, 0.0)
        self._handle: Point | None = None  # of the last curve, which T mirrors

    def follow(self, command: str, numbers: list[float]) -> None:
        kind, (x, y) = command.upper(), self.at
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if kind == "Z":
            self.parts[-1].append(self.parts[-1][0])
            self.at = self.parts[-1][0]
            return
        if kind == "M":
            self.at = (numbers[0] + dx, numbers[1] + dy)
            self.parts.append([self.at])
            return
        end = {
            "H": lambda: (numbers[0] + dx, y),
            "V": lambda: (x, numbers[0] + dy),
        }.get(kind, lambda: (numbers[-2] + dx, numbers[-1] + dy))()
        handle = None
        if kind in ("Q", "T"):
            handle = (numbers[0] + dx, numbers[1] + dy) if kind == "Q" else self._mirrored()
            self.parts[-1].extend(_curve(self.at, handle, end))
        elif kind == "A":
            self.parts[-1].extend(_arc(self.at, numbers, end))
        else:
            self.parts[-1].append(end)
        self.at, self._handle = end, handle

    def _mirrored(self) -> Point:
        (x, y), handle = self.at, self._handle or self.at
        return 2 * x - handle[0], 2 * y - handle[1]


def _curve(start: Point, handle: Point, end: Point) -> Iterator[Point]:
    for piece in range(1, CURVE_PIECES + 1):
        t = piece / CURVE_PIECES
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        yield a * start[0] + b * handle[0] + c * end[0], a * start[1] + b * handle[1] + c * end[1]


def _arc(start: Point, numbers: list[float], end: Point) -> Iterator[Point]:
    """An arc without rotation, as SVG's appendix B.2.4 finds its centre; radii that are too small grow."""
    rx, ry, _rotation, large, sweep = numbers[:5]
    half_x, half_y = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    if not rx or not ry or not (half_x or half_y):
        yield end
        return
    grown = max(1.0, math.sqrt((half_x / rx) ** 2 + (half_y / ry) ** 2))
    rx, ry = rx * grown, ry * grown
    square = (half_x / rx) ** 2 + (half_y / ry) ** 2
    factor = math.sqrt(max(0.0, 1 / square - 1)) * (1 if large != sweep else -1)
    own_x, own_y = factor * rx * half_y / ry, -factor * ry * half_x / rx
    centre = own_x + (start[0] + end[0]) / 2, own_y + (start[1] + end[1]) / 2
    first = math.atan2((half_y - own_y) / ry, (half_x - own_x) / rx)
    turn = math.atan2((-half_y - own_y) / ry, (-half_x - own_x) / rx) - first
    if sweep and turn < 0:
        turn += 2 * math.pi
    if not sweep and turn > 0:
        turn -= 2 * math.pi
    for piece in range(1, CURVE_PIECES + 1):
        angle = first + turn * piece / CURVE_PIECES
        yield centre[0] + rx * math.cos(angle), centre[1] + ry * math.sin(angle)
