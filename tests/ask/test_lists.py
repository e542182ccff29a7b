"""Questions that want a list: it comes from categories, countries and relations, each unit cited."""

import pytest

from ask import drafts
from ask.evidence import gather
from ask.lists import units_listed
from ask.questions import read
from knowledge.models import Relation, RelationKind, Unit, UnitType
from knowledge.search import indexing
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> None:
    names = {
        "upbit": "업비트",
        "bithumb": "빗썸",
        "kraken": "크라켄",
        "kbank": "케이뱅크",
        "dunamu": "두나무",
    }
    for slug, label in names.items():
        make_unit(
            slug,
            label,
            type=UnitType.COMPANY,
            category={"kbank": "bank", "dunamu": "fintech"}.get(slug, "exchange"),
            country="US" if slug == "kraken" else "KR",
            summary=f"{label}의 지어낸 첫 문장이다. 다음 문장이다.",
            aliases=[slug.title()],
        )
    upbit, dunamu = (Unit.objects.get(slug=slug) for slug in ("upbit", "dunamu"))
    Relation.objects.create(subject=dunamu, kind=RelationKind.OPERATES, object=upbit)
    leader = make_unit("leader", "도연우", type=UnitType.PERSON, summary="도연우는 지어낸 대표이다.")
    Relation.objects.create(subject=leader, kind=RelationKind.LEADS, object=dunamu)
    indexing.refresh_everything()


@pytest.mark.usefixtures("world")
def test_a_list_is_what_the_records_say_and_nothing_else_is_a_list() -> None:
    wanted = {
        "한국 거래소 목록": {"upbit", "bithumb"},
        "국내 거래소는 어떤 곳이 있나요?": {"upbit", "bithumb"},
        "Korean exchanges list": {"upbit", "bithumb"},
        "거래소 목록": {"upbit", "bithumb", "kraken"},
        "한국 은행 목록": {"kbank"},
        "두나무가 운영하는 거래소": {"upbit"},
        "업비트를 운영하는 회사의 대표는 누구야?": {"leader"},
        "업비트 운영사 대표": {"leader"},
        "CEO of the firm that runs Upbit": {"leader"},
        "두나무 대표": set(),
        "두나무 대표의 학력": set(),
        "거래소 종류": set(),
        "거래소 해킹 목록": set(),
        "한국 거래소 수수료는 얼마야?": set(),
        "which exchanges were hacked?": set(),
        "두나무": set(),
    }
    found = {question: {unit.slug for unit in units_listed(read(question)).units} for question in wanted}
    assert found == wanted
    asked = read("한국 거래소 목록")
    draft = drafts.compose(asked, gather(asked, now=NOON))
    assert {citation["url"] for citation in draft.citations} == {"/entity/upbit", "/entity/bithumb"}
    assert "업비트의 지어낸 첫 문장이다. [" in draft.body
    assert "다음 문장이다" not in draft.body


@pytest.mark.usefixtures("world")
def test_a_long_list_says_how_much_of_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = read("거래소 목록")
    assert "가운데" not in drafts.compose(asked, gather(asked, now=NOON)).body
    monkeypatch.setattr("ask.lists.LISTED_MAX", 2)
    draft = drafts.compose(asked, gather(asked, now=NOON))
    assert draft.body.startswith(f"모두 3개 가운데 2개입니다.\n\n{drafts.LEADS['ko']}")
    assert len(draft.citations) == 2


@pytest.mark.usefixtures("world")
def test_a_sentence_that_names_all_members_is_the_list_and_its_record_the_source() -> None:
    club = make_unit(
        "club",
        "마루협의체",
        type=UnitType.ORGANISATION,
        summary="마루협의체는 지어낸 모임이다. 마루협의체에는 업비트와 빗썸이 참여한다.",
    )
    for slug in ("upbit", "bithumb"):
        member = Unit.objects.get(slug=slug)
        Relation.objects.create(subject=member, kind=RelationKind.MEMBER_OF, object=club)
    indexing.refresh_everything()
    asked = read("마루협의체 회원사 목록")
    draft = drafts.compose(asked, gather(asked, now=NOON))
    assert draft.body == f"{drafts.LEADS['ko']}\n\n마루협의체에는 업비트와 빗썸이 참여한다. [1]"
    assert [citation["url"] for citation in draft.citations] == ["/entity/club"]

    kraken = Unit.objects.get(slug="kraken")
    Relation.objects.create(subject=kraken, kind=RelationKind.MEMBER_OF, object=club)
    draft = drafts.compose(asked, gather(asked, now=NOON))
    assert {citation["url"] for citation in draft.citations} == {
        "/entity/upbit",
        "/entity/bithumb",
        "/entity/kraken",
    }
