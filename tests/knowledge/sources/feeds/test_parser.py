"""What may reach feedparser, and what a feed is."""

from pathlib import Path

import pytest

from knowledge.sources.base import MAX_ITEMS
from knowledge.sources.errors import SourceError
from knowledge.sources.feeds.parser import parse_feed

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def rss(*items: str, head: str = HEAD) -> bytes:
    return f'{head}<rss version="2.0"><channel><title>t</title>{"".join(items)}</channel></rss>'.encode()


def item(number: int, title: str = "제목") -> str:
    return f"<item><title>{title} {number}</title><link>https://n.example/{number}</link></item>"


def refusal(body: bytes) -> SourceError:
    with pytest.raises(SourceError) as caught:
        parse_feed(body)
    return caught.value


def titles(body: bytes) -> list[str]:
    return [entry["title"] for entry in parse_feed(body).entries]


@pytest.mark.parametrize(
    "body",
    [
        rss(),
        b"<rss version='2.0'><channel/></rss>",
        b"<rss/>",
        b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>",
        b"\xef\xbb\xbf\n\n  " + rss(),
    ],
)
def test_a_whole_feed_without_items_is_empty_and_no_error(body: bytes) -> None:
    assert parse_feed(body).entries == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"<!DOCTYPE html><html><body>404</body></html>", "an HTML page"),
        (b"<html><body>404</body></html>", "an HTML page"),
        (b'{"error": 1}', "text that begins"),
        (b"<opml version='2.0'/>", "a document <opml>"),
        (b"<!-- nothing but a comment -->", "nothing"),
        (b"Warning: mysql_connect() failed", "text that begins"),
    ],
)
def test_what_is_no_feed_is_refused_with_a_word_for_what_it_is(body: bytes, found: str) -> None:
    error = refusal(body)
    assert error.cause == "parse"
    assert found in error.detail


@pytest.mark.parametrize("length", [30, 80, 120, 160, 200])
def test_a_feed_that_is_cut_off_is_an_error_and_not_fewer_news(length: int) -> None:
    whole = rss(item(1), item(2))
    assert len(titles(whole)) == 2
    assert refusal(whole[:length]).cause == "parse"


ENTITIES = [
    '<!DOCTYPE rss [<!ENTITY a "boom">]>',
    '<!DOCTYPE rss [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;&a;">]>',
    '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE rss [<!ENTITY % a SYSTEM "http://127.0.0.1/x.dtd"> %a;]>',
    '<!DOCTYPE rss SYSTEM "http://127.0.0.1/x.dtd">',
    "<!doctype rss>",
    '<!-- first --><?pi x?>\n<!DOCTYPE rss [<!ENTITY a "boom">]>',
]


@pytest.mark.parametrize("prolog", ENTITIES)
@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-16-be", "utf-32"])
def test_declarations_and_entities_are_refused_in_every_charset(prolog: str, charset: str) -> None:
    text = f'<?xml version="1.0"?>{prolog}<rss><channel>{item(1, "&a;")}</channel></rss>'
    error = refusal(text.encode(charset))
    assert error.cause == "parse"
    assert "boom" not in str(error)


def test_a_doctype_in_the_text_of_an_article_is_just_text() -> None:
    body = rss(
        "<item><title>t</title><description><![CDATA[<!DOCTYPE html> <!ENTITY x>]]></description></item>"
    )
    assert "<!DOCTYPE html>" in parse_feed(body).entries[0]["summary"]


@pytest.mark.parametrize(
    ("damage", "title"),
    [
        ("A & B", "A & B"),
        ("A&nbsp;B", "A\xa0B"),
        ("A &middot; B", "A · B"),
        ("A\x0b\x00B", "AB"),
        ("A&#0;&#xD800;&#99999999;B", "AB"),
    ],
)
def test_small_damage_is_mended(damage: str, title: str) -> None:
    assert titles(rss(f"<item><title>{damage}</title></item>")) == [title]


def test_a_body_that_names_a_file_is_not_opened(tmp_path: Path) -> None:
    secret = tmp_path / "feed.xml"
    secret.write_bytes(rss(item(1)))
    assert refusal(str(secret).encode()).cause == "parse"


def test_only_the_first_items_of_an_endless_feed_are_read() -> None:
    entries = titles(rss(*(item(number) for number in range(5000))))
    assert len(entries) == MAX_ITEMS
    assert entries[0] == "제목 0"


def test_markup_in_content_that_says_it_is_escaped_does_not_nest_ever_deeper() -> None:
    entry = "<entry><title>t</title><content type='text/html'><div>본문</div></content></entry>"
    feed = f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry * 150}</feed>"
    assert len(titles(feed.encode())) == 150


@pytest.mark.parametrize("end", ["<![CDATA[<rss/>]]></title>", "<rss/>"])
def test_an_empty_root_in_the_text_of_a_feed_that_is_cut_off_does_not_make_it_whole(end: str) -> None:
    body = f"<rss><channel><item><title>whole</title></item><item><title>half {end}"
    assert "cut off" in refusal(body.encode()).detail


def test_the_end_of_an_item_inside_cdata_does_not_count() -> None:
    tricky = "<item><title>a</title><description><![CDATA[" + "</item>" * 300 + "]]></description></item>"
    assert len(titles(rss(tricky, item(2)))) == 2


@pytest.mark.parametrize(
    "body",
    [
        rss("<item>" + "<a>" * 50_000 + "</a>" * 50_000 + "</item>"),
        rss("<item>" + "<a>" * 500 + "</a>" * 500 + "</item>"),
        rss("<item><a " + " ".join(f'a{number}="1"' for number in range(5000)) + "/></item>"),
        rss("<item>" + "<a/>" * 200_000 + "</item>"),
        rss("<item><title>" + "& " * 900_000 + "</title></item>"),
        rss("<item>" + "<![CDATA[" * 100_000 + "</item>"),
    ],
    ids=["deep", "a little deep", "attributes", "elements", "ill-formed", "open cdata"],
)
def test_markup_out_of_all_proportion_is_refused(body: bytes) -> None:
    assert refusal(body).cause in ("parse", "too_large")


def test_items_that_cannot_be_read_are_an_error_and_not_an_empty_feed() -> None:
    assert refusal(b"<rss><channel></item></item>& </channel></rss>").cause == "parse"
