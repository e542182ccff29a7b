"""Changes of what pages show, each with the scopes that are told of it."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.utils import timezone

from archive.models import Snapshot
from ask.models import Answer, SeedQuestion
from knowledge.models import (
    Alias,
    Document,
    EventUnit,
    Mention,
    Observation,
    Persona,
    PersonaPost,
    Pulse,
    Series,
    SeriesInput,
    Source,
    Status,
    Unit,
)
from tests.factories.knowledge import make_document
from tests.factories.series import observe
from tests.factories.world import QUESTION

OF_THE_WORLD = "answer:of the world"  # stands for the scope of that answer


def units(slug: str) -> Any:
    return Unit.objects.filter(slug=slug)


def seal() -> None:
    Snapshot.objects.create(
        day=date(2026, 11, 19),
        status="complete",
        late=False,
        rehearsal=False,
        size=1,
        sha256="0" * 64,
        sealed_at=timezone.now(),
    )


def answers(count: int) -> None:
    Answer.objects.bulk_create(
        Answer(question_hash=f"{number:032x}", question=str(number), lang="ko", created_at=timezone.now())
        for number in range(count)
    )


def mention() -> None:
    document = make_document(Source.objects.get(slug="dawn"), "new")
    Mention.objects.create(document=document, unit=units("marucoin").get(), start=0, end=2, surface="비트")


def answer_scope() -> str:
    return f"answer:{SeedQuestion.objects.get(text=QUESTION).question_hash}"


# What is written to the world of ``tests.factories.world``, in this order, and what is heard of it.
CHANGES: tuple[tuple[Callable[[], Any], set[str]], ...] = (
    (lambda: units("marucoin").update(label="새 마루"), {"entity"}),
    (lambda: units("maru-premium").update(label="다른 주제"), {"topic"}),
    (lambda: units("2026-03-maru-listing").update(label="다른 사건"), {"event"}),
    (lambda: Alias.objects.create(unit=units("marucoin").get(), surface="마루통화"), {"entity"}),
    (lambda: Persona.objects.update(disclosure="다르게"), {"entity"}),
    (lambda: EventUnit.objects.filter(unit__slug="do-yeonwoo").delete(), {"event"}),
    (lambda: Series.objects.filter(slug="maru-rate").update(label="다른 기준율"), {"series"}),
    (lambda: units("marucoin").update(document_count=7), set()),
    (lambda: Pulse.objects.update(summary="다르게"), {"pulse"}),
    (lambda: PersonaPost.objects.update(body="다르게"), {"post"}),
    (lambda: observe("maru-rate", timezone.now(), 4.5), {"series"}),
    (lambda: Observation.objects.filter(input__key="price-maru").update(value=3), {"series"}),
    (lambda: SeriesInput.objects.filter(key="maru-rate").update(unit="%p"), {"series"}),
    (lambda: SeedQuestion.objects.update(order=3), {"answer"}),
    (seal, {"archive"}),
    (mention, {"documents:new"}),
    (lambda: Mention.objects.filter(document__external_id="new").delete(), {"documents:new"}),
    (lambda: Document.objects.filter(external_id="0").update(title="고친 제목"), {"documents"}),
    (lambda: Document.objects.filter(external_id="0").update(fetched_at=timezone.now()), set()),
    (lambda: Document.objects.filter(external_id="0").update(withdrawn=True), {"documents", "documents:new"}),
    (lambda: Document.objects.filter(external_id="1").delete(), {"documents", "documents:new"}),
    (lambda: Source.objects.filter(slug="dawn").update(name="아침경제"), {"documents", "series"}),
    (lambda: Source.objects.filter(slug="dawn").update(consecutive_failures=1), set()),
    (lambda: Answer.objects.update(checked_at=None), {"answer"}),
    (lambda: Answer.objects.update(figures_due_at=timezone.now()), {"answer", OF_THE_WORLD}),
    (lambda: Answer.objects.update(evidence_withdrawn_at=timezone.now()), {"answer", OF_THE_WORLD}),
    (
        lambda: Answer.objects.update(status="hidden", hidden_reason="신고"),
        {"answer", OF_THE_WORLD},
    ),
    (lambda: answers(1), {f"answer:{0:032x}"}),
    (lambda: Answer.objects.filter(pk=f"{0:032x}").delete(), {f"answer:{0:032x}"}),
    (lambda: answers(101), {"all"}),
    (lambda: units("marucoin").update(status=Status.RETRACTED), {"entity", "event"}),
)
