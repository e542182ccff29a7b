"""Whatever an answer says, its HTML is text, line breaks and marks that lead to sources."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from ask.rendering import ANSWER_MAX_LENGTH, as_html

ALLOWED = re.compile(r'</?p>|<br>|</?sup>|<a href="#c[1-9][0-9]?">|</a>')


def test_paragraphs_lines_and_marks() -> None:
    assert as_html("머리.\n\n하나. [1]\n둘. [2]", 2) == (
        '<p>머리.</p>\n<p>하나. <sup><a href="#c1">[1]</a></sup><br>\n둘. <sup><a href="#c2">[2]</a></sup></p>'
    )


def test_a_mark_without_its_source_stays_text() -> None:
    assert as_html("하나. [3]", 2) == "<p>하나. [3]</p>"
    assert as_html("하나. [0]", 2) == "<p>하나. [0]</p>"


def test_a_mark_inside_a_quotation_stays_text() -> None:
    assert as_html("값은 [1] 이다 [2]", 2) == '<p>값은 [1] 이다 <sup><a href="#c2">[2]</a></sup></p>'


def test_in_what_a_model_wrote_every_mark_is_ours() -> None:
    assert as_html("하나. [1] 둘. [1] [2] 셋. [9]", 2, quoted=False) == (
        '<p>하나. <sup><a href="#c1">[1]</a></sup> 둘. <sup><a href="#c1">[1]</a></sup>'
        ' <sup><a href="#c2">[2]</a></sup> 셋. [9]</p>'
    )


def test_an_endless_answer_is_cut() -> None:
    assert len(as_html("가" * 10_000, 0)) == ANSWER_MAX_LENGTH + len("<p></p>")


@given(
    st.text(alphabet=st.sampled_from("<>&\"'/ab[]12 \n=:;javscript가"), max_size=200),
    st.integers(0, 9),
    st.booleans(),
)
def test_no_text_becomes_markup(body: str, citations: int, quoted: bool) -> None:
    left = ALLOWED.sub("", as_html(body, citations, quoted=quoted))
    assert "<" not in left
    assert ">" not in left
