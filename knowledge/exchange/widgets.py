"""Cells of an imported row to values of a model. A blank cell is None; each refusal names what would be accepted."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from import_export.widgets import Widget

from knowledge.exchange.formats import split_words


class Text(Widget):  # type: ignore[misc]
    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        if not isinstance(value, str | None):
            raise ValueError(_("따옴표로 싼 글자여야 합니다."))
        return value or None

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> Any:
        # As it is: JSON has booleans and lists, and the CSV has a way of its own to write them in a cell.
        return value


class Choice(Text):
    """One of a few words, each with its value."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__()
        self.values = values

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> Any:
        word = "" if value is None else str(value).strip().lower()
        if word and word not in self.values:
            raise ValueError(
                _("다음 가운데 하나여야 합니다: %(values)s")
                % {"values": ", ".join(filter(None, self.values))}
            )
        return self.values[word] if word else None


class Words(Text):
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
