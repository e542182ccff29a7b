"""Rendered pages: kept while they are current, never longer, never where nobody hears of changes."""

import random
from collections.abc import Iterator

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ask import curation as ask_curation
from ask.models import Answer
from knowledge.models import Document, Status, Unit
from knowledge.publications import build, publication_cache
from knowledge.publications.bodies import encoded
from knowledge.publications.page_cache import KEPT_BYTES, KEPT_SECONDS, cached_page, page_cache
from tests.factories.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pages() -> Iterator[None]:
    page_cache.clear()
    yield
    page_cache.clear()


@pytest.fixture
def world(db: None) -> World:
    return make_world(timezone.now())


def hear() -> None:
    """What the listener of a web process does at each of its turns."""
    with connection.cursor() as cursor:
        publication_cache.refresh(cursor)


def published() -> None:
    build(now=timezone.now())
    hear()


def test_a_page_asks_the_store_only_for_the_row_that_decides(
    client: Client, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hear()
    for path, queries in (("/", 0), ("/asset", 0), ("/asset/marucoin", 1), (world.answer, 1), ("/pulses", 0)):
        first = client.get(path)
        with django_assert_num_queries(queries):
            again = client.get(path)
        assert (again.content, again["ETag"]) == (first.content, first["ETag"])
        assert again["Cache-Control"] == first["Cache-Control"]


def test_nothing_is_kept_where_nobody_hears_of_changes(client: Client, world: World) -> None:
    client.get("/asset/marucoin")
    assert len(page_cache) == 0


def test_an_edit_shows_at_once_on_its_own_page_and_on_lists_once_it_is_published(
    client: Client, world: World
) -> None:
    hear()
    for path in ("/asset", "/asset/marucoin"):
        assert "마루코인" in client.get(path).content.decode()
    Unit.objects.filter(pk=world.asset.pk).update(label="새마루")
    assert "<h1>새마루</h1>" in client.get("/asset/marucoin").content.decode()
    published()
    assert "새마루" in client.get("/asset").content.decode()
    assert "새마루" in client.get(world.event.get_absolute_url()).content.decode()


def test_a_retraction_and_a_take_down_show_at_once(client: Client, world: World) -> None:
    hear()
    assert client.get(world.topic.get_absolute_url()).status_code == 200
    assert client.get(world.answer).status_code == 200
    Unit.objects.filter(pk=world.topic.pk).update(status=Status.RETRACTED)
    ask_curation.hide(Answer.objects.all(), "신고")
    assert client.get(world.topic.get_absolute_url()).status_code == 410
    assert client.get(world.answer).status_code == 410


def test_what_no_publication_shows_is_read_again_after_a_while(client: Client, world: World) -> None:
    hear()
    assert "새 제목" not in client.get("/asset/marucoin").content.decode()
    newest = Document.objects.published().order_by("-published_at").first()
    assert newest
    Document.objects.filter(pk=newest.pk).update(title="새 제목")
    now = page_cache.timer()
    page_cache.expire(now + KEPT_SECONDS - 1)
    assert "새 제목" not in client.get("/asset/marucoin").content.decode()
    page_cache.expire(now + KEPT_SECONDS)
    assert "새 제목" in client.get("/asset/marucoin").content.decode()


def test_pages_of_a_list_are_kept_apart_and_other_parameters_do_not_count(
    client: Client, world: World
) -> None:
    hear()
    first, second = (client.get(f"/asset/marucoin?page={page}").content for page in (1, 2))
    assert first != second
    held = len(page_cache)
    for number in range(5):
        assert client.get(f"/asset/marucoin?utm={number}").content == first
    assert len(page_cache) == held


def test_what_was_not_found_and_what_was_typed_is_never_kept(client: Client, world: World) -> None:
    hear()
    for path in ("/asset/nothing", "/ask/q/" + "0" * 32, "/search?q=마루코인"):
        client.get(path)
    client.post("/ask", {"question": "!"})
    assert len(page_cache) == 0


def test_a_page_is_kept_in_the_public_language_whoever_this_thread_served_before(client: Client) -> None:
    hear()
    client.get("/admin/login/", headers={"accept-language": "en"})
    page = client.get("/entity").content.decode()
    assert len(page_cache) == 1
    assert "기업" in page
    assert "Company" not in page


def test_a_page_for_one_reader_is_compressed_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    codings: list[str] = []

    def noted(body: bytes, coding: str) -> bytes:
        codings.append(coding)
        return encoded(body, coding)

    monkeypatch.setattr("knowledge.publications.bodies.encoded", noted)
    for accepted in ("gzip, br", "gzip", "*;q=0"):
        assert client.get("/search", headers={"accept-encoding": accepted}).status_code == 200
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


def test_the_oldest_pages_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.publications.page_cache.content_version", lambda: "g")
    digits = (
        random.Random(0).randbytes(KEPT_BYTES // 20).hex()
    )  # a tenth of the budget, and half of it compressed
    for number in range(8):
        cached_page(RequestFactory().get(f"/{number}"), lambda: HttpResponse(digits))
    held = [path for path, _vary_on, _version in page_cache]
    assert held[-1] == "/7"
    assert "/0" not in held
    assert 1 < len(held) < 8
    assert page_cache.currsize <= KEPT_BYTES


def test_a_page_that_would_push_most_others_out_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.publications.page_cache.content_version", lambda: "g")
    large = random.Random(0).randbytes(KEPT_BYTES // 10).hex()
    assert cached_page(RequestFactory().get("/large"), lambda: HttpResponse(large)).status_code == 200
    assert len(page_cache) == 0


def test_only_a_success_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.publications.page_cache.content_version", lambda: "g")
    request: HttpRequest = RequestFactory().get("/x")
    assert cached_page(request, lambda: HttpResponse("gone", status=410)).status_code == 410
    assert cached_page(request, lambda: HttpResponse("here")).status_code == 200
    assert cached_page(request, lambda: HttpResponse("gone", status=410)).content == b"here"
