"""The one field of the second factor."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from desk.second_factor import CodeRefusedError


class CodeForm(forms.Form):
    """A code of the app; where ``recovery`` holds, a recovery code does as well."""

    code = forms.CharField(
        label=gettext_lazy("인증 코드"),
        max_length=32,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "autocapitalize": "none",
                "spellcheck": "false",
                "class": "desk-code",
            }
        ),
    )

    def refuse(self, refused: CodeRefusedError) -> None:
        """Say on the form why the code was not taken, and how long to wait."""
        self.add_error("code", ValidationError(explained(refused), code="refused"))


def explained(refused: CodeRefusedError) -> str:
    if refused.locked_until is None:
        return _("코드가 맞지 않습니다.")
    seconds = max(1, round((refused.locked_until - timezone.now()).total_seconds()))
    return _("코드가 맞지 않습니다. %(seconds)d초 뒤에 다시 해 보세요.") % {"seconds": seconds}
