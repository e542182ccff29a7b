"""Addresses with keys in them: the key stays in the database and is shown to nobody."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from knowledge.sources import ADAPTERS
from knowledge.sources.redaction import MASK, Redaction

_SECRET_PARAMETER = re.compile(
    r"(?i)([?&;][^=&;#]*(?:key|token|secret|password|passwd|pwd|sig|signature|auth|appid|code))=[^&;#]+"
)
_USER = re.compile(r"(?<=//)[^/?#@]+@")


def shown_address(url: str) -> str:
    """The address with known keys, key parameters and a user's name and password masked."""
    known = {adapter.key_setting for adapter in ADAPTERS.values() if adapter.key_setting}
    redaction = Redaction(str(getattr(settings, name, "")) for name in known)
    masked = _SECRET_PARAMETER.sub(rf"\1={MASK}", _USER.sub(f"{MASK}@", url))
    return redaction.hide(masked)


class MaskedAddressField(forms.URLField):
    """An address whose keys go in and never come out: left as it is shown, the stored one stays."""

    def prepare_value(self, value: Any) -> Any:
        return shown_address(value) if isinstance(value, str) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data != shown_address(initial or "") and super().has_changed(initial, data)


def unmasked(given: str, stored: str) -> str:
    """What a form's masked address means. Raises ValidationError where a mask stands for nothing known."""
    if given == shown_address(stored):
        return stored
    if MASK in given:
        raise ValidationError(_("주소를 바꾸려면 가려진 곳(***)도 다시 적어 주세요."))
    return given
