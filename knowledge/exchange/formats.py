"""The formats of django-import-export as editors' spreadsheets need them: encodings, formulas, limits."""

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from import_export.formats import base_formats
from tablib import Dataset

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 5_000

# A spreadsheet runs a cell that begins like this as a formula; the full-width twins too. A quote before it stops
# that, and quotes before such a cell count as escapes, so one more or one fewer is always the inverse.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


class UnreadableFileError(Exception):
    """A file that cannot be imported at all; the message says why and what to do, in the editor's language."""


class CSV(base_formats.CSV):  # type: ignore[misc]
    """Rows are numbered as a spreadsheet shows them: the head is row 1."""

    first_row = 2

    def create_dataset(self, in_stream: bytes) -> Dataset:
        """Raises UnreadableFileError."""
        try:
            lines = list(csv.reader(io.StringIO(_decoded(in_stream), newline="")))
        except csv.Error as error:
            raise UnreadableFileError(_("CSV로 읽을 수 없습니다: %(error)s") % {"error": error}) from None
        while lines and not any(lines[-1]):
            lines.pop()
        head = lines[0] if lines else []
        rows = [[unescape_formula(cell) for cell in line] for line in lines[1:]]
        return _dataset([name.strip().lower() for name in head], rows, self.first_row)

    def export_data(self, dataset: Dataset, **kwargs: Any) -> str:
        """With a byte order mark, without which Excel takes UTF-8 for CP949."""
        rows = ([escape_formula(in_one_cell(value)) for value in row] for row in dataset)
        return "\ufeff" + str(super().export_data(Dataset(*rows, headers=dataset.headers), **kwargs))


class JSON(base_formats.JSON):  # type: ignore[misc]
    """A list of objects, numbered from 1. All have the columns of the first."""

    first_row = 1

    def create_dataset(self, in_stream: bytes) -> Dataset:
        """Raises UnreadableFileError."""
        try:
            records = json.loads(_decoded(in_stream))
        except (ValueError, RecursionError) as error:
            raise UnreadableFileError(_("JSON으로 읽을 수 없습니다: %(error)s") % {"error": error}) from None
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise UnreadableFileError(_("JSON은 객체의 목록이어야 합니다: [{…}, {…}]"))
        columns = list(records[0]) if records else []
        for number, record in enumerate(records, self.first_row):
            if record.keys() != set(columns):
                raise UnreadableFileError(_("%(row)d행의 열이 첫 행과 다릅니다.") % {"row": number})
        return _dataset(columns, [[record[name] for name in columns] for record in records], self.first_row)


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "cp949"):  # Korean Excel saves as the latter unless told otherwise
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnreadableFileError(
        _("글자 인코딩을 알 수 없습니다. 엑셀에서 ‘CSV UTF-8(쉼표로 분리)’ 형식으로 다시 저장해 올리세요.")
    )


def _dataset(columns: Sequence[str], rows: Sequence[Sequence[Any]], first_row: int) -> Dataset:
    if len(set(columns)) < len(columns):
        raise UnreadableFileError(_("같은 열이 두 번 있습니다. 하나만 남기세요."))
    if not rows:
        raise UnreadableFileError(_("가져올 행이 없습니다. 첫 줄에는 열 이름이 있어야 합니다."))
    if len(rows) > MAX_ROWS:
        raise UnreadableFileError(
            _("행이 너무 많습니다(한 번에 %(limit)d행까지). 파일을 나누어 가져오세요.") % {"limit": MAX_ROWS}
        )
    for number, row in enumerate(rows, first_row):
        if len(row) != len(columns):
            raise UnreadableFileError(
                _(
                    "%(row)d행의 칸이 %(cells)d개입니다. 첫 줄처럼 %(width)d개여야 합니다. "
                    "쉼표가 든 칸은 따옴표로 싸세요."
                )
                % {"row": number, "cells": len(row), "width": len(columns)}
            )
    return Dataset(*rows, headers=columns)


def escape_formula(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    return cell[1:] if _ESCAPED.match(cell) else cell


def in_one_cell(value: Any) -> str:
    """A value of a column as text: words as ``a | b``, or as a JSON list where that could be read otherwise."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, list):
        return "" if value is None else str(value)
    joined = " | ".join(value)
    plain = not joined.startswith("[") and split_words(joined) == value
    return joined if plain else json.dumps(value, ensure_ascii=False)


def split_words(cell: str) -> list[str]:
    """The inverse of ``in_one_cell`` for words. Raises ValueError for a broken JSON list."""
    if cell.startswith("["):
        return [str(word) for word in json.loads(cell)]
    return [word for word in (part.strip() for part in cell.split("|")) if word]
