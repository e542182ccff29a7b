"""GET /api/search: public records in pages, and a clear problem for everything else."""

from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from knowledge import curation
from knowledge.models import SEARCH_KINDS, PersonaPost, Status, Unit, UnitType
from knowledge.queries.cursors import Pagination
from knowledge.search import indexing
from knowledge.search.bulkhead import Bulkhead
from tests.factories.knowledge import NOON, make_document, make_persona, make_source, make_unit
from tests.factories.series import make_series
from tests.problems import problem_of

pytestmark = pytest.mark.django_db


def search(client: Client, **parameters: Any) -> dict[str, Any]:
    response = client.get("/api/search", parameters)
    assert response.status_code == 200, response.content
    body: dict[str, Any] = response.json()
    return body


def ids(client: Client, query: str, **parameters: Any) -> list[str]:
    return [item["id"] for item in search(client, q=query, **parameters)["items"]]


def pages(client: Client, query: str, limit: int, **parameters: Any) -> list[str]:
    """The ids of all pages, one after the other."""
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        body = search(client, q=query, limit=limit, cursor=cursor, **parameters)
        seen += [item["id"] for item in body["items"]]
        cursor = body["nextCursor"]
    return seen


def talk_about(label: str, number: int) -> list[str]:
    """Indexed documents that name something in every title, as ids."""
    source = make_source()
    titles = [f"{label} {label} 소식, {n}번째 {label} 이야기" for n in range(number)]
    documents = [make_document(source, str(n), title=title) for n, title in enumerate(titles)]
    indexing.index_documents([document.pk for document in documents])
    return [f"document:{document.pk}" for document in documents]


@pytest.mark.parametrize("query", ["base rate", "원달러 환율", "Hash rate"])
def test_the_holder_of_a_series_comes_first_for_its_name(client: Client, query: str) -> None:
    talk_about(query, 3)
    topic = make_unit("held", "어떤 주제", type=UnitType.TOPIC, summary="여기 수가 있다.")
    make_series("number", holder=topic, aliases=[query])
    indexing.index_units([topic.pk])
    assert ids(client, query)[0] == "topic:held"
    assert "topic:held" in ids(client, f"오늘 {query} 얼마야?")


def test_a_unit_is_found_with_a_snippet_and_its_page(client: Client) -> None:
    unit = make_unit(
        "kimp", "김치 프리미엄", type=UnitType.TOPIC, summary="한국 거래소 가격이 해외보다 비싼 정도이다."
    )
    indexing.index_units([unit.pk])
    body = search(client, q="해외보다 비싼 거래소 가격")
    assert body["count"] == 1
    assert body["nextCursor"] is None
    found = body["items"][0]
    assert (found["id"], found["url"]) == ("topic:kimp", "/topic/kimp")
    assert "비싼 정도" in found["snippet"]


def test_drafts_and_retracted_units_are_never_found(client: Client) -> None:
    draft = make_unit("draft", "초안코인", status=Status.DRAFT, summary="초안코인은 아직 아무도 모른다.")
    gone = make_unit("gone", "철회코인", summary="철회코인은 사라졌다.")
    indexing.index_units([draft.pk, gone.pk])
    curation.set_status(gone, Status.RETRACTED)
    assert search(client, q="초안코인")["items"] == []
    assert search(client, q="철회코인")["items"] == []


def test_pages_follow_one_another_without_a_gap_or_a_double(client: Client) -> None:
    documents = talk_about("반감기", 7)
    assert sorted(pages(client, "반감기 소식", 3)) == sorted(documents)


def test_a_record_stands_where_its_best_passage_stands(client: Client) -> None:
    strong = make_unit(
        "strong",
        "가나코인",
        summary="두루미 두루미 두루미 반감기 반감기이다.",
        summary_en="A long text in which 두루미 stands once among many other words that say nothing about it.",
    )
    weak = make_unit("weak", "다라코인", summary="두루미가 나오는 다른 자산이다.")
    indexing.index_units([strong.pk, weak.pk])
    items = search(client, q="두루미 반감기")["items"]
    assert [item["id"] for item in items] == ["asset:strong", "asset:weak"]
    assert [item["score"] for item in items] == sorted((item["score"] for item in items), reverse=True)
    assert ids(client, "두루미 반감기", limit=1) == ["asset:strong"]


# Exact names
@pytest.mark.parametrize(
    "name", ["비트코인", " 비트 코인 ", "BTC", "btc", "Bitcoin", "bit-coin", "옛비트", "OldBit"]
)
def test_the_unit_of_exactly_this_name_stands_first_though_documents_say_it_more_often(
    client: Client, name: str
) -> None:
    unit = make_unit(symbol="BTC", aliases=["Bitcoin"], summary="처음 나온 가상자산이다.")
    former = make_unit("oldbit", "옛비트", aliases=["OldBit"])
    former.merged_into = unit
    former.save()
    indexing.index_units([unit.pk])
    documents = talk_about(name.strip(), 4)
    items = search(client, q=name)["items"]
    assert items[0]["id"] == "asset:btc"
    assert {item["id"] for item in items} == {"asset:btc", *documents}
    assert items[0]["score"] > items[1]["score"]


def test_a_unit_that_the_index_does_not_hold_is_found_by_its_name_with_its_summary(client: Client) -> None:
    make_unit("kimp", "김치 프리미엄", type=UnitType.TOPIC, summary="한국 가격이 더 비싼 정도이다.")
    talk_about("김치프리미엄", 3)
    [first, *rest] = search(client, q="김치프리미엄")["items"]
    assert (first["id"], first["kind"], first["url"]) == ("topic:kimp", "topic", "/topic/kimp")
    assert first["snippet"] == "한국 가격이 더 비싼 정도이다."
    assert first["score"] > rest[0]["score"]


def test_a_named_unit_is_on_the_first_page_only_and_pages_still_meet(client: Client) -> None:
    make_unit()
    documents = talk_about("비트코인", 6)
    seen = pages(client, "비트코인", 2)
    assert seen[0] == "asset:btc"
    assert sorted(seen) == sorted(["asset:btc", *documents])


def test_a_named_unit_of_a_kind_that_was_not_asked_for_is_left_out(client: Client) -> None:
    make_unit()
    documents = talk_about("비트코인", 2)
    assert sorted(ids(client, "비트코인", kind="news")) == sorted(documents)
    assert ids(client, "비트코인", kind="entity") == ["asset:btc"]


def test_kinds_are_those_of_citations_too_and_an_entity_is_of_any_prefix(client: Client) -> None:
    units = [
        make_unit("moon", "달빛", summary="달빛 자산이다."),
        make_unit("moon", "달빛", type=UnitType.COMPANY, summary="달빛 회사이다."),
        make_unit("moonlight", "달빛지기", type=UnitType.CREATOR, summary="달빛 방송을 한다."),
        make_unit("moon", "달빛 주제", type=UnitType.TOPIC, summary="달빛 이야기이다."),
    ]
    indexing.index_units([unit.pk for unit in units])
    asset, company, creator, topic = (unit.public_id for unit in units)
    assert ids(client, "달빛", kind="asset") == [asset]
    assert ids(client, "달빛 방송", kind="creator") == [creator]
    assert set(ids(client, "달빛", kind="entity")) == {asset, company, creator}
    assert set(ids(client, "달빛", kind="asset,topic")) == {asset, topic}
    assert set(ids(client, "달빛", kind=["asset", "entity"])) == {asset, company, creator}


def test_an_unknown_kind_is_told_the_known_ones(client: Client) -> None:
    refused = problem_of(client.get("/api/search", {"q": "코인", "kind": "people"}), 400)
    assert all(kind in refused["detail"] for kind in SEARCH_KINDS)


@pytest.mark.parametrize(
    ("query", "mended"),
    [
        ("비트코윈", [{"written": "비트코윈", "taken": "비트코인"}]),
        (
            "bitcion이랑 이더리웅",
            [{"written": "bitcion", "taken": "Bitcoin"}, {"written": "이더리웅", "taken": "이더리움"}],
        ),
        ("비트코인", []),
        ("없는낱말", []),
    ],
)
def test_what_a_mistyped_name_was_taken_for_is_said(
    client: Client, query: str, mended: list[dict[str, str]]
) -> None:
    make_unit(aliases=["Bitcoin"])
    make_unit("eth", "이더리움")
    assert search(client, q=query)["mended"] == mended


def test_what_no_record_holds_finds_nothing_but_the_words_that_are_held_and_names_nearby(
    client: Client,
) -> None:
    found = talk_about("마루코인", 3)
    make_unit("eos", "이오스")
    body = search(client, q="마루코인 김치찌개 레시피")
    assert (body["items"], body["nextCursor"], body["heldWords"]) == ([], None, ["마루코인"])
    assert ids(client, "마루코인 소식") == found
    body = search(client, q="이오수")
    assert (body["count"], body["heldWords"]) == (0, [])
    assert body["meant"] == [{"id": "asset:eos", "label": "이오스", "url": "/asset/eos"}]
    assert search(client, q="없는말쿄쿄")["meant"] == search(client, q="이오스")["meant"] == []


def test_every_page_of_results_says_what_a_mistyped_name_was_taken_for(client: Client) -> None:
    make_unit()
    talk_about("비트코인", 2)
    first = search(client, q="비트코윈", limit=1)
    second = search(client, q="비트코윈", limit=1, cursor=first["nextCursor"])
    assert first["items"][0]["id"] == "asset:btc"
    assert first["mended"] == second["mended"] == [{"written": "비트코윈", "taken": "비트코인"}]


@pytest.mark.parametrize("status", [Status.DRAFT, Status.RETRACTED])
def test_a_name_leads_to_no_unit_that_is_not_public(client: Client, status: Status) -> None:
    make_unit("secret", "비밀코인", status=status, symbol="SEC", aliases=["Secretcoin"])
    for name in ("비밀코인", "SEC", "Secretcoin"):
        assert ids(client, name) == []


def test_a_unit_that_was_just_taken_back_is_not_found_by_its_name(client: Client) -> None:
    make_unit()
    assert ids(client, "비트코인") == ["asset:btc"]
    Unit.objects.update(status=Status.RETRACTED)
    assert ids(client, "비트코인") == []


def test_of_several_records_of_one_name_units_stand_before_documents(client: Client) -> None:
    plain = make_unit("moon", "달빛", type=UnitType.COMPANY, summary="달빛 이야기를 하지 않는다.")
    telling = make_unit("moon", "달빛", type=UnitType.TOPIC, summary="달빛 달빛 달빛이다.")
    indexing.index_units([plain.pk, telling.pk])
    source = make_source()
    named = make_document(source, "1", title="달빛")
    talking = make_document(source, "2", title="달빛 달빛 달빛 달빛 달빛 이야기")
    indexing.index_documents([named.pk, talking.pk])
    found = ids(client, "달빛")
    assert set(found[:2]) == {"entity:moon", "topic:moon"}
    assert found[2:] == [f"document:{named.pk}", f"document:{talking.pk}"]
    scores = [item["score"] for item in search(client, q="달빛")["items"]]
    assert all(one > following for one, following in pairwise(scores))


def test_a_document_without_a_page_of_ours_leads_to_its_original(client: Client) -> None:
    document = make_document(make_source(), title="아무 단위도 말하지 않는 반감기 기사")
    indexing.index_documents([document.pk])
    found = search(client, q="반감기 기사", kind="news")["items"][0]
    assert found["url"] == found["originalUrl"] == document.url


def test_an_ai_persona_says_so_in_its_result(client: Client) -> None:
    creator = make_unit("doldari", "돌다리", type=UnitType.CREATOR)
    persona = make_persona(creator, glyph="◎", disclosure="기계가 씁니다.")
    post = PersonaPost.objects.create(
        persona=persona, slug="one", body="반감기를 두드려 본다.", status=Status.PUBLISHED, published_at=NOON
    )
    indexing.index_posts([post.pk])
    found = search(client, q="반감기", kind="post")["items"][0]
    assert found["isAiPersona"] is True
    assert found["glyph"] == "◎"
    assert found["disclosure"] == "AI persona · 기계가 씁니다."
    assert "AI persona" in found["source"]
    assert found["url"] == "/creator/doldari#post-one"


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ({}, "q"),
        ({"q": "   "}, "q"),
        ({"q": "?!"}, "q"),
        ({"q": "가" * 201}, "q"),
        ({"q": "코인", "kind": "people"}, "kind"),
        ({"q": "코인", "limit": "0"}, "limit"),
        ({"q": "코인", "limit": "51"}, "limit"),
        ({"q": "코인", "limit": "ten"}, "limit"),
        ({"q": "코인", "cursor": "nonsense"}, "cursor"),
        ({"q": "코인", "cursor": "!!!"}, "cursor"),
        ({"q": "코인", "cursor": "\x00"}, "cursor"),
        ({"q": "코인", "cursor": "다음"}, "cursor"),
        ({"q": "코인", "cursor": "a" * 3000}, "cursor"),
        ({"q": "코인", "cursor": Pagination("search", ("이더", None, None)).after("asset:btc", 1)}, "cursor"),
    ],
)
def test_a_bad_parameter_is_named(client: Client, parameters: dict[str, str], name: str) -> None:
    body = problem_of(client.get("/api/search", parameters), 400)
    assert body["code"] == "invalid_parameter"
    assert body["errors"][0]["parameter"] == name


@pytest.mark.parametrize(
    "query", ["\x00코인", "' OR 1=1 --", "§asset:btc", "a" * 200, "🚀 코인", "\\':* & | !코인"]
)
def test_hostile_queries_are_only_words(client: Client, query: str) -> None:
    search(client, q=query)


def test_more_searches_than_places_are_told_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = Bulkhead(1, retry_after=1)
    monkeypatch.setattr("knowledge.queries.search.SEARCHES", full)
    with full:
        response = client.get("/api/search", {"q": "코인"})
    assert problem_of(response, 503)["code"] == "busy"
    assert response.headers["Retry-After"] == "1"
    assert search(client, q="코인")["count"] == 0
