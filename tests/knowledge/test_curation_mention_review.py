"""Doubtful mentions: which wait for an editor, and that a word once said lasts."""

from datetime import timedelta

import pytest

from knowledge.counting import fold
from knowledge.curation import CurationError, mention_review
from knowledge.ingestion import relinking
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Document, Mention, MentionReview, Unit, Verdict
from tests.factories.knowledge import NOON, make_document, make_source, make_unit

pytestmark = pytest.mark.django_db

TITLE = "도지 거래량이 늘었고 도지 시세도 올랐다"


@pytest.fixture
def doge() -> Unit:
    unit = make_unit("doge", "도지코인")
    Alias.objects.create(unit=unit, surface="도지", ambiguous=True)
    return unit


def linked(external_id: str = "1", title: str = TITLE, **fields: object) -> Document:
    source = make_source(f"s-{external_id}")
    document = make_document(source, external_id, title=title, **fields)
    link_documents([document])
    return document


def waiting() -> list[Mention]:
    return list(mention_review.awaiting(now=NOON + timedelta(hours=1)))


def test_what_rests_on_an_ambiguous_alias_waits_once_a_document(doge: Unit) -> None:
    linked(title=TITLE)
    linked("2", title="도지코인이 올랐다")
    assert Mention.objects.count() == 3
    assert [(row.surface, row.start) for row in waiting()] == [("도지", 0)]


def test_spelling_and_case_do_not_hide_a_doubtful_mention() -> None:
    unit = make_unit("near", "니어프로토콜")
    Alias.objects.create(unit=unit, surface="Near Coin", ambiguous=True)
    linked(title="니어프로토콜(NEAR COIN) 상장")
    assert [row.surface for row in waiting()] == ["NEAR COIN"]


def test_old_and_withdrawn_documents_are_not_asked_about(doge: Unit) -> None:
    linked("old", fetched_at=NOON - timedelta(days=15))
    linked("gone", withdrawn=True)
    assert waiting() == []


def test_a_confirmed_mention_stays_and_is_not_asked_again(doge: Unit) -> None:
    linked()
    assert len(mention_review.review(waiting(), Verdict.CONFIRMED, now=NOON)) == 1
    relinking.request(None)
    assert relinking.proceed(now=NOON)
    assert (waiting(), Mention.objects.count()) == ([], 2)


def test_a_refused_mention_goes_for_good_and_only_in_its_document(doge: Unit) -> None:
    wrong, right = linked("1"), linked("2")
    doubtful = [row for row in waiting() if row.document == wrong]
    assert len(mention_review.review(doubtful, Verdict.REFUSED, now=NOON)) == 1
    relinking.request(None)
    assert relinking.proceed(now=NOON)
    assert {row.document for row in Mention.objects.all()} == {right}
    fold()
    doge.refresh_from_db()
    assert doge.document_count == 1


def test_a_refusal_is_taken_back(doge: Unit) -> None:
    linked()
    assert len(mention_review.take_back(mention_review.review(waiting(), Verdict.REFUSED, now=NOON))) == 1
    fold()
    doge.refresh_from_db()
    assert (doge.document_count, len(waiting())) == (1, 1)


def test_the_last_word_counts(doge: Unit) -> None:
    linked()
    (mention,) = waiting()
    mention_review.review([mention], Verdict.CONFIRMED, now=NOON)
    mention_review.review([mention], Verdict.REFUSED, now=NOON)
    assert MentionReview.objects.get().verdict == Verdict.REFUSED
    assert not Mention.objects.exists()


def test_a_word_beside_it_keeps_an_alias_away(doge: Unit) -> None:
    linked("1", title="강아지 도지 거래량 이야기")
    kept = linked("2")
    (mention,) = [row for row in waiting() if row.document != kept]
    alias = mention_review.block(mention, " 강아지 ")
    assert alias.blocked_contexts == ["강아지"]
    assert {row.document for row in Mention.objects.all()} == {kept}


@pytest.mark.parametrize("word", ["", "도지", "고양이", "가"])
def test_a_word_that_would_block_nothing_or_everything_is_refused(doge: Unit, word: str) -> None:
    linked("1", title="강아지 도지 거래량 이야기가")
    with pytest.raises(CurationError):
        mention_review.block(waiting()[0], word)
    assert Alias.objects.get(surface="도지").blocked_contexts == []
