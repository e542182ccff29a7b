"""The desk's queue of markets that the canon lacks, and the list of those it has."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from desk.queues import queues
from knowledge.models import Market, MarketCandidate, Venue
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db

LIST = reverse("admin:knowledge_marketcandidate_changelist")


@pytest.fixture
def candidate() -> MarketCandidate:
    return MarketCandidate.objects.create(
        venue=Venue.UPBIT,
        symbol="KRW-MADANG",
        name="<b>마당</b>",
        reason="이 심볼을 쓰는 자산이 정본에 없습니다.",
        first_seen_at=NOON,
    )


def page_of(candidate: MarketCandidate) -> str:
    return reverse("admin:knowledge_marketcandidate_change", args=[candidate.pk])


def test_the_desk_says_which_markets_the_canon_lacks(
    candidate: MarketCandidate, admin_user: User, admin_client: Client
) -> None:
    assert {queue.url: queue.count for queue in queues(admin_user, now=NOON)}[LIST] == 1
    assert "KRW-MADANG" in admin_client.get(LIST).content.decode()
    make_unit("madang", "마당코인", symbol="MADANG", status="draft")
    page = admin_client.get(page_of(candidate)).content.decode()
    assert "<b>마당" not in page
    assert "asset:madang" in page


def test_an_editor_opens_it_for_an_asset(candidate: MarketCandidate, admin_client: Client) -> None:
    asset = make_unit("madang", "마당코인", symbol="MDG")
    answer = admin_client.post(page_of(candidate), {"_open": "1", "asset": asset.pk}, follow=True)
    assert answer.redirect_chain[-1][0] == LIST
    assert (Market.objects.get().symbol, Market.objects.get().asset) == ("KRW-MADANG", asset)
    assert not MarketCandidate.objects.exists()


def test_without_an_asset_the_form_says_so(candidate: MarketCandidate, admin_client: Client) -> None:
    answer = admin_client.post(page_of(candidate), {"_open": "1"})
    assert "errorlist" in answer.content.decode()
    assert MarketCandidate.objects.awaiting().exists()


def test_a_dismissed_candidate_can_be_called_back(candidate: MarketCandidate, admin_client: Client) -> None:
    admin_client.post(page_of(candidate), {"_dismiss": "1"})
    assert not MarketCandidate.objects.awaiting().exists()
    admin_client.post(reverse("admin:knowledge_marketcandidate_undo"), {"row": candidate.pk})
    assert MarketCandidate.objects.awaiting().get() == candidate


def test_the_list_of_markets_takes_as_many_queries_for_many(
    admin_client: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    asset = make_unit("madang", "마당코인")
    Market.objects.bulk_create(
        Market(venue=Venue.UPBIT, symbol=f"KRW-C{number}", asset=asset, warnings=["WARNING"])
        for number in range(60)
    )
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        page = admin_client.get(reverse("admin:knowledge_market_changelist")).content.decode()
    assert page.count("WARNING") == 60
