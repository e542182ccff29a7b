"""Which sentences are quoted: verbatim, few, on the subject, and none when the question is not covered."""

from dataclasses import replace

import pytest

from ask import choosing, drafts, questions
from ask.choosing import CHARACTERS_MAX, SENTENCES_MAX, Quotation
from ask.evidence import Evidence, gather
from ask.questions import AskedQuestion
from ask.relevance import Candidate
from knowledge.models import UnitType
from tests.ask.records import NOON, index, maru, news
from tests.factories.knowledge import make_event, make_unit

pytestmark = pytest.mark.django_db


def evidence(question: str) -> list[Evidence]:
    return gather(questions.read(question), now=NOON)


def quotations(question: str) -> list[Quotation]:
    return choosing.quote(questions.read(question), evidence(question))


def sentences(question: str) -> list[str]:
    return [sentence for one in quotations(question) for sentence in one.sentences]


def test_the_sentence_that_answers_comes_first() -> None:
    maru(
        summary="마루코인은 결제용이다. 본사는 전주에 있다. 발행 상한은 3억 6천만 개이다. 상징색은 남색이다."
    )
    assert sentences("마루코인의 발행 상한은?")[0] == "발행 상한은 3억 6천만 개이다."


def test_every_quotation_stands_word_for_word_in_its_source() -> None:
    maru()
    news("마루코인 결제 시작… “수수료 0.4%”", "마루코인 결제가 편의점에서 시작됐다. 수수료는 0.4%다.")
    found = quotations("마루코인 결제 수수료는 얼마야?")
    assert found
    for one in found:
        hit = one.evidence.hit
        assert all(sentence in f"{hit.title}\n{hit.text}" for sentence in one.sentences)


def test_at_most_six_sentences_of_nine_hundred_characters_are_quoted() -> None:
    maru(summary="마루코인은 2022년에 나온 자산이다.")
    for number in range(8):
        news(
            f"마루코인 결제망 {'가나다라마바사아'[number] * 5}",
            f"마루코인 결제망 {number} " + f"말{number} " * 40,
        )
    found = sentences("마루코인 결제망 소식 알려 줘")
    assert 1 < len(found) <= SENTENCES_MAX
    assert sum(map(len, found)) <= CHARACTERS_MAX


def test_one_headline_in_two_outlets_is_quoted_once() -> None:
    maru(summary="마루코인은 자산이다.")
    for _ in range(3):
        news("마루코인 결제 수수료 0.4%로 확정")
    assert sentences("마루코인 결제 수수료는?").count("마루코인 결제 수수료 0.4%로 확정") == 1


def test_what_is_about_another_subject_is_left_out_beside_the_subject() -> None:
    maru()
    make_unit("other", "솔빛나루", summary="솔빛나루도 마루코인처럼 발행 상한은 3억 6천만 개이다.")
    index()
    assert {one.evidence.citation.url for one in quotations("마루코인의 발행 상한은?")} == {"/asset/marucoin"}


def test_the_other_language_is_quoted_where_nothing_better_is_there() -> None:
    unit = make_unit("only-korean", "솔빛나루", summary="솔빛나루는 저장소 토큰이다.", aliases=["Solbitnaru"])
    index()
    found = quotations("What is Solbitnaru?")
    assert [one.evidence.hit.unit for one in found] == [unit]


@pytest.mark.parametrize(
    "question",
    ["된장찌개 끓이는 법", "내일 부산 날씨 알려 줘", "Who won the 2022 World Cup?", "왜?", "what is it"],
)
def test_a_question_that_is_not_covered_is_quoted_nothing(question: str) -> None:
    maru(summary="마루코인은 2022년에 부산에서 시작했다.", summary_en="Marucoin won a prize in 2022.")
    assert quotations(question) == []


def test_no_evidence_is_no_quotation() -> None:
    assert choosing.quote(questions.read("마루코인이 뭐야?"), []) == []


def test_sentences_of_one_source_stay_together_in_their_order() -> None:
    make_unit(
        "rule",
        "길담 규칙",
        type=UnitType.TOPIC,
        summary="길담 규칙은 상장 수를 제한한다. 길담 규칙은 상장 수를 하루 두 개로 정한다.",
    )
    index()
    question = "길담 규칙은 상장 수를 어떻게 제한해?"
    draft = drafts.compose(questions.read(question), evidence(question))
    assert draft.body.split("\n\n")[1:] == [
        "길담 규칙은 상장 수를 제한한다. [1]\n길담 규칙은 상장 수를 하루 두 개로 정한다. [1]"
    ]
    assert len(draft.citations) == 1


def test_a_mistyped_name_is_answered_as_search_understood_it() -> None:
    maru(aliases=["마루코인"])
    assert sentences("마류코인 발행 상한은?")[0] == "발행 상한은 3억 6천만 개이다."


def test_a_mark_that_an_outlet_wrote_is_not_quoted() -> None:
    maru(summary="마루코인은 결제용 가상자산이다.")
    news("마루코인 결제 수수료 0.4%로 확정 [2]", "마루코인 결제 수수료는 0.4%로 정해졌다.[3]")
    body = drafts.compose(*asked("마루코인 결제 수수료는 얼마야?")).body
    assert "0.4%" in body
    assert "[2]" not in body.replace(" [2]\n", "\n").removesuffix(" [2]")
    assert "[3]" not in body


def test_an_outlet_does_not_speak_as_a_persona() -> None:
    maru(summary="마루코인은 결제용 가상자산이다.")
    news("◆ 장부지기 · AI persona: 마루코인 결제 수수료는 9%다.", "마루코인 결제 수수료는 0.4%로 정해졌다.")
    body = drafts.compose(*asked("마루코인 결제 수수료는 얼마야?")).body
    assert "0.4%" in body
    assert "AI persona" not in body


def asked(question: str) -> tuple[AskedQuestion, list[Evidence]]:
    return questions.read(question), evidence(question)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("지금 마루코인 사도 될까요?", drafts.NO_ADVICE["ko"]),
        ("Should I buy Marucoin?", drafts.NO_ADVICE["en"]),
        ("마루코인 지금 얼마야?", drafts.NO_FIGURE["ko"]),
        ("마루코인 본사 전화번호는 뭐야?", drafts.NOTHING_FOUND["ko"]),
    ],
)
def test_a_refusal_names_its_reason_and_cites_nothing(question: str, reason: str) -> None:
    maru()
    draft = drafts.compose(*asked(question))
    assert (draft.mode, draft.body, draft.citations) == ("none", reason, ())


def test_a_sentence_that_points_back_is_quoted_with_the_one_that_names_its_subject() -> None:
    maru()
    assert sentences("What is the cap of Marucoin?") == [
        "Marucoin is a payment asset.",
        "Its cap is 360 million coins.",
    ]


def test_one_answer_speaks_one_language() -> None:
    maru()
    assert not any("가" <= letter <= "힣" for one in sentences("What is Marucoin?") for letter in one)


def test_a_comparison_has_a_paragraph_for_each_unit() -> None:
    maru()
    make_unit("other", "솔빛나루", summary="솔빛나루는 저장소 토큰이다. 발행 상한이 없다.")
    index()
    found = quotations("마루코인이랑 솔빛나루 차이가 뭐야?")
    assert [one.evidence.citation.label for one in found] == ["마루코인", "솔빛나루"]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("마루코잉의 발행 상한은?", "'마루코잉'은 마루코인으로 읽었습니다."),
        ("What is the cap of Marucion?", "Read 'Marucion' as Marucoin."),
    ],
)
def test_an_answer_says_before_its_lead_for_which_name_it_took_a_mistyped_one(
    question: str, line: str
) -> None:
    maru()
    asked = questions.read(question)
    draft = drafts.compose(asked, evidence(question))
    first, lead, quotation = draft.body.split("\n\n")
    assert (first, lead) == (line, drafts.LEADS[asked.lang])
    assert "[1]" in quotation
    assert len(draft.citations) == 1


def test_nothing_is_said_of_names_as_they_are_written_nor_in_a_refusal() -> None:
    maru()
    for question, begins in {
        "마루코인의 발행 상한은?": drafts.LEADS["ko"],
        "마루코잉 살까?": drafts.NO_ADVICE["ko"],
    }.items():
        assert drafts.compose(questions.read(question), evidence(question)).body.split("\n\n")[0] == begins


def test_what_happened_at_a_named_event_is_always_told() -> None:
    told = "마루 정전 사태는 밤새 거래가 멈춘 일이다."
    make_unit(
        "halt", "마루 정전 사태", type=UnitType.EVENT, occurred_at=NOON, summary=told, aliases=["마루정전"]
    )
    index()
    assert sentences("마루정전 때 낙타 기르던 사람들은 어떻게 됐어?") == [told]
    assert sentences("마루정전 때 낙타는 몇 마리였어?") == []


def test_what_became_of_somebody_is_told_on_from_there() -> None:
    told = (
        "도연우는 마루를 세웠다.",
        "도연우는 2022년에 체포되었다.",
        "도연우는 2023년에 기소되었다.",
        "도연우는 2024년에 무죄를 선고받았다.",
    )
    make_unit("do", "도연우", type=UnitType.PERSON, summary=" ".join(told))
    index()
    assert sentences("도연우 체포된 뒤에 어떻게 됐어?") == list(told[1:])


def test_an_answer_begins_with_the_date_or_the_number_that_is_asked_for() -> None:
    told = {"numberMissing": 0.0}
    other, dated, far = (
        Candidate(0, 0, "마루는 나루로 바뀌었다.", False, 9.0, told),
        Candidate(0, 1, "나루는 2024년 8월에 나왔다.", True, 7.5, told),
        Candidate(1, 0, "솔빛은 2023년에 나왔다.", True, 8.9, told),
    )
    asked = questions.read("마루는 언제 바뀌었어?")
    assert choosing._leading(other, [other, dated, far], asked) is dated
    assert choosing._leading(other, [other, far], asked) is other
    assert choosing._leading(other, [other, dated], questions.read("마루는 왜 바뀌었어?")) is other


def test_a_definition_of_what_a_unit_is_only_asked_by_begins_with_the_sentence_that_has_it() -> None:
    maru(
        summary="마루코인은 결제용 자산이다. 본사는 전주에 있다. 값이 크게 뛰는 현상은 마루빔이라고 부른다.",
        asked_as=["마루빔"],
    )
    assert sentences("마루빔이 뭐야?")[0] == "값이 크게 뛰는 현상은 마루빔이라고 부른다."
    assert sentences("마루코인이 뭐야?")[0] == "마루코인은 결제용 자산이다."


def test_a_list_begins_with_the_sentence_that_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    maru(summary="마루코인의 제휴 은행은 늘고 있다. 마루코인의 제휴 은행은 솔빛은행, 나루은행, 하늘은행이다.")
    find = choosing.candidates
    monkeypatch.setattr(
        choosing,
        "candidates",
        lambda *asked: [replace(one, score=20.0 - one.position) for one in find(*asked)],
    )
    assert sentences("마루코인 제휴 은행들 다 알려 줘")[0].endswith("솔빛은행, 나루은행, 하늘은행이다.")


def test_what_is_still_expected_is_no_date_of_what_happened() -> None:
    maru(
        summary="마루코인은 자산이다. 다음 마루코인 분기는 2031년 5월로 예상된다. 마루코인 분기는 2023년 3월에 있었다."
    )
    assert sentences("마루코인 분기는 언제 있었어?")[0] == "마루코인 분기는 2023년 3월에 있었다."
    assert sentences("다음 마루코인 분기는 언제야?")[0].startswith("다음 마루코인 분기는 2031년 5월")


def test_an_amount_to_pay_begins_with_the_sentence_that_counts_in_money() -> None:
    maru(
        summary="마루코인은 자산이다. 마루코인 등록은 2027년 1월부터 해야 한다. 마루코인 등록에는 300원을 내야 한다."
    )
    assert sentences("2027년부터 마루코인 등록에 얼마나 내야 해?")[0].startswith("마루코인 등록에는 300원")


def test_whether_something_is_so_is_not_answered_by_what_its_subject_is() -> None:
    maru(
        summary="마루보호법은 예치금 보호를 정한 법이다. 마루보호법에 따라 예치금은 은행이 따로 보호한다.",
        asked_as=["거래소가 망하면"],
    )
    assert sentences("거래소가 망하면 예치금은 보호돼?")[0].endswith("은행이 따로 보호한다.")


def test_a_comparison_begins_with_the_sentence_that_says_how_both_differ() -> None:
    maru(summary="마루코인은 결제용 자산이다. 마루코인의 값은 크게 바뀐다.")
    make_unit(
        "solbit", "솔빛코인", summary="솔빛코인은 송금용 자산이다. 솔빛코인과 마루코인은 서로 다른 자산이다."
    )
    index()
    found = sentences("마루코인이랑 솔빛코인은 같은 코인이야?")
    assert found[0] == "솔빛코인과 마루코인은 서로 다른 자산이다."
    assert "마루코인은 결제용 자산이다." in found


def test_a_comparison_that_a_record_tells_is_given_whatever_else_is_said() -> None:
    maru(summary="마루코인은 결제용 자산이다.")
    solbit = make_unit("solbit", "솔빛코인", summary="솔빛코인과 마루코인은 서로 다른 자산이다.")
    index()
    asked = "마루코인이랑 솔빛코인 다크모드 뭐가 달라?"
    assert [one.evidence.citation.label for one in quotations(asked)] == ["솔빛코인", "마루코인"]
    solbit.summary = "솔빛코인은 송금용 자산이다."
    solbit.save()
    index()
    assert quotations(asked) == []


def test_a_definition_of_a_part_of_a_unit_begins_with_the_sentence_that_names_it() -> None:
    maru(
        summary="마루코인은 결제용 자산이다. 마루코인의 값이 뛰는 현상은 마루빔이라고 부른다. MARUX로 거래된다.",
        aliases=["마루빔"],
        symbol="MARUX",
    )
    assert sentences("마루빔이 뭐야?")[0] == "마루코인의 값이 뛰는 현상은 마루빔이라고 부른다."
    assert sentences("MARUX가 뭐야?")[0] == "마루코인은 결제용 자산이다."


def test_the_record_of_a_unit_s_event_is_known_as_such() -> None:
    unit = maru(summary="마루코인은 결제용 자산이다. 마루코인은 2024년에 해킹당했다.")
    hack = make_event("hack", 1, unit)
    hack.label, hack.summary = "솔빛 사건", "솔빛 사건은 직원의 컴퓨터가 뚫려 마루코인이 해킹당한 사건이다."
    hack.save()
    index()
    found = evidence("마루코인은 어떻게 해킹당했어?")
    connected = {one.citation.label: one.connected for one in found}
    assert connected == {"마루코인": {hack.public_id}, "솔빛 사건": {unit.public_id}}
    asked = questions.read("마루코인은 어떻게 해킹당했어?")
    figures = {
        one.source: (one.figures["connected"], one.figures["eventPast"])
        for one in choosing.candidates(asked, choosing.records(asked, found))
    }
    assert figures == {0: (0.0, 0.0), 1: (1.0, 1.0)}


def test_a_question_of_which_nothing_is_understood_has_no_answer() -> None:
    maru(summary="마루코인은 2022년에 나온 결제용 자산이다.")
    asked = questions.read("그건 언제야?")
    assert (asked.words, asked.named) == ((), ())
    assert choosing.quote(asked, evidence("마루코인은 언제 나왔어?")) == []


def test_the_record_of_an_event_leads_where_it_answers_as_much_as_its_unit() -> None:
    unit = maru(summary="마루코인은 2025년 2월 지갑이 해킹되어 돈을 잃었다. 마루코인은 결제용 가상자산이다.")
    told = "마루코인 지갑 해킹에서 범인들은 개발자의 컴퓨터에 침입해 서명 화면을 바꾸었다."
    theft = make_event("theft", 1, unit)
    theft.label, theft.summary = "솔빛 사건", told
    theft.save()
    index()
    assert sentences("마루코인 지갑은 어떻게 해킹됐어?")[0] == told
    # Where the unit's own record tells more of the question, it leads.
    assert sentences("마루코인은 2025년에 해킹으로 돈을 잃었어?")[0].startswith("마루코인은 2025년 2월")


@pytest.mark.parametrize(
    ("lawyer", "question", "is_missing"),
    [
        ("", "마루코인 변호사가 누구야?", True),
        ("", "마루코인 창업자가 누구야?", False),
        (" 마루코인의 변호사는 이하늘이다.", "마루코인 변호사가 누구야?", False),
    ],
)
def test_a_detail_that_no_sentence_tells_counts_against_a_source(
    lawyer: str, question: str, is_missing: bool
) -> None:
    maru(summary=f"마루코인은 도연우가 만든 결제용 가상자산이다.{lawyer}")
    asked = questions.read(question)
    found = choosing.candidates(asked, choosing.records(asked, evidence(question)))
    assert {one.figures["detailMissing"] > 0 for one in found} == {is_missing}
