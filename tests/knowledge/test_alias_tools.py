"""Before an alias is saved: what it clashes with, what it would find. After: the documents that follow."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from knowledge.linking.collisions import Kind, Spelling, clashes, concerns, known_names
from knowledge.linking.store import link_documents
from knowledge.linking.trial import Trial, Why, try_sentence
from knowledge.models import Alias, Status, Unit, UnitType
from knowledge.normalise import normalise_alias
from knowledge.tasks import relink
from tests.factories.knowledge import make_document, make_source, make_unit

pytestmark = pytest.mark.django_db
ADD = "/admin/knowledge/alias/add/"


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


def named(surface: str, unit: int = 1, *, ambiguous: bool = False) -> Spelling:
    return Spelling(surface, normalise_alias(surface), unit, f"단위{unit}", ambiguous)


@pytest.mark.parametrize(
    ("surface", "other", "kind"),
    [
        ("비트 코인", "비트코인", Kind.SAME),
        ("USD.C 코인", "USDC코인", Kind.PUNCTUATION),
        ("비트코인은", "비트코인", Kind.PARTICLE),
        ("비트코인", "비트코인 골드러시", Kind.PART),
        ("bitcoin", "Bitcoin Silver", Kind.PART),
        ("폴리곤", "폴리콘", Kind.SIMILAR),
        ("ethereum", "etherium", Kind.SIMILAR),
    ],
)
def test_a_near_collision_with_another_unit_is_told_by_its_kind(surface: str, other: str, kind: Kind) -> None:
    found = concerns(named(surface), [named(other, 2)])
    assert kind in [concern.kind for concern in found]
    assert other in found[0].message
    assert concerns(named(surface, 2, ambiguous=True), [named(other, 2)]) == []


@pytest.mark.parametrize(
    ("surface", "other"),
    [("ETH코인즈", "tether"), ("eth", "tether"), ("LUNA1", "LUNA2"), ("솔라나", "이더리움")],
)
def test_names_that_no_text_confuses_are_left_alone(surface: str, other: str) -> None:
    assert concerns(named(surface), [named(other, 2)]) == []


def test_short_and_common_names_are_doubtful_until_marked_ambiguous() -> None:
    assert [concern.kind for concern in concerns(named("루나"), [])] == [Kind.SHORT]
    assert [concern.kind for concern in concerns(named("link"), [])] == [Kind.COMMON]
    assert concerns(named("루나", ambiguous=True), []) == []


def test_the_canon_s_names_are_its_active_aliases_and_labels() -> None:
    unit = make_unit(aliases=["BTC"])
    Alias.objects.create(unit=unit, surface="옛이름", active=False)
    make_unit("crash", "대폭락 사건", type=UnitType.EVENT)
    make_unit("gone", "철회한 것", status=Status.RETRACTED)
    make_unit("old", "옛 비트코인", merged_into=unit)
    assert {(name.surface, name.unit) for name in known_names()} == {
        ("BTC", unit.pk),
        ("비트코인", unit.pk),
        ("옛 비트코인", unit.pk),
    }


def test_the_overview_lists_every_clash_once() -> None:
    names = [
        named("폴리곤"),
        named("폴리콘", 2),
        named("코어체인"),
        named("코어 체인", 3),
        named("코어체인은", 4),
    ]
    found = {
        kind: [tuple(name.surface for name in clash) for clash in met] for kind, met in clashes(names).items()
    }
    assert ("코어체인", "코어 체인") in found[Kind.SAME]
    assert found[Kind.SIMILAR] == [("폴리곤", "폴리콘")]
    assert found[Kind.PARTICLE]


def trial(text: str, unit: Unit, *surfaces: str, **fields: Any) -> Trial:
    aliases = tuple(Alias(unit=unit, surface=surface, **fields) for surface in surfaces)
    return try_sentence(text, unit, aliases)


def test_a_sentence_shows_what_an_edit_gains_and_loses() -> None:
    unit = make_unit(aliases=["비코"])
    make_unit("eth", "이더리움")
    tried = trial("대장코인과 이더리움, 비코가 올랐다", unit, "대장코인")
    assert [(row.surface, row.change) for row in tried.rows] == [
        ("대장코인", "gained"),
        ("이더리움", "same"),
        ("비코", "lost"),
    ]
    assert "".join(text for text, _spot in tried.pieces) == "대장코인과 이더리움, 비코가 올랐다"


def test_a_sentence_tells_why_a_name_does_not_count() -> None:
    unit = make_unit("luna", "테라루나")
    why = {
        "달이 밝다. 루나": trial("달이 밝다. 루나", unit, "루나", ambiguous=True),
        "달의 여신 루나 코인": trial("달의 여신 루나 코인", unit, "루나", blocked_contexts=["여신"]),
        "루나코인 시세와 루나": trial("루나코인 시세와 루나", unit, "루나", ambiguous=True),
        "루나틱": trial("루나틱", unit, "루나"),
    }
    reasons = {text: tried.rows[0].after.why for text, tried in why.items() if tried.rows[0].after}
    assert reasons == {
        "달이 밝다. 루나": Why.LACKING,
        "달의 여신 루나 코인": Why.BLOCKED,
        "루나코인 시세와 루나": Why.EVIDENCE,
        "루나틱": Why.BOUNDARY,
    }
    blocked = why["달의 여신 루나 코인"].rows[0].after
    assert blocked is not None
    assert "여신" in blocked.reason


def test_an_asset_within_a_topics_name_is_shown_as_found() -> None:
    unit = make_unit()
    make_unit("halving", "비트코인 반감기", type=UnitType.TOPIC)
    tried = trial("비트코인 반감기가 지났다", unit)
    linked = [(row.surface, row.after.linked) for row in tried.rows if row.after]
    assert linked == [("비트코인", True), ("비트코인 반감기", True)]
    assert "".join(text for text, _spot in tried.pieces) == "비트코인 반감기가 지났다"


def test_a_draft_s_names_are_tried_as_if_it_were_public() -> None:
    unit = make_unit("new", "새코인입니다", status=Status.DRAFT)
    tried = trial("새코인입니다 상장", unit)
    assert [(row.change, row.before) for row in tried.rows] == [("gained", None)]


@pytest.mark.parametrize(
    "text", ["비트코인캐시와 비트코인(BTC), 이더", "한국 은행과 한국은행", "SOL ONE 루나 코인 시세", ""]
)
def test_a_trial_without_an_edit_finds_what_the_service_finds(text: str) -> None:
    from knowledge.linking.gazetteer import newest_gazetteer

    btc = make_unit(aliases=["BTC"])
    make_unit("bch", "비트코인캐시", aliases=["BCH"])
    make_unit("eth", "이더리움", aliases=["이더", "ETH"])
    make_unit("bok", "한국은행", type=UnitType.ORGANISATION)
    make_unit("luna", "루나", aliases=["LUNA"])
    make_unit("sol", "솔라나", aliases=["SOL"])
    tried = try_sentence(text, btc, list(btc.aliases.all()))
    service = [(one.unit, one.surface) for one in newest_gazetteer().linker.find(text)]
    assert [(spot.unit.pk, piece) for piece, spot in tried.pieces if spot] == service
    assert tried.changes == 0


def test_saving_a_doubtful_alias_takes_one_more_tick(desk: Client) -> None:
    unit = make_unit()
    make_unit("bch", "비트코인캐시")
    form = {"unit": unit.pk, "surface": "비트코인케시", "lang": "", "blocked_contexts": "[]", "active": "on"}
    page = desk.post(ADD, form).content.decode()
    assert "비트코인캐시" in page
    assert not Alias.objects.exists()
    tick = re.search(r'name="accepted_warnings" value="(\w+)"', page)
    assert tick is not None
    other = desk.post(ADD, form | {"surface": "루나", "accepted_warnings": tick.group(1)})
    assert other.status_code == 200, "a tick covers only what was shown"
    assert desk.post(ADD, form | {"accepted_warnings": tick.group(1)}).status_code == 302
    assert Alias.objects.get().surface == "비트코인케시"


def unit_form(unit: Unit, *rows: dict[str, str]) -> dict[str, Any]:
    form: dict[str, Any] = {
        "label": unit.label,
        "symbol": "",
        "summary": "",
        "summary_en": "",
        "website": "",
        "aliases-TOTAL_FORMS": len(rows),
        "aliases-INITIAL_FORMS": 0,
        "relations_from-TOTAL_FORMS": 0,
        "relations_from-INITIAL_FORMS": 0,
    }
    for at, row in enumerate(rows):
        fields = {"lang": "", "blocked_contexts": "[]", "active": "on", "unit": str(unit.pk)} | row
        form |= {f"aliases-{at}-{name}": value for name, value in fields.items()}
    return form


def test_a_unit_s_page_tries_a_sentence_and_saves_nothing(desk: Client) -> None:
    unit = make_unit()
    address = f"/admin/knowledge/entity/{unit.pk}/change/"
    tried = unit_form(unit, {"surface": "대장코인"}) | {
        "try_sentence": "<b>대장코인</b>이 올랐다",
        "_try": "1",
    }
    page = desk.post(address, tried).content.decode()
    assert "<mark" in page
    assert "&lt;b&gt;" in page
    assert "errornote" not in page
    assert not Alias.objects.exists()
    assert 'value="대장코인"' in page, "the edit is still in the form"


def test_saved_aliases_say_how_many_documents_follow_and_what_came_of_it(desk: Client) -> None:
    unit = make_unit()
    source = make_source()
    for number, title in enumerate(("대장 코인이 올랐다", "대장코인 시세", "날씨")):
        make_document(source, str(number), title=title)
    address = f"/admin/knowledge/entity/{unit.pk}/change/"
    page = desk.post(address, unit_form(unit, {"surface": "대장코인"}), follow=True).content.decode()
    assert "문서 2건을 다시 잇습니다" in page
    outcome = f"/admin/knowledge/alias/{Alias.objects.get().pk}/relinking/"
    assert outcome in page
    assert desk.get(outcome).content.decode().count(">안 이어짐<") == 2
    relink()
    assert desk.get(outcome).content.decode().count(">이어짐<") == 2


def test_the_overview_page_names_clashing_units(desk: Client) -> None:
    make_unit("a", "코어체인")
    topic = make_unit("b", "코어 체인", type=UnitType.TOPIC)
    page = desk.get("/admin/knowledge/alias/collisions/").content.decode()
    assert f"/admin/knowledge/topic/{topic.pk}/change/" in page


def test_files_need_their_permissions(client: Client) -> None:
    reader = User.objects.create_user("reader", "", "-", is_staff=True)
    reader.user_permissions.add(*Permission.objects.filter(codename__in=("view_entity", "view_alias")))
    client.force_login(reader)
    for kind in ("entity", "alias"):
        assert client.post(f"/admin/knowledge/{kind}/process_import/").status_code == 403
        for page in ("import", "export"):
            assert client.get(f"/admin/knowledge/{kind}/{page}/").status_code == 403
            assert client.post(f"/admin/knowledge/{kind}/{page}/").status_code == 403
            assert f"{kind}/{page}/" not in client.get(f"/admin/knowledge/{kind}/").content.decode()


def test_linking_agrees_with_what_a_trial_promised() -> None:
    unit = make_unit()
    document = make_document(make_source(crypto=False), title="대장코인과 이더리움")
    assert trial(document.text, unit, "대장코인").changes == 1
    Alias.objects.create(unit=unit, surface="대장코인")
    link_documents([document])
    assert [mention.surface for mention in document.mentions.all()] == ["대장코인"]


def test_the_names_of_a_new_topic_are_compared_with_those_of_other_topics(desk: Client) -> None:
    make_unit("etf", "현물 ETF", type=UnitType.TOPIC, aliases=["상장지수펀드"])
    form = unit_form(Unit(label="펀드"), {"surface": "상장지수 펀드", "unit": ""}) | {"slug": "fund"}
    refused = desk.post("/admin/knowledge/topic/add/", form)
    assert "이미 현물 ETF" in refused.content.decode()
    made = desk.post("/admin/knowledge/topic/add/", form | {"aliases-0-surface": "국부 기금 운용단"})
    assert made.status_code == 302
    assert Unit.objects.get(slug="fund").type == UnitType.TOPIC


def test_blocking_contexts_are_words_on_one_line(desk: Client) -> None:
    unit = make_unit()
    address = f"/admin/knowledge/entity/{unit.pk}/change/"
    rows = (
        {"surface": "대장코인", "blocked_contexts": "여신 | 달의 신"},
        {"surface": "으뜸토큰", "blocked_contexts": ""},
    )
    assert desk.post(address, unit_form(unit, *rows)).status_code == 302
    assert dict(unit.aliases.values_list("surface", "blocked_contexts")) == {
        "대장코인": ["여신", "달의 신"],
        "으뜸토큰": [],
    }
    shown = re.findall(
        r'<input[^>]*name="aliases-\d-blocked_contexts"[^>]*>', desk.get(address).content.decode()
    )
    assert [re.search(r'value="([^"]*)"', field) is not None for field in shown] == [True, False, False]
    assert 'value="여신 | 달의 신"' in "".join(shown)
    refused = desk.post(address, unit_form(unit, {"surface": "달", "blocked_contexts": "[1"}))
    assert "세로줄로 나눈 낱말" in refused.content.decode()
