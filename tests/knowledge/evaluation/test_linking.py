"""`manage.py evaluate_linking`, as an operator meets it. No database: none of these tests may touch one."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

UNITS = [{"unit": "BTC", "aliases": [{"surface": "비트코인", "ambiguous": False, "case_sensitive": False}]}]


def files(folder: Path, units: Any, *cases: Any) -> tuple[str, str]:
    (folder / "units.json").write_text(units if isinstance(units, str) else json.dumps(units))
    lines = (case if isinstance(case, str) else json.dumps(case) for case in cases)
    (folder / "cases.jsonl").write_text("\n".join(lines))
    return str(folder / "units.json"), str(folder / "cases.jsonl")


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("evaluate_linking", *arguments, stdout=out)
    return out.getvalue()


def test_the_scores_are_one_json_object(tmp_path: Path) -> None:
    paths = files(
        tmp_path, UNITS, {"text": "비트코인이 올랐다", "units": ["BTC"]}, {"text": "무소식", "units": []}
    )
    assert json.loads(run(*paths, "--json")) == {"precision": 1.0, "recall": 1.0, "cases": 2, "misses": []}


def test_scores_below_the_gate_are_printed_and_fail(tmp_path: Path) -> None:
    paths = files(
        tmp_path, UNITS, {"text": "비트코인이 올랐다", "units": []}, {"text": "소식", "units": ["ETH"]}
    )
    out = StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("evaluate_linking", *paths, "--json", stdout=out)
    assert failure.value.returncode == 1
    report = json.loads(out.getvalue())
    assert (report["precision"], report["recall"]) == (0.0, 0.0)
    assert report["misses"][0] == {"text": "비트코인이 올랐다", "expected": [], "found": ["BTC"]}


def test_the_plain_report_shows_each_miss(tmp_path: Path) -> None:
    right = [{"text": f"비트코인 {day}일", "units": ["BTC"]} for day in range(40)]
    paths = files(tmp_path, UNITS, *right, {"text": "비트코인이 올랐다", "units": []})
    assert "비트코인이 올랐다  expected none; found BTC" in run(*paths)


def test_half_a_surrogate_pair_is_printed_as_a_question_mark(tmp_path: Path) -> None:
    right = [{"text": f"비트코인 {day}일", "units": ["BTC"]} for day in range(40)]
    paths = files(tmp_path, UNITS, *right, '{"text": "\\ud800 비트코인", "units": []}')
    run(*paths).encode("utf-8")


@pytest.mark.parametrize(
    ("units", "case", "complaint"),
    [
        ("{", {"text": "", "units": []}, "units.json: not JSON"),
        ({"unit": "BTC"}, {"text": "", "units": []}, "units must be a list of objects"),
        ([1], {"text": "", "units": []}, "units 0: not an object"),
        ([{"unit": "BTC"}], {"text": "", "units": []}, '"aliases" must be a list'),
        ([{"unit": "BTC", "aliases": ["BTC"]}], {"text": "", "units": []}, '"aliases" 0: not an object'),
        ([{"unit": "BTC", "aliases": [{}]}], {"text": "", "units": []}, '"surface" must be a string'),
        (UNITS, "not json", "cases.jsonl:1: not JSON"),
        (UNITS, {"units": []}, "cases.jsonl:1"),
        (UNITS, {"text": "x", "units": "BTC"}, "must be a list of strings"),
        ("[" * 100_000, {"text": "", "units": []}, "units.json: not JSON"),
    ],
)
def test_a_file_of_another_form_is_wrong_use(tmp_path: Path, units: Any, case: Any, complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint) as failure:
        run(*files(tmp_path, units, case))
    assert failure.value.returncode == 2


def test_a_missing_or_binary_file_is_wrong_use(tmp_path: Path) -> None:
    units, cases = files(tmp_path, UNITS, {"text": "", "units": []})
    (tmp_path / "cases.jsonl").write_bytes(b"\xff\xfe\x00")
    for paths in ((units, str(tmp_path / "none")), (units, cases)):
        with pytest.raises(CommandError) as failure:
            run(*paths)
        assert failure.value.returncode == 2
