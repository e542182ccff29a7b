"""Cells of an imported row to values of a model. Each refusal names what would be accepted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from import_export.widgets import Widget

from knowledge.exchange.files import split_words

_TRUE = frozenset({"true", "1", "yes", "y", "예", "네", "o"})
_FALSE = frozenset({"false", "0", "no", "n", "아니오", "아니요", "x"})


class Text(Widget):  # type: ignore[misc]
    """A text. Edges are trimmed unless told otherwise, as the admin's own forms do."""

    def __init__(self, *, trim: bool = True) -> None:
        super().__init__()
        self.trim = trim

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            raise ValueError(_("따옴표로 싼 글자여야 합니다."))
        return value.strip() if self.trim else value

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return "" if value is None else str(value)


class Choice(Text):
    """One of a few values."""

    def __init__(self, values: Sequence[str]) -> None:
        super().__init__()
        self.values = tuple(values)

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        chosen = super().clean(value).lower()
        if chosen not in self.values:
            raise ValueError(
                _("다음 가운데 하나여야 합니다: %(values)s") % {"values": ", ".join(self.values)}
            )
        return chosen


class YesOrNo(Widget):  # type: ignore[misc]
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> bool:
        word = str(value).strip().lower()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
        raise ValueError(_("true나 false여야 합니다."))

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> bool:
        return bool(value)


class Words(Widget):  # type: ignore[misc]
    """A list of words: JSON's list, or ``a | b`` in one cell."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> list[str]:
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return list(value)
        if not isinstance(value, str):
            raise ValueError(_("‘가 | 나’처럼 세로줄로 나눈 낱말이거나 글자의 JSON 목록이어야 합니다."))
        try:
            return split_words(value.strip())
        except (ValueError, RecursionError, json.JSONDecodeError):
            raise ValueError(_("[로 시작하는 칸은 올바른 JSON 목록이어야 합니다.")) from None

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> list[str]:
        return [str(word) for word in value or ()]


class Moment(Widget):  # type: ignore[misc]
    """A time with its offset; without one, or as a bare date, it is Seoul's."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> datetime | None:
        text = "" if value is None else str(value).strip()
        if not text:
            return None
        try:
            day = parse_date(text)
            moment = parse_datetime(text) if day is None else datetime.combine(day, time())
        except ValueError:
            moment = None
        if moment is None:
            raise ValueError(_("2022-05-09 또는 2022-05-09T12:30:00+09:00처럼 쓰세요."))
        try:
            # Kept as the database gives it back, so that an unchanged time compares as equal.
            aware = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
            return aware.astimezone(UTC)
        except (ValueError, OverflowError):
            raise ValueError(_("시각이 범위를 벗어났습니다.")) from None

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return timezone.localtime(value).isoformat() if value else ""


def cell(row: Mapping[str, Any], column: str) -> str:
    """A cell as trimmed text; empty when the row lacks it."""
    value = row.get(column)
    return value.strip() if isinstance(value, str) else ""
