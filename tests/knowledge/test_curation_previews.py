"""What a decision is said to change is what it changes."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client

from ask.models import Answer
from knowledge import curation
from knowledge.counting import fold
from knowledge.curation import previews
from knowledge.curation.previews import Consequences
from knowledge.linking.store import link_documents
from knowledge.models import Alias, Publication, Status, Unit, UnitType
from tests.ask.records import stored_answer
from tests.factories.knowledge import NOON, make_document, make_source, make_unit
from tests.feeds.surfaces import rebuild

pytestmark = pytest.mark.django_db


def documents(*titles: str) -> None:
    source = make_source()
    link_documents([make_document(source, str(n), title=title) for n, title in enumerate(titles)])


def codes(client: Client, effect: Consequences) -> list[int]:
    return [client.get(now.get_absolute_url()).status_code for now, _later in effect.units]


def counts(units: Sequence[Unit]) -> list[int]:
    fold()
    for unit in units:
        unit.refresh_from_db()
    return [unit.document_count for unit in units]


def rebuilt(step: Callable[[], Any]) -> set[str]:
    """The publications whose bodies a decision changes."""
    rebuild()
    before = dict(Publication.objects.values_list("name", "etag"))
    step()
    rebuild()
    after = dict(Publication.objects.values_list("name", "etag"))
    return {name for name, etag in after.items() if before[name] != etag}


def test_a_merge_does_what_its_preview_says(client: Client) -> None:
    survivor, loser = make_unit("btc", "비트코인"), make_unit("xbt", "엑스비티", aliases=["XBT코인"])
    older = make_unit("old", "옛코인")
    curation.merge(older, loser, now=NOON)
    loser.refresh_from_db()
    documents("비트코인", "엑스비티와 비트코인", "XBT코인 소식", "옛코인 소식")
    effect = previews.preview_merge(loser, survivor)
    assert effect.blocked_by == ""
    assert set(effect.aliases) == {"엑스비티", "XBT코인", "옛코인"}
    assert [now.public_status for now, _later in effect.units] == codes(client, effect)
    changed = rebuilt(lambda: curation.merge(loser, survivor, now=NOON))
    assert [later.public_status for _now, later in effect.units] == codes(client, effect) == [308, 308]
    assert {client.get(now.get_absolute_url())["Location"] for now, _later in effect.units} == {"/asset/btc"}
    assert next(after.documents for _unit, _before, after in effect.tallies) == counts([survivor])[0] == 4
    assert changed <= set(effect.publications)
    assert {"entities", "sitemap"} <= changed


def test_undoing_a_merge_does_what_its_preview_says(client: Client) -> None:
    survivor, loser, older = (
        make_unit("a", "가나코인"),
        make_unit("b", "다라코인"),
        make_unit("c", "마바코인"),
    )
    documents("가나코인", "다라코인", "마바코인과 가나코인", "마바코인")
    curation.merge(older, loser, now=NOON)
    record = curation.merge(loser, survivor, now=NOON)
    record.refresh_from_db()
    effect = previews.preview_unmerge(record)
    curation.unmerge(record, now=NOON)
    assert (
        [after.documents for _unit, _before, after in effect.tallies] == counts([survivor, loser]) == [2, 3]
    )
    assert [later.public_status for _now, later in effect.units] == codes(client, effect) == [200, 308]
    assert previews.preview_unmerge(type(record).objects.get(pk=record.pk)).blocked_by


@pytest.mark.parametrize("former", Status.values)
@pytest.mark.parametrize("wanted", Status.values)
def test_a_status_does_what_its_preview_says(former: str, wanted: str, client: Client) -> None:
    unit = make_unit("a", "가나코인", status=former, summary="요약")
    follower = make_unit("b", "다라코인")
    follower.merged_into = unit
    follower.save()
    effect = previews.preview_status(unit, Status(wanted))
    assert [now.public_status for now, _later in effect.units] == codes(client, effect)
    changed = rebuilt(lambda: curation.set_status(unit, Status(wanted)))
    assert [later.public_status for _now, later in effect.units] == codes(client, effect)
    assert bool(effect.publications) == bool(changed)
    assert changed <= set(effect.publications)


def test_the_refusals_of_previews_are_those_of_decisions() -> None:
    asset, topic = make_unit("a", "가나"), make_unit("t", "주제", type=UnitType.TOPIC)
    event = make_unit("e", "사건", type=UnitType.EVENT, status=Status.DRAFT)
    for effect, step in (
        (previews.preview_merge(asset, topic), lambda: curation.merge(asset, topic, now=NOON)),
        (previews.preview_merge(asset, asset), lambda: curation.merge(asset, asset, now=NOON)),
        (
            previews.preview_status(event, Status.PUBLISHED),
            lambda: curation.set_status(event, Status.PUBLISHED),
        ),
        (previews.preview_split(asset, [], topic), lambda: curation.split(asset, [], into=topic)),
    ):
        with pytest.raises(curation.CurationError) as refused:
            step()
        assert effect.blocked_by == str(refused.value)


@pytest.mark.usefixtures("free_worker")
def test_a_split_does_what_its_preview_says(
    client: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    company = make_unit("ripple", "리플사", type=UnitType.COMPANY, aliases=["리플랩스", "엑스알피"])
    coin = make_unit("xrp", "리플코인")
    documents("리플랩스 소식", "엑스알피 소식", "리플랩스와 엑스알피", "리플코인 소식")
    alias = Alias.objects.get(surface="엑스알피")
    effect = previews.preview_split(company, [alias], coin)
    assert [(before.documents, after.documents) for _unit, before, after in effect.tallies] == [
        (3, 2),
        (1, 3),
    ]
    with django_capture_on_commit_callbacks(execute=True):
        curation.split(company, [alias], into=coin)
    assert counts([company, coin]) == [2, 3]
    alias.refresh_from_db()
    assert (alias.unit_id, alias.unit_type) == (coin.pk, UnitType.ASSET)
    assert Alias.history.filter(id=alias.pk).first().history_change_reason == "split"


def test_a_split_that_fails_leaves_nothing_behind() -> None:
    unit = make_unit("a", "가나", aliases=["나나"])
    make_unit("b", "다라")
    aliases = list(unit.aliases.all())
    for into in (
        Unit(label="새것", slug="b"),  # taken
        Unit(label="새것", slug="Not A Slug"),
        Unit(label="", slug="new"),
        make_unit("gone", "철회", status=Status.RETRACTED),
    ):
        with pytest.raises(curation.CurationError):
            curation.split(unit, aliases, into=into)
    assert unit.aliases.count() == 1
    assert not Unit.objects.filter(slug="new").exists()


def test_names_that_the_target_or_its_kind_has_already_stay() -> None:
    company = make_unit("c", "회사", type=UnitType.COMPANY, aliases=["리플"])
    coin = make_unit("x", "코인", aliases=["리 플"])
    taken = make_unit("y", "다른코인")
    alias = company.aliases.get()
    assert "코인" in previews.preview_split(company, [alias], taken).blocked_by
    with pytest.raises(curation.CurationError):
        curation.split(company, [alias], into=taken)
    same = Alias.objects.create(unit=company, surface="리 플", ambiguous=True)
    assert "이미 별칭" in previews.preview_split(company, [same], coin).blocked_by


def test_a_name_that_is_the_label_too_is_pointed_out() -> None:
    unit, other = make_unit("a", "가나", aliases=["가 나"]), make_unit("b", "다라")
    notes = previews.preview_split(unit, list(unit.aliases.all()), other).notes
    assert any("이름도 같은 말" in note for note in notes)


def test_answers_are_said_to_be_touched_and_are(client: Client) -> None:
    unit, other = make_unit("a", "가나코인"), make_unit("b", "다라코인")
    answer = stored_answer(cited_keys=[f"unit:{unit.pk}"]).answer
    effect = previews.preview_status(unit, Status.RETRACTED)
    assert any("답변 1개" in note and "410" in note for note in effect.notes)
    assert any("답변 1개" in note for note in previews.preview_merge(unit, other).notes)
    assert not any("답변" in note for note in previews.preview_status(other, Status.RETRACTED).notes)
    curation.set_status(unit, Status.RETRACTED)
    assert client.get(answer.get_absolute_url()).status_code == 410


@pytest.mark.usefixtures("free_worker")
def test_documents_are_said_to_be_unlinked_and_are(
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    unit = make_unit("a", "가나코인")
    documents("가나코인", "가나코인 소식", "다른 소식")
    assert any("문서 2개" in note for note in previews.preview_status(unit, Status.RETRACTED).notes)
    with django_capture_on_commit_callbacks(execute=True):
        curation.set_status(unit, Status.RETRACTED)
    assert counts([unit]) == [0]


def test_what_becomes_a_draft_again_is_quoted_no_more(client: Client) -> None:
    unit = make_unit("a", "가나코인")
    answer = stored_answer(cited_keys=[f"unit:{unit.pk}"]).answer
    curation.set_status(unit, Status.DRAFT)
    assert Answer.objects.get(pk=answer.pk).evidence_withdrawn_at is not None
    assert client.get("/asset/a").status_code == 404


def test_a_unit_goes_back_to_where_it_stood_before() -> None:
    for status in (Status.DRAFT, Status.PUBLISHED):
        unit = make_unit(f"u-{status}", "가나", status=status)
        curation.set_status(unit, Status.RETRACTED)
        unit.refresh_from_db()
        assert curation.former_status(unit) == status
