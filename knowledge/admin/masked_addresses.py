"""Addresses with keys in them: the key stays in the database and is shown to nobody."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from knowledge.sources.http.redaction import MASK, redacted


class MaskedAddressField(forms.URLField):
    """An address whose keys go in and never come out: left as it is shown, the stored one stays."""

    def prepare_value(self, value: Any) -> Any:
        return redacted(value) if isinstance(value, str) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data != redacted(initial or "") and super().has_changed(initial, data)


def unmasked(given: str, stored: str) -> str:
    """What a form's masked address means. Raises ValidationError where a mask stands for nothing known."""
    if given == redacted(stored):
        return stored
    if MASK in given:
        raise ValidationError(_("주소를 바꾸려면 가려진 곳(***)도 다시 적어 주세요."))
    return given
