"""Which changes of public units are numbered, whoever writes and however."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from knowledge.curation import merge, unmerge
from knowledge.models import (
    CHANGES_KEPT,
    Alias,
    Candle,
    EventUnit,
    Interval,
    Market,
    Persona,
    Series,
    SeriesInput,
    Status,
    Unit,
    UnitChange,
    UnitType,
    UnsettledUnit,
    Venue,
)
from knowledge.queries.changes import records_of
from tests.factories.knowledge import NOON, make_event, make_persona, make_unit
from tests.factories.series import make_series, observe

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
EDITED_BTC = ("asset:btc", "edited", "")


def unit_of(slug: str, **fields: Any) -> Unit:
    return make_unit(slug, fields.pop("label", f"이름 {slug}"), updated_at=LONG_AGO, **fields)


def units(**filters: Any) -> Any:
    return Unit.objects.filter(**filters)


def committed() -> list[tuple[str, str, str]]:
    """What a commit at this point tells, as (unit, kind, merged into), forgotten once read."""
    connection.check_constraints()
    told = list(UnitChange.objects.order_by("seq").values_list("unit", "kind", "merged_into"))
    UnitChange.objects.all().delete()
    assert not UnsettledUnit.objects.exists()
    return told


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_public_unit_is_published_and_a_draft_is_nobodys_business() -> None:
    unit_of("btc")
    draft = unit_of("draft", status=Status.DRAFT)
    assert committed() == [("asset:btc", "published", "")]
    units(pk=draft.pk).update(label="새 초안")
    Alias.objects.create(unit=draft, surface="초안의 별칭")
    assert committed() == []
    units(pk=draft.pk).update(status=Status.PUBLISHED)
    assert committed() == [("asset:draft", "published", "")]
    units(pk=draft.pk).update(status=Status.DRAFT)
    assert committed() == [("asset:draft", "retracted", "")]
    draft.delete()
    assert committed() == []


@pytest.mark.parametrize(
    "edit",
    [
        lambda unit: units(pk=unit.pk).update(label="새 이름"),
        lambda unit: units().update(summary="요약"),
        lambda unit: Alias.objects.create(unit=unit, surface="BTC"),
        lambda unit: Alias.objects.filter(unit=unit).delete(),
        lambda unit: make_persona(unit),
        lambda unit: make_series("price-btc", holder=unit),
        lambda unit: Series.objects.filter(holder=unit).update(position=9),
        lambda unit: Series.objects.filter(holder=unit).delete(),
        lambda unit: sql("UPDATE knowledge_unit SET website = 'https://bitcoin.example'"),
        lambda unit: sql("UPDATE knowledge_unit SET source_urls = '{https://bitcoin.example/paper.pdf}'"),
        lambda unit: sql("TRUNCATE knowledge_alias"),
    ],
    ids=[
        *("label", "bulk", "alias", "no alias", "persona", "series", "series in another order", "no series"),
        *("raw SQL", "source addresses", "truncated aliases"),
    ],
)
def test_whatever_changes_a_record_is_an_edit(edit: Callable[[Unit], Any]) -> None:
    unit = unit_of("btc")
    Alias.objects.bulk_create([Alias(unit=unit, surface="비트", norm="비트", unit_type="asset")])
    make_series("first", holder=unit)
    committed()
    _aged()
    edit(unit)
    assert committed() == [EDITED_BTC]


def _aged() -> None:
    """Units as if they had been changed by an earlier transaction: within one, a second touch moves no time."""
    sql("ALTER TABLE knowledge_unit DISABLE TRIGGER USER")
    Unit.objects.update(updated_at=LONG_AGO)
    connection.check_constraints()
    sql("ALTER TABLE knowledge_unit ENABLE TRIGGER USER")


def test_an_asset_is_edited_with_the_premium_that_a_topic_holds() -> None:
    asset, other = unit_of("btc"), unit_of("eth")
    topic = unit_of("premium", type=UnitType.TOPIC)
    premium = make_series("kimchi-premium", "premium:btc", holder=topic)
    made = SeriesInput.objects.filter(key="premium:btc")

    def told(edit: Callable[[], Any]) -> set[tuple[str, str, str]]:
        committed()
        _aged()
        edit()
        return set(committed())

    assert EDITED_BTC in told(lambda: units(pk=topic.pk).update(status=Status.RETRACTED))
    assert records_of({"asset:btc"})["asset:btc"]["series"] == []  # type: ignore[typeddict-item]
    assert told(lambda: made.update(series=None)) == set()
    assert told(lambda: made.update(series=premium)) == set()
    assert EDITED_BTC in told(lambda: units(pk=topic.pk).update(status=Status.PUBLISHED))
    assert records_of({"asset:btc"})["asset:btc"]["series"] == ["series:kimchi-premium"]  # type: ignore[typeddict-item]
    assert told(lambda: SeriesInput.objects.update(unit="%")) == set()
    assert told(made.delete) == {EDITED_BTC}
    assert told(lambda: SeriesInput.objects.create(key="premium:btc", series=premium)) == {EDITED_BTC}
    assert told(lambda: SeriesInput.objects.update(key="premium:eth")) == {
        EDITED_BTC,
        ("asset:eth", "edited", ""),
    }
    assert told(lambda: Series.objects.update(holder=asset)) == {
        EDITED_BTC,
        ("asset:eth", "edited", ""),
        ("topic:premium", "edited", ""),
    }
    assert told(lambda: merge(asset, other, now=NOON)) == {
        ("asset:btc", "merged", "asset:eth"),
        ("asset:eth", "edited", ""),
    }


def test_counts_observations_and_bars_are_no_change() -> None:
    unit = unit_of("btc")
    make_series("price-btc", holder=unit)
    committed()
    _aged()
    units().update(document_count=5, video_count=2, updated_at=NOON)
    observe("price-btc", NOON, 1.0)
    observe("price-btc", NOON, 2.0, revision=2, newest=False)
    market = Market.objects.create(venue=Venue.UPBIT, symbol="KRW-BTC", asset=unit)
    prices = dict.fromkeys(("open", "high", "low", "close", "volume"), 1.0)
    Candle.objects.create(market=market, interval=Interval.DAY, at=NOON, **prices)
    Series.objects.update(note="만드는 방법", decimals=3)
    assert committed() == []


def test_a_merge_and_its_undoing() -> None:
    loser, survivor = unit_of("xbt"), unit_of("btc")
    committed()
    _aged()
    record = merge(loser, survivor, now=NOON)
    assert set(committed()) == {("asset:xbt", "merged", "asset:btc"), EDITED_BTC}
    _aged()
    Alias.objects.create(unit=loser, surface="XBT")
    assert committed() == [EDITED_BTC]
    _aged()
    unmerge(record, now=NOON)
    assert set(committed()) == {("asset:xbt", "unmerged", ""), EDITED_BTC}


def test_those_that_follow_a_merged_unit_say_where_they_lead_now() -> None:
    first, middle, last = unit_of("a"), unit_of("b"), unit_of("c")
    merge(first, middle, now=NOON)
    committed()
    record = merge(middle, last, now=NOON)
    assert set(committed()) >= {("asset:a", "merged", "asset:c"), ("asset:b", "merged", "asset:c")}
    unmerge(record, now=NOON)
    assert set(committed()) >= {("asset:a", "merged", "asset:b"), ("asset:b", "unmerged", "")}


def test_a_unit_merged_into_a_draft_is_gone_until_the_draft_is_public() -> None:
    loser, draft = unit_of("xbt"), unit_of("btc", status=Status.DRAFT)
    committed()
    merge(loser, draft, now=NOON)
    assert committed() == [("asset:xbt", "retracted", "")]
    units(pk=draft.pk).update(status=Status.PUBLISHED)
    assert committed() == [("asset:xbt", "merged", "asset:btc"), ("asset:btc", "published", "")]


def test_what_follows_a_unit_is_told_when_it_appears_or_has_another_id() -> None:
    loser, draft = unit_of("xbt"), unit_of("btc", status=Status.DRAFT)
    merge(loser, draft, now=NOON)
    committed()
    _aged()
    units(pk=draft.pk).update(status=Status.PUBLISHED)
    Alias.objects.create(unit=loser, surface="XBT")
    assert committed() == [("asset:xbt", "merged", "asset:btc"), ("asset:btc", "published", "")]
    _aged()
    units(pk=draft.pk).update(slug="bitcoin")
    assert set(committed()) == {
        ("asset:btc", "retracted", ""),
        ("asset:bitcoin", "published", ""),
        ("asset:xbt", "merged", "asset:bitcoin"),
    }


def test_a_merge_that_is_undone_in_its_transaction_leaves_two_edits() -> None:
    loser, survivor = unit_of("xbt"), unit_of("btc")
    committed()
    _aged()
    unmerge(merge(loser, survivor, now=NOON), now=NOON)
    assert set(committed()) == {("asset:xbt", "edited", ""), EDITED_BTC}


def test_a_retracted_unit_does_not_come_back_by_an_undone_merge() -> None:
    loser, survivor = unit_of("xbt"), unit_of("btc")
    record = merge(loser, survivor, now=NOON)
    committed()
    units(pk=loser.pk).update(status=Status.RETRACTED)
    assert ("asset:xbt", "retracted", "") in committed()
    unmerge(record, now=NOON)
    assert not {change for change in committed() if change[0] == "asset:xbt"}


def test_one_transaction_is_told_by_what_came_of_it() -> None:
    kept, gone = unit_of("btc"), unit_of("gone")
    committed()
    draft = unit_of("draft", status=Status.DRAFT)
    for unit, status in ((draft, Status.PUBLISHED), (kept, Status.RETRACTED), (kept, Status.PUBLISHED)):
        units(pk=unit.pk).update(status=status)
    gone.delete()
    unit_of("never").delete()
    assert set(committed()) == {
        ("asset:draft", "published", ""),
        EDITED_BTC,
        ("asset:gone", "retracted", ""),
    }


def test_an_id_that_passes_from_one_unit_to_another_is_gone_first() -> None:
    unit = unit_of("btc")
    committed()
    units(pk=unit.pk).update(type=UnitType.COMPANY)
    assert committed() == [("asset:btc", "retracted", ""), ("entity:btc", "published", "")]
    unit.delete()
    unit_of("btc", type=UnitType.COMPANY)
    assert committed() == [("entity:btc", "retracted", ""), ("entity:btc", "published", "")]


def test_an_event_is_edited_with_what_it_speaks_of() -> None:
    subject, merged = unit_of("btc"), unit_of("xbt")
    event = make_event("halving", 0, subject, merged)
    committed()
    _aged()
    units(pk=subject.pk).update(status=Status.RETRACTED)
    assert set(committed()) == {("asset:btc", "retracted", ""), ("event:halving", "edited", "")}
    _aged()
    EventUnit.objects.filter(event=event, unit=merged).delete()
    assert committed() == [("event:halving", "edited", "")]


def test_an_event_is_edited_when_its_subject_goes_before_the_link() -> None:
    make_event("halving", 0, unit_of("btc"))
    committed()
    _aged()
    sql(
        "DELETE FROM knowledge_alias; DELETE FROM knowledge_unit WHERE slug = 'btc'; DELETE FROM knowledge_eventunit"
    )
    assert set(committed()) == {("asset:btc", "retracted", ""), ("event:halving", "edited", "")}


def test_a_personas_voice_is_not_public_and_its_glyph_is() -> None:
    creator = unit_of("sage", type=UnitType.CREATOR)
    persona = make_persona(creator)
    committed()
    _aged()
    Persona.objects.filter(pk=persona.pk).update(voice="들뜬")
    assert committed() == []
    Persona.objects.filter(pk=persona.pk).update(glyph="◇")
    assert committed() == [("creator:sage", "edited", "")]


def test_truncating_units_retracts_each_once() -> None:
    make_persona(unit_of("sage", type=UnitType.CREATOR))
    unit_of("draft", status=Status.DRAFT)
    committed()
    sql("TRUNCATE knowledge_unit CASCADE")
    assert committed() == [("creator:sage", "retracted", "")]


def test_pruning_keeps_ninety_days_and_where_they_begin() -> None:
    now = NOON
    for age in (100, 95, 91, 89, 1):
        UnitChange.objects.create(unit="asset:btc", kind="edited", at=now - timedelta(days=age))
    seqs = list(UnitChange.objects.order_by("seq").values_list("seq", flat=True))
    assert UnitChange.objects.forgotten_through(now) == seqs[2]
    assert UnitChange.objects.prune(now) == 2
    assert UnitChange.objects.prune(now) == 0
    assert list(UnitChange.objects.order_by("seq").values_list("seq", flat=True)) == seqs[2:]
    UnitChange.objects.prune(now + 2 * CHANGES_KEPT)
    assert UnitChange.objects.newest_seq() == seqs[-1], "a quiet service's number never falls"
