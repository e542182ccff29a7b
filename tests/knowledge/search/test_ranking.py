"""Questions to ranked public passages."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledge.models import (
    Document,
    EventUnit,
    Mention,
    Persona,
    PersonaPost,
    SourceKind,
    Status,
    Unit,
    UnitType,
)
from knowledge.models.search import PassageKind, SearchPassage
from knowledge.search import indexing, morphemes, ranking, scoring
from knowledge.search.candidate_query import BUDGETS
from knowledge.search.query import QUESTION_LEXEMES_MAX, read_question
from knowledge.search.ranking import understand
from knowledge.search.rescoring import is_question_list
from knowledge.search.statistics import read_corpus
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db


def search(
    question: str, *, now: datetime = NOON, limit: int = 10, budgets: Sequence[float] = BUDGETS, **bounds: Any
) -> list[SearchPassage]:
    found = ranking.search(understand(question), now=now, filters=scoring.Filters(**bounds), budgets=budgets)
    return found[:limit]


def _documents(*titles: str, **fields: Any) -> list[Document]:
    source = make_source(f"paper-{Document.objects.count()}", kind=fields.get("kind", SourceKind.NOTICE))
    rows = [make_document(source, str(number), title=title, **fields) for number, title in enumerate(titles)]
    indexing.index_documents(row.pk for row in rows)
    return rows


def _titles(question: str, **options: Any) -> list[str]:
    return [hit.title for hit in search(question, **options)]


def _mention(document: Document, unit: Unit, times: int = 1) -> None:
    for start in range(times):
        Mention.objects.create(document=document, unit=unit, start=start, end=start + 1, surface="x")


def test_a_question_finds_the_text_that_answers_it_first() -> None:
    _documents(
        "거래소 수수료가 내렸다",
        "비트코인 반감기는 4년마다 온다",
        "이더리움 재단이 새 이사를 뽑았다",
        "비트코인 가격이 올랐다",
    )
    assert _titles("비트코인 반감기는 언제 오나요?")[0] == "비트코인 반감기는 4년마다 온다"


def test_particles_and_spacing_do_not_hide_a_text() -> None:
    _documents("거래지원 종료를 알리는 공지", "날씨 이야기")
    assert _titles("거래 지원이 종료되는 것은?") == ["거래지원 종료를 알리는 공지"]


def test_an_english_question_finds_english_text_by_either_number() -> None:
    _documents("Spot ETFs saw record inflows", "Miners sold their reserves", lang="en")
    assert _titles("What are the inflows of a spot ETF?") == ["Spot ETFs saw record inflows"]


def test_a_ticker_finds_texts_that_use_the_korean_name() -> None:
    bitcoin = make_unit("btc", "비트코인", aliases=["BTC"])
    named, _other = _documents("비트코인 시세가 올랐다", "이더리움 시세가 올랐다")
    _mention(named, bitcoin)
    indexing.relink_documents([named.pk])
    assert _titles("BTC")[0] == "비트코인 시세가 올랐다"
    assert _titles("ETH") == []


def test_a_merged_units_mentions_answer_for_the_survivor() -> None:
    survivor = make_unit("btc", "비트코인", aliases=["BTC"])
    loser = make_unit("xbt", "엑스비티")
    (document,) = _documents("시세가 올랐다")
    _mention(document, loser)
    indexing.index_documents([document.pk])
    Unit.objects.filter(pk=loser.pk).update(merged_into=survivor)
    (hit,) = search("BTC", now=NOON)
    assert hit.document == document
    assert hit.landing_unit == survivor


def test_a_mistyped_name_finds_what_was_meant() -> None:
    make_unit("btc", "비트코인", aliases=["비트코인"])
    _documents("비트코인 시세가 올랐다", "날씨가 맑다")
    assert _titles("비트코잉이 왜") == ["비트코인 시세가 올랐다"]


@pytest.mark.parametrize(
    "question", ["", "   ", "왜?", "what is it", "🤔", "\ud800\x00", "'\\ \" ); --", "ㅋㅋㅋ"]
)
def test_a_question_without_content_finds_nothing_and_is_no_error(question: str) -> None:
    _documents("비트코인 시세가 올랐다")
    assert _titles(question) == []


@pytest.mark.parametrize(
    "question", ["O'Neil said 'buy' & sell | hold <-> now!", "100% %s %(x)s", "a\\b c:* d:1A"]
)
def test_what_means_something_to_sql_is_only_text(question: str) -> None:
    (document,) = _documents(f"그는 {question} 라고 적었다")
    assert [hit.document for hit in search(question, now=NOON)] == [document]


def test_withdrawn_and_retracted_things_never_come_back_even_while_the_index_holds_them() -> None:
    kept, withdrawn = _documents("반감기 이야기 하나", "반감기 이야기 둘")
    unit = make_unit("halving", "반감기", type=UnitType.TOPIC)
    draft = make_unit("halving-draft", "반감기 초안", type=UnitType.TOPIC)
    merged = make_unit("halving-old", "반감기 옛말", type=UnitType.TOPIC)
    indexing.index_units([unit.pk, draft.pk, merged.pk])
    Document.objects.filter(pk=withdrawn.pk).update(withdrawn=True)
    Unit.objects.filter(pk=draft.pk).update(status=Status.RETRACTED)
    Unit.objects.filter(pk=merged.pk).update(merged_into=unit)
    found = {(hit.unit, hit.document) for hit in search("반감기", now=NOON)}
    assert found == {(unit, None), (None, kept)}


def test_a_withdrawn_hundred_does_not_hide_what_is_public() -> None:
    source = make_source("gone", kind=SourceKind.NOTICE)
    gone = [make_document(source, str(number), title="반감기 반감기 반감기") for number in range(120)]
    indexing.index_documents(row.pk for row in gone)
    _documents("오늘 반감기 소식을 길게 전하는 글")
    Document.objects.filter(source=source).update(withdrawn=True)
    assert _titles("반감기") == ["오늘 반감기 소식을 길게 전하는 글"]


def test_units_are_found_by_aliases_and_facts_that_their_text_does_not_quote() -> None:
    unit = make_unit(
        "btc", "비트코인", aliases=["대장주", "Bitcoin"], symbol="BTC", summary="2009년에 시작됐다."
    )
    indexing.index_units([unit.pk])
    for question in ("대장주", "bitcoin", "BTC", "비트코인"):
        (hit,) = search(question, now=NOON)
        assert (hit.unit, hit.landing_unit, hit.kind, hit.text) == (
            unit,
            unit,
            "entity",
            "2009년에 시작됐다.",
        )


def test_an_alias_of_a_merged_unit_finds_the_survivor() -> None:
    survivor = make_unit("pol", "폴리곤")
    make_unit("matic", "매틱", merged_into=survivor, aliases=["매틱"])
    indexing.index_units([survivor.pk])
    assert [hit.unit for hit in search("매틱", now=NOON)] == [survivor]


def test_an_event_is_found_by_its_day_and_by_what_it_concerns() -> None:
    bitcoin = make_unit("btc", "비트코인", aliases=["BTC"])
    event = make_unit("2024-halving", "네 번째 반감기", type=UnitType.EVENT, occurred_at=NOON)
    EventUnit.objects.create(event=event, unit=bitcoin)
    indexing.index_units([event.pk])
    (by_day,) = search("2026년 11월 20일", now=NOON)
    (by_unit,) = search("BTC", now=NOON)
    assert by_day.unit == by_unit.unit == event
    assert (by_day.kind, by_day.published_at) == ("event", NOON)


def _post(creator: Unit, body: str, **fields: Any) -> PersonaPost:
    persona, _new = Persona.objects.get_or_create(
        entity_id=creator.pk,
        defaults={"glyph": "◈", "voice": "차분하게", "disclosure": "AI입니다", "disclosure_en": "An AI"},
    )
    defaults = {"slug": "one", "status": Status.PUBLISHED, "published_at": NOON}
    return PersonaPost.objects.create(persona=persona, body=body, **(defaults | fields))


def test_a_persona_post_comes_with_its_persona_and_goes_with_it() -> None:
    creator = make_unit("sora", "소라", type=UnitType.CREATOR)
    post = _post(creator, "나는 반감기를 기다린다.")
    indexing.index_posts([post.pk])
    (hit,) = search("반감기", now=NOON)
    assert (hit.kind, hit.post, hit.landing_unit, hit.title) == ("post", post, creator, "소라")
    Unit.objects.filter(pk=creator.pk).update(status=Status.RETRACTED)
    assert search("반감기", now=NOON) == []


def test_a_document_stands_on_the_page_of_the_unit_it_mentions_most() -> None:
    bitcoin, ethereum = make_unit("btc", "비트코인"), make_unit("eth", "이더리움")
    hidden = make_unit("secret", "비밀", status=Status.DRAFT)
    (document,) = _documents("시장 소식")
    _mention(document, hidden, times=5)
    _mention(document, ethereum, times=1)
    _mention(document, bitcoin, times=2)
    (hit,) = search("시장 소식", now=NOON)
    assert hit.landing_unit == bitcoin


def test_a_video_without_a_unit_stands_on_its_creators_page_and_news_on_none() -> None:
    creator = make_unit("channel", "채널", type=UnitType.CREATOR)
    video_source = make_source("tube", kind=SourceKind.VIDEO, creator=creator)
    video = make_document(video_source, title="시장을 보는 법", kind=SourceKind.VIDEO)
    article = make_document(make_source("paper"), title="시장을 읽는 법")
    indexing.index_documents([video.pk, article.pk])
    pages = {hit.kind: hit.landing_unit for hit in search("시장", now=NOON)}
    assert pages == {"video": creator, "news": None}


def test_fresh_news_comes_before_equal_old_news_and_old_notices_lose_nothing() -> None:
    old = NOON - timedelta(days=400)
    for kind in (SourceKind.NEWS, SourceKind.NOTICE):
        _documents(f"반감기 {kind} 소식", kind=kind, published_at=old)
        _documents(f"반감기 {kind} 소식", kind=kind, published_at=NOON)
    scores: dict[tuple[str, datetime | None], float] = {
        (hit.kind, hit.published_at): hit.score for hit in search("반감기", now=NOON)
    }
    assert scores["news", old] < scores["news", NOON]
    assert scores["notice", old] == pytest.approx(scores["notice", NOON])


@pytest.mark.parametrize("question", ["작업 증명이란?", "작업 증명이 뭐야?"])
def test_the_text_that_defines_what_is_asked_comes_first(question: str) -> None:
    (speaking,) = _documents("안내", summary="계산으로 겨루는 작업 증명은 방식이다.")
    (defining,) = _documents("안내", summary="작업 증명은 계산으로 겨루는 방식이다.")
    assert [hit.document for hit in search("작업 증명")] == [speaking, defining]
    assert [hit.document for hit in search(question)] == [defining, speaking]


def test_a_list_of_questions_keeps_two_fifths_of_its_score() -> None:
    asked = "반감기는 언제 오나? 반감기는 왜 오나? 반감기는 몇 번 오나? 누가 정했나? 어디에 적혔나? 끝이다."
    for summary in (asked, asked.replace("?", ".")):
        _documents("질문", summary=summary)
    plain, listed = search("반감기")
    assert "?" in listed.text
    assert listed.score == pytest.approx(0.4 * plain.score)


@pytest.mark.parametrize(
    "text",
    [
        "반감기는 왜 오나? 보상을 줄이려고 온다.",
        "하나? 둘? 셋? 넷? 끝.",
        "하나? 둘? 셋? 넷? 다섯? 이것은 답이다. 저것도 답이다. 그것도 답이다.",
        "정말??????? 그렇다. 아니다. 모른다.",
    ],
)
def test_a_text_with_answers_or_few_questions_is_no_list(text: str) -> None:
    assert not is_question_list(text)


def test_a_unit_counts_half_of_a_word_as_rare() -> None:
    bitcoin = make_unit("btc", "비트코인", aliases=["BTC"])
    mentioning, saying = _documents("시세 이야기", "BTC 이야기")
    _mention(mentioning, bitcoin)
    indexing.relink_documents([mentioning.pk])
    asked = understand("BTC")
    assert asked.lexical.weights == {"btc": 1.0, "§asset:btc": 0.5}
    assert [hit.document for hit in search("BTC")] == [saying, mentioning]


@pytest.mark.parametrize("question", ["가스", " 가스?", "GAS", "네오 연료"])
def test_who_writes_no_more_than_a_name_means_what_bears_it_whatever_else_it_means(question: str) -> None:
    gas = make_unit("gas", "가스", symbol="GAS")
    Unit.objects.filter(pk=gas.pk).update(asked_as=["네오 연료"])
    asked = understand(question)
    assert (asked.called, asked.named) == ((gas,), ("asset:gas",))
    assert understand("가스 요금이 오른 까닭").called == ()


@pytest.mark.parametrize("question", ["비트코인", "비트코잉"])
def test_a_unit_counts_as_much_as_is_said(question: str) -> None:
    make_unit("btc", "비트코인")
    weights = [understand(question, entity_weight=weight).lexical.weights for weight in (0.3, 1.0)]
    assert [one["§asset:btc"] for one in weights] == [0.3, 1.0]


def test_kinds_and_dates_narrow_what_is_found() -> None:
    unit = make_unit("halving", "반감기", type=UnitType.TOPIC)
    indexing.index_units([unit.pk])
    _documents("반감기 옛 소식", kind=SourceKind.NEWS, published_at=NOON - timedelta(days=9))
    _documents("반감기 새 소식", kind=SourceKind.NEWS, published_at=NOON)
    _documents("반감기 날짜 없음", kind=SourceKind.NEWS, published_at=None)
    assert _titles("반감기", kinds=["topic"]) == ["반감기"]
    assert _titles("반감기", since=NOON - timedelta(days=1)) == ["반감기 새 소식"]
    assert _titles("반감기", until=NOON - timedelta(days=1)) == ["반감기 옛 소식"]
    assert len(_titles("반감기", limit=3)) == 3


def test_a_word_that_stands_everywhere_still_finds_canonical_passages_and_the_newest() -> None:
    source = make_source("paper", kind=SourceKind.NOTICE)
    days = [NOON - timedelta(days=number) for number in range(40)]
    rows = [make_document(source, str(day), title="비트코인", published_at=day) for day in days]
    unit = make_unit("btc", "비트코인")
    indexing.index_documents(row.pk for row in rows)
    indexing.index_units([unit.pk])
    hits = search("비트코인", now=NOON, budgets=(5,), limit=100)
    assert unit in [hit.unit for hit in hits]


def test_the_number_of_queries_does_not_grow_with_the_hits() -> None:
    bitcoin = make_unit("btc", "비트코인")
    understand("비트코인")  # what units are called is looked up once a second
    counts = []
    for more in (1, 29):
        for document in _documents(*(f"비트코인 소식 {number}" for number in range(more))):
            _mention(document, bitcoin)
        with CaptureQueriesContext(connection) as queries:
            hits = search("비트코인 소식", now=NOON, limit=100)
            assert all(_read(hit) for hit in hits)
        # Once a second one more looks whether the names have changed.
        counts.append(sum("vocabulary_stamp" not in query["sql"] for query in queries))
    assert len(hits) == 30
    assert counts[0] == counts[1]


def test_hits_whose_subjects_are_read_afterwards_are_those_of_a_search() -> None:
    bitcoin = make_unit("btc", "비트코인", summary="2009년에 시작됐다.")
    indexing.index_units([bitcoin.pk])
    for document in _documents("비트코인 소식", "비트코인 시세"):
        _mention(document, bitcoin)
    asked = understand("비트코인 소식")
    found = ranking.search(asked, now=NOON)
    (kept,) = ranking.ranked((asked, scoring.UNFILTERED), now=NOON)
    for hit, one in zip(ranking.read_subjects(kept), found, strict=True):
        assert (hit, hit.score, hit.held) == (one, one.score, one.held)
        assert (hit.landing_unit, hit.unit, hit.document) == (one.landing_unit, one.unit, one.document)
    SearchPassage.objects.filter(title="비트코인 시세").delete()
    left = [hit.passage.pk for hit in kept if hit.passage.title != "비트코인 시세"]
    assert [hit.pk for hit in ranking.read_subjects(kept)] == left
    assert len(left) == 2


def test_several_rankings_read_their_passages_once_and_score_them_by_themselves() -> None:
    bitcoin = make_unit("btc", "비트코인", summary="2009년에 시작됐다.")
    indexing.index_units([bitcoin.pk])
    _documents("비트코인 소식", "솔빛코인 소식")
    asked = [
        (understand("비트코인 소식"), scoring.UNFILTERED),
        (understand("비트코인"), scoring.Filters(kinds=(PassageKind.ENTITY,))),
    ]
    with CaptureQueriesContext(connection) as queries:
        both = ranking.ranked(*asked, now=NOON)
    assert sum('"text"' in each["sql"] for each in queries) == 1
    for (question, filters), hits in zip(asked, both, strict=True):
        found = ranking.search(question, now=NOON, filters=filters)
        expected = [(one.pk, one.score, one.held) for one in found]
        assert [(one.passage.pk, one.score, one.held) for one in hits] == expected
    assert [hit.passage.kind for hit in both[1]] == [PassageKind.ENTITY]


def _read(hit: SearchPassage) -> str:
    assert hit.document is not None
    assert hit.landing_unit is not None
    return f"{hit.document.source.name} {hit.document.source.creator} {hit.landing_unit.get_absolute_url()}"


def test_neighbours_in_the_question_count_as_neighbours_in_the_text() -> None:
    apart, together = _documents("지원 없는 거래 종료 시각", "거래 지원 종료 없는 시각")
    first, second = search("거래 지원 종료", now=NOON)
    assert (first.document, second.document) == (together, apart)
    assert first.score > second.score


def test_the_score_is_bm25_to_the_last_digit() -> None:
    bodies = ["비트코인 " * number + "가격 " * (number % 3) + "시장 상황 정리" for number in range(1, 40)]
    _documents(*bodies)
    asked = read_question("비트코인 가격 정리")
    corpus = read_corpus(asked.weights)
    ranked = scoring.score(asked, corpus, "'정리'", scoring.Filters())
    documents = [morphemes.terms(body) for body in bodies]
    average = sum(map(len, documents)) / len(documents)
    expected = sorted((_bm25(asked.weights, terms, documents, average) for terms in documents), reverse=True)
    assert [one.bm25 for one in ranked] == pytest.approx(expected)


def _bm25(weights: dict[str, float], terms: list[str], documents: list[list[str]], average: float) -> float:
    norm = 0.9 * (1 - 0.4 + 0.4 * len(terms) / average)
    total = 0.0
    for lexeme, weight in weights.items():
        df = sum(lexeme in other for other in documents)
        tf = terms.count(lexeme)
        total += weight * math.log(1 + (len(documents) - df + 0.5) / (df + 0.5)) * tf * 1.9 / (tf + norm)
    return total


def test_the_budget_finds_first_what_scoring_everything_finds_first() -> None:
    _documents(
        *(f"비트코인 시장 소식 {number} 호" for number in range(60)), "비트코인 반감기 소식", "반감기 해설"
    )
    best = search("비트코인 반감기 소식", now=NOON, budgets=(30,))[0]
    assert best.title == search("비트코인 반감기 소식", now=NOON, budgets=(math.inf,))[0].title


def test_a_long_question_is_cut_to_what_tells_most() -> None:
    _documents("반감기 해설", "그밖의 소식")
    words = " ".join(f"낱말{chr(0xAC00 + number * 7)}" for number in range(80))
    assert _titles(f"{words} 반감기")[:1] == ["반감기 해설"]


def test_a_question_of_a_hundred_known_words_is_answered() -> None:
    words = [f"{first}{second}ord" for first in "bcdfghjklm" for second in "aeioubcdfg"]
    _documents(*words)
    found = _titles(" ".join(words), limit=100)
    assert len(found) == QUESTION_LEXEMES_MAX
    assert set(found) < set(words)
