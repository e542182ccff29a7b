"""Where a unit's facts come from: what may be stored, who writes it, what becomes of it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client

from knowledge import curation
from knowledge.canon import loader
from knowledge.exchange.formats import CSV
from knowledge.exchange.resources import UnitResource
from knowledge.models import Unit, UnitType
from knowledge.models.source_urls import SOURCE_URLS_MAX, checked, tidied
from knowledge.queries.records import record_of
from tests.factories.knowledge import NOON, make_unit

PAPER = "https://bitcoin.example/bitcoin.pdf"
LAW = "https://www.law.example/%EB%B2%95%EB%A0%B9/%ED%8A%B9%EA%B8%88%EB%B2%95"
RECORD: dict[str, Any] = {
    "type": "topic",
    "slug": "travel-rule",
    "label": "트래블룰",
    "summary": "지어낸 설명이다.",
    "aliases": [],
}


def read(*lines: str) -> list[str]:
    return checked(tidied(lines))


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        (PAPER, PAPER),
        (f"  {PAPER}\u200b ", PAPER),
        ("HTTPS://WWW.Law.Example/법령/특금법", LAW),
        (LAW, LAW),
        ("http://paper.example:8080/a?b=c&d=e#f", "http://paper.example:8080/a?b=c&d=e#f"),
        ("https://xn--bj0bj06e.kr/", "https://xn--bj0bj06e.kr/"),
        ('https://paper.example/"><script>', "https://paper.example/%22%3E%3Cscript%3E"),
        ("https://paper.example/가\u202e나", "https://paper.example/%EA%B0%80%EB%82%98"),
    ],
)
def test_an_address_is_stored_as_programs_read_it(written: str, stored: str) -> None:
    assert read(written) == [stored]
    assert read(stored) == [stored]


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("javascript:alert(1)", "https://"),
        ("data:text/html,<script>", "https://"),
        ("ftp://paper.example/a", "https://"),
        ("//paper.example/a", "https://"),
        ("paper.example", "https://"),
        (" java\u200bscript:alert(1)//https://paper.example", "https://"),
        ("https://editor:secret@paper.example/", "비밀번호"),
        ("https://paper.example@evil.example/", "비밀번호"),
        ("https://paper.example/ 비트코인 백서", "빈칸"),
        ("https://a.example/ https://b.example/", "빈칸"),
        ("https:///etc/passwd", "서버 이름"),
        ("https://localhost/", "서버 이름"),
        ("http://127.0.0.1:8000/admin/", "서버 이름"),
        ("http://[::1]/", "서버 이름"),
        ("http://2130706433/", "서버 이름"),
        ("https://-.example/", "서버 이름"),
        ("https://paper.example:port/", "서버 이름"),
        ("https://paper.example\\evil.example/", "서버 이름"),
        ("https://한국.example/", "서버 이름"),
        (f"https://{'a.' * 130}example/", "서버 이름"),
        ("https://paper.example/" + "가" * 100, "500"),
    ],
)
def test_what_is_no_address_of_a_named_host_is_refused_with_its_line(written: str, word: str) -> None:
    with pytest.raises(ValidationError) as refused:
        read(PAPER, "", written)
    (message,) = refused.value.messages
    assert message.startswith("3번째 줄")
    assert word in message


def test_every_bad_line_is_named_and_so_is_one_that_stands_twice() -> None:
    with pytest.raises(ValidationError) as refused:
        read(PAPER, "여기", "http://bitcoin.example/bitcoin.pdf/", "거기")
    said = refused.value.messages
    assert [message[:5] for message in said] == ["2번째 줄", "3번째 줄", "4번째 줄"]
    assert "1번째 줄과 같은 주소" in said[1]


def test_there_are_ten_at_most() -> None:
    pages = [f"https://paper.example/{number}" for number in range(SOURCE_URLS_MAX + 1)]
    assert read(*pages[:-1]) == pages[:-1]
    with pytest.raises(ValidationError, match="11"):
        read(*pages)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "stored",
    [
        ["javascript:alert(1)"],
        [PAPER, "javascript:alert(1)"],
        [f"{PAPER}\njavascript:alert(1)"],
        [f'{PAPER}" onclick="'],
        [""],
        [f"{PAPER}?{number}" for number in range(SOURCE_URLS_MAX + 1)],
    ],
)
def test_the_database_itself_holds_nothing_else(stored: list[str]) -> None:
    unit = make_unit(source_urls=[PAPER, LAW])
    with pytest.raises(IntegrityError), transaction.atomic():
        Unit.objects.filter(pk=unit.pk).update(source_urls=stored)


@pytest.mark.django_db
def test_the_canon_brings_them_to_units_of_before_and_keeps_an_editors() -> None:
    loader.load([{"units": [RECORD]}], now=NOON)
    sourced = {"units": [{**RECORD, "source_urls": [f" {LAW}", PAPER]}]}
    assert loader.load([sourced], now=NOON)["units"] == {"updated": 1}
    assert loader.load([sourced], now=NOON)["units"] == {"unchanged": 1}
    unit = Unit.objects.get()
    assert unit.source_urls == [LAW, PAPER]
    unit.source_urls = [PAPER]
    unit.save()
    assert loader.load([sourced], now=NOON)["units"] == {"kept": 1}
    assert Unit.objects.get().source_urls == [PAPER]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "bad", [["ftp://paper.example"], "https://paper.example", [3], [[PAPER]], {"url": 1}]
)
def test_a_canon_record_with_a_bad_one_is_refused_by_its_slug(bad: Any) -> None:
    with pytest.raises(loader.CanonError, match="travel-rule"):
        loader.load([{"units": [{**RECORD, "source_urls": bad}]}], now=NOON)
    assert not Unit.objects.exists()


@pytest.mark.django_db
def test_they_go_out_in_a_file_and_come_back_and_a_bad_one_is_refused() -> None:
    make_unit(source_urls=[PAPER, LAW])
    content = CSV().export_data(UnitResource().export(Unit.objects.all()))
    assert f"{PAPER} | {LAW}" in content
    Unit.objects.update(source_urls=[])
    UnitResource().import_data(CSV().create_dataset(content.encode()))
    assert Unit.objects.get().source_urls == [PAPER, LAW]
    unchanged = UnitResource().import_data(CSV().create_dataset(content.encode()))
    assert unchanged.totals["skip"] == 1
    bad = content.replace(LAW, "javascript:alert(1)")
    (row,) = UnitResource().import_data(CSV().create_dataset(bad.encode())).invalid_rows
    assert "2번째 줄(javascript:alert(1))" in str(row.error_dict["source_urls"])
    assert Unit.objects.get().source_urls == [PAPER, LAW]


def post(client: Client, unit: Unit, lines: str) -> Any:
    fields = {"label": unit.label, "source_urls": lines}
    fields |= {f"aliases-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")}
    return client.post(f"/admin/knowledge/topic/{unit.pk}/change/", fields)


@pytest.mark.django_db
def test_an_editor_writes_one_a_line_and_the_history_has_them(client: Client) -> None:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    unit = make_unit("travel-rule", "트래블룰", type=UnitType.TOPIC, source_urls=[PAPER])
    page = client.get(f"/admin/knowledge/topic/{unit.pk}/change/").content.decode()
    assert f"{PAPER}</textarea>" in page
    written = "https://www.law.example/법령/특금법\r\n\r\n  https://fatf.example/guidance\u200b"
    assert post(client, unit, written).status_code == 302
    unit.refresh_from_db()
    assert unit.source_urls == [LAW, "https://fatf.example/guidance"]
    assert [one.source_urls for one in unit.history.all()] == [unit.source_urls, [PAPER]]
    page = client.get(f"/admin/knowledge/topic/{unit.pk}/change/").content.decode()
    assert "https://www.law.example/법령/특금법\nhttps://fatf.example/guidance</textarea>" in page
    assert post(client, unit, written).status_code == 302
    assert unit.history.count() == 2
    told = client.get(f"/admin/knowledge/topic/{unit.pk}/history/").content.decode()
    assert "근거 주소" in told
    assert "https://www.law.example/" in told
    refused = post(client, unit, f"{PAPER}\r\njavascript:alert(1)\r\n<b>여기</b>").content.decode()
    assert "2번째 줄(javascript:alert(1)): https:// 또는 http://로 시작해야 합니다." in refused
    assert "3번째 줄(&lt;b&gt;" in refused
    assert Unit.objects.get().source_urls == unit.source_urls
    curation.revert(unit.history.last())
    assert Unit.objects.get().source_urls == [PAPER]


@pytest.mark.django_db
def test_a_merge_leaves_them_where_they_are() -> None:
    """They are where the facts of a unit's own summary come from, and a survivor keeps its summary."""
    kept, gone = make_unit(source_urls=[PAPER]), make_unit("xbt", "엑스비티", source_urls=[LAW])
    merge = curation.merge(gone, kept, now=NOON)
    assert record_of(Unit.objects.get(pk=kept.pk))["sourceUrls"] == [PAPER]  # type: ignore[typeddict-item]
    curation.unmerge(merge, now=NOON)
    assert [unit.source_urls for unit in Unit.objects.published().order_by("pk")] == [[PAPER], [LAW]]
