"""``manage.py evaluate_answers``: what it prints, of which world, and that it changes nothing."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import InternalError, connection

from ask.evaluation import worlds
from ask.evaluation.answers import rival_answer
from ask.evaluation.questions import read_questions
from knowledge.canon import loader
from knowledge.models import Unit
from tests.ask.records import KOREAN, ask, maru, stored_answer
from tests.factories.knowledge import NOON

pytestmark = pytest.mark.django_db

CAP = {
    "id": "cap",
    "question": KOREAN,
    "lang": "ko",
    "kind": "how-many",
    "nuggets": [["3억 6천만", "3.6억"]],
    "sources": ["asset:marucoin"],
    "answerable": True,
}
SOUP = {
    "id": "soup",
    "question": "된장찌개 끓이는 법",
    "lang": "ko",
    "kind": "how-steps",
    "nuggets": [],
    "sources": [],
    "answerable": False,
}
FIGURES = {
    *("count", "nuggetRecall", "citationPrecision", "rightRefusals", "wrongRefusals", "wrongLanguage"),
    *("firstSentence", "sentences", "medianSentences"),
}
CANON = {
    "units": [
        {
            "type": "asset",
            "slug": "btc",
            "symbol": "BTC",
            "label": "비트코인",
            "summary": "비트코인은 최초의 암호화폐이다.",
            "summary_en": "Bitcoin is the first cryptocurrency.",
            "aliases": [{"surface": "비트코인"}, {"surface": "Bitcoin"}],
        }
    ],
    "series": [
        {
            "slug": "price-btc",
            "label": "비트코인 원화 가격",
            "label_en": "BTC price in won",
            "aliases": [],
            "unit": "KRW",
            "cadence": "live",
            "holder": "asset:btc",
            "inputs": [{"source": "upbit_tickers", "key": "upbit:KRW-BTC"}],
            "licence": "CC BY 4.0",
            "least": 0,
        }
    ],
}
PRICE = {"series": "upbit:KRW-BTC", "at": "2026-11-20T11:50:00+09:00", "value": 124_350_000, "unit": "KRW"}


def written(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def evaluated(path: Path, *records: dict[str, Any], **options: Any) -> dict[str, Any]:
    out = StringIO()
    questions = written(path / "questions.jsonl", *records)
    call_command("evaluate_answers", questions, json=True, stdout=out, stderr=StringIO(), **options)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def everything() -> dict[str, str]:
    """A hash of the rows of every table."""
    with connection.cursor() as cursor:
        hashes = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {table} t")
            hashes[table] = cursor.fetchone()[0]
        cursor.execute("SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace")
        return hashes | {"schemas": cursor.fetchone()[0]}


@pytest.fixture
def small_canon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "canon.json"
    path.write_text(json.dumps(CANON), "utf-8")
    monkeypatch.setattr(loader, "starter_paths", lambda: [path])


def test_it_says_what_the_answers_have_beside_the_rival(tmp_path: Path) -> None:
    maru()
    report = evaluated(tmp_path, CAP, SOUP)
    assert set(report) == FIGURES | {"byKind", "byLang", "questions", "rival"}
    assert set(report["rival"]) == FIGURES | {"byKind", "byLang"}
    assert set(report["byKind"]["how-many"]) == set(report["byLang"]["ko"]) == FIGURES
    assert (report["count"], report["nuggetRecall"], report["rightRefusals"]) == (2, 1.0, 1.0)
    assert (report["citationPrecision"], report["wrongRefusals"], report["wrongLanguage"]) == (1.0, 0.0, 0.0)
    answered, refused = report["questions"]
    assert (answered["id"], answered["hit"], answered["cited"]) == ("cap", [True], ["asset:marucoin"])
    assert "발행 상한은 3억 6천만 개이다. [1]" in answered["answer"]
    assert (refused["id"], refused["hit"], refused["cited"]) == ("soup", [], [])
    # The lead says nothing of its own; both quote the two sentences of the record.
    assert (report["sentences"], report["rival"]["sentences"]) == (2.0, 2.0)


def test_the_rival_says_the_whole_summary_in_the_language_of_the_question(tmp_path: Path) -> None:
    unit = maru()
    english = {**CAP, "id": "en", "question": "What is the cap of Marucoin?", "lang": "en"}
    asked = read_questions(written(tmp_path / "questions.jsonl", CAP, english))
    assert [rival_answer(one, now=NOON).text for one in asked] == [unit.summary, unit.summary_en]
    assert rival_answer(asked[0], now=NOON).cited == ("asset:marucoin",)


def test_stored_answers_are_neither_given_nor_made(tmp_path: Path) -> None:
    maru()
    stored_answer("저장해 둔 답이다. [1]", question=KOREAN)
    assert ask().cached
    (answered,) = evaluated(tmp_path, CAP, at=NOON)["questions"]
    assert "저장해 둔" not in answered["answer"]


def test_nothing_changes(tmp_path: Path, small_canon: None) -> None:
    maru()
    values = written(tmp_path / "values.jsonl", PRICE)
    before = everything()
    evaluated(tmp_path, CAP, SOUP)
    assert everything() == before
    evaluated(tmp_path, CAP, SOUP, observations=values, at=NOON)
    assert everything() == before
    assert ask().answer.question == KOREAN  # names are those of this database again


def test_the_records_of_this_database_cannot_be_written(tmp_path: Path) -> None:
    maru()
    with worlds.own_records(), pytest.raises(InternalError, match="read-only"):
        Unit.objects.update(label="x")
    assert Unit.objects.get().label == "마루코인"


def test_live_questions_are_asked_of_fixed_values_under_a_stopped_clock(
    tmp_path: Path, small_canon: None
) -> None:
    maru()
    price = {**CAP, "question": "비트코인 지금 얼마야?", "kind": "now", "nuggets": [["124,350,000"]]}
    values = written(tmp_path / "values.jsonl", PRICE)
    report = evaluated(tmp_path, price, CAP | {"id": "maru"}, observations=values, at=NOON)
    answered, other = report["questions"]
    assert answered["hit"] == [True]
    assert "2026년 11월 20일 11:50 KST" in answered["answer"]
    assert other["cited"] == []  # 마루코인 is of this database, not of the starter canon
    (late,) = evaluated(tmp_path, price, observations=values, at=NOON.replace(day=22))["questions"]
    assert "2일 전 값" in late["answer"]


def test_where_there_are_no_records_the_starter_canon_is_asked(tmp_path: Path, small_canon: None) -> None:
    asked = {**CAP, "question": "비트코인이 뭐야?", "nuggets": [["최초"]], "sources": ["asset:btc"]}
    assert evaluated(tmp_path, asked)["nuggetRecall"] == 1.0


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"series": "nobody"}, "no series has the input nobody"),
        ({"value": -5}, "is doubtful"),
        ({"value": True}, r'values\.jsonl:1: "value" must be a number'),
        ({"at": "2026-11-21T12:00:00"}, r'values\.jsonl:1: "at": .* has no offset'),
    ],
)
def test_values_that_a_series_would_not_take_are_wrong_use(
    tmp_path: Path, small_canon: None, record: dict[str, Any], reason: str
) -> None:
    values = written(tmp_path / "values.jsonl", PRICE | record)
    with pytest.raises(CommandError, match=reason) as failure:
        evaluated(tmp_path, CAP, observations=values, at=NOON)
    assert failure.value.returncode == 2


def test_the_table_has_a_row_for_each_language_and_kind(tmp_path: Path) -> None:
    maru()
    out = StringIO()
    call_command("evaluate_answers", written(tmp_path / "q.jsonl", CAP, SOUP), stdout=out, stderr=StringIO())
    rows = [line.split()[:2] for line in out.getvalue().splitlines() if line]
    assert rows[1:5] == [["all", "2"], ["ko", "2"], ["how-many", "1"], ["how-steps", "1"]]
    assert "1.00 / 1.00" in out.getvalue()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"question": "?!"}, "question"),
        ({"question": "가" * 301}, "300"),
        ({"lang": "fr"}, '"lang" must be ko or en'),
        ({"nuggets": ["3억"]}, '"nuggets" must be a list of lists of strings'),
        ({"nuggets": []}, "needs a nugget"),
        ({"nuggets": [[]]}, "at least one wording"),
        ({"nuggets": [["3억", " "]]}, "none may be empty"),
        ({"sources": "asset:btc"}, '"sources" must be a list of strings'),
        ({"answerable": "yes"}, '"answerable" must be true or false'),
        ({"id": "soup"}, "the id 'soup' stands twice"),
        ({"kind": None}, '"kind" must be a string'),
    ],
)
def test_a_bad_line_is_wrong_use_and_named(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    path = written(tmp_path / "q.jsonl", SOUP, CAP | change)
    with pytest.raises(CommandError, match=rf"q\.jsonl:2: .*{reason}") as failure:
        call_command("evaluate_answers", path, stdout=StringIO())
    assert failure.value.returncode == 2


def test_a_file_without_a_question_and_a_missing_one_are_wrong_use(tmp_path: Path) -> None:
    for path in (written(tmp_path / "q.jsonl"), tmp_path / "nowhere.jsonl"):
        with pytest.raises(CommandError) as failure:
            call_command("evaluate_answers", path, stdout=StringIO())
        assert failure.value.returncode == 2


def test_a_database_that_is_not_migrated_is_told_so_by_name(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(CAP, ensure_ascii=False))
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'ask'")
    with pytest.raises(CommandError, match=r"manage\.py migrate"):
        call_command("evaluate_answers", str(path), stdout=StringIO())
