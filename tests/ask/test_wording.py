"""What an editor sees of two answers side by side."""

from hypothesis import given
from hypothesis import strategies as st

from ask.wording import Piece, compared


def test_only_what_differs_is_marked() -> None:
    old, new = compared("상한은 3억 개이다. [1]", "상한은 4억 개이다. [1]")
    assert [piece.text for piece in old if piece.changed] == ["3억 "]
    assert [piece.text for piece in new if piece.changed] == ["4억 "]


def test_the_same_text_has_no_marks() -> None:
    assert compared("같다.", "같다.") == ([Piece("같다.", False)], [Piece("같다.", False)])


@given(st.text(), st.text())
def test_nothing_of_either_text_is_lost(old: str, new: str) -> None:
    before, after = compared(old, new)
    assert ("".join(piece.text for piece in before), "".join(piece.text for piece in after)) == (old, new)
