"""An editor decides: a candidate becomes a page, a seed's answer is made, compared and accepted; both are undone."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, expect

from ask.models import SeedQuestion
from knowledge.linking.store import link_documents
from knowledge.models import ClusterDocument, ClusterStatus, EventCluster, PossibleMerge, Unit
from knowledge.search.indexing import index_units
from tests.browser.editing import Watched, editing
from tests.factories.knowledge import make_document, make_source
from tests.factories.world import QUESTION, World

pytestmark = pytest.mark.slow


@pytest.fixture
def desk(site: tuple[str, World], browser: Browser) -> Iterator[Watched]:
    address, _world = site
    with editing(browser, address) as watched:
        yield watched


def candidate(number: int) -> EventCluster:
    at = timezone.now() - timedelta(hours=number)
    cluster = EventCluster.objects.create(
        status=ClusterStatus.OPEN,
        label=f"마루코인 상장 소식 {number}",
        first_document_at=at,
        last_document_at=at,
    )
    for outlet in ("아침일보", "저녁일보"):
        source = make_source(f"{number}-{outlet == '아침일보'}", name=outlet)
        document = make_document(
            source, outlet, title=f"마루코인 상장 {outlet} {number}", published_at=at, fetched_at=at
        )
        ClusterDocument.objects.create(cluster=cluster, document=document)
        link_documents([document])
    return cluster


def test_a_candidate_is_published_seen_and_undone(desk: Watched) -> None:
    first, _second = candidate(1), candidate(2)
    page = desk.page
    desk.go("/admin/")
    desk.click(page.get_by_role("link", name="사건 후보").first)
    desk.click(page.locator("#result_list").get_by_role("link", name="마루코인 상장 소식 1"))
    expect(page.locator(".queue-effect-box")).to_contain_text("문서 2건")
    expect(page.locator(".queue-members")).to_contain_text("아침일보")
    page.get_by_label("이름", exact=False).first.fill("마루코인, 새벽거래소에 상장")
    page.get_by_label("주소", exact=False).first.fill("2026-11-21-maru-dawn")
    desk.click(page.locator(".select2-selection--multiple"))
    page.locator(".select2-search__field").first.fill("도연우")
    desk.click(page.locator(".select2-results__option", has_text="도연우"))
    desk.click(page.get_by_role("button", name="공개하고 다음").first)
    # The next one stands there already.
    expect(page.get_by_role("heading", level=1)).to_have_text("마루코인 상장 소식 2")
    with page.expect_popup() as shown:
        desk.click(page.locator(".messagelist").get_by_role("link", name="마루코인, 새벽거래소에 상장"))
    public = shown.value
    assert public.url.endswith("/event/2026-11-21-maru-dawn")
    expect(public.get_by_role("heading", level=1)).to_have_text("마루코인, 새벽거래소에 상장")
    expect(public.get_by_role("main")).to_contain_text("마루코인 상장 저녁일보 1")
    expect(public.get_by_role("main")).to_contain_text("도연우")
    desk.click(page.locator(".messagelist").get_by_role("button", name="되돌리기"))
    expect(page.locator(".messagelist")).to_contain_text("되돌렸습니다")
    first.refresh_from_db()
    assert first.status == ClusterStatus.OPEN
    assert not Unit.objects.published().filter(slug="2026-11-21-maru-dawn").exists()


def test_a_seed_is_answered_compared_accepted_and_undone(desk: Watched, site: tuple[str, World]) -> None:
    page, asset = desk.page, site[1].asset
    asset.summary = "마루코인의 발행 상한은 4억 개이고, 해마다 보상이 줄어든다."
    asset.save()
    index_units([asset.pk])
    seed = SeedQuestion.objects.get(text=QUESTION)
    before = seed.answer
    assert before is not None
    desk.go("/admin/")
    desk.click(page.get_by_text("모든 목록"))
    desk.click(page.get_by_role("link", name="시드 질문", exact=True))
    desk.click(page.get_by_role("link", name="답하기", exact=True))
    desk.click(page.get_by_role("button", name="지금 다시 답하기"))
    expect(page.locator(".queue-answer")).to_have_count(2)
    expect(page.locator(".queue-answer ins").first).to_be_visible()
    desk.click(page.get_by_role("button", name="새 답변을 공개하고 다음"))
    expect(page.locator(".messagelist")).to_contain_text("새 답변을 공개했습니다.")
    after = seed.answer
    assert after is not None
    assert after.current_id != before.current_id
    desk.click(page.locator(".messagelist").get_by_role("button", name="되돌리기"))
    expect(page.locator(".messagelist")).to_contain_text("되돌렸습니다")
    again = seed.answer
    assert again is not None
    assert again.current_id == before.current_id
    desk.click(page.get_by_role("button", name="지금 답변을 두고 다음"))
    expect(page.get_by_role("main")).to_contain_text("비교할 새 답변이 없습니다")


def test_pairs_and_many_candidates_are_decided_without_script(
    site: tuple[str, World], browser: Browser
) -> None:
    address, _world = site
    one, two, three = candidate(1), candidate(2), candidate(3)
    PossibleMerge.objects.create(one=one, other=two, noted_at=timezone.now())
    with editing(browser, address, java_script_enabled=False) as desk:
        page = desk.page
        desk.go("/admin/knowledge/possiblemerge/")
        desk.click(page.locator("#result_list tbody th a"))
        expect(page.locator(".queue-columns section")).to_have_count(2)
        desk.click(page.get_by_role("button", name="다른 사건"))
        desk.go("/admin/knowledge/eventcluster/")
        for box in page.locator("input.action-select").all():
            desk.click(box)
        page.locator("select[name=action]").select_option("reject")
        desk.click(page.get_by_role("button", name="실행"))
        expect(page.locator(".queue-effects > li")).to_have_count(3)
        page.get_by_label("이유").fill("시험")
        desk.click(page.get_by_role("button", name="모두 기각"))
        expect(page.locator(".messagelist")).to_contain_text("3건을 기각했습니다.")
    three.refresh_from_db()
    assert (three.status, three.reason) == (ClusterStatus.REJECTED, "시험")
