"""Whatever an answer says, its HTML is text, line breaks, emphasis and marks that lead to sources."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ask.hashing import clean
from ask.rendering import ANSWER_MAX_LENGTH, as_html

ALLOWED = re.compile(r'</?(?:p|em|strong|sup)>|<br>|<a href="#c[1-9]">|</a>')
PAGE = "https://madang.example/ask/q/0123456789abcdef0123456789abcdef"

HOSTILE = [
    "<script>alert(1)</script>",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<script src=//evil.example/x.js></script>",
    "<<script>alert(1)//<</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src='x' onerror='alert(1)'",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<form action=javascript:alert(1)><input type=submit>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='#c1' onclick=alert(1)>x</a>",
    '<a href="#c1">forged</a>',
    '<sup><a href="#c1">[1]</a></sup>',
    '<a id="c1" name="c1">x</a>',
    "<p style='position:fixed'>x</p>",
    "<p class=badge>x</p>",
    "<style>@import '//evil.example'</style>",
    "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
    "</p></section></article><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&#x3c;img src=x onerror=alert(1)&#x3e;",
    "&amp;lt;script&amp;gt;",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\nscript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox(1))",
    "[x](https://evil.example)",
    "[x](#c1)",
    "[x](//evil.example 'onmouseover=alert(1)')",
    "[1](https://evil.example)",
    "[x]: javascript:alert(1)\n\n[x]",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "![x](https://evil.example/pixel.png)",
    "![x](javascript:alert(1))",
    "![x][1]\n\n[1]: https://evil.example/pixel.png",
    "<https://evil.example>",
    "<javascript:alert(1)>",
    "https://evil.example www.evil.example mail@evil.example",
    "`<script>alert(1)</script>`",
    "```html\n<script>alert(1)</script>\n```",
    "~~~\n<script>alert(1)</script>\n~~~",
    "    <script>alert(1)</script>",
    "# heading\n\nheading\n===\n\nheading\n---",
    "| a | b |\n|---|---|\n| <img src=x onerror=alert(1)> | 2 |",
    "> <script>alert(1)</script>",
    "- <script>alert(1)</script>\n1. <script>alert(1)</script>",
    "***\n---\n___",
    "**<img src=x onerror=alert(1)>** *<b>x</b>*",
    "\\<script>alert(1)\\</script>",
    '" onmouseover="alert(1)" x="',
    "' onmouseover='alert(1)",
    "{{ 7|add:7 }}{% debug %}",
    "\u202e<script>alert(1)</script>\u202c",
    "\ufeff<scr\u200bipt>alert(1)</scr\u200bipt>",
    "<\x00script>alert(1)</script>",
    "\x01\x02\x03\x08\x0b\x0c\x1b[31m\x7f\x9b",
    "\ud800<script>\udfff",
    "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
]


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
    assert as_html("하나. [1]둘. [1] [2] 셋. [9]", 2, quoted=False) == (
        '<p>하나. <sup><a href="#c1">[1]</a></sup>둘. <sup><a href="#c1">[1]</a></sup>'
        ' <sup><a href="#c2">[2]</a></sup> 셋. [9]</p>'
    )


@pytest.mark.parametrize(
    "spelt", [r"x \[1\]", "x &#91;1&#93;", "x &lbrack;1&rbrack;", "x [*1*]", "x [**1**]"]
)
def test_no_other_spelling_becomes_a_mark(spelt: str) -> None:
    assert "<a" not in as_html(spelt, 2, quoted=False)


def test_a_model_may_stress_a_word_and_a_quotation_stays_as_it_was() -> None:
    body = "**상한**은 *3억*개다. [1]"
    mark = '<sup><a href="#c1">[1]</a></sup>'
    assert as_html(body, 1, quoted=False) == f"<p><strong>상한</strong>은 <em>3억</em>개다. {mark}</p>"
    assert as_html(body, 1) == f"<p>**상한**은 *3억*개다. {mark}</p>"


@pytest.mark.parametrize(
    "line", ["2026. 11. 21.", "- 5%", "+ 5%", "> 3", "# 3", "1) 첫째", "* 값", "3 * 4 * 5"]
)
@pytest.mark.parametrize("quoted", [True, False])
def test_a_sign_at_the_start_of_a_line_is_part_of_the_fact(line: str, quoted: bool) -> None:
    html = as_html(f"{line}\n{line}", 0, quoted=quoted)
    assert re.fullmatch("<p>(.*)<br>\n(.*)</p>", html)
    assert [unescape(one) for one in re.split("<br>\n", html[3:-4])] == [line, line]


def test_marks_read_elsewhere_lead_to_the_answers_page() -> None:
    html = as_html("하나. [1]", 1, page=PAGE)
    assert html == f'<p>하나. <sup><a href="{PAGE}#c1">[1]</a></sup></p>'


def test_an_endless_answer_is_cut() -> None:
    assert len(as_html("가" * 10_000, 0)) == ANSWER_MAX_LENGTH + len("<p></p>")
    nested = as_html("**a *b _c " * 1000, 0, quoted=False)
    assert "_c" in nested


class Text(HTMLParser):
    """What a reader sees of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = ""

    def handle_data(self, data: str) -> None:
        self.seen += data


def read(html: str) -> str:
    reader = Text()
    reader.feed(html)
    reader.close()
    return reader.seen


@pytest.mark.parametrize("quoted", [True, False], ids=["quoted", "written"])
@pytest.mark.parametrize("payload", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(payload: str, quoted: bool) -> None:
    html = as_html(f"앞 {payload} 뒤. [1]\n{payload}", 1, quoted=quoted)
    assert_harmless(html, 1)
    if quoted:
        shown = "".join(line for line in map(clean, payload.split("\n")))
        assert shown in read(html).replace("\n", "")


def assert_harmless(html: str, citations: int) -> None:
    left = ALLOWED.sub("", html)
    assert "<" not in left
    assert ">" not in left
    assert all(1 <= int(number) <= citations for number in re.findall(r'<a href="#c(\d+)"', html))


PIECES = st.sampled_from(
    [*HOSTILE, " [1]", " [2]", "[", "]", "(", ")", "\n", "\n\n", "**", "*", "_", "`", "\\", "&", " "]
)


@given(st.lists(PIECES | st.text(max_size=12), max_size=12).map("".join), st.integers(0, 9), st.booleans())
def test_no_text_becomes_markup(body: str, citations: int, quoted: bool) -> None:
    assert_harmless(as_html(body, citations, quoted=quoted), citations)


@given(st.text(alphabet=st.sampled_from("<>&\"'/ab[]12 \n=:;#*_`~!()javscript가"), max_size=200))
def test_a_quotation_is_shown_as_it_is(body: str) -> None:
    lines = [line for line in map(clean, body.split("\n")) if line]
    assert [line for line in read(as_html(body, 9)).split("\n") if line] == lines
