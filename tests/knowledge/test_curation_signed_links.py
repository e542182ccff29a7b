"""Drafts by signed links: the public page, for a week, for nobody's cache or index."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from knowledge import curation
from knowledge.curation import signed_links
from knowledge.models import Status, Unit, UnitType
from knowledge.queries.visibility import shortcomings_of
from tests.factories.knowledge import NOON, make_unit
from tests.feeds.surfaces import rebuild

pytestmark = pytest.mark.django_db

HOSTILE = "<img src=x onerror=alert(1)>"


def draft() -> Unit:
    return make_unit("maru", "마루코인", status=Status.DRAFT, summary="마당에서 쓰는 코인.")


def test_a_drafts_preview_is_its_page_with_a_band(client: Client) -> None:
    unit = draft()
    assert client.get("/asset/maru").status_code == 404
    response = client.get(signed_links.preview_path(unit))
    html = response.content.decode()
    assert response.status_code == 200
    assert "초안 미리보기" in html
    assert "마당에서 쓰는 코인." in html
    assert '<meta name="robots" content="noindex">' in html
    assert response["Cache-Control"] == "no-store"
    assert "noindex" in response["X-Robots-Tag"]
    assert "ETag" not in response
    curation.set_status(unit, Status.PUBLISHED)
    public = client.get("/asset/maru").content.decode()
    assert "초안 미리보기" not in public
    assert "noindex" not in public
    body = html[html.index("<article>") : html.index("</article>")]
    assert (
        body.split("고침")[0]
        == public[public.index("<article>") : public.index("</article>")].split("고침")[0]
    )


def test_a_link_works_for_seven_days(client: Client) -> None:
    path = signed_links.preview_path(draft())
    with time_machine.travel(timezone.now() + timedelta(days=6, hours=23), tick=False):
        assert client.get(path).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(days=7, hours=1), tick=False):
        response = client.get(path)
    assert response.status_code == 410
    assert "기한이 지났습니다" in response.content.decode()
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("change", ["other unit", "cut", "nonsense"])
def test_a_tampered_link_opens_nothing(change: str, client: Client) -> None:
    unit, other = draft(), make_unit("b", "비밀", status=Status.DRAFT)
    path = signed_links.preview_path(unit)
    key, _colon, rest = path.removeprefix("/preview/").partition(":")
    bad = {"other unit": f"{other.pk}:{rest}", "cut": f"{key}:{rest[:-1]}", "nonsense": "1"}[change]
    response = client.get(f"/preview/{bad}")
    assert response.status_code == 404
    assert "미리보기를 찾을 수 없습니다" in response.content.decode()
    assert "비밀" not in response.content.decode()
    assert "noindex" in response["X-Robots-Tag"]


def test_what_was_published_since_leads_to_its_page_and_what_was_retracted_is_gone(client: Client) -> None:
    unit = draft()
    path = signed_links.preview_path(unit)
    curation.set_status(unit, Status.PUBLISHED)
    response = client.get(path)
    assert (response.status_code, response["Location"]) == (302, "/asset/maru")
    curation.set_status(unit, Status.RETRACTED)
    assert client.get(path).status_code == 410


def test_hostile_drafts_are_shown_as_texts(client: Client) -> None:
    unit = make_unit("x", HOSTILE, status=Status.DRAFT, summary=HOSTILE)
    assert HOSTILE not in client.get(signed_links.preview_path(unit)).content.decode()


def test_no_public_file_knows_of_a_preview(client: Client) -> None:
    draft()
    rebuild()
    for path in ("/sitemap.xml", "/llms.txt", "/rss.xml", "/api/canonical/entities.json", "/robots.txt"):
        body = b"".join(client.get(path)).decode()
        assert "preview" not in body, path
        assert "maru" not in body, path


@pytest.mark.parametrize("status", Status.values)
@pytest.mark.parametrize("into", [None, *Status.values])
def test_the_explanation_agrees_with_what_readers_get(status: str, into: str | None, client: Client) -> None:
    unit = make_unit("a", "가나", status=status, summary="요약")
    if into is not None:
        unit.merged_into = make_unit("b", "다라", status=into, summary="요약")
        unit.save()
    rebuild()
    assert client.get("/asset/a").status_code == unit.public_status
    sitemap = b"".join(client.get("/sitemap.xml")).decode()
    assert ("/asset/a<" in sitemap) == unit.is_public
    assert bool(shortcomings_of(unit)) == (not unit.is_public)


def test_a_published_unit_that_is_only_a_name_says_so() -> None:
    unit = make_unit()
    assert "이름뿐" in shortcomings_of(unit)[0]
    event = make_unit("e", "사건", type=UnitType.EVENT, occurred_at=NOON)
    event.event_units.create(unit=unit)
    assert shortcomings_of(unit) == []
