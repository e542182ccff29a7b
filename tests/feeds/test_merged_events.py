"""An event that took over another speaks of both their subjects, wherever it is shown."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from knowledge.models import EventUnit, UnitType
from tests.factories.knowledge import NOON, make_unit
from tests.feeds.surfaces import rebuild, text_of
from tests.mcpserver import wire

pytestmark = pytest.mark.django_db


def link_merged_events() -> None:
    """``crash`` took over ``collapse``; each was linked to another asset, and ``verdict`` followed on what it names."""
    won, lost = make_unit("won", "이긴코인"), make_unit("lost", "진코인")
    crash = make_unit("crash", "진코인 급락", type=UnitType.EVENT, occurred_at=NOON)
    collapse = make_unit("collapse", "붕괴", type=UnitType.EVENT, occurred_at=NOON)
    verdict = make_unit("verdict", "진코인 판결", type=UnitType.EVENT, occurred_at=NOON + timedelta(days=1))
    links = [(crash, won), (collapse, lost), (verdict, lost)]
    EventUnit.objects.bulk_create(EventUnit(event=event, unit=unit) for event, unit in links)
    collapse.merged_into = crash
    collapse.save()


def test_a_merged_event_speaks_of_the_same_on_every_surface(client: Client) -> None:
    link_merged_events()
    rebuild()
    subjects = {"asset:won", "asset:lost"}
    events = json.loads(text_of(client, "/api/canonical/events.json"))["events"]
    assert set(next(one for one in events if one["id"] == "event:crash")["entities"]) == subjects
    told = wire.record("get_event", id="event:crash")
    assert {one["id"] for one in told["entities"]} == subjects
    assert told["after"]["id"] == "event:verdict"
    assert wire.record("get_event", id="event:verdict")["before"]["id"] == "event:crash"
    for path in ("/event/crash", "/event/crash.md"):
        page = text_of(client, path)
        for linked in ("/asset/won", "/asset/lost", "/event/verdict"):
            assert linked in page, (path, linked)


def test_a_unit_lists_the_event_that_took_over_one_of_its_own(client: Client) -> None:
    link_merged_events()
    assert "/event/crash" in text_of(client, "/asset/lost")
    told = [one["id"] for one in wire.record("get_entity", id="asset:lost")["events"]]
    assert told == [one["id"] for one in wire.record("list_events", entity_id="asset:lost")["items"]]
    assert told == ["event:verdict", "event:crash"]
