"""Files as editors' spreadsheets write and read them: encodings, delimiters, formulas, limits."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from django.utils.translation import gettext as _

MAX_BYTES = 2 * 1024 * 1024
MAX_ROWS = 5_000
MAX_CELL = 20_000  # characters; a summary has a few hundred
_DELIMITERS = (",", ";", "\t")
_FIRST_ROW = 2  # of a spreadsheet's data: the first is the head

# A spreadsheet runs a cell that begins like this as a formula; the full-width twins too. A quote before it stops
# that, and quotes before such a cell count as escapes, so one more or one fewer is always the inverse.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class FileFormat(Enum):
    CSV = "csv"
    JSON = "json"

    @property
    def content_type(self) -> str:
        return {"csv": "text/csv; charset=utf-8", "json": "application/json"}[self.value]


class UnreadableFileError(Exception):
    """A file that cannot be imported at all; the message says why and what to do, in the editor's language."""


class _Absent:
    """What a row that lacks a column has in it: the value there stays as it is."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their column names. ``numbers`` are those a spreadsheet shows; JSON's count from 1."""

    columns: tuple[str, ...]
    rows: list[list[Any]]
    numbers: list[int]
    note: str = ""


def escape_formula(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    return cell[1:] if _ESCAPED.match(cell) else cell


def write(columns: Sequence[str], rows: Iterable[Sequence[Any]], form: FileFormat) -> Iterator[str]:
    """The pieces of a file. CSV begins with a byte order mark, without which Excel takes UTF-8 for CP949."""
    return _write_csv(columns, rows) if form is FileFormat.CSV else _write_json(columns, rows)


def _write_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    line = io.StringIO(newline="")
    writer = csv.writer(line)
    line.write("\ufeff")
    for row in (columns, *()):
        writer.writerow(row)
    yield line.getvalue()
    for row in rows:
        line.seek(0)
        line.truncate()
        writer.writerow([_csv_cell(value) for value in row])
        yield line.getvalue()


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return escape_formula(join_words(value))
    return escape_formula(str(value))


def _write_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    before = "[\n"
    for row in rows:
        yield before + json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)
        before = ",\n"
    yield "\n]\n" if before != "[\n" else "[]\n"


def join_words(words: Sequence[object]) -> str:
    """Words in one cell: ``a | b``, or as a JSON list where that could be read otherwise."""
    texts = [str(word) for word in words]
    joined = " | ".join(texts)
    plain = not joined.startswith("[") and split_words(joined) == texts
    return joined if plain else json.dumps(texts, ensure_ascii=False)


def split_words(cell: str) -> list[str]:
    """The inverse of ``join_words``. Raises ValueError for a broken JSON list."""
    if cell.startswith("["):
        words = json.loads(cell)
        if not isinstance(words, list):
            raise ValueError(cell)
        return [str(word) for word in words]
    return [word for word in (part.strip() for part in cell.split("|")) if word]


def read(content: bytes, form: FileFormat, known: Sequence[str]) -> Table:
    """A file's table. Raises UnreadableFileError with the reason and the way out."""
    if len(content) > MAX_BYTES:
        raise UnreadableFileError(
            _("파일이 너무 큽니다(%(limit)d MB까지). 나누어 가져오세요.") % {"limit": MAX_BYTES >> 20}
        )
    text, note = _decode(content)
    table = _read_csv(text, known) if form is FileFormat.CSV else _read_json(text)
    _check(table, known)
    return Table(table.columns, table.rows, table.numbers, note)


def _decode(content: bytes) -> tuple[str, str]:
    """The text and, where the encoding was guessed, a line that says so."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = [("utf-16", "")]
    else:
        guessed = _("UTF-8이 아니어서 CP949(엑셀의 옛 한글 인코딩)로 읽었습니다. 글자가 맞는지 확인하세요.")
        encodings = [("utf-8-sig", ""), ("cp949", guessed)]
    for encoding, note in encodings:
        try:
            return content.decode(encoding), note
        except UnicodeDecodeError:
            continue
    raise UnreadableFileError(
        _("글자 인코딩을 알 수 없습니다. 엑셀에서 ‘CSV UTF-8(쉼표로 분리)’ 형식으로 다시 저장해 올리세요.")
    )


def _read_csv(text: str, known: Sequence[str]) -> Table:
    head = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda mark: len(set(_names(head.split(mark))) & set(known)))
    rows: list[list[Any]] = []
    numbers: list[int] = []
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        columns = tuple(_names(next(lines, [])))
        for number, line in enumerate(lines, _FIRST_ROW):
            if any(line):
                rows.append([unescape_formula(cell) for cell in line])
                numbers.append(number)
            if len(rows) > MAX_ROWS:
                break
    except csv.Error as error:
        raise UnreadableFileError(_("CSV로 읽을 수 없습니다: %(error)s") % {"error": error}) from None
    return Table(columns, rows, numbers)


def _names(cells: Iterable[str]) -> list[str]:
    return [cell.strip().strip('"').strip().lower() for cell in cells]


def _read_json(text: str) -> Table:
    try:
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(_("JSON으로 읽을 수 없습니다: %(error)s") % {"error": error}) from None
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise UnreadableFileError(_("JSON은 객체의 목록이어야 합니다: [{…}, {…}]"))
    columns = tuple(dict.fromkeys(name for record in records[: MAX_ROWS + 1] for name in record))
    rows = [[record.get(name, ABSENT) for name in columns] for record in records[: MAX_ROWS + 1]]
    return Table(columns, rows, list(range(1, len(rows) + 1)))


def _check(table: Table, known: Sequence[str]) -> None:
    names = ", ".join(known)
    if unknown := [name for name in table.columns if name not in known]:
        raise UnreadableFileError(
            _("모르는 열이 있습니다: %(unknown)s. 쓸 수 있는 열: %(known)s")
            % {"unknown": ", ".join(name or "(이름 없음)" for name in unknown)[:300], "known": names}
        )
    if len(set(table.columns)) < len(table.columns):
        raise UnreadableFileError(_("같은 열이 두 번 있습니다. 하나만 남기세요."))
    if not table.rows:
        raise UnreadableFileError(
            _("가져올 행이 없습니다. 첫 줄에는 열 이름이 있어야 합니다: %(known)s") % {"known": names}
        )
    if len(table.rows) > MAX_ROWS:
        raise UnreadableFileError(
            _("행이 너무 많습니다(한 번에 %(limit)d행까지). 파일을 나누어 가져오세요.") % {"limit": MAX_ROWS}
        )


def storable(value: Any) -> bool:
    """Whether the database can keep a text: NUL and lone surrogates it cannot."""
    return not (isinstance(value, str) and _UNSTORABLE.search(value))
