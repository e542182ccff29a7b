"""Cells of an imported row to values of a model. A blank cell is None; each refusal names what would be accepted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from import_export.widgets import Widget

from knowledge.exchange.formats import split_words

_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Text(Widget):  # type: ignore[misc]
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if not isinstance(value, str | None):
            raise ValueError(_("따옴표로 싼 글자여야 합니다."))
        return value or None


class Choice(Text):
    """One of a few values."""

    def __init__(self, values: Sequence[str]) -> None:
        super().__init__()
        self.values = tuple(values)

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str | None:
        chosen = (super().clean(value) or "").strip().lower()
        if chosen and chosen not in self.values:
            raise ValueError(
                _("다음 가운데 하나여야 합니다: %(values)s")
                % {"values": ", ".join(filter(None, self.values))}
            )
        return chosen or None


class YesOrNo(Widget):  # type: ignore[misc]
    """The library's own takes every word that it does not know for false."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> bool | None:
        word = "" if value is None else str(value).strip().lower()
        if word and word not in _BOOLEANS:
            raise ValueError(_("true나 false여야 합니다."))
        return _BOOLEANS.get(word)

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> bool:
        return bool(value)


class Words(Widget):  # type: ignore[misc]
    """A list of words: JSON's list, or ``a | b`` in one cell."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> list[str]:
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            return value
        try:
            return split_words((value or "").strip())
        except (AttributeError, TypeError, ValueError, RecursionError):
            raise ValueError(
                _("‘가 | 나’처럼 세로줄로 나눈 낱말이거나 글자의 JSON 목록이어야 합니다.")
            ) from None

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> list[str]:
        return list(value or ())


class Moment(Widget):  # type: ignore[misc]
    """A time with its offset; without one, or as a bare date, it is Seoul's."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> datetime | None:
        if not value:
            return None
        try:
            moment = datetime.fromisoformat(str(value).strip())
            aware = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
            # Kept as the database gives it back, so that an unchanged time compares as equal.
            return aware.astimezone(UTC)
        except (ValueError, OverflowError):
            raise ValueError(_("2022-05-09 또는 2022-05-09T12:30:00+09:00처럼 쓰세요.")) from None

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return timezone.localtime(value).isoformat() if value else ""
