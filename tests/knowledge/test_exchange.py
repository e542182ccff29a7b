"""Units, aliases and relations out as files and back in: lossless, tried before it happens, all or nothing."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from hypothesis import example, given
from hypothesis import strategies as st
from import_export.results import Result

from knowledge.admin.exchange import SignedUpload
from knowledge.exchange.formats import (
    CSV,
    JSON,
    MAX_BYTES,
    UnreadableFileError,
    escape_formula,
    in_one_cell,
    split_words,
    unescape_formula,
)
from knowledge.exchange.resources import AliasResource, RelationResource, UnitResource
from knowledge.models import Alias, Relation, Relinking, Status, Unit, UnitType
from tests.factories.knowledge import NOON, make_unit
from tests.knowledge.exchanged import counts, exported, tried

EITHER_FORM = pytest.mark.parametrize("form", [CSV, JSON], ids=["csv", "json"])


def imported(resource: Any, content: str | bytes, form: Any = CSV) -> Result:
    return tried(resource, content, form, dry_run=False)


def reasons(result: Result, first_row: int = 2) -> dict[int, str]:
    """Why each bad row is refused, by its number in the file."""
    assert not result.has_errors(), [*result.base_errors, *result.row_errors()]
    found = {}
    for row in result.invalid_rows:
        said = [f"{column}: {' '.join(why)}" for column, why in row.error_dict.items()]
        found[row.number + first_row - 1] = " ".join(said)
    return found


@EITHER_FORM
@pytest.mark.django_db
def test_hostile_and_awkward_cells_come_back_as_they_went(form: Any) -> None:
    unit = make_unit(
        summary='=HYPERLINK("http://evil.example")\r\n둘째 줄, 쉼표;\t탭', symbol="+1", website=""
    )
    make_unit("gone", "사라진", summary="'=이미 따옴표", merged_into=unit)
    make_unit("crash", "@사건", type=UnitType.EVENT, occurred_at=NOON.replace(microsecond=123))
    for surface, contexts in (("-별칭", ["가 | 나", "[다"]), ("=1+1", []), ('"인용"', ["하나", "둘"])):
        Alias.objects.create(unit=unit, surface=surface, blocked_contexts=contexts)
    for resource in (UnitResource, AliasResource):
        content = exported(resource, form)
        assert counts(tried(resource, content, form))[2:] == (3, 0)
        if form is CSV:
            cells = [cell for line in content.decode("utf-8-sig").split("\r\n") for cell in line.split(",")]
            assert not any(cell.lstrip('"').startswith(("=", "+", "-", "@", "\t")) for cell in cells)


@pytest.mark.django_db
def test_a_file_brings_no_name_with_characters_that_nobody_sees() -> None:
    btc = make_unit()
    row = "asset,luna,\u202e루\u200b나\u2069,\ufeffLUNA,지어낸\u200b 코인이다."
    assert counts(imported(UnitResource, f"type,slug,label,symbol,summary\n{row}\n")) == (1, 0, 0, 0)
    luna = Unit.objects.get(slug="luna")
    assert (luna.label, luna.symbol, luna.summary) == ("루나", "LUNA", "지어낸 코인이다.")
    assert counts(imported(AliasResource, "unit,surface\nasset:btc,비\u200b트\u202e\n")) == (1, 0, 0, 0)
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
    assert split_words(in_one_cell(words)) == words


@pytest.mark.django_db
def test_a_preview_shows_old_and_new_and_stores_nothing() -> None:
    make_unit(summary="옛 요약")
    make_unit("eth", "이더리움")
    result = tried(
        UnitResource,
        "id,label,summary\nasset:btc,비트코인,새 요약\nasset:eth,이더리움,\nasset:sol,솔라나,빠르다\n",
    )
    assert counts(result) == (1, 1, 1, 0)
    assert result.rows[0].diff == [("summary", "옛 요약", "새 요약")]
    assert ("label", "", "솔라나") in result.rows[2].diff
    assert Unit.objects.get(slug="btc").summary == "옛 요약"
    assert not Unit.objects.filter(slug="sol").exists()


@pytest.mark.django_db
def test_one_bad_row_stores_nothing_and_the_mended_file_goes_in() -> None:
    make_unit()
    bad = "id,label,website\nasset:sol,솔라나,https://sol.example\nasset:ada,에이다,여기\nasset:dot,,\n"
    refused = reasons(imported(UnitResource, bad))
    assert set(refused) == {3, 4}
    assert "website" in refused[3]
    assert "label" in refused[4]
    assert Unit.objects.count() == 1
    mended = bad.replace("여기", "https://ada.example").replace("dot,,", "dot,폴카닷,")
    assert counts(imported(UnitResource, mended)) == (3, 0, 0, 0)
    assert Unit.objects.filter(status=Status.DRAFT).count() == 3


@pytest.mark.django_db
def test_a_status_needs_the_right_and_goes_by_its_decision() -> None:
    make_unit("crash", "폭락", type=UnitType.EVENT, status=Status.DRAFT)
    forbidden = "id,status,occurred_at\nevent:crash,published,2022-05-09\n"
    assert "status" in reasons(tried(UnitResource, forbidden, may_publish=False))[2]
    assert "occurred_at" in reasons(tried(UnitResource, "id,status\nevent:crash,published\n"))[2]
    changed = imported(UnitResource, "id,status,occurred_at\nevent:crash,published,2022-05-09\n")
    assert counts(changed) == (0, 1, 0, 0)
    crash = Unit.objects.get(slug="crash")
    assert crash.status == Status.PUBLISHED
    assert crash.occurred_at is not None
    assert crash.occurred_at.isoformat() == "2022-05-08T15:00:00+00:00"


@pytest.mark.django_db
def test_what_readers_know_a_unit_by_changes_with_a_publishers_hand_only() -> None:
    make_unit()
    renaming = "id,label,summary\nasset:btc,비트코인이었던 것,요약\n"
    assert "label" in reasons(tried(UnitResource, renaming, may_publish=False))[2]
    assert counts(tried(UnitResource, renaming)) == (0, 1, 0, 0)
    summary_only = tried(UnitResource, "id,summary\nasset:btc,요약\n", may_publish=False)
    assert counts(summary_only) == (0, 1, 0, 0)


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
    content = "id,label\nasset:sol,솔라나\n,\nasset:sol,솔\n,\n\n"
    assert set(reasons(tried(UnitResource, content))) == {3, 4}
    for misfit in ("asset:ada,에이다,덤", "asset:ada", ""):
        with pytest.raises(UnreadableFileError, match="3행의 칸"):
            tried(UnitResource, f"id,label\nasset:sol,솔라나\n{misfit}\nasset:eth,이더리움\n")


@pytest.mark.django_db
def test_aliases_come_in_with_their_unit_and_collide_as_on_the_desk() -> None:
    btc = make_unit(aliases=["비코"])
    make_unit("bch", "비트코인캐시")
    content = "unit,surface,ambiguous,blocked_contexts\nasset:btc,비트,TRUE,비트 연산 | 8비트\n"
    assert counts(imported(AliasResource, content)) == (1, 0, 0, 0)
    alias = Alias.objects.get(surface="비트")
    assert (alias.unit, alias.ambiguous, alias.blocked_contexts) == (btc, True, ["비트 연산", "8비트"])
    refused = reasons(tried(AliasResource, "unit,surface\nasset:bch,비코\nasset:none,없다\nasset:btc,··\n"))
    assert "비트코인" in refused[2]
    assert "asset:none" in refused[3]
    assert refused[4]


@pytest.mark.django_db(transaction=True)
def test_an_import_links_documents_again_once_however_many_rows_it_has() -> None:
    make_unit()
    Relinking.objects.all().delete()
    content = "unit,surface\nasset:btc,비코\nasset:btc,빗코\n"
    tried(AliasResource, content)
    assert not Relinking.objects.exists()
    imported(AliasResource, content)
    assert Relinking.objects.get().norms == sorted(["빗코", "비코"])


@pytest.mark.django_db
def test_a_save_by_a_file_says_so_in_the_history() -> None:
    unit = make_unit()
    assert counts(imported(UnitResource, "id,summary\nasset:btc,새 요약\n")) == (0, 1, 0, 0)
    assert unit.history.first().history_change_reason == "import"  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_korean_files_of_excel_are_read() -> None:
    make_unit()
    for encoding in ("utf-8", "utf-8-sig", "cp949"):
        content = "id,label\nasset:btc,비트코인\n".encode(encoding)
        assert counts(tried(UnitResource, content)) == (0, 0, 1, 0)


@pytest.mark.parametrize(
    ("content", "form", "hint"),
    [
        (b"id,label\nasset:btc,\xff\xff\xff\n", CSV, "UTF-8"),
        (b"id,id\nasset:btc,x\n", CSV, "두 번"),
        (b"id,label\n", CSV, "행이 없"),
        (b"", CSV, "행이 없"),
        (b'id,label\n"' + b"x" * 200_000 + b'",y\n', CSV, "CSV"),
        (b"[" * 200_000, JSON, "JSON"),
        (b'{"id": "asset:btc"}', JSON, "목록"),
        (b'[{"id": "asset:btc"}, {"label": "x"}]', JSON, "2행"),
        (b"[]", JSON, "행이 없"),
        (b"id\n" + b"asset:x\n" * 5_001, CSV, "5000"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_what_to_do(content: bytes, form: Any, hint: str) -> None:
    with pytest.raises(UnreadableFileError, match=hint):
        form().create_dataset(content)


@pytest.mark.django_db
def test_a_column_that_nobody_knows_is_named() -> None:
    make_unit()
    result = imported(UnitResource, "id,lable,summary\nasset:btc,x,새 요약\n")
    assert "lable" in str(result.base_errors[0].error)
    assert Unit.objects.get().summary == ""


@pytest.mark.django_db
def test_json_of_the_wrong_sort_is_refused_by_row() -> None:
    make_unit()
    wrong = [
        {"id": "asset:btc", "label": 5},
        {"id": "asset:btc2", "label": {"ko": "비트코인"}},
        {"id": "asset:nul", "label": "\x00"},
        {"id": "asset:lone", "label": "\ud800"},
        {"id": None, "label": "이름"},
    ]
    assert set(reasons(tried(UnitResource, json.dumps(wrong), JSON), first_row=1)) == {1, 2, 3, 4, 5}
    words = [{"unit": "asset:btc", "surface": "비", "blocked_contexts": [1]}]
    assert "blocked_contexts" in reasons(tried(AliasResource, json.dumps(words), JSON), first_row=1)[1]


@pytest.mark.django_db
def test_only_changed_columns_are_written() -> None:
    unit = make_unit(summary="옛 요약")
    Unit.objects.filter(pk=unit.pk).update(document_count=7)
    assert counts(imported(UnitResource, "id,summary\nasset:btc,새 요약\n")) == (0, 1, 0, 0)
    unit.refresh_from_db()
    assert (unit.summary, unit.document_count, unit.label) == ("새 요약", 7, "비트코인")


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@madang.example", "-"))
    return client


IMPORT, PROCESS = (f"admin:knowledge_entity_{name}" for name in ("import", "process_import"))


def uploaded(desk: Client, content: bytes, form: str = "0") -> Any:
    file = SimpleUploadedFile("units.csv", content)
    return desk.post(reverse(IMPORT), {"import_file": file, "format": form, "resource": "0"})


def confirmed(desk: Client, shown: Any, **changed: str) -> Any:
    """What follows when the editor confirms the page that showed an effect."""
    return desk.post(reverse(PROCESS), shown.context["confirm_form"].initial | changed, follow=True)


@pytest.mark.django_db
def test_a_file_is_shown_confirmed_and_stored(desk: Client) -> None:
    make_unit(summary="옛 요약")
    shown = uploaded(desk, "id,label,summary\nasset:btc,비트코인,새 요약\nasset:sol,<b>솔,\n".encode())
    page = shown.content.decode()
    assert "<del>옛 요약</del>" in page
    assert "<ins>&lt;b&gt;솔</ins>" in page
    assert Unit.objects.get().summary == "옛 요약"
    done = confirmed(desk, shown)
    assert done.redirect_chain == [(reverse("admin:knowledge_entity_changelist"), 302)]
    assert {unit.summary for unit in Unit.objects.all()} == {"새 요약", ""}
    assert Unit.history.filter(label="<b>솔").get().history_user.username == "editor"


@pytest.mark.django_db
def test_an_effect_that_changed_since_it_was_shown_is_not_carried_out(desk: Client) -> None:
    make_unit(summary="옛 요약")
    shown = uploaded(desk, "id,summary\nasset:btc,새 요약\n".encode())
    Unit.objects.filter(slug="btc").update(summary="그사이의 요약")
    done = confirmed(desk, shown)
    assert done.redirect_chain == [(reverse(IMPORT), 302)]
    assert "그사이 내용이 바뀌어" in done.content.decode()
    assert Unit.objects.get().summary == "그사이의 요약"


@pytest.mark.django_db
def test_what_is_confirmed_cannot_be_altered_and_does_not_wait_for_ever(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_unit()
    shown = uploaded(desk, "id,summary\nasset:btc,새 요약\n".encode())
    other = SignedUpload()
    other.save(b"id,summary\nasset:btc,forged\n")
    name = shown.context["confirm_form"].initial["import_file_name"]
    forged = other.name.split(":")[0] + name[name.index(":") :]
    for changed in ({"import_file_name": forged}, {"import_file_name": "units.csv"}, {"format": "7"}):
        assert confirmed(desk, shown, **changed).status_code == 200
    assert "다시 올리세요" in confirmed(desk, shown, import_file_name=forged).content.decode()
    assert "미리 본 것과" in confirmed(desk, shown, import_file_name=other.name).content.decode()
    monkeypatch.setattr("knowledge.admin.exchange.CONFIRM_WITHIN", -1)
    confirmed(desk, shown)
    assert Unit.objects.get().summary == ""


@pytest.mark.django_db
def test_a_refusal_names_row_and_column_and_offers_no_confirmation(desk: Client) -> None:
    page = uploaded(desk, "id,label\nasset:sol,솔라나\nasset:BAD,나쁜 것\n".encode()).content.decode()
    assert "<tr><td>3</td><td>slug</td>" in page
    assert "process_import" not in page
    for content in (b"x" * (MAX_BYTES + 1), b"id,label\nasset:btc,\xff\xff\n", b"id,lable\nasset:btc,x\n"):
        refused = uploaded(desk, content).content.decode()
        assert "process_import" not in refused
        assert "errorlist" in refused or 'role="alert"' in refused


@pytest.mark.django_db
def test_the_list_as_it_is_filtered_goes_out(desk: Client) -> None:
    make_unit()
    make_unit("draft", "초안", status=Status.DRAFT)
    url = f"{reverse('admin:knowledge_entity_export')}?status__exact=draft"
    assert desk.get(url).status_code == 200
    csv_file, json_file = (desk.post(url, {"format": form, "resource": "0"}) for form in ("0", "1"))
    assert csv_file.content.startswith(b"\xef\xbb\xbfid,type,slug")
    assert b"attachment" in csv_file.headers["Content-Disposition"].encode()
    assert [record["id"] for record in json.loads(json_file.content)] == ["asset:draft"]


@pytest.mark.django_db
def test_who_may_not_publish_imports_drafts_only(client: Client) -> None:
    user = User.objects.create_user("curator", is_staff=True)
    codenames = ["view_entity", "change_entity", "import_unit"]
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)
    make_unit()
    assert "label" in uploaded(client, "id,label\nasset:btc,새 이름\n".encode()).content.decode()
    shown = uploaded(client, "id,label\nasset:sol,솔라나\n".encode())
    confirmed(client, shown)
    assert Unit.objects.get(slug="sol").status == Status.DRAFT


@pytest.mark.django_db
def test_relations_come_from_a_file_and_none_closes_a_circle() -> None:
    for slug in ("one", "two", "three"):
        make_unit(slug, slug, type=UnitType.COMPANY)
    head = "subject,kind,object,started,ended,withdrawn"
    rows = ["entity:one,subsidiary_of,entity:two,2020,,", "entity:two,subsidiary_of,entity:three,,,"]
    assert counts(imported(RelationResource, "\n".join([head, *rows]))) == (2, 0, 0, 0)
    refused = [
        "entity:three,subsidiary_of,entity:one,,,",
        "entity:one,owns,entity:two,,,",
        "entity:one,subsidiary_of,entity:nowhere,,,",
        "entity:one,subsidiary_of,entity:two,2020,2019,",
    ]
    said = reasons(imported(RelationResource, "\n".join([head, *refused])))
    assert [("돌고 돕니다" in said[2]), ("member_of" in said[3]), ("그런 항목이" in said[4])] == [True] * 3
    assert "끝이 시작보다" in said[5]
    withdrawn = f"{head}\nentity:one,subsidiary_of,entity:two,2020,,true\n"
    assert counts(imported(RelationResource, withdrawn)) == (0, 1, 0, 0)
    assert Relation.objects.published().count() == 1


@pytest.mark.django_db
def test_a_file_says_what_kind_of_thing_a_unit_is() -> None:
    make_unit("upbit", "업비트", type=UnitType.COMPANY)
    assert counts(imported(UnitResource, "id,category,country\nentity:upbit,exchange,KR\n")) == (0, 1, 0, 0)
    said = reasons(tried(UnitResource, "id,category,country\nentity:upbit,pub,UK\n"))
    assert "stock_exchange" in said[2]
    assert "나라" in said[2] or "country" in said[2]
    assert "exchange, stock_exchange" in reasons(tried(UnitResource, "id,category\nentity:upbit,chain\n"))[2]
