"""Phrases by which people ask for a unit: read in questions and searches, and nowhere else."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from knowledge import curation
from knowledge.canon import loader
from knowledge.exchange.formats import CSV
from knowledge.exchange.resources import UnitResource
from knowledge.linking import gazetteer
from knowledge.linking.store import units_asked, units_named
from knowledge.models import Alias, Relinking, Unit, UnitChange, UnitType
from knowledge.queries import search
from knowledge.queries.names import candidates, locate
from knowledge.search import indexing, typos
from knowledge.search.exact_names import BY_PHRASE, exactly_named
from knowledge.search.ranking import search as ranked_search
from knowledge.search.ranking import understand
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _names_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gazetteer, "_checked_at", float("-inf"))
    monkeypatch.setattr(typos, "_version", None)
    monkeypatch.setattr(typos, "_seconds", 0.0)  # read before the answer, not beside it


def topic(slug: str, label: str, *phrases: str) -> Unit:
    return make_unit(slug, label, type=UnitType.TOPIC, asked_as=list(phrases))


def asked(question: str) -> list[str]:
    return [public_id for said in units_asked(question) for public_id in said.public_ids]


def test_a_question_asks_for_a_unit_by_its_phrase_with_particles_and_without_spaces() -> None:
    topic("crypto-tax", "가상자산 과세", "코인 세금", "crypto tax")
    for question in ("코인 세금은 언제부터 내?", "코인세금이 뭐야", "When does the Crypto-Tax start?"):
        assert asked(question) == ["topic:crypto-tax"], question
    assert asked("세금 코인 cryptotaxes") == []


def test_a_phrase_is_longer_than_the_names_inside_it_and_gives_way_to_a_longer_name() -> None:
    make_unit("btc", "비트코인")
    make_unit("etf", "비트코인 현물 펀드")
    topic("halving", "반감기", "비트코인 반으로", "현물 펀드")
    assert asked("비트코인 반으로 줄면 비트코인은?") == ["topic:halving", "asset:btc"]
    assert asked("비트코인 현물 펀드는?") == ["asset:etf"]


def test_a_name_is_known_in_several_words_unless_it_is_doubtful_or_short() -> None:
    president = make_unit("president", "마루대통령", aliases=["마루왕"])
    make_unit("coin", "마루왕코인")
    make_unit("short", "나루봉")
    assert asked("마루왕 코인이 뭐야") == ["asset:coin"]
    assert asked("마루왕 뭐야") == [president.public_id]
    assert asked("나루 봉이 뭐야") == []
    assert not units_named("나루왕 코인")


def test_a_phrase_of_several_units_stands_for_all_and_an_exact_name_for_itself() -> None:
    topic("crypto", "가상자산", "가상화폐", "코인판")
    topic("market", "시장", "가상화폐", "코인판")
    assert asked("가상화폐란?") == ["topic:crypto", "topic:market"]
    assert {one.unit.slug for one in exactly_named("가상 화폐")} == {"crypto", "market"}
    bearer = make_unit("pan", "코인판")
    assert asked("코인판이 뭐야") == ["asset:pan"]
    assert [one.unit for one in exactly_named("코인판")] == [bearer]
    assert [name.source for name in gazetteer.newest_gazetteer().names.called("코인판")] == ["label"]


def test_a_phrase_with_a_question_mark_is_a_whole_question_or_nothing() -> None:
    topic("crypto", "가상자산", "코인?", "코인이 뭐?", "What is crypto?")
    for question in ("코인", "코인이 뭐야?", "코인이 뭔가요", " What is  crypto ?!", "what is crypto."):
        assert asked(question) == (["topic:crypto"] if "뭔가" not in question else []), question
    for question in (
        "밈 코인이 뭐야?",
        "코인이 뭐야, 리플은?",
        "What is crypto mining?",
        "And what is crypto?",
    ):
        assert asked(question) == [], question
    make_unit("memecoin", "밈 코인")
    assert asked("밈 코인이 뭐야?") == ["asset:memecoin"]


def test_texts_and_readers_know_nothing_of_phrases(client: Client) -> None:
    unit = topic("crypto-tax", "가상자산 과세", "코인 세금")
    assert units_named("코인 세금을 내야 한다") == []
    assert Alias.names.by_unit(Unit.objects.all()) == {}
    for address in ("/topic/crypto-tax", "/topic/crypto-tax.md", "/api/canonical/topics.json", "/llms.txt"):
        assert "코인 세금" not in client.get(address).content.decode(), address
    assert unit.asked_as == ["코인 세금"]


def test_a_change_of_phrases_alone_is_read_at_once_and_is_neither_an_edit_nor_a_reason_to_link_again() -> (
    None
):
    unit = topic("crypto-tax", "가상자산 과세")
    connection.check_constraints()
    UnitChange.objects.all().delete()
    Relinking.objects.all().delete()
    unit.refresh_from_db()
    before, version = unit.updated_at, gazetteer.newest_gazetteer().version
    unit.asked_as = ["코인 세금"]
    unit.save()
    connection.check_constraints()
    unit.refresh_from_db()
    assert unit.updated_at == before
    assert not UnitChange.objects.exists()
    assert not Relinking.objects.exists()
    assert gazetteer.newest_gazetteer().version != version
    assert asked("코인 세금") == ["topic:crypto-tax"]
    newest = unit.history.first()
    assert newest.asked_as == ["코인 세금"]


def test_the_phrases_of_a_merged_unit_speak_for_the_survivor() -> None:
    survivor = topic("tax", "과세")
    curation.merge(topic("old-tax", "옛 과세", "코인 세금"), survivor, now=NOON)
    assert asked("코인 세금") == ["topic:tax"]
    assert locate("코인 세금").unit == survivor


def test_a_process_without_a_gazetteer_reads_phrases_too(monkeypatch: pytest.MonkeyPatch) -> None:
    topic("crypto-tax", "가상자산 과세", "코인 세금")
    topic("other", "다른 주제", "다른 말", "코인이 뭐?")
    monkeypatch.setattr(gazetteer, "_current", None)
    with gazetteer._lock:  # another thread is reading it
        assert asked("내년 코인 세금은?") == ["topic:crypto-tax"]
        assert asked("코인이 뭐야?") == ["topic:other"]


def test_a_search_for_a_phrase_brings_its_unit_first() -> None:
    tax = topic("crypto-tax", "가상자산 과세", "코인 세금")
    other = topic("coin", "코인", "아무 말")
    for unit in (tax, other):
        Unit.objects.filter(pk=unit.pk).update(summary=f"{unit.label}에 관한 설명이다.")
    indexing.index_units([tax.pk, other.pk])
    found = search.hits("코인 세금", now=NOON)
    assert found.rows[0].title == "가상자산 과세"
    assert [(one.unit.slug, one.confidence, one.matched_on) for one in candidates("코인 세금")] == [
        ("crypto-tax", BY_PHRASE, "phrase")
    ]


def test_a_phrase_finds_the_passage_of_its_unit_and_a_misspelt_one_is_mended() -> None:
    unit = topic("crypto", "가상자산", "암호화폐")
    indexing.index_units([unit.pk])
    read = understand("암호화폐 언제 생겼어")
    assert read.named == ("topic:crypto",)
    assert [hit.unit for hit in ranked_search(understand("암호 화폐"), now=NOON)] == [unit]
    assert understand("암호화페 언제 생겼어").named == ("topic:crypto",)
    Unit.objects.filter(pk=unit.pk).update(asked_as=["암호화폐?"])
    connection.check_constraints()
    gazetteer.newest_gazetteer()
    # Mistyped it asks for no more than it does as it should be written.
    for question, named in (("암호화폐 언제 생겼어", []), ("암호화폐?", ["topic:crypto"])):
        assert asked(question) == named
        assert understand(question.replace("폐", "페")).named == tuple(named)


RECORD = {
    "type": "topic",
    "slug": "crypto-tax",
    "label": "가상자산 과세",
    "summary": "지어낸 설명이다.",
    "aliases": [],
}


def test_the_canon_brings_phrases_to_units_of_before_and_keeps_an_editors() -> None:
    loader.load([{"units": [RECORD]}], now=NOON)
    with_phrases = {"units": [{**RECORD, "asked_as": ["코인 세금", " 코인  세금 ", "crypto tax"]}]}
    assert loader.load([with_phrases], now=NOON)["units"] == {"updated": 1}
    assert loader.load([with_phrases], now=NOON)["units"] == {"unchanged": 1}
    unit = Unit.objects.get()
    assert unit.asked_as == ["코인 세금", "crypto tax"]
    unit.asked_as = []
    unit.save()
    assert loader.load([with_phrases], now=NOON)["units"] == {"kept": 1}
    assert Unit.objects.get().asked_as == []


def test_phrases_go_out_in_a_file_and_come_back() -> None:
    unit = topic("crypto-tax", "가상자산 과세", "코인 세금", "crypto tax")
    content = CSV().export_data(UnitResource().export(Unit.objects.all()))
    Unit.objects.filter(pk=unit.pk).update(asked_as=[])
    UnitResource().import_data(CSV().create_dataset(content.encode()))
    assert Unit.objects.get().asked_as == ["코인 세금", "crypto tax"]


def test_an_editor_writes_one_phrase_a_line(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    unit = topic("crypto-tax", "가상자산 과세", "코인 세금")
    address = f"/admin/knowledge/topic/{unit.pk}/change/"
    assert "코인 세금</textarea>" in client.get(address).content.decode()
    posted = {"label": unit.label, "asked_as": "코인 세금\r\n\r\n 코인세금 \r\ncrypto tax\u200b"}
    posted |= {f"aliases-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    assert client.post(address, posted).status_code == 302
    unit.refresh_from_db()
    assert unit.asked_as == ["코인 세금", "crypto tax"]


EVERYDAY = {
    "가상화폐 뭐야": "topic:virtual-asset",
    "코인이 뭐야?": "topic:virtual-asset",
    "암호화폐란 무엇인가요": "topic:virtual-asset",
    "What is cryptocurrency?": "topic:virtual-asset",
    "코인 세금 언제부터": "topic:crypto-tax",
    "가상화폐 세금은 얼마야": "topic:crypto-tax",
    "거래소 제휴 은행이 뭐야": "topic:real-name-account",
    "유럽 코인 규제는 언제부터야": "topic:mica",
    "Can a quantum computer break bitcoin?": "topic:quantum-threat",
    "How do bitcoin transfer fees work? What is a bitcoin transfer fee?": "topic:transaction-fee",
}


def test_everyday_questions_reach_the_topics_of_the_canon_and_general_words_none() -> None:
    loader.load([loader.read(path) for path in loader.starter_paths() if path.stem == "topics"], now=NOON)
    reached = {question: asked(question) for question in EVERYDAY}
    assert {question: found for question, found in reached.items() if EVERYDAY[question] not in found} == {}
    for question in ("가상자산 사업자 신고 안 하면?", "밈 코인이 뭐야?", "What is crypto mining?"):
        assert "topic:virtual-asset" not in asked(question), question


def test_a_question_may_write_a_ticker_small_and_a_document_may_not() -> None:
    for slug, label in (("akt", "아카시"), ("link", "체인링크")):
        Alias.objects.create(unit=make_unit(slug, label), surface=slug.upper(), case_sensitive=True)
    for question in ("what is akt", "akt 뭐야", "akt가 뭐야?", "Who made akt, and when?"):
        assert asked(question) == ["asset:akt"], question
    assert units_named("what is akt") == []
    # An English word is a ticker alone among Korean words, or before "coin".
    for question in ("link 뭐야", "what is link coin", "link 코인은?"):
        assert asked(question) == ["asset:link"], question
    for question in ("the link is broken", "link fee 왜 비싸", "my-link", "akt-x", "m.akt.com", "ak"):
        assert asked(question) == [], question


def test_a_doubtful_name_counts_in_a_row_with_a_name_of_its_sort() -> None:
    make_unit("hive", "Hive", aliases=["하이브"])
    make_unit("steem", "Steemit", aliases=["스팀잇"])
    make_unit("gas", "가스")
    topic("genius", "GENIUS Act")
    topic("clarity", "Clarity Act")
    for question, named in {
        "Steemit and Hive look alike to me": ["asset:steem", "asset:hive"],
        "hive vs steemit": ["asset:hive", "asset:steem"],
        "스팀잇이랑 가스는 뭐가 달라": ["asset:steem", "asset:gas"],
        "가스와 스팀잇": ["asset:gas", "asset:steem"],
        "how the Genius and Clarity Acts differ": ["topic:genius", "topic:clarity"],
        # An everyday word in small letters, no row, and something of another sort.
        "steemit and hive": ["asset:steem"],
        "스팀잇에서 가스를 내나": ["asset:steem"],
        "clarity act vs hive": ["topic:clarity"],
    }.items():
        assert asked(question) == named, question
