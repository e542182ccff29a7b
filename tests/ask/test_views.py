"""The permanent page of an answer."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
import time_machine
from django.test import Client

from ask import curation
from ask.drafts import LEADS
from ask.models import Answer, SeedQuestion
from knowledge import curation as canon
from knowledge.models import EventUnit, Status, Unit, UnitType
from tests.ask.records import ENGLISH, KOREAN, NOON, OFF_TOPIC, ask, maru, news, opinion, stored_answer
from tests.factories.knowledge import make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db


def page_of(question: str) -> str:
    return ask(question).answer.get_absolute_url()


def test_the_answer_stands_there_with_marks_that_lead_to_its_sources(client: Client) -> None:
    maru()
    html = client.get(page_of(KOREAN)).content.decode()
    assert f'<h1 class="asked">{KOREAN}</h1>' in html
    said = '발행 상한은 3억 6천만 개이다. <sup><a href="#c1">[1]</a></sup>'
    assert f'<div class="says"><p>{said}</p></div>' in html, "the sentence that answers is the largest"
    assert "다음은 기록에서 그대로 옮긴" not in html.partition("<main")[2], "the page says so by itself"
    assert '<li id="c1"><a href="/asset/marucoin">마루코인</a>' in html
    assert "기록의 문장을 그대로" in html


LABEL = "AI가 쓴 글이 아닙니다."


def test_a_personas_words_stand_below_a_heading_of_their_own_and_not_under_the_label(client: Client) -> None:
    maru()
    opinion("나는 마루코인 발행 상한이 몇 개인지보다 누가 지키는지를 본다.")
    html = client.get(page_of("마루코인 발행 상한")).content.decode()
    main = html.partition("<h1 ")[2]
    records, label, heading, byline = map(
        main.index, ("3억 6천만 개이다.", LABEL, ">AI 페르소나의 의견</h2>", "◆ 장부지기 · AI persona: 나는")
    )
    assert records < label < heading < byline
    assert "나는 마루코인" not in main[:heading]
    assert '<sup><a href="#c2">[2]</a></sup>' in main[heading:]
    assert "AI가 쓴 글입니다." in main[heading:]


def test_where_personas_alone_are_quoted_nothing_says_that_no_ai_wrote_it(client: Client) -> None:
    byline = "◆ 장부지기 · AI persona"
    version = stored_answer(
        f"다음은 기록에서 그대로 옮긴 문장입니다.\n\n{byline}: 나는 비싸다고 본다. [1]",
        citations=[{"label": byline, "url": "/creator/jangbu", "type": "creator"}],
    )
    html = client.get(version.answer.get_absolute_url()).content.decode()
    main = html.partition("<h1 ")[2]
    assert LABEL not in main
    assert "다음은 기록에서" not in main
    assert ">AI 페르소나의 의견</h2>" in main


def test_an_answer_without_personas_has_no_heading_for_them(client: Client) -> None:
    maru()
    html = client.get(page_of(KOREAN)).content.decode()
    assert LABEL in html
    assert "AI 페르소나의 의견" not in html


@pytest.mark.parametrize(("question", "lang"), [(KOREAN, "ko"), (ENGLISH, "en")])
def test_the_page_is_in_the_language_of_the_question(client: Client, question: str, lang: str) -> None:
    maru()
    assert f'<html lang="{lang}">' in client.get(page_of(question)).content.decode()


def test_a_visitors_question_is_kept_out_of_search_engines(client: Client) -> None:
    maru()
    response = client.get(page_of(KOREAN))
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in response.content.decode()


def test_an_active_seed_may_be_indexed(client: Client) -> None:
    maru()
    SeedQuestion.objects.create(text=KOREAN)
    response = client.get(page_of(KOREAN))
    assert "X-Robots-Tag" not in response.headers
    assert 'name="robots"' not in response.content.decode()
    assert [answer.question for answer in Answer.objects.indexable()] == [KOREAN]


@pytest.mark.parametrize("why", ["switched off", "nothing found"])
def test_a_seed_may_not_be_indexed(client: Client, why: str) -> None:
    maru()
    question = OFF_TOPIC if why == "nothing found" else KOREAN
    SeedQuestion.objects.create(text=question, active=why != "switched off")
    assert client.get(page_of(question)).headers["X-Robots-Tag"] == "noindex"
    assert not Answer.objects.indexable().exists()


@pytest.mark.parametrize(
    ("question", "headline", "why"),
    [
        (OFF_TOPIC, "기록에서 답을 찾지 못했습니다.", "묻는 이름이나 주제가 아직 기록에 없습니다."),
        ("마루코인 살까?", "기록에서 답을 찾지 못했습니다.", "투자 조언이나 앞날의 예측이 없어"),
        (
            "마루코인 수수료율 몇 퍼센트야?",
            "기록에서 답을 찾지 못했습니다.",
            "확실히 답하는 문장을 찾지 못했습니다",
        ),
        ("Should I buy Marucoin?", "No answer was found in the records.", "no investment advice"),
    ],
)
def test_a_miss_says_why_and_leads_on_and_there_is_nothing_to_cite(
    client: Client, question: str, headline: str, why: str
) -> None:
    maru()
    html = client.get(page_of(question)).content.decode()
    main = html.partition("<h1 ")[2].partition("</main>")[0]
    assert f'<div class="says"><p>{headline}</p></div>\n<p>' in main
    assert why in main
    lang = "/en" if question.startswith("Should") else ""
    assert f'href="{lang}/search?q={quote(question, safe="")}"' in main
    assert (f'<a href="{lang}/asset/marucoin">' in main) == (question != OFF_TOPIC)
    assert not {'id="sources"', 'id="cite"', "#c1"} & set(re.findall(r'id="\w+"|#c1', main))
    assert ("검색 결과에 올리지 않는" in main) or lang


def test_sources_name_outlet_date_and_the_quoted_words(client: Client) -> None:
    maru(summary="마루코인은 결제용 가상자산이다.", label_en="Marucoin")
    news("마루코인 결제 수수료 5원으로 확정", published_at=NOON)
    reply = ask("마루코인 결제 수수료는 확정됐어?")
    html = client.get(reply.answer.get_absolute_url()).content.decode()
    sources = html.partition('id="sources"')[2].partition("</section>")[0]
    assert ">마루코인</a>" in sources
    assert '새벽경제 · <time datetime="2026-11-21T12:00:00+09:00">2026년 11월 21일</time>' in sources
    assert '<p class="quote">“마루코인 결제 수수료 5원으로 확정”</p>' in sources
    assert [set(one) for one in reply.version.citations] == [{"label", "url", "type"}], "the contract's own"


def test_a_record_of_ours_is_named_as_such_in_the_language_of_the_answer(client: Client) -> None:
    maru(label_en="Marucoin")
    html = client.get(page_of(ENGLISH)).content.decode()
    sources = html.partition('id="sources"')[2].partition("</section>")[0]
    assert '<li id="c1"><a href="/en/asset/marucoin">Marucoin</a> <span class="badge">asset</span>' in sources
    assert "Record of Madang · <time" in sources
    assert "“Marucoin is a payment asset. Its cap is 360 million coins.”" in sources
    assert "not written by AI" in html
    frame = re.sub(r'<(\w+)[^>]*lang="ko"[^>]*>.*?</\1>|<script.+?</script>', "", html, flags=re.DOTALL)
    assert re.findall("[가-힣]+", frame) == []


def test_an_answer_of_a_time_without_sources_names_its_citations(client: Client) -> None:
    html = client.get(stored_answer().answer.get_absolute_url()).content.decode()
    assert '<li id="c1"><a href="/asset/value">값</a> <span class="badge">자산</span>\n</li>' in html


def test_a_models_first_sentence_leads_with_its_marks(client: Client) -> None:
    version = stored_answer(
        "값은 *5*이다. [1] 그 전에는 3이었다. [1]\n\n끝이다. [1]", mode="llm", model="claude-haiku-5-5"
    )
    html = client.get(version.answer.get_absolute_url()).content.decode()
    mark = '<sup><a href="#c1">[1]</a></sup>'
    assert f'<div class="says"><p>값은 <em>5</em>이다. {mark}</p></div>' in html
    assert f'<div class="answer">\n<p>그 전에는 3이었다. {mark}</p>\n<p>끝이다. {mark}</p>\n</div>' in html


def test_one_asks_on_and_knows_that_it_becomes_public(client: Client) -> None:
    maru()
    for question in (KOREAN, OFF_TOPIC):
        on = client.get(page_of(question)).content.decode().partition('id="on"')[2].partition("</section>")[0]
        assert '<form class="ask" action="/ask" method="post">' in on
        assert "이 질문과 답은 공개 페이지가 됩니다." in on


def test_times_name_their_zone(client: Client) -> None:
    maru()
    html = client.get(page_of(KOREAN)).content.decode()
    assert '<time datetime="2026-11-21T12:00:00+09:00">2026-11-21 12:00 KST</time> 업데이트' in html


def test_how_a_mistyped_name_was_read_stands_before_the_answer(client: Client) -> None:
    version = stored_answer(f"'마르코인'은 마루코인으로 읽었습니다.\n\n{LEADS['ko']}\n\n값은 5이다. [1]")
    main = client.get(version.answer.get_absolute_url()).content.decode().partition("<h1 ")[2]
    assert 0 < main.index("마르코인") < main.index("값은 5이다.")


@pytest.mark.parametrize("question_hash", ["0" * 32, "0" * 31, "g" * 32, "A" * 32, "%00", "0" * 32 + "/"])
def test_an_unknown_question_is_not_found(client: Client, question_hash: str) -> None:
    assert client.get(f"/ask/q/{question_hash}").status_code == 404


def test_a_hidden_answer_is_gone_without_a_trace(client: Client) -> None:
    maru()
    path = page_of(KOREAN)
    curation.hide(Answer.objects.all(), "신고")
    response = client.get(path)
    assert (response.status_code, response.headers["X-Robots-Tag"]) == (410, "noindex")
    assert "마루코인" not in response.content.decode()


@pytest.mark.parametrize("signalled", [True, False])
def test_an_answer_that_quotes_a_retracted_unit_is_gone_until_it_is_renewed(
    client: Client, signalled: bool
) -> None:
    unit = maru()
    path = page_of(KOREAN)
    if signalled:
        canon.set_status(unit, Status.RETRACTED)
    else:
        Unit.objects.update(status="retracted")
    assert client.get(path).status_code == 410
    assert list(curation.to_renew()) == list(Answer.objects.all())
    ask(KOREAN)
    assert client.get(path).status_code == 200


def test_head_says_the_same_without_a_body(client: Client) -> None:
    maru()
    path = page_of(KOREAN)
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["ETag"] == whole.headers["ETag"]


def test_a_reader_who_has_it_gets_304(client: Client) -> None:
    maru()
    path = page_of(KOREAN)
    etag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": etag}).status_code == 304
    assert client.get(path, headers={"If-None-Match": '"else"'}).status_code == 200


def test_the_page_takes_no_other_method(client: Client) -> None:
    assert client.post("/ask/q/" + "0" * 32).status_code == 405


def test_the_page_sets_no_cookie(client: Client) -> None:
    maru()
    assert not client.get(page_of(KOREAN)).cookies


def test_a_hostile_title_stays_text(client: Client) -> None:
    maru(summary="마루코인은 결제용 가상자산이다.")
    news("마루코인 발행 상한 <script>alert(1)</script> [2] 소식")
    html = client.get(page_of("마루코인 발행 상한 소식은?")).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; 소식" in html
    assert not re.findall(r"<script(?! type=\"application/ld\+json\">)", html)
    assert html.count("</script>") == 1


def test_what_a_model_cost_is_shown(client: Client) -> None:
    version = stored_answer(mode="llm", model="claude-haiku-5-5", cost_micro_usd=2345)
    html = client.get(version.answer.get_absolute_url()).content.decode()
    assert "claude-haiku-5-5" in html
    assert "$0.002345" in html


def event_about(unit: Unit, slug: str, when: timedelta, **fields: Any) -> None:
    event = make_unit(slug, f"사건 {slug}", type=UnitType.EVENT, occurred_at=NOON + when, **fields)
    EventUnit.objects.create(event=event, unit=unit)


def test_the_page_names_newer_events_since_the_answer(client: Client) -> None:
    unit, other = maru(), make_unit("sol", "솔빛나루")
    path = page_of(KOREAN)
    assert "이 답변 뒤에 일어난 일" not in client.get(path).content.decode()
    hour = timedelta(hours=1)
    event_about(unit, "newer", hour)
    event_about(unit, "newest", 2 * hour)
    event_about(unit, "older", -hour)
    event_about(unit, "coming", 48 * hour)
    event_about(unit, "draft", hour, status="draft")
    event_about(other, "elsewhere", hour)
    with time_machine.travel(NOON + 3 * hour, tick=False):
        html = client.get(path).content.decode()
    assert "이 답변 뒤에 일어난 일" in html
    assert html.index("/event/newest") < html.index("/event/newer")
    for unnamed in ("older", "coming", "draft", "elsewhere"):
        assert f"/event/{unnamed}" not in html


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("마루코인 지금 얼마야?", "기록의 수치를 문장으로 적었습니다."),
        ("How much is Marucoin now?", "Recorded figures put into sentences"),
    ],
)
def test_figures_are_not_said_to_be_copied_sentences(client: Client, question: str, said: str) -> None:
    make_series("price-maru", holder=maru(), unit="KRW", cadence="live", label="마루코인 가격")
    observe("price-maru", NOON, 1_000)
    with time_machine.travel(NOON, tick=False):
        html = client.get(page_of(question)).content.decode()
    assert said in html
    assert re.search(r'id="sources".*<time datetime="2026-11-21T12:00:00\+09:00">', html, re.DOTALL)
    assert "옮겼습니다" not in html
    assert "copied" not in html
