"""A small indexed world to ask about."""

from datetime import UTC, datetime
from typing import Any

from ask.answering import ask as ask_now
from ask.drafts import PROMPT_VERSION
from ask.hashing import question_hash
from ask.models import Answer, AnswerVersion
from ask.storing import Reply
from knowledge.linking.store import link_documents
from knowledge.models import Document, Entity, PersonaPost, Source, Status, Unit, UnitType
from knowledge.search import indexing
from tests.factories.knowledge import make_document, make_persona, make_source, make_unit

NOON = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)  # 12:00 in Seoul

KOREAN = "마루코인 발행 상한은 몇 개야?"
ENGLISH = "What is the cap of Marucoin?"
OFF_TOPIC = "된장찌개 끓이는 법"


def maru(**fields: Any) -> Unit:
    """An invented asset with summaries in both languages, findable at once."""
    defaults = {
        "summary": "마루코인은 도연우가 만든 결제용 가상자산이다. 발행 상한은 3억 6천만 개이다.",
        "summary_en": "Marucoin is a payment asset. Its cap is 360 million coins.",
        "aliases": ["Marucoin", "MARUX"],
    }
    unit = make_unit("marucoin", "마루코인", **(defaults | fields))
    index()
    return unit


def news(title: str, summary: str = "", *, source: Source | None = None, **fields: Any) -> Document:
    """A linked and indexed document."""
    source = source or make_source(f"paper-{Document.objects.count()}", name="새벽경제")
    number = str(Document.objects.count())
    document = make_document(source, number, title=title, summary=summary, content_sha256=number, **fields)
    link_documents([document])
    index()
    return document


def opinion(body: str, **fields: Any) -> PersonaPost:
    """A public post of an AI persona."""
    make_unit("jangbu", "장부지기", type=UnitType.CREATOR)
    persona = make_persona(Entity.objects.get(slug="jangbu"))
    defaults = {"slug": "one", "status": Status.PUBLISHED, "published_at": NOON}
    post = PersonaPost.objects.create(persona=persona, body=body, **(defaults | fields))
    index()
    return post


def index() -> None:
    """Once is enough: a batch holds more than the world of a test."""
    assert indexing.refresh() < indexing.BATCH


def ask(question: str = KOREAN, *, now: datetime = NOON) -> Reply:
    return ask_now(question, now=now)


def stored_answer(body: str = "값은 5이다. [1]", **fields: Any) -> AnswerVersion:
    """An answer with one extractive version, without asking."""
    question = fields.pop("question", "값은?")
    answer = Answer.objects.create(
        question_hash=question_hash(question), question=question, lang="ko", created_at=NOON, checked_at=NOON
    )
    defaults: dict[str, Any] = {
        "mode": "extractive",
        "citations": [{"label": "값", "url": "/asset/value", "type": "asset"}],
        "evidence_fingerprint": "0" * 64,
        "prompt_version": PROMPT_VERSION,
        "generated_at": NOON,
    }
    version = AnswerVersion.objects.create(answer=answer, body=body, **(defaults | fields))
    answer.current = version
    answer.save()
    return version
