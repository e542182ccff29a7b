"""What each public page says to the front door: for how long it may be kept, under which key, and what it shows.

That a change of each scope is told is tested in ``tests/knowledge/test_scopes_told.py``.
"""

import json
from collections import defaultdict
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from ask.models import Answer, AnswerVersion
from ask.queries import AddressStatus, AnswerPage
from knowledge.models import Pulse
from knowledge.publications import publication_cache
from knowledge.publications.bodies import encoded
from knowledge.publications.keeping import KEEP_HEADER
from knowledge.publications.registry import registered
from tests.factories.world import World
from tests.told import CHANGES, OF_THE_WORLD, answer_scope

UNIT = {"entity", "topic", "event", "series", "pulse", "post", "documents"}
UNIT_PAGE = UNIT | {"answer"}
NUMBER = {"series", "entity", "topic"}
COUNTS = {"index:entities", "index:topics", "index:events"}
ARCHIVE = {"archive", "index:archive"}
ANSWER = "the answer's page"

# The address; what it shows, for how long it may be kept, and the parameters that it reads (None: the whole query).
KEPT: tuple[tuple[str, set[str], float, str | None], ...] = (
    ("/", {"answer", "event", "documents", "index:pulses"} | ARCHIVE | NUMBER, 15, ""),
    ("/asset/marucoin", UNIT_PAGE, 15, "page=1&range=365"),
    ("/asset/marucoin?page=2", UNIT_PAGE, 15, "page=2&range=365"),
    ("/topic/maru-premium", UNIT_PAGE, 15, "page=1&range=365"),
    ("/event/2026-03-maru-listing", UNIT_PAGE, 15, "page=1&range=365"),
    ("/creator/maru-ledger", UNIT_PAGE, 15, "page=1&range=365"),
    ("/asset/marucoin?range=30", UNIT_PAGE, 15, "page=1&range=30"),
    ("/asset/marucoin.md", UNIT, 15, ""),
    ("/api/units/asset:marucoin.json", UNIT, 15, ""),
    ("/asset", {"entity", "event"}, 30, "page=1"),
    ("/entity?type=person", {"entity", "event"}, 30, "page=1&type=person"),
    ("/topic", {"topic", "event"}, 30, "page=1"),
    ("/event", {"event"}, 30, "page=1"),
    ("/numbers", NUMBER, 15, "page=1"),
    ("/en/numbers?group=price", NUMBER, 15, "group=price&page=1"),
    ("/numbers.md", NUMBER, 15, ""),
    ("/number/maru-rate", NUMBER, 15, "range=365"),
    ("/number/maru-rate?range=30", NUMBER, 15, "range=30"),
    ("/number/maru-rate.md", NUMBER, 15, ""),
    ("/embed/number/maru-rate", NUMBER, 15, "lang=ko"),
    ("/embed/number/maru-rate?lang=en", NUMBER, 15, "lang=en"),
    ("/oembed?url=http://localhost:8000/number/maru-rate", NUMBER, 30, None),
    ("/api/series/maru-rate.json?limit=2", NUMBER, 30, None),
    ("/api/series/maru-rate.csv", NUMBER, 30, None),
    ("/api/changes.json", {"entity", "topic", "event"}, 30, "limit=100&since=0"),
    ("/api/canonical/entities.json", {"index:entities"}, 30, ""),
    ("/api/canonical/topics.json", {"index:topics"}, 30, ""),
    ("/api/canonical/events.json", {"index:events"}, 30, ""),
    ("/api/series.json", {"index:series"}, 30, ""),
    ("/api/pulse/active.json", {"index:pulses"}, 30, "hours=72"),
    ("/api/pulse/active.json?hours=4", {"index:pulses"}, 30, "hours=4"),
    ("/pulses", {"index:pulses", "entity", "documents"}, 15, ""),
    ("/en/pulses", {"index:pulses", "entity", "documents"}, 15, ""),
    ("/en/asset/marucoin", UNIT_PAGE, 15, "page=1&range=365"),
    ("/about", COUNTS, 30, ""),
    ("/docs", {"index:sitemap"}, 30, ""),
    ("/terms", set(), 30, ""),
    ("/docs/examples/exchanges.py", set(), 3600, ""),
    ("/status", set(), 2, ""),
    ("/ask", {"answer"}, 30, ""),
    (ANSWER, {"answer", OF_THE_WORLD, "entity", "topic", "event"}, 30, ""),
    ("/city", ARCHIVE, 60, ""),
    ("/api/archive", ARCHIVE, 30, ""),
    ("/api/archive?days=3", ARCHIVE, 30, "days=3"),
    ("/api/bulk", set(), 5, ""),
    ("/api/bulk/schemas/entities.json", set(), 3600, ""),
    ("/sitemap.xml", {"index:sitemap"}, 30, ""),
    ("/rss.xml", {"index:rss"}, 30, ""),
    ("/asset/marucoin.xml", UNIT - {"series"}, 15, ""),
    ("/asset.xml", {"entity"}, 30, ""),
    ("/topic.xml", {"topic"}, 30, ""),
    ("/event.xml", {"event"}, 30, ""),
    ("/creator.xml", {"entity", "post"}, 30, ""),
    ("/pulses.xml", {"pulse", "entity"}, 30, ""),
    ("/llms.txt", {"index:llms"}, 30, ""),
    ("/llms-full.txt", {"index:llms-full"}, 30, ""),
    ("/changelog.xml", set(), 3600, ""),
    ("/robots.txt", set(), 86_400, ""),
    ("/.well-known/security.txt", set(), 86_400, ""),
    ("/favicon.ico", set(), 604_800, ""),
    ("/openapi.json", set(), 300, ""),
)
PAGES = [address for address, *_said in KEPT]
# The pages by what they show, but for the status page: that shows something of everything, and is kept for as long as
# nobody notices.
OF_SCOPES: defaultdict[frozenset[str], list[str]] = defaultdict(list)
for _page, _scopes, *_said in KEPT:
    if _page != "/status":
        OF_SCOPES[frozenset(_scopes)].append(_page)


def address_of(page: str, world: World) -> str:
    return world.answer if page == ANSWER else page


def said(response: HttpResponse) -> dict[str, Any]:
    """What a response says to the front door; nothing where it may not be kept."""
    return json.loads(response.headers.get(KEEP_HEADER, "{}"))


def may_be_kept(response: HttpResponse) -> bool:
    """Whether the front keeps such a response at all."""
    headers = response.headers
    return (
        response.status_code == 200
        and headers["Cache-Control"].startswith("public, ")
        and headers["ETag"].startswith('"')
        and headers.get("Vary", "Accept-Encoding") == "Accept-Encoding"
        and not response.cookies
    )


@pytest.mark.parametrize(("page", "scopes", "seconds", "variant"), KEPT, ids=PAGES)
def test_a_page_says_what_it_shows(
    client: Client, world: World, page: str, scopes: set[str], seconds: float, variant: str | None
) -> None:
    address = address_of(page, world)
    with time_machine.travel(timezone.now(), tick=False):
        response = client.get(address)
        other = client.get(address, {"utm": "1"} | dict(response.wsgi_request.GET.items()))
    assert may_be_kept(response)
    found = said(response)
    expected = {answer_scope() if scope == OF_THE_WORLD else scope for scope in scopes}
    assert (set(found["scopes"]), found["seconds"], found["variant"]) == (expected, seconds, variant)
    assert found["view"]
    # What the view does not read makes no other entry, unless it is refused.
    if variant is not None and other.status_code != 400:
        assert (said(other), other.content) == (found, response.content)


@pytest.mark.parametrize("scopes", sorted(map(sorted, OF_SCOPES)), ids=", ".join)
def test_pages_show_nothing_of_a_scope_that_they_do_not_name(
    client: Client, world: World, scopes: list[str]
) -> None:
    addresses = [address_of(page, world) for page in OF_SCOPES[frozenset(scopes)]]
    others = [write for write, told in CHANGES if told and not told & {*scopes, "all"}]
    assert others or frozenset(scopes) >= UNIT
    for definition in registered():
        publication_cache.get(definition.name)  # what a process takes in as it starts
    with time_machine.travel(timezone.now(), tick=False):
        before = [client.get(address).content for address in addresses]
        for write in others:
            write()
        after = [client.get(address).content for address in addresses]
    changed = [
        address for address, *bodies in zip(addresses, before, after, strict=True) if len({*bodies}) > 1
    ]
    assert changed == []


def test_every_scope_that_a_page_names_is_told() -> None:
    of_indexes = {f"index:{definition.name}" for definition in registered()}
    named = {scope for _page, scopes, *_ in KEPT for scope in scopes}
    assert named <= of_indexes.union(*(told for _write, told in CHANGES))


def test_an_answer_shows_what_it_cites() -> None:
    cited = AnswerVersion(cited_keys=["unit:1", "document:2", "post:3"])
    page = AnswerPage(AddressStatus.PUBLIC, Answer(question_hash="f" * 32), cited)
    units = {"entity", "topic", "event"}
    assert page.scopes == units | {"answer", f"answer:{'f' * 32}", "documents", "post"}
    assert AnswerPage(AddressStatus.PUBLIC, page.answer, AnswerVersion()).scopes.isdisjoint(
        {"documents", "post"}
    )


def test_a_list_of_pulses_is_kept_until_one_leaves_it_or_enters(client: Client, world: World) -> None:
    oldest, newest = Pulse.objects.order_by("detected_at")

    def seconds(hours: int) -> float:
        return float(said(client.get(f"/api/pulse/active.json?hours={hours}"))["seconds"])

    oldest_leaves = oldest.detected_at.replace(microsecond=0) + timedelta(hours=4)
    newest_enters = newest.detected_at.replace(microsecond=0)
    for changes_at, left, hours in ((oldest_leaves, 12, 4), (newest_enters, 7, 30)):
        with time_machine.travel(changes_at - timedelta(seconds=left), tick=False) as clock:
            assert seconds(hours) == left
            assert seconds(5) == (30 if hours == 4 else 7)
            etags = [client.get(f"/api/pulse/active.json?hours={hours}")["ETag"]]
            for shift in (left - 0.01, 0.01):
                clock.shift(shift)
                etags.append(client.get(f"/api/pulse/active.json?hours={hours}")["ETag"])
        assert etags[0] == etags[1] != etags[2]


@pytest.mark.parametrize(
    "page",
    [
        *("/search", "/search?q=마루코인", "/api/search?q=maru", "/api/resolve?q=maru"),
        *("/asset/nothing", "/ask/q/" + "0" * 32),
    ],
)
def test_what_was_typed_and_what_was_not_found_is_never_kept(client: Client, world: World, page: str) -> None:
    assert said(client.get(page)) == {}


def test_a_refused_question_and_health_are_never_kept(client: Client, world: World) -> None:
    assert said(client.post("/ask", {"question": "!"})) == {}
    assert said(client.get("/api/health")) == {}


def test_a_page_is_made_in_the_public_language_whoever_this_thread_served_before(
    client: Client, world: World
) -> None:
    client.get("/admin/login/", headers={"accept-language": "en"})
    page = client.get("/entity").content.decode()
    assert "기업" in page
    assert "Company" not in page


def test_a_page_is_compressed_once(client: Client, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    codings: list[str] = []

    def noted(body: bytes, coding: str) -> bytes:
        codings.append(coding)
        return encoded(body, coding)

    monkeypatch.setattr("knowledge.publications.bodies.encoded", noted)
    for accepted in ("gzip, br", "gzip", "*;q=0"):
        assert client.get("/asset", headers={"accept-encoding": accepted}).status_code == 200
    assert codings == ["br", "gzip", "identity"]


def test_a_page_travels_compressed_with_an_etag_for_each_coding(client: Client, world: World) -> None:
    plain, gz, br = (
        client.get("/about", headers={"accept-encoding": coding}) for coding in ("identity", "gzip", "br")
    )
    assert len({response["ETag"] for response in (plain, gz, br)}) == 3
    assert [response.get("Content-Encoding") for response in (plain, gz, br)] == [None, "gzip", "br"]
    assert len(br.content) < len(gz.content) < len(plain.content)
    assert gz["Vary"] == "Accept-Encoding"
    assert "Last-Modified" not in plain.headers
    unchanged = client.get("/about", headers={"accept-encoding": "gzip", "if-none-match": gz["ETag"]})
    assert unchanged.status_code == 304
    assert client.get("/about", headers={"accept-encoding": "*;q=0"}).content == plain.content
