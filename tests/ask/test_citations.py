"""Where a passage's citation leads and what it is called."""

from dataclasses import replace

import pytest

from ask import questions
from ask.evidence import REPORTS_MAX, evidence_of, fingerprint, gather
from knowledge.models import PersonaPost, UnitType
from tests.ask.records import NOON, index, maru, news, opinion
from tests.factories.knowledge import make_source, make_unit

pytestmark = pytest.mark.django_db


def citations(question: str) -> list[tuple[str, str, str]]:
    found = gather(questions.read(question), now=NOON)
    return [(one.citation.label, one.citation.url, one.citation.type) for one in found]


@pytest.mark.parametrize(
    ("kind", "url", "shown"),
    [
        (UnitType.ASSET, "/asset/x", "asset"),
        (UnitType.TOPIC, "/topic/x", "topic"),
        (UnitType.EVENT, "/event/x", "event"),
        (UnitType.CREATOR, "/creator/x", "creator"),
        (UnitType.COMPANY, "/entity/x", "entity"),
        (UnitType.PERSON, "/entity/x", "entity"),
    ],
)
def test_a_units_passage_leads_to_its_page(kind: UnitType, url: str, shown: str) -> None:
    make_unit("x", "솔빛나루", type=kind, summary="솔빛나루는 시험용이다.")
    index()
    assert citations("솔빛나루는 무엇인가요?") == [("솔빛나루", url, shown)]


def test_a_document_leads_to_the_unit_it_chiefly_speaks_of_with_outlet_and_date() -> None:
    maru(summary="")
    news("마루코인 결제 수수료 확정", published_at=NOON)
    assert ("마루코인, 새벽경제, 2026-11-21", "/asset/marucoin", "asset") in citations(
        "마루코인 결제 수수료는?"
    )


def test_a_document_without_a_date_is_cited_without_one() -> None:
    maru(summary="")
    news("마루코인 결제 수수료 확정", published_at=None)
    assert ("마루코인, 새벽경제", "/asset/marucoin", "asset") in citations("마루코인 결제 수수료는?")


def test_a_video_without_a_unit_leads_to_its_creator() -> None:
    creator = make_unit("byeolchan", "별찬", type=UnitType.CREATOR)
    source = make_source("videos", kind="video", name="별찬 코인", creator=creator)
    news("초보를 위한 지갑 고르기", source=source, published_at=NOON)
    assert ("별찬, 별찬 코인, 2026-11-21", "/creator/byeolchan", "creator") in citations("초보 지갑 고르기")


def test_an_article_about_no_public_unit_is_no_evidence() -> None:
    news("초보를 위한 지갑 고르기")
    assert citations("초보 지갑 고르기") == []


def test_a_persona_is_cited_with_its_glyph_and_as_an_ai_persona() -> None:
    maru()
    opinion("나는 마루코인의 수수료를 오래 본다.")
    place = f"/creator/jangbu#post-{PersonaPost.objects.get().slug}"
    assert ("◆ 장부지기 · AI persona", place, "creator") in citations("마루코인의 수수료는?")


def test_an_english_answer_has_english_labels_where_there_are_any() -> None:
    maru(label_en="Marucoin", summary_en="Marucoin is a payment coin.")
    source = make_source("dawn", name="새벽경제", name_en="Dawn Economy")
    news("Marucoin settles its fee", source=source, published_at=NOON)
    labels = [label for label, _url, _type in citations("What is Marucoin's fee?")]
    assert labels[0] == "Marucoin"
    assert "Marucoin, Dawn Economy, 2026-11-21" in labels
    assert "마루코인" in [label for label, _url, _type in citations("마루코인 수수료가 뭐야?")]


def test_the_unit_that_a_question_names_is_always_evidence() -> None:
    maru()
    for number in range(20):
        news(f"마루코인 소식 {number}")
    assert ("마루코인", "/asset/marucoin", "asset") in citations("마루코인이 뭐야?")
    assert len(citations("마루코인이 뭐야?")) == 1 + REPORTS_MAX


def test_a_fingerprint_changes_with_what_is_said_and_not_with_the_order() -> None:
    maru()
    news("마루코인 결제 수수료 확정")
    found = gather(questions.read("마루코인 결제 수수료는?"), now=NOON)
    assert fingerprint(found) == fingerprint(reversed(found)) != fingerprint(found[1:])
    assert [evidence_of(one.hit, "ko") for one in found] == [replace(one, rank=0, names="") for one in found]
