"""Many short texts in little room."""

from __future__ import annotations

from array import array
from io import StringIO


class PackedTexts:
    """Texts by their number, in one string: each would take fifty bytes more as a string of its own."""

    def __init__(self) -> None:
        self._written = StringIO()
        self._ends = array("I")
        self._joined = ""

    def append(self, text: str) -> None:
        self._written.write(text)
        self._ends.append((self._ends[-1] if self._ends else 0) + len(text))

    def pack(self) -> None:
        """Make the texts readable; nothing may be appended any more."""
        self._joined = self._written.getvalue()
        self._written.close()

    def __getitem__(self, number: int) -> str:
        return self._joined[self._ends[number - 1] if number else 0 : self._ends[number]]
