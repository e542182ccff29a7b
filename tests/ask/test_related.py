"""Where an answer leads on: pages near it and starter questions, all public now, none of them a citation."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from ask import curation
from ask.evidence import unit_key
from ask.hashing import question_hash
from ask.models import Answer, Mode, SeedQuestion
from ask.near_questions import questions_near
from ask.related import RelatedRecord, starters_on
from ask.storing import Reply
from knowledge import curation as canon
from knowledge.models import EventUnit, Status, Unit, UnitType
from tests.ask.records import ENGLISH, KOREAN, NOON, OFF_TOPIC, ask, index, maru, opinion, stored_answer
from tests.factories.knowledge import make_unit
from tests.shared import Shared, shared

pytestmark = pytest.mark.django_db

STARTER = "마루코인은 누가 만들었어?"


def make_neighbours() -> None:
    """An asset, and four pages that speak of it."""
    unit = maru()
    for number in range(4):
        summary = f"마루코인 발행 상한 논의 {number}번째 사건이다. 마루코인 재단이 밝혔다."
        event = make_unit(
            f"talk-{number}", f"논의 {number}", type=UnitType.EVENT, occurred_at=NOON, summary=summary
        )
        EventUnit.objects.create(event=event, unit=unit)
    index()


@pytest.fixture(scope="module")
def shared_neighbours(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[None]]:
    with shared(make_neighbours, django_db_blocker, tmp_path_factory.mktemp("world") / "archive") as made:
        yield made


@pytest.fixture(autouse=True)
def neighbours(shared_neighbours: Shared[None], db: None, own_archive: Path) -> None:
    shared_neighbours.brought_to(own_archive)


def starter(question: str = STARTER, order: int = 10) -> SeedQuestion:
    """An answered starter question on the asset."""
    ask(question)
    return SeedQuestion.objects.create(text=question, order=order)


def urls(reply: Reply) -> list[str]:
    return [one["url"] for one in reply.related]


def test_an_answer_leads_on_to_three_pages_that_it_does_not_cite() -> None:
    reply = ask(KOREAN)
    assert len(set(urls(reply))) == 3
    assert all(url.startswith("/event/talk-") for url in urls(reply))
    assert not set(urls(reply)) & {one["url"] for one in reply.version.citations}


def test_a_starter_question_on_the_same_unit_comes_first() -> None:
    found = starter()
    first, *pages = ask(KOREAN).related
    assert first == {
        "label": STARTER,
        "url": f"/ask/q/{found.question_hash}",
        "type": "answer",
        "sentence": "",
    }
    assert [one["type"] for one in pages] == ["event", "event"]


def test_a_page_leads_to_questions_on_it_then_on_what_it_speaks_of_then_to_others() -> None:
    event, asset = Unit.objects.get(slug="talk-0"), Unit.objects.get(slug="marucoin")

    def asked(question: str, *cited: Unit) -> str:
        stored_answer(question=question, cited_keys=[unit_key(unit.pk) for unit in cited])
        return SeedQuestion.objects.create(text=question, order=SeedQuestion.objects.count()).text

    def shown(*subjects: Unit) -> list[str]:
        return [one["label"] for one in starters_on(event, subjects, lang="ko")]

    other, on_subject = asked("다른 것은?"), asked("마루코인은?", asset)
    assert shown() == [other, on_subject]
    assert shown(asset) == [on_subject, other]
    naming = asked("논의 0은 언제였어?")
    assert shown() == [naming, other, on_subject]
    own = asked("누가 말했어?", event)
    assert shown(asset) == [own, on_subject, naming]


def test_the_nearest_pages_come_first_where_there_is_no_answer() -> None:
    starter()
    reply = ask("마루코인 살까?")
    assert (reply.version.mode, reply.version.citations) == (Mode.NONE, [])
    assert len(reply.related) == 3
    assert reply.related[0] == {
        "label": "마루코인",
        "url": "/asset/marucoin",
        "type": "asset",
        "sentence": "",
    }
    assert all(one["type"] != "answer" for one in reply.related)


def test_a_page_near_a_question_without_an_answer_says_its_nearest_sentence_while_it_stands_there() -> None:
    reply = ask("마루코인 재단 전화번호 알려줘")
    assert reply.version.mode == Mode.NONE
    first = reply.related[0]
    unit = Unit.objects.get(slug=first["url"].rpartition("/")[2])
    assert first["sentence"]
    assert first["sentence"] in unit.summary
    Unit.objects.filter(pk=unit.pk).update(summary="다른 글이다.")
    assert reply.related[0] == {**first, "sentence": ""}


def test_where_nothing_is_near_the_starter_questions_of_the_language_lead_on() -> None:
    starter()
    starter(ENGLISH)
    assert [one["label"] for one in ask(OFF_TOPIC).related] == [STARTER]


def test_a_personas_page_is_led_to_by_its_byline_and_not_for_its_opinion() -> None:
    opinion("마루코인 발행 상한을 누가 지키는지 본다. 마루코인 마루코인 재단이 밝혔다.")
    persona = Unit.objects.get(slug="jangbu")
    kept = ask("마루코인 재단 논의는?").version.related_keys
    assert f"unit:{persona.pk}" not in kept
    version = stored_answer(question="누가?", related_keys=[f"unit:{persona.pk}"])
    reply = Reply("", version.answer, version, cached=True)
    assert [one["label"] for one in reply.related] == ["◆ 장부지기 · AI persona"]


def test_an_answer_never_leads_to_itself() -> None:
    starter(KOREAN)
    assert f"/ask/q/{question_hash(KOREAN)}" not in urls(ask(KOREAN))


@pytest.mark.parametrize("how", ["retracted", "without a signal"])
def test_a_withdrawn_page_disappears_and_the_next_one_takes_its_place(how: str) -> None:
    reply = ask(KOREAN)
    gone = urls(reply)[0]
    slug = gone.rpartition("/")[2]
    if how == "retracted":
        canon.set_status(Unit.objects.get(slug=slug), Status.RETRACTED)
    else:
        Unit.objects.filter(slug=slug).update(status="retracted")
    later = ask(KOREAN)
    assert (later.version, gone in urls(later), len(urls(later))) == (reply.version, False, 3)


def test_a_merged_page_is_its_survivor() -> None:
    reply = ask(KOREAN)
    loser = Unit.objects.get(slug=urls(reply)[0].rpartition("/")[2])
    survivor = make_unit("talk-all", "논의 모음", type=UnitType.EVENT, occurred_at=NOON)
    canon.merge(loser, survivor, now=NOON)
    assert reply.related[0]["url"] == "/event/talk-all"


@pytest.mark.parametrize("how", ["hidden", "switched off", "without an answer"])
def test_a_starter_question_that_nobody_is_shown_is_not_related(how: str) -> None:
    seed = starter()
    if how == "hidden":
        curation.hide(Answer.objects.filter(pk=seed.question_hash), "신고")
    elif how == "switched off":
        SeedQuestion.objects.update(active=False)
    else:
        SeedQuestion.objects.update(text=OFF_TOPIC, question_hash=question_hash(OFF_TOPIC))
        ask(OFF_TOPIC)
    assert all(one["type"] != "answer" for one in ask(KOREAN).related)
    assert ask("김치찌개 끓이는 법").related == []


def test_an_answer_of_a_time_without_them_has_starter_questions_alone() -> None:
    starter()
    version = stored_answer(question="마루코인 발행량은?")
    assert version.related_keys == []
    reply = Reply("", version.answer, version, cached=True)
    assert [one["label"] for one in reply.related] == [STARTER]


def shown(client: Client, question: str) -> tuple[list[RelatedRecord], str, Any]:
    """What the three faces give: JSON, page, MCP."""
    record = client.post("/api/ask", {"question": question}, content_type="application/json").json()
    page = client.get(f"/ask/q/{record['questionHash']}").content.decode()
    calls = {
        "ask_madang": {"question": question},
        "fetch": {"id": f"answer:{record['questionHash']}"},
    }
    told = {}
    for name, arguments in calls.items():
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"} | {
            "params": {"name": name, "arguments": arguments}
        }
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
        told[name] = client.post("/api/mcp", call, content_type="application/json", headers=headers).json()[
            "result"
        ]["structuredContent"]
    return record["related"], page.partition('id="related"')[2].partition("</section>")[0], told


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        (KOREAN, "이어서 보기"),
        (ENGLISH, "Read on"),
        ("마루코인 살까?", "가까운 페이지"),
        ("Should I buy Marucoin?", "Nearest pages"),
    ],
)
def test_every_face_gives_the_same(client: Client, question: str, heading: str) -> None:
    related, section, told = shown(client, question)
    assert len(related) == 3
    assert heading in section
    assert section.count("<li>") == 3
    english = heading in ("Read on", "Nearest pages")
    for one in related:
        assert set(one) == {"label", "url", "type", "sentence"}
        label = f'<span lang="ko">{one["label"]}</span>' if english else one["label"]
        assert f'<a href="{"/en" * english}{one["url"]}">{label}</a>' in section
    same = [{**one, "url": f"{settings.BASE_URL}{one['url']}"} for one in related]
    assert told["ask_madang"]["related"] == same
    assert told["fetch"]["metadata"]["related"] == [one["url"] for one in same]


def test_questions_that_share_its_units_come_first_then_those_worded_alike() -> None:
    for number, question in ((3, "논의 3이 뭐야?"), (2, "논의 2는 언제 있었어?")):
        talk = Unit.objects.get(slug=f"talk-{number}")
        stored_answer(question=question, cited_keys=[f"unit:{talk.pk}"])
    far, alike, near, *_ = [
        SeedQuestion.objects.create(text=question, order=order)
        for order, question in enumerate(("논의 3이 뭐야?", "논의 2는 언제 있었어?"))
    ] + [starter(question) for question in ("마루코인은 누가 만들었어?", "What is Marucoin?", ENGLISH)]
    version = stored_answer(
        question="논의 0은 언제 있었어?", cited_keys=[f"unit:{Unit.objects.get(slug='marucoin').pk}"]
    )
    found = questions_near(version, ())
    assert [one.question for one in found] == [near.text, alike.text, far.text]
    led = [{"label": near.text, "url": near.get_absolute_url(), "type": "answer", "sentence": ""}]
    assert near.text not in [one.question for one in questions_near(version, led)]


def test_what_visitors_asked_is_suggested_to_nobody() -> None:
    ask("마루코인은 누가 만들었어?")
    version = stored_answer(question="마루코인은 누가 만들었나?")
    assert questions_near(version, ()) == []


def test_an_answer_leads_to_three_other_questions(client: Client) -> None:
    for order, question in enumerate(("마루코인이 뭐야?", "논의 1이 뭐야?", STARTER, "논의 2가 뭐야?")):
        starter(question, order)
    page = client.get(ask(KOREAN).answer.get_absolute_url()).content.decode()
    own = f"/ask/q/{question_hash(KOREAN)}"
    assert len(set(re.findall(r'href="(/ask/q/[0-9a-f]{32})"', page)) - {own}) >= 3
