"""Colours of pictures: the night of ``static/city.css`` and the marks of ``static/madang.css`` in the dark."""

from typing import Final

INK, QUIET, RISE, FALL, LINK = "#e8e6de", "#a8ada4", "#f0917f", "#8db7f0", "#93d4ba"
HIGH: Final = {
    "": "#0d1530", "storm": "#06080f", "rain": "#0a1020", "fog": "#1a2030", "cloudy": "#111a33",
}  # fmt: skip
LOW: Final = {
    "": {"even": "#2c3152", "warm": "#4a3350", "cool": "#1e2840"},
    "storm": {"even": "#1b2131", "warm": "#241f2c", "cool": "#141a2a"},
    "rain": {"even": "#222a40", "warm": "#322a3a"},
    "fog": {"even": "#333b4c"},
}
# Class of a shape: its colour, and how much of it is seen. A class of what surrounds it may say otherwise.
FILLS: Final = {
    "moon": ("#f6ecc9", 1.0), "halo": ("#f6ecc9", 0.22), "cloud": ("#4a5578", 0.55), "hills": ("#1c2340", 1.0),
    "ground": ("#0b0f20", 1.0), "back": ("#222a48", 1.0), "walls": ("#141a30", 1.0), "lit": ("#ffd37a", 1.0),
    "unlit": ("#1d2542", 1.0), "bolt": ("#ffe27a", 1.0), "mist": ("#59627a", 0.26),
}  # fmt: skip
FILLS_WITHIN: Final = {
    ("storm", "cloud"): ("#2b3247", 0.8), ("rain", "cloud"): ("#35405c", 0.6),
    ("dark", "walls"): ("#10152a", 1.0), ("dark", "unlit"): ("#1d2542", 0.5), ("festival", "lit"): ("#ffdf95", 1.0),
}  # fmt: skip
# Class of a line: its colour, how much of it is seen, its width.
STROKES: Final = {
    "stars": ("#e8ebff", 0.9, 2.0), "string": ("#ff8f6b", 1.0, 3.0), "firework": ("#ff9e7a", 1.0, 2.0),
    "drops": ("#9db2d8", 0.55, 1.4),
    "b0": ("#e2574c", 0.42, 9.0), "b1": ("#f0923c", 0.42, 9.0), "b2": ("#f2cf4a", 0.42, 9.0),
    "b3": ("#64b36a", 0.42, 9.0), "b4": ("#4a90d9", 0.42, 9.0), "b5": ("#8b6bc4", 0.42, 9.0),
}  # fmt: skip


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
