"""The points of one series as JSON and CSV, and what is refused."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from knowledge import curation
from knowledge.models import Series, Status
from tests.factories.knowledge import NOON
from tests.factories.series import make_series, observe
from tests.problems import problem_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def five_days() -> Series:
    series = make_series("us-10y", label="미국 10년물", licence="FRED 이용 조건")
    for age in range(5):
        at = NOON - age * DAY
        observe("us-10y", at, 4 + age / 10, period=f"{at:%Y-%m-%d}")
    return series


def get(client: Client, query: str = "", slug: str = "us-10y.json") -> Any:
    return client.get(f"/api/series/{slug}{query}")


def values(answer: Any) -> list[float]:
    return [point["value"] for point in answer.json()["points"]]


def test_points_are_given_oldest_first_with_time_and_period(client: Client) -> None:
    body = get(client).json()
    assert list(body) == [
        *(
            "id",
            "label",
            "labelEn",
            "unit",
            "cadence",
            "source",
            "licence",
            "licenceEn",
            "count",
            "points",
            "next",
        )
    ]
    assert (body["id"], body["count"], body["next"]) == ("series:us-10y", 5, None)
    assert body["points"][-1] == {
        "at": "2026-11-20T12:00:00+09:00",
        "period": "2026-11-20",
        "value": 4,
        "revision": 1,
    }
    assert values(get(client)) == [4.4, 4.3, 4.2, 4.1, 4]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?from=2026-11-19", [4.1, 4]),
        ("?to=2026-11-17", [4.4, 4.3]),
        ("?from=2026-11-18&to=2026-11-18", [4.2]),
        ("?from=2026-11-20T12:00:00%2B09:00", [4]),
        ("?from=2026-11-20T12:00:00+09:00", [4]),
        ("?from=2026-11-20T12:00:01%2B09:00", []),
        ("?to=2026-11-16T03:00:00Z", [4.4]),
        ("?from=2030-01-01", []),
    ],
)
def test_points_between_two_times_both_included(query: str, expected: list[float], client: Client) -> None:
    assert values(get(client, query)) == expected


def test_pages_follow_one_another_by_next(client: Client) -> None:
    found, address = [], "/api/series/us-10y.json?limit=2&from=2026-11-17"
    while address:
        answer = client.get(address)
        found += values(answer)
        assert ('rel="next"' in answer.headers.get("Link", "")) == bool(answer.json()["next"])
        address = answer.json()["next"]
    assert found == [4.3, 4.2, 4.1, 4]


def test_revisions_are_given_with_when_they_were_fetched(client: Client) -> None:
    observe("us-10y", NOON - 9 * DAY, 5.0, newest=False)
    observe("us-10y", NOON - 9 * DAY, 5.1, revision=2)
    assert values(get(client, "?to=2026-11-12")) == [5.1]
    points = get(client, "?to=2026-11-12&revisions=1").json()["points"]
    assert [(point["value"], point["revision"]) for point in points] == [(5, 1), (5.1, 2)]
    assert points[0]["fetchedAt"] == "2026-11-20T12:00:00+09:00"
    first = get(client, "?to=2026-11-12&revisions=1&limit=1").json()
    assert [point["revision"] for point in client.get(first["next"]).json()["points"]] == [2]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("?from=yesterday", "from"),
        ("?from=2026-02-30", "from"),
        ("?from=2026-11-20T12:00:00", "from"),
        ("?from=0001-01-01T00:00:00%2B23:00", "from"),
        ("?from=2026-02-01&to=2026-01-01", "from"),
        ("?limit=0", "limit"),
        ("?limit=5001", "limit"),
        ("?limit=٣", "limit"),
        ("?limit=1&limit=2", "limit"),
        ("?nonsense=1", "nonsense"),
        ("?cursor=%00", "cursor"),
        ("?cursor=abc", "cursor"),
        ("?revisions=2", "revisions"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_fix(query: str, parameter: str, client: Client) -> None:
    answer = get(client, query)
    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["errors"][0]["parameter"] == parameter


def test_a_cursor_belongs_to_its_question(client: Client) -> None:
    address = get(client, "?limit=1").json()["next"]
    assert client.get(address.replace("limit=1", "limit=2")).status_code == 200
    assert client.get(f"{address}&from=2026-11-01").status_code == 400


@pytest.mark.parametrize("slug", ["us-10.json", "us-10.csv"])
def test_an_unknown_series_names_the_nearest(slug: str, client: Client) -> None:
    make_series("usd-krw")
    answer = get(client, slug=slug)
    assert answer.status_code == 404
    assert answer.json()["errors"][0]["nearest"] == ["us-10y", "usd-krw"]


def test_capitals_name_the_same_as_small_letters(client: Client) -> None:
    make_series("zeta")
    assert get(client, slug="ZETA.json").json()["errors"][0]["nearest"][0] == "zeta"


def test_a_series_without_a_value_has_no_points(client: Client) -> None:
    make_series("empty")
    body = get(client, slug="empty.json").json()
    assert (body["count"], body["points"], body["source"]) == (0, [], None)
    assert get(client, slug="empty.csv").content == b"at,period,value\r\n"


def test_a_table_holds_values_only_and_says_source_and_licence_beside_them(client: Client) -> None:
    answer = get(client, "?from=2026-11-19", "us-10y.csv")
    assert answer.content.decode().split("\r\n") == [
        "at,period,value",
        "2026-11-19T12:00:00+09:00,2026-11-19,4.1",
        "2026-11-20T12:00:00+09:00,2026-11-20,4",
        "",
    ]
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "us-10y" in answer.headers["Content-Disposition"]
    assert 'rel="license"' in answer.headers["Link"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_what_may_not_be_passed_on_has_closes_but_no_table(client: Client) -> None:
    make_series("price-btc", unit="KRW", cadence="live", redistributable=False)
    observe("price-btc", NOON - 500 * DAY, 1.0)
    observe("price-btc", NOON - DAY, float(Decimal("142000000")))
    refused = get(client, slug="price-btc.csv")
    assert (refused.status_code, refused.json()["code"]) == (404, "not_redistributable")
    assert values(get(client, slug="price-btc.json")) == [142000000]
    assert values(get(client, "?from=2020-01-01&revisions=1", "price-btc.json")) == [142000000]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_a_series_goes_with_its_holder_at_once(form: str, client: Client, five_days: Series) -> None:
    assert get(client, slug=f"us-10y.{form}").status_code == 200
    curation.set_status(five_days.holder, Status.RETRACTED)
    assert problem_of(get(client, slug=f"us-10y.{form}"), 410)["code"] == "gone"
    curation.set_status(five_days.holder, Status.DRAFT)
    refused = problem_of(get(client, slug=f"us-10y.{form}"), 404)
    assert refused["errors"][0]["nearest"] == []


def test_other_origins_may_read_source_licence_and_the_next_page(client: Client) -> None:
    exposed = get(client, slug="us-10y.csv").headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Link"} <= set(exposed)


def test_an_unchanged_answer_is_not_sent_again(client: Client) -> None:
    etag = get(client).headers["ETag"]
    assert client.get("/api/series/us-10y.json", headers={"if-none-match": etag}).status_code == 304
