"""The documentation says the same in both languages, and whatever of it can be run runs: snippets and scripts."""

import ast
import gzip
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker

from archive.days import yesterday
from archive.rehearsal import rehearse
from feeds.examples import FOLDER, JOBS, UNTOLD_BASE
from knowledge.models import UnitType
from tests.factories.knowledge import make_unit
from tests.factories.series import make_series, observe
from tests.factories.world import World, make_world
from tests.feeds.surfaces import text_of
from tests.served import served
from tests.shared import Shared, shared

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PAGES = ("/docs", "/terms")
BLOCKS = {
    "h1",
    "h2",
    "h3",
    "p",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "th",
    "td",
    "pre",
    "a",
    "section",
}
QUESTION = "What is the kimchi premium?"
# Programs that a developer has and a test has not; what they are told to fetch is fetched here.
OTHERS = ("claude ", "openapi-python-client ")


@dataclass(frozen=True, slots=True)
class Snippet:
    language: str
    attributes: dict[str, str | None]
    text: str


class Outline(HTMLParser):
    """The main part of a page by its headings: how many blocks and links of each kind stand under one, what is named
    there as code, and the snippets."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.sections: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.named: defaultdict[str, set[str]] = defaultdict(set)
        self.snippets: list[Snippet] = []
        self._section = ""
        self._code: tuple[dict[str, str | None], list[str]] | None = None
        self._preformatted = False
        self.feed(page[page.index("<main") : page.index("</main>")])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in ("h2", "h3"):
            self._section = named.get("id") or ""
        if tag in BLOCKS:
            self.sections[self._section][tag] += 1
        if tag == "pre":
            self._preformatted = True
        if tag == "code":
            self._code = named, []

    def handle_data(self, data: str) -> None:
        if self._code is not None:
            self._code[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "code" and self._code is not None:
            attributes, texts = self._code
            self._code = None
            if not self._preformatted:
                self.named[self._section].add("".join(texts).replace("/en/", "/"))
                return
            language = (attributes.get("class") or "").removeprefix("language-")
            self.snippets.append(Snippet(language, attributes, "".join(texts)))
        if tag == "pre":
            self._preformatted = False


def make() -> World:
    """The small invented world, three days of the city, tonight's bulk files, and what the documentation names."""
    now = timezone.now()
    list(rehearse(3, until=yesterday(now)))
    make_unit(
        "btc",
        "비트코인",
        symbol="BTC",
        label_en="Bitcoin",
        category="chain",
        summary="비트코인은 최초의 가상자산이다.",
        summary_en="Bitcoin is the first cryptocurrency.",
        aliases=["Bitcoin"],
    )
    former = make_unit("matic", "매틱")
    former.merged_into = make_unit("pol", "폴리곤")
    former.save()
    make_unit(
        "upbit", "업비트", type=UnitType.COMPANY, category="exchange", country="KR", aliases=["Upbit", "업빗"]
    )
    make_unit(
        "kimchi-premium",
        "김치 프리미엄",
        type=UnitType.TOPIC,
        summary="김치 프리미엄은 국내 가격이 해외보다 비싼 정도이다.",
        summary_en="The kimchi premium is how much more an asset costs in Korea than abroad.",
        aliases=["kimchi premium"],
    )
    rate = make_unit("bok-rate", "기준금리", type=UnitType.TOPIC)
    make_series("usd-krw", holder=rate, label="원/달러 환율", label_en="Won per dollar", cadence="daily")
    for age in range(3):
        observe("usd-krw", now - timedelta(days=age), 1384.5 - age)
    made = make_world(now)
    call_command("write_bulk", stdout=StringIO())
    return made


@pytest.fixture(scope="module")
def base(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """The origin of the service for all tests here, which it also states as its own."""
    with django_db_blocker.unblock(), served() as origin, override_settings(BASE_URL=origin, CITY_URL=origin):
        yield origin


@pytest.fixture(scope="module")
def documented(
    base: str, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shared[World]]:
    with shared(make, django_db_blocker, tmp_path_factory.mktemp("world") / "archive") as made:
        yield made


@pytest.fixture(autouse=True)
def world(documented: Shared[World], db: None, own_archive: Path) -> World:
    return documented.brought_to(own_archive)


def run(*command: str, folder: Path, base: str = "") -> subprocess.CompletedProcess[str]:
    """A program in a folder of its own, which reaches nothing but this machine."""
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "no_proxy": "*"}
    if base:
        environment["BASE"] = base
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def done(*command: str, folder: Path, base: str = "") -> str:
    """What a program printed that must succeed."""
    ended = run(*command, folder=folder, base=base)
    assert ended.returncode == 0, (command, ended.stdout, ended.stderr)
    return ended.stdout


def script(name: str, *arguments: str, folder: Path, base: str) -> str:
    return done(sys.executable, str(FOLDER / f"{name}.py"), *arguments, folder=folder, base=base)


def snippets(client: Client, language: str) -> list[Snippet]:
    found = [snippet for path in PAGES for snippet in Outline(text_of(client, path)).snippets]
    return [snippet for snippet in found if snippet.language == language]


@pytest.mark.parametrize("path", PAGES)
def test_both_languages_say_the_same(client: Client, path: str) -> None:
    korean, english = (Outline(text_of(client, each)) for each in (path, f"/en{path}"))
    assert korean.sections == english.sections
    assert korean.named == english.named
    assert len(korean.sections) > 5
    assert korean.snippets == english.snippets


def test_every_snippet_is_of_a_language_that_is_run_here(client: Client) -> None:
    languages = {snippet.language for path in PAGES for snippet in Outline(text_of(client, path)).snippets}
    assert languages == {"sh", "python", "json"}


def test_snippets_of_python_run(client: Client, tmp_path: Path) -> None:
    printed = [done(sys.executable, "-c", each.text, folder=tmp_path) for each in snippets(client, "python")]
    assert len(printed) >= 3
    assert any("/topic/kimchi-premium" in text for text in printed)


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs curl and bash")
def test_snippets_of_the_shell_run(client: Client, base: str, tmp_path: Path) -> None:
    printed = ""
    for snippet in snippets(client, "sh"):
        if not snippet.text.startswith(OTHERS):
            strict = f'set -e; curl() {{ command curl --fail -S "$@"; }}\n{snippet.text}'
            printed += done("bash", "-c", strict, folder=tmp_path)
    assert "entity:upbit\t업비트\tUpbit" in printed
    assert f"308 {base}/api/units/asset:pol.json" in printed
    assert 'rel="license"' in printed
    assert '"name": "' not in printed.split('"jsonrpc"')[-1][:40]
    assert gzip.decompress((tmp_path / "entities.jsonl.gz").read_bytes()).count(b"\n") >= 3
    assert len(json.loads((tmp_path / "topics.json").read_bytes())["topics"]) == 3


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs curl and bash")
def test_the_snippet_that_asks_by_etag_downloads_once(client: Client, tmp_path: Path) -> None:
    (asked,) = (each.text for each in snippets(client, "sh") if "--etag-compare" in each.text)
    sizes = []
    for _time in range(2):
        text = asked.replace("curl -s", "curl -s -w '%{http_code} %{size_download} '")
        sizes.append(done("bash", "-c", text, folder=tmp_path).split())
    assert (sizes[0][0], sizes[1]) == ("200", ["304", "0"])
    assert json.loads((tmp_path / "topics.json").read_bytes())["topics"]


def test_what_other_programs_are_told_to_fetch_is_there(client: Client, base: str) -> None:
    told = [each.text for each in snippets(client, "sh") if each.text.startswith(OTHERS)]
    assert len(told) == len(OTHERS)
    for text in told:
        (address,) = re.findall(r"http\S+", text)
        if address.endswith("/api/mcp"):
            assert len(tools_at(address)) == 12
        else:
            assert json.load(urlopen(address))["openapi"].startswith("3.1")


def tools_at(address: str) -> list[Any]:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    found: list[Any] = json.load(urlopen(Request(address, json.dumps(message).encode(), headers)))["result"][
        "tools"
    ]
    return found


def shape(value: Any) -> Any:
    """The names and types of a JSON value, of an array those of its first element."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    return [shape(one) for one in value[:1]] if isinstance(value, list) else type(value).__name__


def test_examples_of_json_have_the_shape_of_what_is_answered(client: Client, base: str) -> None:
    compared = 0
    for snippet in snippets(client, "json"):
        shown = json.loads(snippet.text)
        if "data-mcp" in snippet.attributes:
            (server,) = shown["mcpServers"].values()
            assert len(tools_at(server["url"])) == 12
            continue
        answered = json.load(urlopen(f"{base}{snippet.attributes['data-from']}"))
        if item := snippet.attributes.get("data-item"):
            (answered,) = (each for each in answered["items"] if each["id"] == item)
            assert answered["mergedInto"] == shown["mergedInto"]
        assert shape(shown) == shape(answered)
        compared += 1
    assert compared == 2


def test_ids_that_the_documentation_names_are_of_the_starter_canon(client: Client) -> None:
    folder = settings.BASE_DIR / "knowledge" / "canon"
    canon = "".join((folder / f"{name}.json").read_text() for name in ("assets", "topics", "organisations"))
    named = set(re.findall(r"\b(?:asset|topic|entity):([a-z0-9-]+)", text_of(client, "/docs")))
    assert {"btc", "matic", "pol"} <= named
    assert [slug for slug in named if f'"{slug}"' not in canon] == []


def test_etags_are_as_the_documentation_says(client: Client) -> None:
    (day, *_others) = client.get("/api/archive").json()["items"]
    (file, *_more) = client.get("/api/bulk").json()["items"]
    tagged = (
        "/api/canonical/entities.json",
        "/api/units/asset:btc.json",
        "/api/series.json",
        "/api/series/usd-krw.json",
        "/api/series/usd-krw.csv",
        "/api/changes.json",
        "/api/archive",
        f"/api/archive?date={day['date']}",
        "/rss.xml",
        "/docs",
    )
    for path in tagged:
        for coding, end in (("identity", ""), ("gzip", "-gz"), ("br", "-br")):
            etag = client.get(path, headers={"accept-encoding": coding})["ETag"]
            assert re.fullmatch(rf'"[0-9a-f]+{end}"', etag), (path, coding)
            again = {"if-none-match": etag}
            assert client.get(path, headers={**again, "accept-encoding": coding}).status_code == 304
            if coding == "gzip":
                assert client.get(path, headers={**again, "accept-encoding": "br"}).status_code == 200
    assert client.get(f"/api/archive?date={day['date']}")["ETag"] == f'"{day["sha256"]}"'
    assert client.get(file["url"], headers={"accept-encoding": "gzip"})["ETag"] == f'"{file["sha256"]}"'
    asked = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    for response in (asked, *map(client.get, ("/api/search?q=btc", "/api/resolve?q=btc", "/api/health"))):
        assert response.status_code == 200
        assert "ETag" not in response.headers


def test_limits_are_shown_as_they_are_told(client: Client) -> None:
    told = client.post("/api/ask", {"question": QUESTION}, content_type="application/json").headers
    page = text_of(client, "/docs").replace("&quot;", '"')
    assert f"<code>{told['RateLimit-Policy']}</code>" in page
    assert re.sub(r"t=\d+", "t=30", told["RateLimit"]) in page
    again = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    assert again.json()["cached"] is True
    assert not [name for name in again.headers if name.startswith("RateLimit")]


def test_scripts_need_the_standard_library_alone_and_say_what_they_do_in_two_lines(client: Client) -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(JOBS)
    page, readme = text_of(client, "/docs"), (FOLDER / "README.md").read_text()
    for name in JOBS:
        text = (FOLDER / f"{name}.py").read_text()
        module = ast.parse(text)
        assert len((ast.get_docstring(module) or "").splitlines()) == 2, name
        imported = {
            node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
            for node in ast.walk(module)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert {one.partition(".")[0] for one in imported} <= sys.stdlib_module_names, name
        assert f'href="/docs/examples/{name}.py"' in page
        assert f"[`{name}.py`]({name}.py)" in readme


def test_a_script_is_given_out_asking_the_service_that_it_came_from(client: Client, base: str) -> None:
    response = client.get("/docs/examples/exchanges.py")
    written = (FOLDER / "exchanges.py").read_text()
    assert response.content.decode() == written.replace(UNTOLD_BASE, base) != written
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Robots-Tag"] == "noindex"
    assert client.get("/docs/examples/none.py").status_code == 404
    assert client.get("/docs/examples/..%2F..%2Fmanage.py").status_code == 404


def test_a_search_box_finds_a_mistyped_name_first(base: str, tmp_path: Path) -> None:
    first, *_others = script("search_box", "bitcion", folder=tmp_path, base=base).splitlines()
    assert first == f"{base}/asset/btc\t비트코인"


def test_a_question_is_answered_with_its_sources(base: str, tmp_path: Path) -> None:
    said = script("ask", QUESTION, folder=tmp_path, base=base)
    assert "how much more an asset costs in Korea" in said
    assert f"{base}/topic/kimchi-premium" in said


def test_a_question_that_is_refused_is_told_why(base: str, tmp_path: Path) -> None:
    ended = run(sys.executable, str(FOLDER / "ask.py"), "?", folder=tmp_path, base=base)
    assert ended.returncode == 1
    assert "question" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_mirror_has_every_unit_and_downloads_nothing_twice(base: str, tmp_path: Path) -> None:
    first = script("mirror", "m.db", folder=tmp_path, base=base)
    assert all(int(line.split()[1]) > 0 for line in first.splitlines())
    assert script("mirror", "m.db", folder=tmp_path, base=base) == "entities 0\ntopics 0\nevents 0\n"
    rows = dict(sqlite3.connect(tmp_path / "m.db").execute("SELECT id, record FROM unit"))
    assert json.loads(rows["asset:btc"])["labelEn"] == "Bitcoin"
    assert "asset:matic" not in rows


def test_the_archive_is_kept_once_and_byte_for_byte(client: Client, base: str, tmp_path: Path) -> None:
    first = script("archive", "days", folder=tmp_path, base=base)
    days = {path.name: path.read_bytes() for path in (tmp_path / "days").iterdir()}
    manifest = client.get("/api/archive").json()
    assert len(days) == manifest["count"] == len(first.splitlines()) - 1
    for item in manifest["items"]:
        assert len(days[f"{item['date']}.r1.json"]) == item["bytes"]
    again = script("archive", "days", folder=tmp_path, base=base)
    assert again == f"{manifest['firstDate']} {manifest['lastDate']} without gaps\n"


def test_a_monitor_is_told_by_the_exit_code(client: Client, base: str, tmp_path: Path) -> None:
    ended = run(sys.executable, str(FOLDER / "health.py"), folder=tmp_path, base=base)
    health = client.get("/api/health?detail=1").json()
    assert ["ok", "warn", "fail"][ended.returncode] == health["worst_status"] != "ok", ended.stderr
    named = {line.split("\t")[0] for line in ended.stdout.splitlines()}
    assert named == {name for name, one in health["subsystems"].items() if one["status"] != "ok"}


def test_a_feed_reader_shows_each_entry_once_and_marks_personas(base: str, tmp_path: Path) -> None:
    first = script("feed", "seen.txt", folder=tmp_path, base=base)
    assert len(first.splitlines()) >= 6
    assert "\tAI persona\t" in first
    assert script("feed", "seen.txt", folder=tmp_path, base=base) == ""


def test_the_other_scripts_print_what_they_were_asked_for(base: str, tmp_path: Path) -> None:
    said = {
        name: script(name, *arguments, folder=tmp_path, base=base)
        for name, arguments in {
            "exchanges": ["KR"],
            "typed_client": [],
            "table": ["usd-krw"],
            "citation": ["asset:btc"],
        }.items()
    }
    assert said["exchanges"] == "entity:upbit\t업비트\tUpbit\t업빗\n"
    assert "topic:kimchi-premium\t김치 프리미엄\n" in said["typed_client"]
    assert re.search(r" 1384\.5 mean 1383\.5\n$", said["table"])
    assert said["citation"] == f"Cite as: Madang, {base}/asset/btc, CC BY 4.0\n"
