"""Units and aliases out as files and back in: lossless, tried before it happens, all or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import example, given
from hypothesis import strategies as st

from knowledge import receivers
from knowledge.exchange import (
    AliasResource,
    FileFormat,
    Report,
    UnitResource,
    UnreadableFileError,
    carry_out,
    preview,
    read,
    write,
)
from knowledge.exchange import files as exchange_files
from knowledge.exchange.files import escape_formula, join_words, split_words, unescape_formula
from knowledge.exchange.resources import RESOURCES
from knowledge.models import Alias, Status, Unit, UnitType
from tests.factories.knowledge import NOON, make_unit

EITHER_FORM = pytest.mark.parametrize("form", list(FileFormat), ids=lambda form: form.value)


def exported(resource: Any, form: FileFormat) -> bytes:
    records = resource._meta.model._default_manager.order_by("pk")
    return "".join(write(resource.columns(), resource.exported(records), form)).encode()


def tried(resource: Any, content: str | bytes, form: FileFormat = FileFormat.CSV, **may: bool) -> Report:
    content = content if isinstance(content, bytes) else content.encode()
    return preview(
        resource, read(content, form, resource.columns()), may_publish=may.get("may_publish", True)
    )


def imported(resource: Any, content: str | bytes, form: FileFormat = FileFormat.CSV) -> Report:
    content = content if isinstance(content, bytes) else content.encode()
    table = read(content, form, resource.columns())
    shown = preview(resource, table, may_publish=True).fingerprint
    return carry_out(resource, table, may_publish=True, shown=shown)


def reasons(report: Report) -> dict[int | None, str]:
    return {problem.number: f"{problem.column}: {problem.message}" for problem in report.problems}


@EITHER_FORM
@pytest.mark.django_db
def test_what_the_canon_exports_imports_without_a_change(form: FileFormat) -> None:
    call_command("load_canon", verbosity=0)
    for model, resource in RESOURCES.items():
        report = tried(resource, exported(resource, form), form, may_publish=False)
        assert (report.problems, report.rows) == ([], [])
        assert report.unchanged == model._default_manager.count() > 50


@EITHER_FORM
@pytest.mark.django_db
def test_hostile_and_awkward_cells_come_back_as_they_went(form: FileFormat) -> None:
    unit = make_unit(
        summary='=HYPERLINK("http://evil.example")\r\n둘째 줄, 쉼표;\t탭', symbol="+1", website=""
    )
    make_unit("gone", "사라진", summary="'=이미 따옴표", merged_into=unit)
    make_unit("crash", "@사건", type=UnitType.EVENT, occurred_at=NOON.replace(microsecond=123))
    for surface, contexts in (("-별칭", ["가 | 나", "[다"]), ("=1+1", []), ('"인용"', ["하나", "둘"])):
        Alias.objects.create(unit=unit, surface=surface, blocked_contexts=contexts)
    for resource in RESOURCES.values():
        content = exported(resource, form)
        report = tried(resource, content, form)
        assert (report.problems, report.rows) == ([], [])
        if form is FileFormat.CSV:
            cells = [cell for line in content.decode("utf-8-sig").split("\r\n") for cell in line.split(",")]
            assert not any(cell.lstrip('"').startswith(("=", "+", "-", "@", "\t")) for cell in cells)


@pytest.mark.django_db
def test_a_file_brings_no_name_with_characters_that_nobody_sees() -> None:
    btc = make_unit()
    row = "asset,luna,\u202e루\u200b나\u2069,\ufeffLUNA,지어낸\u200b 코인이다."
    assert not imported(UnitResource, f"type,slug,label,symbol,summary\n{row}\n").problems
    luna = Unit.objects.get(slug="luna")
    assert (luna.label, luna.symbol, luna.summary) == ("루나", "LUNA", "지어낸 코인이다.")
    assert not imported(AliasResource, "unit,surface\nasset:btc,비\u200b트\u202e\n").problems
    assert btc.aliases.get().surface == "비트"
    twice = imported(AliasResource, "unit,surface\nasset:btc,비캐\nasset:btc,비\u200b캐\n")
    assert "앞 행에 같은 것" in reasons(twice)[3]


@given(st.text())
def test_escaping_a_formula_can_always_be_undone(cell: str) -> None:
    escaped = escape_formula(cell)
    assert unescape_formula(escaped) == cell
    assert not escaped.startswith(("=", "+", "-", "@", "\t", "\r"))


@given(st.lists(st.text()))
@example(["[a bracket", "b"])
def test_words_in_one_cell_come_apart_as_they_were(words: list[str]) -> None:
    assert split_words(join_words(words)) == words


@pytest.mark.django_db
def test_a_preview_shows_old_and_new_and_stores_nothing() -> None:
    make_unit(summary="옛 요약")
    make_unit("eth", "이더리움")
    report = tried(
        UnitResource,
        "id,label,summary\nasset:btc,비트코인,새 요약\nasset:eth,이더리움,\nasset:sol,솔라나,빠르다\n",
    )
    assert report.problems == []
    assert (report.created, report.updated, report.unchanged) == (1, 1, 1)
    changed, new = report.rows
    assert [(change.column, change.old, change.new) for change in changed.changes] == [
        ("summary", "옛 요약", "새 요약")
    ]
    assert (new.number, new.new) == (4, True)
    assert Unit.objects.get(slug="btc").summary == "옛 요약"
    assert not Unit.objects.filter(slug="sol").exists()


@pytest.mark.django_db
def test_one_bad_row_stores_nothing_and_the_mended_file_goes_in() -> None:
    make_unit()
    bad = "id,label,website\nasset:sol,솔라나,https://sol.example\nasset:ada,에이다,여기\nasset:dot,,\n"
    report = imported(UnitResource, bad)
    assert set(reasons(report)) == {3, 4}
    assert "website" in reasons(report)[3]
    assert "label" in reasons(report)[4]
    assert Unit.objects.count() == 1
    mended = bad.replace("여기", "https://ada.example").replace("dot,,", "dot,폴카닷,")
    assert imported(UnitResource, mended).created == 3
    assert Unit.objects.filter(status=Status.DRAFT).count() == 3


@pytest.mark.django_db
def test_a_status_needs_the_right_and_goes_by_its_decision() -> None:
    make_unit("crash", "폭락", type=UnitType.EVENT, status=Status.DRAFT)
    forbidden = "id,status,occurred_at\nevent:crash,published,2022-05-09\n"
    assert "status" in reasons(tried(UnitResource, forbidden, may_publish=False))[2]
    assert "occurred_at" in reasons(tried(UnitResource, "id,status\nevent:crash,published\n"))[2]
    report = imported(UnitResource, "id,status,occurred_at\nevent:crash,published,2022-05-09\n")
    assert report.updated == 1
    crash = Unit.objects.get(slug="crash")
    assert crash.status == Status.PUBLISHED
    assert crash.occurred_at is not None
    assert crash.occurred_at.isoformat() == "2022-05-08T15:00:00+00:00"


@pytest.mark.django_db
def test_what_readers_know_a_unit_by_changes_with_a_publishers_hand_only() -> None:
    make_unit()
    renaming = "id,label,summary\nasset:btc,비트코인이었던 것,요약\n"
    assert "label" in reasons(tried(UnitResource, renaming, may_publish=False))[2]
    assert tried(UnitResource, renaming).updated == 1
    assert tried(UnitResource, "id,summary\nasset:btc,요약\n", may_publish=False).updated == 1


@pytest.mark.parametrize(
    ("content", "column"),
    [
        ("id,slug\nasset:btc,bitcoin\n", "slug"),
        ("id,type\nentity:fed,company\n", "type"),
        ("id,type\nasset:btc,topic\n", "type"),
        ("id,merged_into\nasset:btc,asset:eth\n", "merged_into"),
        ("id,type,label\nentity:new,,새것\n", "type"),
        ("id,label\nasset:UPPER,대문자\n", "slug"),
        ("id,label\nbtc,비트코인\n", "id"),
        ("id,occurred_at\nasset:btc,2022-05-09\n", "occurred_at"),
        ("id,occurred_at\nevent:crash,어제\n", "occurred_at"),
    ],
)
@pytest.mark.django_db
def test_what_never_changes_or_makes_no_sense_is_refused(content: str, column: str) -> None:
    make_unit()
    make_unit("fed", "연준", type=UnitType.ORGANISATION)
    make_unit("crash", "폭락", type=UnitType.EVENT, occurred_at=NOON)
    assert reasons(tried(UnitResource, content))[2].startswith(f"{column}: ")


@pytest.mark.django_db
def test_rows_that_repeat_or_do_not_fit_are_told_by_their_number() -> None:
    make_unit()
    report = tried(UnitResource, "id,label\nasset:sol,솔라나\n\nasset:sol,솔\nasset:ada,에이다,덤\n")
    assert set(reasons(report)) == {4, 5}


@pytest.mark.django_db
def test_aliases_come_in_with_their_unit_and_collide_as_on_the_desk() -> None:
    btc = make_unit(aliases=["비코"])
    make_unit("bch", "비트코인캐시")
    content = "unit,surface,ambiguous,blocked_contexts\nasset:btc,비트,TRUE,비트 연산 | 8비트\n"
    assert imported(AliasResource, content).created == 1
    alias = Alias.objects.get(surface="비트")
    assert (alias.unit, alias.ambiguous, alias.blocked_contexts) == (btc, True, ["비트 연산", "8비트"])
    report = tried(AliasResource, "unit,surface\nasset:bch,비코\nasset:none,없다\nasset:btc,··\n")
    assert "비트코인" in reasons(report)[2]
    assert "asset:none" in reasons(report)[3]
    assert reasons(report)[4]


@pytest.mark.django_db(transaction=True)
def test_an_import_links_documents_again_once_however_many_rows_it_has(monkeypatch: Any) -> None:
    sent: list[list[str]] = []
    monkeypatch.setattr(receivers.tasks.relink, "delay", sent.append)
    make_unit()
    sent.clear()
    content = "unit,surface\nasset:btc,비코\nasset:btc,빗코\n"
    tried(AliasResource, content)
    assert sent == []
    imported(AliasResource, content)
    assert sent == [sorted(["빗코", "비코"])]


@pytest.mark.django_db
def test_an_effect_that_changed_since_the_preview_is_shown_again() -> None:
    make_unit(summary="옛 요약")
    table = read("id,summary\nasset:btc,새 요약\n".encode(), FileFormat.CSV, UnitResource.columns())
    shown = preview(UnitResource, table, may_publish=True).fingerprint
    Unit.objects.filter(slug="btc").update(summary="그사이의 요약")
    report = carry_out(UnitResource, table, may_publish=True, shown=shown)
    assert report.problems
    assert report.rows[0].changes[0].old == "그사이의 요약"
    assert Unit.objects.get(slug="btc").summary == "그사이의 요약"


@pytest.mark.django_db
def test_old_excel_files_are_recognised_and_said_so() -> None:
    make_unit()
    text = "id,label\nasset:btc,비트코인\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        report = tried(UnitResource, text.encode(encoding))
        assert (report.unchanged, report.note) == (1, "")
    report = tried(UnitResource, text.replace(",", ";").encode("cp949"))
    assert report.unchanged == 1
    assert "CP949" in report.note


@pytest.mark.parametrize(
    ("content", "form", "hint"),
    [
        (b"id,label\nasset:btc,\xff\xff\xff\n", FileFormat.CSV, "UTF-8"),
        (b"id,lable\nasset:btc,x\n", FileFormat.CSV, "lable"),
        (b"id,id\nasset:btc,x\n", FileFormat.CSV, "두 번"),
        (b"id,label\n", FileFormat.CSV, "행이 없"),
        (b"", FileFormat.CSV, "행이 없"),
        (b'id,label\n"' + b"x" * 200_000 + b'",y\n', FileFormat.CSV, "CSV"),
        (b"[" * 200_000, FileFormat.JSON, "JSON"),
        (b'{"id": "asset:btc"}', FileFormat.JSON, "목록"),
        (b"id\n" + b"asset:x\n" * 5_001, FileFormat.CSV, "5000"),
        (b"x" * (exchange_files.MAX_BYTES + 1), FileFormat.CSV, "2 MB"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_what_to_do(
    content: bytes, form: FileFormat, hint: str
) -> None:
    with pytest.raises(UnreadableFileError, match=hint):
        read(content, form, UnitResource.columns())


@pytest.mark.django_db
def test_json_of_the_wrong_sort_is_refused_by_row() -> None:
    make_unit()
    wrong = [
        {"id": "asset:btc", "label": 5},
        {"id": "asset:btc2", "label": {"ko": "비트코인"}},
        {"id": "asset:nul", "label": "널\x00"},
        {"id": "asset:lone", "label": "\ud800"},
        {"id": None, "label": "이름"},
    ]
    report = tried(UnitResource, json.dumps(wrong), FileFormat.JSON)
    assert set(reasons(report)) == {1, 2, 3, 4, 5}
    words = [{"unit": "asset:btc", "surface": "비", "blocked_contexts": [1]}]
    assert "blocked_contexts" in reasons(tried(AliasResource, json.dumps(words), FileFormat.JSON))[1]


@pytest.mark.django_db
def test_only_changed_columns_are_written() -> None:
    unit = make_unit(summary="옛 요약")
    Unit.objects.filter(pk=unit.pk).update(document_count=7)
    assert imported(UnitResource, "id,summary\nasset:btc,새 요약\n").updated == 1
    unit.refresh_from_db()
    assert (unit.summary, unit.document_count, unit.label) == ("새 요약", 7, "비트코인")
