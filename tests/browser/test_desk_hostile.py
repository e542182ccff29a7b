"""Hostile texts of feeds and models in the desk's lists and forms: shown as what they are, and nothing runs."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser

from ask.hashing import question_hash
from ask.models import Answer, AnswerVersion, SeedQuestion
from knowledge.models import (
    Alias,
    ClusterDocument,
    ClusterStatus,
    Creator,
    EventCluster,
    Mention,
    Persona,
    PersonaPost,
    PossibleMerge,
    Pulse,
    Status,
    UnitType,
)
from tests.browser.editing import Watched, editing
from tests.factories.knowledge import make_document, make_source, make_unit
from tests.feeds.hostile import HOSTILE

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PAYLOADS = [
    *HOSTILE,
    "<script>window.hit('script')</script>",
    '" onmouseover="hit(1)" autofocus onfocus="hit(2)" x="',
    "' autofocus onfocus='hit(3)",
    "<img src=x onerror=hit(4)>",
    "<svg><script>hit(5)</script><animate onbegin=hit(6) attributeName=x dur=1s>",
    "<iframe srcdoc='<script>parent.hit(7)</script>'></iframe>",
    "<a href=javascript:hit(8)>눌러</a>",
    "<style>body{display:none}</style><link rel=stylesheet href=//evil.example/x.css>",
    "<form action=//evil.example><input name=csrfmiddlewaretoken></form>",
    "</textarea><script>hit(9)</script>",
    "</title></style></script><script>hit(10)</script>",
    "{% load log %}{{ request.user.password }}{% csrf_token %}",
    "%(count)d %s {0.__class__} ${7*7} #{7*7}",
    "<base href=//evil.example/><meta http-equiv=refresh content='0;url=//evil.example'>",
    "태그\U000e0068\U000e0069\U000e007f 글자",
    "\u202egnp.exe\u202c",
]
PER_ROW = 9
HOSTILE_LINK = "javascript:hit(11)"
FOREIGN_SCRIPTS = """[...document.scripts]
    .filter(one => one.type !== 'application/json')
    .filter(one => !/^\\/(static|admin\\/jsi18n)\\//.test(one.getAttribute('src') || ''))
    .map(one => one.outerHTML)"""
DANGEROUS = (
    "a[href^='javascript' i], a[href^='data' i], iframe, base, object, embed, "
    "[onerror], [onload], [onfocus], [onbegin], [onmouseover], [style*='display:none']"
)


def rows() -> list[str]:
    return [" ".join(PAYLOADS[start : start + PER_ROW]) for start in range(0, len(PAYLOADS), PER_ROW)]


def world(texts: list[str]) -> None:
    """Every text wherever a feed, a model or an editor may bring it to the queues."""
    now = timezone.now()
    asset = make_unit("hostile", texts[0][:200], summary=texts[1])
    for number, text in enumerate(texts):
        Alias.objects.create(unit=asset, surface=f"{text[:100]}{number}", ambiguous=True)
        source = make_source(f"h{number}", name=text[:120], url="https://hostile.example/rss")
        document = make_document(
            source, str(number), title=text[:500], summary=text[:300], author=text[:200], fetched_at=now,
            published_at=now - timedelta(hours=number),
        )  # fmt: skip
        surface = f"{text[:100]}{number}"
        Mention.objects.create(document=document, unit=asset, start=0, end=len(surface), surface=surface)
        one, other = (cluster(text, number) for _ in range(2))
        ClusterDocument.objects.create(cluster=one, document=document)
        PossibleMerge.objects.create(one=one, other=other, noted_at=now)
        Pulse.objects.create(
            key=str(number), asset=asset, direction="up", magnitude_pct=5.0, started_at=now, detected_at=now,
            horizon_hours=1, confidence=0.5, summary=text[:400], sources=[{"url": HOSTILE_LINK}, {"url": text}],
        )  # fmt: skip
        made_by_model(text)
    written(texts)


def cluster(text: str, number: int) -> EventCluster:
    at = timezone.now() - timedelta(hours=number)
    return EventCluster.objects.create(
        status=ClusterStatus.OPEN, label=text[:500], first_document_at=at, last_document_at=at
    )


def made_by_model(text: str) -> None:
    seed = SeedQuestion.objects.create(text=text[:300])
    answer = Answer.objects.create(
        question_hash=question_hash(seed.text), question=seed.text, lang="ko", created_at=timezone.now()
    )
    first, _second = (
        AnswerVersion.objects.create(
            answer=answer, mode="llm", model=text[:80], body=f"{part} {text}", prompt_version=text[:40],
            citations=[{"label": text, "url": HOSTILE_LINK, "type": "asset"}], evidence_fingerprint="0" * 64,
            generated_at=timezone.now(),
        )
        for part in ("하나", "둘")
    )  # fmt: skip
    answer.current = first
    answer.save()


def written(texts: list[str]) -> None:
    for number, text in enumerate(texts):
        fields = {"type": UnitType.CREATOR, "status": Status.PUBLISHED if number == 0 else Status.DRAFT}
        creator = make_unit(f"hc{number}", text[:200], summary=text, **fields)
        source = make_source(f"hv{number}", name=text[:120], creator=creator, kind="video")
        make_document(source, f"v{number}", title=text[:500])
        if number == 0:
            persona = Persona.objects.create(
                entity_id=creator.pk, glyph="<b>", voice=text, disclosure=text[:200], disclosure_en=text[:200]
            )
        PersonaPost.objects.create(persona=persona, slug=f"p{number}", body=text, published_at=timezone.now())


def pages() -> Iterator[str]:
    lists = ("eventcluster", "possiblemerge", "mention", "creator", "personapost", "pulse", "clusterdocument")
    for name in lists:
        yield f"/admin/knowledge/{name}/?q=hit" if name == "clusterdocument" else f"/admin/knowledge/{name}/"
    yield from ("/admin/ask/seedquestion/", "/admin/ask/answer/", "/admin/")
    first_ones = EventCluster.objects.filter(members__isnull=False)
    for row in (*first_ones, *PossibleMerge.objects.all(), *Mention.objects.all()):
        yield reverse(f"admin:knowledge_{row._meta.model_name}_change", args=[row.pk])
    for row in (*Creator.objects.all()[:2], *PersonaPost.objects.all()[:2], *Pulse.objects.all()[:2]):
        yield reverse(f"admin:knowledge_{row._meta.model_name}_change", args=[row.pk])
    for seed in SeedQuestion.objects.all():
        yield reverse("admin:ask_seedquestion_compare", args=[seed.pk])
    yield reverse("admin:ask_answer_change", args=[Answer.objects.all()[0].pk])


def test_nothing_of_a_hostile_text_runs_on_the_desk(live_server: object, browser: Browser) -> None:
    world(rows())
    address: str = live_server.url  # type: ignore[attr-defined]
    with editing(browser, address) as desk:
        page = desk.page
        for path in pages():
            desk.go(path)
            assert page.url == address + path, page.url
            assert page.locator("#content").is_visible(), path
            assert page.locator(DANGEROUS).count() == 0, path
            assert page.evaluate(FOREIGN_SCRIPTS) == [], path
        for name, action in (("eventcluster", "publish"), ("mention", "confirm"), ("personapost", "publish")):
            decide_all(desk, name, action)


def decide_all(desk: Watched, name: str, action: str) -> None:
    """The page that asks before a decision in bulk holds the same texts."""
    page = desk.page
    desk.go(f"/admin/knowledge/{name}/")
    page.locator("#action-toggle").check()
    page.locator("select[name=action]").first.select_option(action)
    page.get_by_role("button", name="실행").first.click()
    page.locator(".queue-effects").wait_for()
    desk.look()
    assert page.locator(DANGEROUS).count() == 0
