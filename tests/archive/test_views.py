"""The city's pages."""

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.conf import settings as django_settings
from django.test import Client
from hypothesis import given, settings

from archive.city import CONDITIONS, derive
from archive.days import ONE_DAY
from archive.skyline import skyline, skyline_halves
from tests.archive.any_day import any_inputs
from tests.archive.made import DAY, SLUGS, say, sealed, sealed_days

page = pytest.mark.urls("tests.archive.urls")
NAMESPACE = "{http://www.w3.org/2000/svg}"


@page
@pytest.mark.django_db
def test_before_the_first_day_the_city_says_so(client: Client) -> None:
    response = client.get("/city")
    assert response.status_code == 200
    assert "아직 봉인된 날이 없습니다" in response.content.decode()


@page
@pytest.mark.django_db
def test_the_city_shows_its_newest_day_strips_and_a_calendar_with_gaps(client: Client) -> None:
    sealed(DAY - 3 * ONE_DAY)
    sealed_days(2)
    text = client.get("/city").content.decode()
    assert "2026년 11월 20일 금요일" in text
    assert 'href="/city/2026-11-17"' in text
    assert 'href="/city/2026-11-18"' not in text
    assert '<span class="none" title="파일 없음">18</span>' in text
    for label in ("기분 지수", "경제 지수", "전력 여유"):
        assert re.search(rf"{label}: 최근 60일, 범위 −?[0-9]+~−?[0-9]+", text), label
    assert 'aria-label="20일, ' in text
    assert re.search(r'aria-label="20일, [가-힣 ]+ \(11월\)"', text)
    assert "CC BY 4.0" in text


@page
@pytest.mark.django_db
@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"{}")])
def test_a_day_whose_file_is_missing_or_damaged_is_a_503_with_a_page_that_helps(
    client: Client, root: Path, damage: Callable[[Path], Any]
) -> None:
    sealed_days(2)
    path = root / "2026" / "2026-11-20.json"
    path.chmod(0o644)
    damage(path)
    for address in ("/city", "/city/2026-11-20"):
        response = client.get(address)
        assert response.status_code == 503
        assert (response["Retry-After"], response["Cache-Control"]) == ("60", "no-store")
        text = response.content.decode()
        assert "2026년 11월 20일" in text
        assert 'href="/city/2026-11-19"' in text
    assert client.get("/city/2026-11-19").status_code == 200


@page
@pytest.mark.django_db
def test_a_day_s_page_shows_the_day_its_signals_and_how_to_cite_it(client: Client) -> None:
    sealed(DAY - ONE_DAY)
    row = sealed(slugs=SLUGS[:5])
    text = client.get("/city/2026-11-20").content.decode()
    assert text.count("<h1") == 1
    assert row.sha256 in text
    assert row.facts["reflection"] in text
    assert text.count("<details>") == 6
    assert "전날 자료" in text
    assert 'href="/api/archive?date=2026-11-20"' in text
    assert 'href="/city/2026-11-19" rel="prev"' in text
    assert "city/2026-11-20, CC BY 4.0" in text
    assert "예행 기록" not in text


@page
@pytest.mark.django_db
def test_a_rehearsed_day_says_so(client: Client) -> None:
    sealed(rehearsal=True)
    text = client.get("/city/2026-11-20").content.decode()
    assert "예행 기록" in text


@page
@pytest.mark.django_db
def test_a_day_without_a_file_is_a_404_with_the_nearest_days(client: Client) -> None:
    sealed()
    response = client.get("/city/2026-11-21")
    assert response.status_code == 404
    assert 'href="/city/2026-11-20"' in response.content.decode()


@page
@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/city/2026-02-30", "/city/2026-1-1", "/city/x", "/city/2026-11-20/"])
def test_what_is_no_day_is_a_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@page
@pytest.mark.django_db
def test_hostile_words_of_a_service_stay_words(client: Client) -> None:
    say("market", highlights=[{"label": "</script><script>alert(1)</script>", "value": "\u202eevil"}])
    sealed(slugs=SLUGS[1:])
    text = client.get("/city/2026-11-20").content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "\u202e" not in text
    assert "\\u202e" in text


@page
@pytest.mark.django_db
def test_the_pages_run_no_script_and_hold_no_inline_style(client: Client) -> None:
    sealed_days(2)
    for path in ("/city", "/city/2026-11-20"):
        text = client.get(path).content.decode()
        assert re.findall(r"<script(?! type=\"application/ld\+json\")", text) == []
        assert " style=" not in text
        assert "http-equiv" not in text


@page
@pytest.mark.django_db
def test_the_day_is_a_dataset_for_machines(client: Client) -> None:
    row = sealed()
    text = client.get("/city/2026-11-20").content.decode()
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert data["@type"] == "Dataset"
    assert data["includedInDataCatalog"]["@type"] == "DataCatalog"
    assert data["temporalCoverage"] == "2026-11-20"
    assert data["identifier"] == f"sha256:{row.sha256}"
    assert data["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert data["distribution"]["contentUrl"].endswith("/api/archive?date=2026-11-20")


@settings(max_examples=40, deadline=None)
@given(any_inputs)
def test_every_state_has_a_picture_that_is_well_formed_and_says_what_it_shows(inputs: object) -> None:
    state = derive(inputs)  # type: ignore[arg-type]
    root = ElementTree.fromstring(skyline(DAY, state))
    assert root.find(f"{NAMESPACE}title") is not None
    description = root.find(f"{NAMESPACE}desc")
    assert description is not None
    assert all(district["name"] in str(description.text) for district in state["districts"])
    assert not list(root.iter(f"{NAMESPACE}script"))
    assert len(list(root.iter(f"{NAMESPACE}g"))) == 6


def _with(**changes: object) -> dict[str, object]:
    from tests.archive.made import facts

    state: dict[str, object] = {**facts().state}
    state["districts"] = [{**district, **changes} for district in facts().districts]
    return state


def test_two_halves_show_three_districts_each_and_the_first_says_what_both_show() -> None:
    first, second = (
        ElementTree.fromstring(f"{part}</svg>") for part in skyline_halves(DAY, _with()).split("</svg>")[:2]
    )
    places = [
        [text.text for text in half.iter(f"{NAMESPACE}text") if text.get("class") == "place"]
        for half in (first, second)
    ]
    assert places == [["거래 항구", "광장", "학당 언덕"], ["방송 거리", "경기장", "발전소"]]
    assert (first.get("viewBox"), second.get("viewBox")) == ("0 0 480 400", "480 0 480 400")
    assert first.find(f"{NAMESPACE}desc") is not None
    assert second.get("aria-hidden") == "true"


def test_the_same_day_has_the_same_picture() -> None:
    assert skyline(DAY, _with()) == skyline(DAY, _with())
    assert skyline(DAY, _with()) != skyline(date(2026, 11, 19), _with())


def _lit(picture: str) -> int:
    return sum(path.count("M") for path in re.findall(r'<path class="lit" d="([^"]*)"', picture))


def test_more_lights_light_more_windows_and_none_none() -> None:
    lit = [_lit(skyline(DAY, _with(lights=lights))) for lights in (0, 30, 60, 100)]
    assert lit[0] == 0
    assert lit == sorted(set(lit))
    assert 'class="unlit"' not in skyline(DAY, _with(lights=100))


def test_more_activity_builds_higher() -> None:
    def highest(picture: str) -> int:
        return min(int(top) for top in re.findall(r"V(\d+)h", picture))

    assert highest(skyline(DAY, _with(activity=90))) < highest(skyline(DAY, _with(activity=20)))


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_sky_shows_the_weather(condition: str) -> None:
    from tests.archive.made import facts

    picture = skyline(DAY, facts(condition=condition).state)
    assert f'class="skyline {condition}"' in picture
    marks = {
        "rain": "drops",
        "storm": "bolt",
        "fog": "mist",
        "rainbow": "bow b0",
        "clear": "stars",
        "cloudy": "cloud",
    }
    assert f'class="{marks[condition]}"' in picture


CITY_CSS = (django_settings.BASE_DIR / "static" / "city.css").read_text(encoding="utf-8")


def test_the_two_schemes_choose_colours_and_nothing_else() -> None:
    chosen = re.findall(r"([\w-]+)\s*:[^;{}]*light-dark\(", CITY_CSS)
    assert {name for name in chosen if not name.startswith("--")} <= {
        "background", "border-bottom-color", "fill", "stroke",
    }  # fmt: skip


def test_every_element_that_the_stylesheet_names_by_class_is_on_a_page() -> None:
    pages = "".join(
        path.read_text(encoding="utf-8")
        for path in (django_settings.BASE_DIR / "templates" / "archive").glob("*.html")
    )
    for element, name in re.findall(r"^(\w+)\.([\w-]+)", CITY_CSS, re.MULTILINE):
        assert re.search(rf'<{element} class="[^"]*\b{name}\b', pages), (element, name)
