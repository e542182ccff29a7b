"""The forms of a candidate's page: the event it would be, and the event it may belong to."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from knowledge.events.drafts import LABEL_MAX_LENGTH, EventDraft
from knowledge.models import EventCluster, EventUnit, Unit, UnitType

SLUG_MAX_LENGTH = 96
_SEPARATORS = re.compile(r"[\s,]+")


class SubjectsField(forms.ModelMultipleChoiceField[Unit]):
    """Units with their public ids, each a box to tick."""

    def label_from_instance(self, obj: Unit) -> str:
        return f"{obj.label} · {obj.public_id}"


class DraftForm(forms.Form):
    """An event as the editor wants it. ``offered`` are the units ticked from the start."""

    label = forms.CharField(label=_("이름"), max_length=LABEL_MAX_LENGTH)
    slug = forms.CharField(
        label=_("주소"),
        max_length=SLUG_MAX_LENGTH,
        validators=[RegexValidator(r"^[a-z0-9][a-z0-9-]*\Z", _("소문자 영문, 숫자, 붙임표만 씁니다."))],
        help_text=_("공개되면 바뀌지 않습니다."),
    )
    occurred_at = forms.DateTimeField(
        label=_("일어난 때"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("한국 시각"),
    )
    summary = forms.CharField(label=_("요약"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    summary_en = forms.CharField(
        label=_("요약(영어)"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )
    units = SubjectsField(
        label=_("관련 단위"),
        queryset=Unit.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    more = forms.ModelMultipleChoiceField(
        label=_("더할 단위"), queryset=Unit.objects.none(), required=False, help_text=_("이름으로 찾기")
    )
    named = forms.CharField(
        label=_("또는 아이디로"), required=False, help_text=_("asset:btc, topic:kimchi-premium 처럼")
    )

    field_order = ("label", "slug", "occurred_at", "units", "more", "named", "summary", "summary_en")

    def __init__(self, draft: EventDraft, data: Any = None) -> None:
        initial = {
            "label": draft.label,
            "slug": draft.slug,
            "occurred_at": draft.occurred_at,
            "summary": draft.summary,
            "summary_en": draft.summary_en,
            "units": list(draft.units),
        }
        super().__init__(data, initial=initial)
        self.draft = draft
        subjects = Unit.objects.survivors().exclude(type=UnitType.EVENT)
        units, more = self.fields["units"], self.fields["more"]
        assert isinstance(units, SubjectsField)
        assert isinstance(more, forms.ModelMultipleChoiceField)
        units.queryset = subjects.filter(pk__in=[unit.pk for unit in draft.units]).order_by("label")
        more.queryset = subjects
        more.widget = AutocompleteSelectMultiple(EventUnit._meta.get_field("unit"), admin.site)
        more.widget.choices = more.choices

    def clean_named(self) -> list[Unit]:
        found = []
        for public_id in filter(None, _SEPARATORS.split(self.cleaned_data["named"])):
            unit = Unit.objects.find(public_id)
            if unit is None or unit.type == UnitType.EVENT:
                raise ValidationError(_("그런 단위가 없습니다: %(id)s") % {"id": public_id})
            found.append(unit.survivor)
        return found

    def as_draft(self) -> EventDraft:
        """What to publish; call it on a valid form."""
        given = self.cleaned_data
        unchanged = "occurred_at" not in self.changed_data
        return EventDraft(
            label=given["label"],
            slug=given["slug"],
            # The field shows minutes; a time nobody touched keeps its seconds.
            occurred_at=self.draft.occurred_at if unchanged else given["occurred_at"],
            units=tuple(dict.fromkeys([*given["units"], *given["more"], *given["named"]])),
            summary=given["summary"],
            summary_en=given["summary_en"],
        )


class EventForm(forms.Form):
    """Which public event a candidate belongs to: found by name, or named by its slug."""

    event = forms.ModelChoiceField(label=_("있는 사건"), queryset=Unit.objects.none(), required=False)
    slug = forms.SlugField(label=_("또는 주소로"), required=False, max_length=SLUG_MAX_LENGTH)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        event = self.fields["event"]
        assert isinstance(event, forms.ModelChoiceField)
        event.queryset = Unit.objects.published().filter(type=UnitType.EVENT)
        event.widget = AutocompleteSelect(EventCluster._meta.get_field("event"), admin.site)
        event.widget.choices = event.choices

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        slug = given.get("slug")
        if slug:
            events = Unit.objects.published().filter(type=UnitType.EVENT)
            given["event"] = events.filter(slug=slug).first()
        if given.get("event") is None and not self.errors:
            raise ValidationError(_("공개된 사건을 고르거나 슬러그를 적어 주세요."))
        return given
