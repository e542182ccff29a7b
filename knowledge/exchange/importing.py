"""A file's rows against the knowledge base: first what they would change, then, all or nothing, the change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS
from django.db import DatabaseError
from django.utils.translation import gettext as _
from import_export.results import Result, RowResult
from tablib import Dataset

from knowledge import receivers
from knowledge.exchange.files import Table, join_words
from knowledge.exchange.resources import Exchanged


@dataclass(frozen=True, slots=True)
class Change:
    column: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class RowReport:
    """A row that creates (``new``) or changes a record, and in which cells."""

    number: int
    name: str
    new: bool
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a row, or the file where ``number`` is None, cannot be imported."""

    number: int | None
    column: str
    message: str


@dataclass(slots=True)
class Report:
    """What an import does or would do. With any problem it does nothing."""

    rows: list[RowReport] = field(default_factory=list)
    unchanged: int = 0
    problems: list[Problem] = field(default_factory=list)
    note: str = ""

    @property
    def created(self) -> int:
        return sum(row.new for row in self.rows)

    @property
    def updated(self) -> int:
        return len(self.rows) - self.created

    @property
    def bad_rows(self) -> int:
        return len({problem.number for problem in self.problems})

    @property
    def fingerprint(self) -> str:
        """The same for the same effect: what an editor confirms is what they were shown."""
        return hashlib.sha256(repr(self.rows).encode("utf-8", "backslashreplace")).hexdigest()


def preview(resource: type[Exchanged], table: Table, *, may_publish: bool) -> Report:
    """What the table would change. Everything is tried in a transaction and rolled back."""
    return _run(resource, table, may_publish=may_publish, dry_run=True)


def carry_out(resource: type[Exchanged], table: Table, *, may_publish: bool, shown: str) -> Report:
    """Import the table. ``shown`` is the fingerprint of the preview that the editor confirmed.

    Nothing is stored, and the report has problems, where a row is bad or the effect is no longer the one shown.
    """
    report = preview(resource, table, may_publish=may_publish)
    if report.problems:
        return report
    if report.fingerprint != shown:
        changed = _("그사이 내용이 바뀌어 미리 본 것과 결과가 다릅니다. 아래를 다시 확인하세요.")
        report.problems.append(Problem(None, "", changed))
        return report
    return _run(resource, table, may_publish=may_publish, dry_run=False)


def _run(resource: type[Exchanged], table: Table, *, may_publish: bool, dry_run: bool) -> Report:
    width = len(table.columns)
    fitting = [at for at, row in enumerate(table.rows) if len(row) == width]
    report = Report(note=table.note)
    report.problems = [
        Problem(table.numbers[at], "", _misfit(len(row), width))
        for at, row in enumerate(table.rows)
        if len(row) != width
    ]
    dataset = Dataset(*(table.rows[at] for at in fitting), headers=list(table.columns))
    with receivers.gathered_relinking() as norms:
        result = resource(may_publish=may_publish).import_data(
            dataset,
            dry_run=dry_run or bool(report.problems),
            use_transactions=True,
            rollback_on_validation_errors=True,
        )
        _read(result, report, [table.numbers[at] for at in fitting])
        if dry_run or report.problems:
            norms.clear()
    return report


def _misfit(cells: int, width: int) -> str:
    return _("칸이 %(cells)d개입니다. 첫 줄처럼 %(width)d개여야 합니다. 쉼표가 든 칸은 따옴표로 싸세요.") % {
        "cells": cells,
        "width": width,
    }


def _read(result: Result, report: Report, numbers: list[int]) -> None:
    report.problems += [Problem(None, "", _explained(error.error)) for error in result.base_errors]
    for number, row in zip(numbers, result.rows, strict=False):
        if row.import_type == RowResult.IMPORT_TYPE_SKIP:
            report.unchanged += 1
        elif row.is_valid():
            changes = tuple(Change(column, _shown(old), _shown(new)) for column, old, new in row.diff)
            report.rows.append(RowReport(number, row.object_repr or "", row.is_new(), changes))
        else:
            report.problems += _problems(number, row)
    report.problems.sort(key=lambda problem: problem.number or 0)


def _problems(number: int, row: RowResult) -> Iterator[Problem]:
    for error in row.errors:
        yield Problem(number, "", _explained(error.error))
    if row.validation_error is None:
        return
    reasons = getattr(row.validation_error, "error_dict", None)
    if reasons is None:
        yield Problem(number, "", " ".join(row.validation_error.messages))
        return
    for column, messages in row.validation_error.message_dict.items():
        yield Problem(number, "" if column == NON_FIELD_ERRORS else column, " ".join(messages))


def _explained(error: BaseException) -> str:
    if isinstance(error, DatabaseError):
        name = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or "-"
        return _("데이터베이스의 규칙에 어긋납니다(%(name)s).") % {"name": name}
    return str(error) or type(error).__name__


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return join_words(value) if isinstance(value, list) else str(value)
