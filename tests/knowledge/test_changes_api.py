"""``/api/changes.json``: pages of changes, what is refused, and how far it reaches back."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from knowledge.models import ChangeKind, Status, Unit, UnitChange, UnitType
from knowledge.queries import records
from knowledge.queries.changes import newest_seq
from tests.factories.knowledge import NOON, make_event, make_persona, make_unit
from tests.factories.series import make_series
from tests.problems import problem_of

pytestmark = pytest.mark.django_db


def get(client: Client, query: str = "", **headers: str) -> Any:
    return client.get(f"/api/changes.json{query}", headers=headers)


@pytest.fixture
def three() -> list[int]:
    """The numbers of three published units: an asset with all that records say, a creator and an event."""
    asset = make_unit("btc", "비트코인", aliases=["BTC"], symbol="BTC", website="https://bitcoin.example")
    make_series("price-btc", holder=asset)
    make_persona(make_unit("sage", "현자", type=UnitType.CREATOR))
    make_event("halving", 0, asset)
    connection.check_constraints()
    return list(UnitChange.objects.order_by("seq").values_list("seq", flat=True))


def test_before_the_first_change_there_is_an_empty_page(client: Client) -> None:
    assert get(client).json() == {"count": 0, "items": [], "next": None, "newest": 0}


def test_a_change_carries_the_record_of_its_index(client: Client, three: list[int]) -> None:
    body = get(client).json()
    assert (body["count"], body["next"], body["newest"]) == (3, None, three[-1])
    assert body["newest"] == newest_seq()
    assert [list(item) for item in body["items"]] == [["seq", "id", "kind", "mergedInto", "at", "record"]] * 3
    indexes = [*records.entities(NOON), *records.events(NOON)]
    assert {item["id"]: item["record"] for item in body["items"]} == {each["id"]: each for each in indexes}


def test_what_is_gone_has_no_record_and_a_merged_unit_says_where_it_went(client: Client) -> None:
    loser, survivor = make_unit("xbt", "엑스비티"), make_unit("btc", "비트코인")
    connection.check_constraints()
    Unit.objects.filter(pk=loser.pk).update(merged_into=survivor)
    connection.check_constraints()
    Unit.objects.filter(pk=survivor.pk).update(status=Status.RETRACTED)
    connection.check_constraints()
    items = get(client).json()["items"]
    assert all(item["record"] is None for item in items)
    assert [item["mergedInto"] for item in items if item["kind"] == "merged"] == ["asset:btc"]
    assert items[-1]["kind"] == "retracted"


def test_pages_follow_one_another_by_next(client: Client, three: list[int]) -> None:
    found, address = [], "/api/changes.json?limit=2"
    while address:
        answer = client.get(address)
        found += [item["seq"] for item in answer.json()["items"]]
        assert ('rel="next"' in answer.headers.get("Link", "")) == bool(answer.json()["next"])
        address = answer.json()["next"]
    assert found == three
    assert get(client, f"?since={three[-1]}").json()["items"] == []


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        *(
            (f"?since={value}", "since")
            for value in ("x", "-1", "", "1.5", "٣", "1e3", "%00", "9" * 19, "9" * 30)
        ),
        *((f"?limit={value}", "limit") for value in ("0", "1001", "x", "-1")),
        ("?since=0&since=1", "since"),
        ("?since=1000000", "since"),
        ("?cursor=1", "cursor"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_fix(query: str, parameter: str, client: Client) -> None:
    problem = problem_of(get(client, query), 400)
    assert problem["code"] == "invalid_parameter"
    assert problem["errors"][0]["parameter"] == parameter


def test_what_is_no_longer_kept_leads_to_the_bulk_files(client: Client, three: list[int]) -> None:
    UnitChange.objects.filter(seq__lte=three[1]).update(at=timezone.now() - timedelta(days=91))
    for _pruned in (False, True):
        problem = problem_of(get(client, "?since=0"), 410)
        assert problem["code"] == "cursor_expired"
        assert "/api/bulk" in problem["detail"]
        assert problem["errors"] == [{"parameter": "since", "oldest": three[1], "bulk": "/api/bulk"}]
        assert problem_of(get(client, f"?since={three[0]}"), 410)["code"] == "cursor_expired"
        assert [item["seq"] for item in get(client, f"?since={three[1]}").json()["items"]] == three[2:]
        UnitChange.objects.prune(timezone.now())


def test_a_page_is_revalidated_and_open_to_any_origin(client: Client, three: list[int]) -> None:
    answer = get(client)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert get(client, **{"if-none-match": answer.headers["ETag"]}).status_code == 304
    Unit.objects.filter(slug="btc").update(label="비트코인 새 이름")
    assert get(client, **{"if-none-match": answer.headers["ETag"]}).status_code == 200


def test_a_full_page_asks_as_often_as_a_small_one(
    client: Client, three: list[int], django_assert_max_num_queries: Any
) -> None:
    queries = 16  # for units, aliases, series and their holders, premiums and links of three indexes
    with django_assert_max_num_queries(queries):
        get(client, "?limit=1")
    UnitChange.objects.bulk_create(
        UnitChange(unit=f"asset:{number}", kind=ChangeKind.EDITED, at=timezone.now())
        for number in range(1_000)
    )
    with django_assert_max_num_queries(queries):
        assert get(client, "?limit=1000").json()["count"] == 1_000
