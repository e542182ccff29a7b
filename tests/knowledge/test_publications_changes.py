"""What the database notes of a change, and what it keeps true by itself, whoever writes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from knowledge.models import (
    Alias,
    EventUnit,
    OutboxEntry,
    Persona,
    PersonaPost,
    Pulse,
    Status,
    Unit,
    UnitType,
)
from tests.factories.knowledge import NOON, make_persona, make_pulse, make_unit

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def old_unit(slug: str = "btc", **fields: Any) -> Unit:
    return make_unit(slug, fields.pop("label", f"이름 {slug}"), updated_at=LONG_AGO, **fields)


def units(**filters: Any) -> Any:
    return Unit.objects.filter(**filters)


def noted() -> set[tuple[str, bool]]:
    """The pending changes as (scope, counts only), forgotten once read."""
    changes = set(OutboxEntry.objects.values_list("scope", "counts_only"))
    OutboxEntry.objects.all().delete()
    return changes


def updated_at(unit: Unit) -> datetime:
    return Unit.objects.values_list("updated_at", flat=True).get(pk=unit.pk)


@contextmanager
def touched(*expected: Unit) -> Iterator[None]:
    """Inside, exactly these units get a new ``updated_at``."""
    before = dict(units().values_list("pk", "updated_at"))
    yield
    after = dict(units().values_list("pk", "updated_at"))
    assert {pk for pk in before if after.get(pk, before[pk]) != before[pk]} == {unit.pk for unit in expected}


# What is noted


@pytest.mark.parametrize(
    ("kind", "scope"), [(UnitType.PERSON, "entity"), (UnitType.TOPIC, "topic"), (UnitType.EVENT, "event")]
)
def test_a_published_unit_is_noted_in_the_scope_of_its_type(kind: UnitType, scope: str) -> None:
    make_unit("x", "엑스", type=kind)
    assert noted() == {(scope, False)}


def test_bulk_writes_are_noted_like_any_other() -> None:
    Unit.objects.bulk_create(
        [Unit(type=UnitType.ASSET, slug=f"a{n}", label=f"자산{n}", status=Status.PUBLISHED) for n in range(3)]
    )
    assert noted() == {("entity", False)}
    units().update(summary="요약")
    assert noted() == {("entity", False)}
    Alias.objects.bulk_create(
        [Alias(unit=unit, surface=unit.slug, norm=unit.slug) for unit in units().order_by("pk")]
    )
    assert noted() == {("entity", False)}
    units().delete()
    assert noted() == {("entity", False)}


def test_an_upsert_is_noted() -> None:
    make_unit()
    noted()
    Unit.objects.bulk_create(
        [Unit(type=UnitType.ASSET, slug="btc", label="새 이름", status=Status.PUBLISHED)],
        update_conflicts=True,
        unique_fields=["prefix", "slug"],
        update_fields=["label"],
    )
    assert noted() == {("entity", False)}


def test_counts_alone_are_noted_as_such() -> None:
    make_unit()
    noted()
    units().update(document_count=5)
    assert noted() == {("entity", True)}
    units().update(document_count=6, label="새 이름")
    assert noted() == {("entity", False)}


def test_what_the_public_cannot_see_is_not_noted() -> None:
    draft = make_unit("draft", "초안", status=Status.DRAFT)
    public = make_unit("btc", "비트코인", aliases=["BTC"])
    noted()
    units(pk=draft.pk).update(label="다른 초안", document_count=3)
    Alias.objects.create(unit=draft, surface="초안 별칭")
    units(slug="nobody").update(label="없음")
    units(pk=public.pk).update(label="비트코인", document_count=0)
    Alias.objects.filter(unit=public).update(ambiguous=True, blocked_contexts=["곁말"])
    Alias.objects.create(unit=public, surface="안 씀", active=False)
    units(pk=draft.pk).delete()
    assert noted() == set()


def test_publishing_and_retracting_are_noted() -> None:
    make_unit(status=Status.DRAFT)
    noted()
    units().update(status=Status.PUBLISHED)
    assert noted() == {("entity", False)}
    units().update(status=Status.RETRACTED)
    assert noted() == {("entity", False)}


def test_a_change_of_type_is_noted_in_both_scopes() -> None:
    make_unit("dao", "다오", type=UnitType.ORGANISATION)
    noted()
    units().update(type=UnitType.TOPIC)
    assert noted() == {("entity", False), ("topic", False)}


def test_truncating_is_noted() -> None:
    make_unit()
    connection.check_constraints()
    noted()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE knowledge_unit CASCADE")
    assert {scope for scope, _counts in noted()} >= {"entity", "topic", "event", "pulse", "post"}


def test_pulses_and_posts_are_noted_while_public() -> None:
    asset = make_unit()
    creator = make_unit("sage", "현자", type=UnitType.CREATOR)
    persona = make_persona(creator)
    noted()
    pulse = make_pulse(asset)
    assert noted() == {("pulse", False)}
    Pulse.objects.filter(pk=pulse.pk).update(status=Status.RETRACTED)
    assert noted() == {("pulse", False)}
    Pulse.objects.filter(pk=pulse.pk).update(summary="아무도 못 볼 요약")
    assert noted() == set()
    post = PersonaPost.objects.create(persona=persona, slug="one", body="글", published_at=NOON)
    assert noted() == set()
    PersonaPost.objects.filter(pk=post.pk).update(status=Status.PUBLISHED)
    assert noted() == {("post", False)}
    post.units.add(asset)
    assert noted() == {("post", False)}


# Who owns ``updated_at``


def test_only_a_public_change_moves_updated_at() -> None:
    unit = old_unit()
    with touched():
        units().update(document_count=9, video_count=9, updated_at=NOON)
    with touched(unit):
        units().update(summary="새 요약")


def test_saving_a_stale_instance_does_not_turn_the_time_back() -> None:
    unit = old_unit()
    units().update(label="새 이름")
    unit.document_count = 4
    unit.label = "새 이름"
    unit.save()
    assert updated_at(unit) > LONG_AGO + timedelta(days=365)


def test_aliases_touch_their_unit() -> None:
    unit = old_unit()
    with touched(unit):
        alias = Alias.objects.create(unit=unit, surface="BTC")
    assert noted() == {("entity", False)}
    other = old_unit("eth", label="이더리움")
    with touched(other):
        Alias.objects.filter(pk=alias.pk).update(unit=other)


def test_the_aliases_and_names_of_a_merged_unit_touch_the_survivor() -> None:
    survivor = old_unit("btc", label="비트코인")
    loser = old_unit("xbt", label="엑스비티")
    with touched(survivor, loser):
        units(pk=loser.pk).update(merged_into=survivor)
    noted()
    third = old_unit("xxx", label="셋째", merged_into=survivor)
    units(pk__in=[survivor.pk]).update(summary="처음 요약")
    noted()
    Alias.objects.create(unit=third, surface="셋째 별칭")
    units(pk=third.pk).update(label="셋째 새 이름")
    assert noted() == {("entity", False)}
    assert updated_at(third) > LONG_AGO


def test_a_late_alias_is_noted_although_its_unit_was_touched_in_the_same_transaction() -> None:
    unit = old_unit()
    Alias.objects.create(unit=unit, surface="하나")
    noted()
    Alias.objects.create(unit=unit, surface="둘")
    assert noted() == {("entity", False)}


def test_memberships_touch_their_event_when_the_unit_is_public() -> None:
    event = old_unit("halving", label="반감기", type=UnitType.EVENT)
    asset, draft = old_unit(), old_unit("draft", label="초안", status=Status.DRAFT)
    with touched():
        EventUnit.objects.create(event=event, unit=draft)
    noted()
    with touched(event):
        EventUnit.objects.create(event=event, unit=asset)
    assert noted() == {("event", False)}
    EventUnit.objects.filter(unit=asset).delete()
    assert noted() == {("event", False)}


def test_a_unit_that_disappears_touches_the_events_that_name_it() -> None:
    event = old_unit("halving", label="반감기", type=UnitType.EVENT)
    asset = old_unit()
    EventUnit.objects.create(event=event, unit=asset)
    noted()
    units(pk=asset.pk).update(status=Status.RETRACTED)
    assert noted() == {("entity", False), ("event", False)}


def test_a_persona_is_part_of_its_creators_record() -> None:
    creator = old_unit("sage", label="현자", type=UnitType.CREATOR)
    with touched(creator):
        persona = make_persona(creator)
    noted()
    Persona.objects.filter(pk=persona.pk).update(voice="들뜬")
    assert noted() == set()
    Persona.objects.filter(pk=persona.pk).update(glyph="◇")
    assert noted() == {("entity", False)}
    persona.delete()
    assert noted() == {("entity", False)}


# Copied types


def test_an_alias_knows_its_units_type_however_it_was_written() -> None:
    unit = make_unit(type=UnitType.COMPANY)
    Alias.objects.bulk_create([Alias(unit=unit, surface="별칭", norm="별칭", unit_type="topic")])
    assert Alias.objects.get().unit_type == UnitType.COMPANY
    Alias.objects.update(unit_type=UnitType.EVENT)
    assert Alias.objects.get().unit_type == UnitType.COMPANY
    units().update(type=UnitType.PRODUCT)
    assert Alias.objects.get().unit_type == UnitType.PRODUCT


def test_a_change_of_type_cannot_bring_two_owners_of_a_name_together() -> None:
    make_unit("one", "하나", type=UnitType.COMPANY, aliases=["같은 이름"])
    other = make_unit("two", "둘", type=UnitType.PRODUCT, aliases=["같은 이름"])
    with pytest.raises(IntegrityError, match="alias_norm_unique_per_type"), transaction.atomic():
        units(pk=other.pk).update(type=UnitType.COMPANY)


# Redirects


def test_a_redirect_to_a_merged_unit_is_refused() -> None:
    last = make_unit("c", "다")
    middle = make_unit("b", "나", merged_into=last)
    connection.check_constraints()
    make_unit("a", "가", merged_into=middle)
    with pytest.raises(IntegrityError, match="merged itself"):
        connection.check_constraints()


def test_a_unit_may_be_merged_away_when_those_merged_into_it_move_along() -> None:
    last, middle = make_unit("c", "다"), make_unit("b", "나")
    first = make_unit("a", "가", merged_into=middle)
    units(pk=middle.pk).update(merged_into=last)
    units(pk=first.pk).update(merged_into=last)
    connection.check_constraints()


def test_merging_a_unit_away_from_under_others_is_refused() -> None:
    last, middle = make_unit("c", "다"), make_unit("b", "나")
    make_unit("a", "가", merged_into=middle)
    connection.check_constraints()
    units(pk=middle.pk).update(merged_into=last)
    with pytest.raises(IntegrityError, match="others are merged into it"):
        connection.check_constraints()


def test_a_merge_into_a_unit_of_another_prefix_is_refused() -> None:
    topic = make_unit("c", "다", type=UnitType.TOPIC)
    make_unit("a", "가", merged_into=topic)
    with pytest.raises(IntegrityError, match="another prefix"):
        connection.check_constraints()


@pytest.mark.parametrize("slug", ["loser", "survivor"])
def test_a_merged_unit_keeps_to_the_prefix_of_its_survivor(slug: str) -> None:
    survivor = make_unit("survivor", "다", type=UnitType.COMPANY)
    make_unit("loser", "가", type=UnitType.PERSON, merged_into=survivor)
    units(slug=slug).update(type=UnitType.PRODUCT)
    connection.check_constraints()
    units(slug=slug).update(type=UnitType.TOPIC)
    with pytest.raises(IntegrityError, match="another prefix"):
        connection.check_constraints()


@pytest.mark.django_db(transaction=True)
def test_two_editors_cannot_make_a_chain_between_them() -> None:
    first, middle, last = make_unit("a", "가"), make_unit("b", "나"), make_unit("c", "다")
    refused: list[str] = []

    def other_editor() -> None:
        try:
            units(pk=middle.pk).update(merged_into=last)
        except IntegrityError as error:
            refused.append(str(error))
        finally:
            connection.close()

    thread = threading.Thread(target=other_editor)
    with transaction.atomic():
        units(pk=first.pk).update(merged_into=middle)
        thread.start()
        thread.join(0.3)  # long enough to meet; the outcome is the same when it is not
    thread.join(20)
    assert len(refused) == 1
    assert not units(merged_into__merged_into__isnull=False).exists()
