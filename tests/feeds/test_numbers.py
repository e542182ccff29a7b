"""The pages of numbers, their twins, the lines of code on them, and frames on other sites."""

import codecs
import csv
import html
import io
import json
import re
import shlex
import shutil
import subprocess
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from knowledge import curation
from knowledge.models import SeriesInput, Status, Unit, UnitType
from tests.factories.knowledge import make_source, make_unit
from tests.factories.series import make_series, observe
from tests.feeds.surfaces import text_of
from tests.feeds.test_facts import nodes_of
from tests.problems import problem_of

pytestmark = pytest.mark.django_db
PRICE, RATE = "price-btc", "bok-base-rate"


@pytest.fixture
def holder() -> Unit:
    return make_unit("bok-rate", "기준금리 주제", type=UnitType.TOPIC, summary="한국은행이 정하는 금리다.")


@pytest.fixture
def numbers(stopped_clock: object, holder: Unit) -> None:
    """A rate that moved, and a price that is nine days old and may not be passed on."""
    now = timezone.now()
    make_series(
        RATE,
        holder=holder,
        label="한국은행 기준금리",
        label_en="Base rate",
        note="위원회가 정한다.",
        note_en="Set.",
    )
    bitcoin = make_unit("btc", "비트코인")
    priced = {"unit": "KRW", "cadence": "live", "redistributable": False, "decimals": 8}
    priced |= {"licence": "업비트 이용 조건", "licence_en": "Terms of Upbit"}
    make_series(PRICE, holder=bitcoin, label="비트코인 원화 가격", label_en="BTC price", **priced)
    bank = make_source("bank", name="한국은행", name_en="Bank of Korea", homepage="https://bok.example/")
    SeriesInput.objects.update(source=bank)
    for day in range(10):
        at = now - timedelta(days=day)
        observe(RATE, at, 2.5 if day < 4 else 2.75, period=f"{timezone.localtime(at):%Y-%m-%d}")
        observe(PRICE, at - timedelta(days=9), 124_000_000 - 1000 * day)


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?small>", "", page))))


@pytest.mark.usefixtures("numbers")
def test_a_page_says_value_time_source_changes_and_how_it_is_made(client: Client) -> None:
    page = text_of(client, f"/number/{RATE}")
    said = plain(page)
    for words in (
        "한국은행 기준금리 2.50%",
        "▼ −0.25%p 하락 7일",
        "변동 없음 직전 값 대비",
        "위원회가 정한다.",
        "이용 조건: CC BY 4.0",
        f"series:{RATE}",
    ):
        assert words in said, words
    for link in (
        'href="https://bok.example/"',
        'id="licence"',
        f'href="/api/series/{RATE}.json"',
        f'href="/api/series/{RATE}.csv"',
        f'href="/api/series/{RATE}.json?revisions=1"',
        'href="/topic/bok-rate"',
        f'href="/number/{RATE}.md"',
        f'hreflang="en" href="{settings.BASE_URL}/en/number/{RATE}"',
    ):
        assert link in page, link
    assert page.count("<tr>") == 11


@pytest.mark.usefixtures("numbers")
def test_a_page_says_what_it_is_a_number_of(client: Client, holder: Unit) -> None:
    holder.summary = "기준금리는 모든 금리의 바탕이다. 위원회가 정한다. 한 해에 여덟 번 모인다."
    holder.save()
    page = text_of(client, f"/number/{RATE}")
    assert "<p>기준금리는 모든 금리의 바탕이다. 위원회가 정한다.</p>" in page
    assert "여덟 번" not in page
    assert "바탕이다" not in text_of(client, f"/en/number/{RATE}")


@pytest.mark.usefixtures("numbers")
def test_the_english_page_speaks_english(client: Client) -> None:
    page = text_of(client, f"/en/number/{RATE}")
    assert '<html lang="en">' in page
    assert "▼ −0.25 percentage points down 7 days" in plain(page)
    for slug, licence in ((RATE, "CC BY 4.0"), (PRICE, "Terms of Upbit")):
        said = plain(text_of(client, f"/en/number/{slug}"))
        assert f"Source: Bank of Korea · Licence: {licence}" in said
        # The unit's own name, and that of the other language.
        korean = said.replace("기준금리 주제", "").replace("비트코인", "").replace("한국어", "")
        assert not re.findall("[가-힣]+", korean)
    assert "Show all" not in text_of(client, "/en/numbers")
    assert "Bank of Korea" in text_of(client, f"/embed/number/{RATE}?lang=en")


@pytest.mark.usefixtures("numbers")
def test_the_english_list_turns_its_pages_in_english(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowledge.queries.numbers.SHOWN_A_PAGE", 1)
    make_series("price-eth")
    page = text_of(client, "/en/numbers?group=price")
    assert "Page 1" in plain(page)
    assert "Next page →" in plain(page)
    assert not re.findall("[가-힣]+", plain(page).replace("한국어", ""))


@pytest.mark.usefixtures("numbers")
def test_each_language_names_itself_the_other_and_the_default(client: Client) -> None:
    for path in (f"/number/{RATE}", "/numbers"):
        for own in (path, f"/en{path}"):
            head = text_of(client, own)
            assert re.findall(r'hreflang="([a-z-]+)" href="([^"]+)"', head)[:3] == [
                ("ko", f"{settings.BASE_URL}{path}"),
                ("en", f"{settings.BASE_URL}/en{path}"),
                ("x-default", f"{settings.BASE_URL}{path}"),
            ]


@pytest.mark.usefixtures("numbers")
def test_an_old_value_says_its_age_and_a_price_has_no_csv(client: Client) -> None:
    page = text_of(client, f"/number/{PRICE}")
    said = plain(page)
    assert re.search(r"1억 2,400만 원 .*124,000,000원 · ", said)
    assert "9일 전 값" in said
    assert ".csv" not in page
    assert "재배포할 수 없어" in said
    assert "IMPORTDATA" not in page


@pytest.mark.usefixtures("numbers")
def test_the_holders_page_shows_it_with_a_chart_and_leads_on(client: Client) -> None:
    page = text_of(client, "/topic/bok-rate")
    assert "2.50%" in plain(page)
    assert f'href="/number/{RATE}"' in page
    assert f'href="/api/series/{RATE}.csv"' in page
    assert f'id="chart-{RATE}"' in page
    assert "<iframe" not in html.unescape(page)
    assert f"(`series:{RATE}`): 2.50%" in text_of(client, "/topic/bok-rate.md")
    assert "9일 전 값" in plain(text_of(client, "/asset/btc"))


@pytest.mark.usefixtures("numbers")
def test_every_face_has_the_same_value(client: Client) -> None:
    record = next(
        one for one in json.loads(text_of(client, "/api/series.json"))["series"] if RATE in one["id"]
    )
    value = record["latest"]["value"]
    assert value == json.loads(text_of(client, f"/api/series/{RATE}.json"))["points"][-1]["value"] == 2.5
    assert f"value: **{value:.2f}%**" in text_of(client, f"/number/{RATE}.md")
    rows = list(csv.DictReader(io.StringIO(text_of(client, f"/api/series/{RATE}.csv"))))
    assert float(rows[-1]["value"]) == value
    data = next(node for node in nodes_of(text_of(client, f"/number/{RATE}")) if node["@type"] == "Dataset")
    assert float(data["variableMeasured"]["value"]) == value
    assert data["identifier"] == record["id"]
    assert data["distribution"][1]["contentUrl"] == f"{settings.BASE_URL}/api/series/{RATE}.csv"
    for path in ("/numbers", "/numbers.md", f"/embed/number/{RATE}"):
        assert f"{value:.2f}%" in plain(text_of(client, path)), path


def test_a_number_without_values_says_so(client: Client, holder: Unit) -> None:
    make_series("empty", holder=holder)
    for path in ("/number/empty", "/embed/number/empty", "/number/empty.md"):
        page = text_of(client, path)
        assert "아직 측정된 값이 없습니다." in page, path
        assert "<figure" not in page, path
        assert not re.search(r"^## .+\n+(?=## |\Z)", page, re.M), path
    # The page of its holder leaves it out.
    assert "아직" not in text_of(client, "/topic/bok-rate")
    assert "아직 공개된 숫자가 없습니다." not in text_of(client, "/numbers")
    assert "empty" not in text_of(client, "/")


@pytest.mark.usefixtures("numbers")
def test_an_unknown_slug_names_the_nearest_and_odd_addresses_are_none(client: Client) -> None:
    page = text_of(client, "/number/bok-base-rat", 404)
    assert f'<a href="/number/{RATE}">' in page
    for path in (
        f"/number/{RATE}?range=7",
        "/numbers?group=none",
        "/numbers?page=2",
        "/numbers?group=price&page=9",
        "/en/number/none",
        "/number/none.md",
        "/embed/number/none",
    ):
        assert client.get(path).status_code == 404, path
    assert client.get(f"/number/{RATE}?range=30").status_code == 200


@pytest.mark.usefixtures("numbers")
def test_a_series_goes_with_its_holder_and_a_draft_was_never_there(client: Client, holder: Unit) -> None:
    faces = [f"/number/{RATE}", f"/en/number/{RATE}", f"/number/{RATE}.md", f"/embed/number/{RATE}"]
    curation.set_status(holder, Status.RETRACTED)
    assert {client.get(path).status_code for path in faces} == {410}
    make_series("secret", holder=make_unit("draft", "초안", status=Status.DRAFT))
    assert client.get("/number/secret").status_code == 404
    assert "secret" not in text_of(client, "/number/secret-", 404).replace("/number/secret-", "").replace(
        'value="secret"', ""
    )
    for path in ("/numbers", "/numbers.md", "/sitemap.xml", "/"):
        assert RATE not in text_of(client, path), path


@pytest.mark.usefixtures("numbers")
def test_pages_ask_few_questions(client: Client) -> None:
    client.get("/numbers")
    # One of each whole page asks for its share card.
    for path, limit in (
        (f"/number/{RATE}", 7),
        ("/numbers", 6),
        (f"/embed/number/{RATE}", 6),
        (f"/oembed?url={settings.BASE_URL}/number/{RATE}", 1),
    ):
        with CaptureQueriesContext(connection) as asked:
            client.get(path)
        assert len(asked) <= limit, path


def reads_as_r(line: str, address: str) -> None:
    """The line is one call of R with one string, the address, and perhaps a member of what it gives."""
    call = re.fullmatch(r"(?:[a-zA-Z]+::)?[a-zA-Z.]+\('([^'\\\n]*)'\)(?:\$[a-z]+)?", line)
    assert call
    assert call[1] == address
    if rscript := shutil.which("Rscript"):
        assert subprocess.run([rscript, "-e", f"parse(text={json.dumps(line)})"], check=False).returncode == 0


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize("slug", [RATE, PRICE])
def test_the_lines_of_code_fetch_what_they_say(client: Client, slug: str) -> None:
    facts = re.findall(r"<dt>([^<]+)</dt><dd><code>(.+?)</code>", text_of(client, f"/number/{slug}"))
    lines = {name: html.unescape(code) for name, code in facts}
    ending = "csv" if slug == RATE else "json"
    shell = shlex.split(lines["curl"])
    assert shell[:2] == ["curl", "-s"]
    address = shell[2]
    assert address == f"{settings.BASE_URL}/api/series/{slug}.{ending}"
    reads_as_r(lines["R"], address)
    call = compile(lines["pandas"], "pandas", "eval")
    assert address in [each for each in call.co_consts if isinstance(each, str)]
    fetched = text_of(client, urlsplit(address).path)
    if slug == RATE:
        assert lines["Google Sheets"] == f'=IMPORTDATA("{address}")'
        imported = client.get(urlsplit(address).path)  # which follows no redirect
        assert imported["Content-Type"].partition(";")[0] == "text/csv"
        assert not imported.content.startswith(codecs.BOM_UTF8)
        assert next(csv.reader(io.StringIO(fetched))) == ["at", "period", "value"]
        assert {len(row) for row in csv.reader(io.StringIO(fetched))} == {3}
        asked = {"parse_dates=['at']", "index_col='at'", "['value']"}
        assert asked <= set(re.findall(r"parse_dates=\['at'\]|index_col='at'|\['value'\]", lines["pandas"]))
    else:
        assert "Google Sheets" not in lines
        assert {"at", "value"} <= json.loads(fetched)["points"][0].keys()
    frame = re.fullmatch(
        r'<iframe src="([^"]+)" title="[^"]+" width="480" height="340" loading="lazy"></iframe>',
        lines["퍼가기"],
    )
    assert frame
    assert client.get(urlsplit(frame[1]).path).status_code == 200


@pytest.mark.usefixtures("numbers")
def test_only_a_frame_may_be_framed_and_it_holds_no_form_and_no_data(client: Client) -> None:
    for _first_and_kept in range(2):
        response = client.get(f"/embed/number/{PRICE}")
        page = response.content.decode()
        assert "frame-ancestors *" in response["Content-Security-Policy"]
        assert "X-Frame-Options" not in response
        assert response["X-Robots-Tag"] == "noindex"
        assert not response.cookies
    assert "<form" not in page
    assert "/api/" not in page
    assert "<details" not in page
    assert f'href="{settings.BASE_URL}/number/{PRICE}"' in page
    again = client.get(f"/embed/number/{PRICE}", HTTP_IF_NONE_MATCH=response["ETag"])
    assert again.status_code == 304
    assert "X-Frame-Options" not in again
    assert '<html lang="en">' in text_of(client, f"/embed/number/{PRICE}?lang=en")
    for path in (f"/number/{PRICE}", "/numbers", "/embed/number/none", "/"):
        other = client.get(path)
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"], path
        assert other["X-Frame-Options"] == "DENY", path
    assert "/embed/" not in text_of(client, "/sitemap.xml")
    assert f"{settings.BASE_URL}/number/{PRICE}</loc>" in text_of(client, "/sitemap.xml")


def asked_of_oembed(client: Client, url: str = f"/number/{RATE}", **more: str) -> Any:
    return client.get("/oembed", {"url": f"{settings.BASE_URL}{url}", **more})


@pytest.mark.usefixtures("numbers")
def test_oembed_tells_other_sites_how_to_show_a_number(client: Client) -> None:
    page = text_of(client, f"/number/{RATE}")
    link = re.search(r'type="application/json\+oembed" href="([^"]+)"', page)
    assert link
    address = html.unescape(link[1])
    assert address.endswith(f"/oembed?url={quote(f'{settings.BASE_URL}/number/{RATE}', safe='')}&format=json")
    told = client.get(address.removeprefix(settings.BASE_URL)).json()
    assert (told["version"], told["type"], told["width"], told["height"]) == ("1.0", "rich", 480, 340)
    assert told["title"] == "한국은행 기준금리"
    assert f'<iframe src="{settings.BASE_URL}/embed/number/{RATE}"' in told["html"]
    small = asked_of_oembed(client, maxwidth="300", maxheight="9000").json()
    assert (small["width"], small["height"]) == (300, 340)
    assert 'width="300" height="340"' in small["html"]
    assert asked_of_oembed(client, f"/en/number/{RATE}").json()["title"] == "Base rate"


@pytest.mark.usefixtures("numbers")
def test_oembed_refuses_as_its_specification_says(client: Client, holder: Unit) -> None:
    assert problem_of(asked_of_oembed(client, format="xml"), 501)["code"] == "format_not_given"
    for url in ("/number/none", "/asset/btc", "/numbers", "/number/", "//number/x"):
        assert problem_of(asked_of_oembed(client, url), 404)["code"] == "nothing_to_embed", url
    for url in ("", "https://elsewhere.example/number/price-btc", "http://[", "javascript:alert(1)"):
        problem_of(client.get("/oembed", {"url": url}), 404)
    problem_of(client.post("/oembed"), 405)
    loud = settings.BASE_URL.upper().replace("HTTP", "http", 1)
    assert client.get("/oembed", {"url": f"{loud}/number/{RATE}"}).status_code == 200
    for side in ("0", "-1", "x", "٣", "999999"):
        problem_of(asked_of_oembed(client, maxwidth=side), 400)
    curation.set_status(holder, Status.RETRACTED)
    assert asked_of_oembed(client).status_code == 404


@pytest.mark.usefixtures("numbers")
def test_hostile_names_stay_text(client: Client) -> None:
    hostile = '"><script>alert(1)</script>&'
    make_series("hostile", label=hostile, label_en=hostile, note=hostile, licence=hostile)
    observe("hostile", timezone.now(), 1)
    assert "<iframe" not in text_of(client, "/number/hostile")
    for path in ("/number/hostile", "/embed/number/hostile", "/numbers", "/number/hostile.md"):
        assert "<script>alert" not in text_of(client, path), path
    told = asked_of_oembed(client, "/number/hostile").json()["html"]
    assert told.count("<") == 2
