"""Values of JSON answers are of their type or refused."""

from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.json_bodies import MISFITS, epoch


@given(st.floats())
def test_any_number_is_a_moment_or_refused(seconds: float) -> None:
    try:
        at = epoch(seconds)
    except MISFITS:
        return
    assert at.year >= 1990
