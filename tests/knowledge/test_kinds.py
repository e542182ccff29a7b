"""What kind of thing a unit is, and how units stand to each other."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client

from knowledge import curation
from knowledge.canon import loader
from knowledge.models import (
    CATEGORIES_OF,
    COUNTRIES,
    ENTITY_TYPES,
    INVERSE_OF,
    Category,
    Relation,
    RelationKind,
    Status,
    Unit,
    UnitType,
)
from knowledge.queries.relations import relations_of
from tests.factories.knowledge import NOON, make_unit

pytestmark = pytest.mark.django_db
OWNED = RelationKind.SUBSIDIARY_OF
RECORD: dict[str, Any] = {
    "type": "company",
    "slug": "upbit",
    "label": "업비트",
    "summary": "지어낸 설명이다.",
    "aliases": [],
}
KIND = {"category": "exchange", "country": "KR"}


def company(slug: str, **fields: Any) -> Unit:
    return make_unit(slug, slug.upper(), type=UnitType.COMPANY, **fields)


def relate(subject: Unit, kind: str, object: Unit, **fields: Any) -> Relation:
    return Relation.objects.create(subject=subject, kind=kind, object=object, **fields)


def seen(unit: Unit) -> list[tuple[str, str]]:
    return [(str(one.kind), one.other.slug) for one in relations_of(unit)]


def test_every_type_of_entity_has_categories_and_every_category_a_type() -> None:
    assert set(CATEGORIES_OF) == set(ENTITY_TYPES)
    assert frozenset[Category]().union(*CATEGORIES_OF.values()) == set(Category)
    assert len(COUNTRIES) == 249
    assert COUNTRIES["KR"] == ("한국", "South Korea")
    assert set(INVERSE_OF) == set(RelationKind)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"type": UnitType.ASSET, "category": "bank"}, "category"),
        ({"type": UnitType.TOPIC, "category": "bank"}, "category"),
        ({"type": UnitType.COMPANY, "category": "pub"}, "category"),
        ({"type": UnitType.COMPANY, "country": "XX"}, "country"),
        ({"type": UnitType.TOPIC, "country": "KR"}, "country"),
    ],
)
def test_a_kind_must_be_known_and_fit_the_type(fields: dict[str, str], wrong: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Unit(slug="one", label="하나", **fields).full_clean()
    assert wrong in refused.value.message_dict


def test_both_ends_see_a_relation_while_both_are_public() -> None:
    upbit, dunamu = company("upbit"), company("dunamu")
    relation = relate(dunamu, RelationKind.OPERATES, upbit, started="2017-10")
    assert (seen(dunamu), seen(upbit)) == ([("operates", "upbit")], [("operated_by", "dunamu")])
    Unit.objects.filter(pk=upbit.pk).update(status=Status.RETRACTED)
    assert seen(dunamu) == seen(upbit) == []
    Unit.objects.filter(pk=upbit.pk).update(status=Status.PUBLISHED)
    Relation.objects.filter(pk=relation.pk).update(withdrawn=True)
    assert seen(dunamu) == []


def test_a_relation_follows_the_survivors() -> None:
    upbit, old, dunamu = company("upbit"), company("old-upbit"), company("dunamu")
    relate(dunamu, RelationKind.OPERATES, old)
    Unit.objects.filter(pk=old.pk).update(merged_into=upbit)
    assert (seen(dunamu), seen(upbit)) == ([("operates", "upbit")], [("operated_by", "dunamu")])
    # What was said of the merged unit is said of its survivor already; of one unit to itself nothing is.
    with pytest.raises(ValidationError):
        relate(dunamu, RelationKind.OPERATES, upbit)
    Unit.objects.filter(pk=dunamu.pk).update(merged_into=upbit)
    assert seen(upbit) == []


def test_what_cannot_be_is_refused_whoever_saves_it() -> None:
    one, two, three = company("one"), company("two"), company("three")
    relate(one, OWNED, two)
    relate(two, OWNED, three)
    coin = make_unit()
    for subject, kind, object, dates in (
        (three, OWNED, one, {}),
        (two, OWNED, one, {}),
        (one, OWNED, one, {}),
        (one, OWNED, two, {}),
        (coin, RelationKind.ISSUES, one, {}),
        (one, "owns", two, {}),
        (one, RelationKind.ISSUES, coin, {"started": "2020", "ended": "2019-12"}),
    ):
        with pytest.raises(ValidationError):
            relate(subject, kind, object, **dates)
    # Through what a unit was merged into as well.
    alias = company("alias", merged_into=one)
    with pytest.raises(ValidationError):
        relate(three, OWNED, alias)
    assert Relation.objects.count() == 2


def test_no_merge_closes_a_circle_of_owners() -> None:
    one, two, three, four = (company(slug) for slug in ("one", "two", "three", "four"))
    relate(one, OWNED, two)
    relate(two, OWNED, three)
    relate(three, OWNED, four)
    with pytest.raises(curation.CurationError, match="돌고 돕니다"):
        curation.merge(four, two, now=NOON)
    assert not Unit.objects.filter(merged_into__isnull=False).exists()
    # A subsidiary may become one with what owns it: of one unit to itself nothing is said.
    curation.merge(one, two, now=NOON)
    assert seen(two) == [("subsidiary_of", "three")]
    one.refresh_from_db()
    with pytest.raises(ValidationError, match="돌고 돕니다"):
        relate(four, OWNED, one)


def test_the_loader_knows_a_relation_again_after_its_ends_were_merged() -> None:
    dunamu, upbit, survivor = (company(slug) for slug in ("dunamu", "upbit", "survivor"))
    records = [{"subject": "entity:dunamu", "kind": "operates", "object": "entity:upbit", "started": "2017"}]
    assert loader.load([{"relations": records}], now=NOON)["relations"] == {"created": 1}
    curation.merge(upbit, survivor, now=NOON)
    assert loader.load([{"relations": records}], now=NOON)["relations"] == {"unchanged": 1}
    curation.merge(dunamu, survivor, now=NOON)
    assert loader.load([{"relations": records}], now=NOON)["relations"] == {"kept": 1}
    circle = [
        {"subject": f"entity:{below}", "kind": "subsidiary_of", "object": f"entity:{above}"}
        for below, above in (("a", "b"), ("b", "c"), ("c", "a"))
    ]
    for slug in ("a", "b", "c"):
        company(slug)
    with pytest.raises(loader.CanonError, match=r"entity:c.*돌고 돕니다"):
        loader.load([{"relations": circle}], now=NOON)
    assert Relation.objects.count() == 1


def test_a_relation_changes_what_readers_see_of_both_ends() -> None:
    upbit, dunamu = company("upbit"), company("dunamu")
    Unit.objects.update(document_count=1)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DELETE FROM knowledge_change")
        relate(dunamu, RelationKind.OPERATES, upbit)
        cursor.execute("SELECT DISTINCT scope FROM knowledge_change")
        assert cursor.fetchall() == [("entity",)]


def test_units_of_before_get_their_kind_once_and_an_editors_stays() -> None:
    loader.load([{"units": [RECORD, {**RECORD, "slug": "bithumb"}]}], now=NOON)
    edited = Unit.objects.get(slug="bithumb")
    edited.category, edited.summary = "fintech", "편집자의 설명이다."
    edited.save()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with connection.schema_editor() as editor:
        import_module("knowledge.migrations.0044_kinds_of_the_canon").fill(apps, editor)
    upbit = Unit.objects.get(slug="upbit")
    assert (upbit.category, upbit.country) == ("exchange", "KR")
    assert Unit.objects.get(slug="bithumb").category == "fintech"
    assert {one.category for one in upbit.history.all()} == {"exchange"}
    newer = [{**RECORD, **KIND}, {**RECORD, **KIND, "slug": "bithumb"}]
    assert loader.load([{"units": newer}], now=NOON)["units"] == {"updated": 1, "kept": 1}
    # Once the loader wrote it, an editor's other word is an edit.
    Unit.objects.filter(slug="upbit").update(category="fintech")
    assert loader.load([{"units": newer}], now=NOON)["units"] == {"kept": 2}
    assert set(Unit.objects.values_list("category", flat=True)) == {"fintech"}


@pytest.mark.parametrize("wrong", [{"category": "memecoin"}, {"country": "UK"}])
def test_a_record_of_an_unknown_kind_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(loader.CanonError, match=r"upbit.*(memecoin|UK)"):
        loader.load([{"units": [{**RECORD, **wrong}]}], now=NOON)


def test_a_listing_is_narrowed_by_category_and_country(client: Client) -> None:
    for slug in ("upbit", "bithumb"):
        company(slug, category="exchange", country="KR")
    company("kraken", category="exchange", country="US")
    company("kbank", category="bank", country="KR")
    page = client.get("/entity?category=exchange&country=kr")
    content = page.content.decode()
    assert [
        slug in content for slug in ("/entity/upbit", "/entity/bithumb", "/entity/kraken", "/entity/kbank")
    ] == [
        *(True, True),
        *(False, False),
    ]
    assert 'name="robots" content="noindex' in content
    assert 'href="/entity?category=exchange&amp;country=US"' in content
    assert client.get("/en/entity?country=KR").status_code == 200
    unknown = client.get("/entity?category=pub&country=KR")
    assert unknown.status_code == 400
    assert "category=pub" in unknown.content.decode()
    assert "/entity?category=bank" in unknown.content.decode()
    assert client.get("/topic?category=exchange").status_code == 200
    for query, known in (
        ("type=pub", "company, organisation, person, product"),
        ("category=chain2", "stock_exchange"),
        ("country=XX", "ISO 3166-1"),
    ):
        refused = client.get(f"/entity?{query}")
        assert (refused.status_code, known in refused.content.decode()) == (400, True)
    assert "stablecoin" in client.get("/asset?category=nothing").content.decode()
    assert "stock_exchange" not in client.get("/asset?category=nothing").content.decode()


def test_a_unit_tells_its_kind_and_relations_everywhere(client: Client) -> None:
    dunamu = company("dunamu", category="fintech", country="KR", label_en="Dunamu Inc")
    founder = make_unit("song", "송치형", type=UnitType.PERSON, category="founder", country="KR")
    relate(founder, RelationKind.FOUNDER_OF, dunamu, started="2012")
    page = client.get("/entity/dunamu").content.decode()
    assert "창업자" in page
    assert '<a href="/entity/song">송치형</a>' in page
    assert 'href="/entity?category=fintech"' in page
    assert '"addressCountry":"KR"' in page
    assert '"founder":[{' in page
    assert "Founder" in client.get("/en/entity/dunamu").content.decode()
    assert "founded_by, 2012" in client.get("/entity/dunamu.md").content.decode()
    record = client.get("/api/units/entity:song.json").json()
    assert (record["category"], record["country"]) == ("founder", "KR")
    assert record["relations"] == [
        {
            "kind": "founder_of",
            "id": "entity:dunamu",
            "label": "DUNAMU",
            "labelEn": "Dunamu Inc",
            "url": "/entity/dunamu",
            "from": "2012",
            "to": None,
            "reference": None,
        }
    ]


def test_a_circle_is_refused_at_the_desk_and_a_withdrawn_relation_stays(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    one, two = company("one"), company("two")
    relate(one, OWNED, two)
    posted = {"label": two.label, "category": "company", "country": "KR"}
    posted |= {f"aliases-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    posted |= {"relations_from-TOTAL_FORMS": "1", "relations_from-INITIAL_FORMS": "0"}
    posted |= {f"relations_from-0-{name}": value for name, value in {"kind": OWNED, "object": one.pk}.items()}
    refused = client.post(f"/admin/knowledge/entity/{two.pk}/change/", posted)
    assert '<option value="exchange">' in refused.content.decode()
    assert '<option value="memecoin">' not in refused.content.decode()
    assert "돌고 돕니다" in refused.content.decode()
    posted["relations_from-0-kind"] = RelationKind.MEMBER_OF
    assert client.post(f"/admin/knowledge/entity/{two.pk}/change/", posted).status_code == 302
    assert set(seen(two)) == {("member_of", "one"), ("parent_of", "one")}
    records = [{"subject": "entity:one", "kind": OWNED.value, "object": "entity:two"}]
    Relation.objects.update(withdrawn=True)
    assert loader.load([{"relations": records}], now=NOON)["relations"] == {"kept": 1}
    assert seen(one) == []


def test_editors_see_who_said_a_relation_and_withdraw_it_by_its_own_form(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    one, two = company("one"), company("two")
    relation = relate(one, OWNED, two, started="2020")
    form = f"/admin/knowledge/relation/{relation.pk}/change/"
    # Its ends, its kind and its start are what files know it by.
    posted = {"subject": two.pk, "kind": "member_of", "object": one.pk, "started": "1999", "withdrawn": "on"}
    assert client.post(form, posted).status_code == 302
    relation.refresh_from_db()
    assert (relation.subject, relation.kind, relation.started, relation.withdrawn) == (
        *(one, OWNED, "2020"),
        True,
    )
    history = client.get(f"/admin/knowledge/relation/{relation.pk}/history/").content.decode()
    assert "거둠" in history
    assert "editor" in history
    for end in (one, two):
        page = client.get(f"/admin/knowledge/entity/{end.pk}/history/").content.decode()
        assert f"/admin/knowledge/relation/{relation.pk}/history/" in page
    first = relation.history.last()
    assert client.post(f"/admin/knowledge/relation/{relation.pk}/history/{first.pk}/").status_code == 302
    assert seen(one) == [("subsidiary_of", "two")]
    assert client.post(f"/admin/knowledge/relation/{relation.pk}/delete/").status_code == 403
