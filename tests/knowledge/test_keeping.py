"""What a response says of being kept, and what a process hears of changes."""

import json
import logging
import math
from types import SimpleNamespace

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import resolve

import knowledge.publications.hearing as module
from knowledge.publications.hearing import Hearing
from knowledge.publications.keeping import KEEP_HEADER, keep, variant_of


def test_a_response_says_for_how_long_it_may_be_kept_and_what_it_was_made_from() -> None:
    request = RequestFactory().get("/asset/btc?page=2")
    request.resolver_match = resolve(request.path)
    made = HttpResponse(headers={"Cache-Control": "public, max-age=30"})
    response = keep(request, made, scopes=["entity", "documents", "entity"], seconds=15, variant="page=2")
    assert json.loads(response[KEEP_HEADER]) == {
        "seconds": 15,
        "scopes": ["documents", "entity"],
        "variant": "page=2",
        "view": "asset-page",
    }


def test_a_request_that_no_route_took_has_no_view() -> None:
    said = json.loads(keep(RequestFactory().get("/"), HttpResponse(), scopes=[])[KEEP_HEADER])
    assert (said["view"], said["variant"]) == ("", None)


@pytest.mark.parametrize(
    ("cache_control", "asked", "said"),
    [
        ("public, max-age=30, stale-while-revalidate=300", None, 30),
        ("public, max-age=30", 60, 30),
        ("public, max-age=30", 0.5, 0.5),
        ("no-store", 15, 0),
    ],
)
def test_a_response_is_kept_no_longer_than_any_cache_may(
    cache_control: str, asked: float | None, said: float
) -> None:
    made = HttpResponse(headers={"Cache-Control": cache_control})
    response = keep(RequestFactory().get("/"), made, scopes=[], seconds=asked)
    assert json.loads(response[KEEP_HEADER])["seconds"] == said


@pytest.mark.parametrize("status", [301, 404, 410, 503])
def test_only_a_success_says_that_it_may_be_kept(status: int) -> None:
    made = HttpResponse(status=status, headers={"Cache-Control": "public, max-age=30"})
    assert KEEP_HEADER not in keep(RequestFactory().get("/"), made, scopes=["entity"]).headers


def test_parameters_have_one_canonical_form() -> None:
    assert variant_of(type="", page=2, kind="a b", until=None) == "kind=a+b&page=2"
    assert variant_of() == ""


def test_all_subscribers_hear_of_a_change_even_if_one_of_them_fails(caplog: pytest.LogCaptureFixture) -> None:
    own, first, second = Hearing(), list[frozenset[str]](), list[frozenset[str]]()

    def fail(_scopes: frozenset[str]) -> None:
        raise ValueError("a defect")

    for told in (first.append, fail, second.append):
        own.subscribe(told)
    own.tell(["entity", "documents"])
    own.tell([])
    assert first == second == [frozenset({"entity", "documents"})]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_process_knows_since_when_its_listener_is_silent_and_whether_it_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instant = [100.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: instant[0]))
    own = Hearing()
    assert own.seconds_silent() == math.inf
    own.heard()
    instant[0] = 102.5
    own.lost()
    assert (own.seconds_silent(), own.is_away) == (2.5, True)
    own.heard()
    assert (own.seconds_silent(), own.is_away) == (0.0, False)
