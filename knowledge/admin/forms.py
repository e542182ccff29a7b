"""The forms of decisions: about a candidate, what event it is; about a unit, where it goes or its names go."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect, AutocompleteSelectMultiple
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator, RegexValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from knowledge.events.drafts import LABEL_MAX_LENGTH, EventDraft
from knowledge.exchange.formats import in_one_cell
from knowledge.exchange.widgets import Words
from knowledge.models import Alias, EventCluster, EventUnit, Status, Unit, UnitMerge, UnitType

SLUG_MAX_LENGTH = 96
lowercase_slug = RegexValidator(r"^[a-z0-9][a-z0-9-]*\Z", _("소문자 영문, 숫자, 붙임표만 씁니다."))


class WordsField(forms.CharField):
    """A list of words on one line, as files of the desk have them in a cell: ``a | b``, or a JSON list."""

    def prepare_value(self, value: Any) -> Any:
        return in_one_cell([str(word) for word in value]) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        try:
            words = Words().clean(super().to_python(value))
        except ValueError as error:
            raise ValidationError(str(error)) from error
        for word in words:
            ProhibitNullCharactersValidator()(word)
        return words

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or []))
        except ValidationError:
            return True


def fill_as_one_types(form: forms.Form, name: str, relation: Any, rows: QuerySet[Unit]) -> None:
    """Let a field of units be searched, as the desk searches ``relation``: nobody scrolls through all units."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    many = isinstance(field, forms.ModelMultipleChoiceField)
    # Made for each form, because it speaks the editor's language.
    field.widget = (AutocompleteSelectMultiple if many else AutocompleteSelect)(relation, admin.site)
    field.queryset = rows


class DraftForm(forms.Form):
    """An event as the editor wants it; the units of the draft are ticked from the start."""

    label = forms.CharField(label=_("이름"), max_length=LABEL_MAX_LENGTH)
    slug = forms.CharField(
        label=_("주소"),
        max_length=SLUG_MAX_LENGTH,
        validators=[lowercase_slug],
        help_text=_("공개되면 바뀌지 않습니다."),
    )
    occurred_at = forms.DateTimeField(
        label=_("발생 일시"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("한국 시각"),
    )
    units = forms.ModelMultipleChoiceField(
        Unit.objects.none(), label=_("관련 항목"), required=False, widget=forms.CheckboxSelectMultiple
    )
    more = forms.ModelMultipleChoiceField(
        Unit.objects.none(), label=_("더할 항목"), required=False, help_text=_("이름으로 찾기")
    )
    named = forms.CharField(
        label=_("또는 아이디로"), required=False, help_text=_("asset:btc, topic:kimchi-premium 처럼")
    )
    summary = forms.CharField(label=_("요약"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    summary_en = forms.CharField(
        label=_("요약(영어)"), required=False, widget=forms.Textarea(attrs={"rows": 2})
    )

    def __init__(self, draft: EventDraft, data: Any = None) -> None:
        names = ("label", "slug", "occurred_at", "summary", "summary_en", "units")
        super().__init__(data, initial={name: getattr(draft, name) for name in names})
        self.draft = draft
        subjects = Unit.objects.survivors().exclude(type=UnitType.EVENT)
        offered = subjects.filter(pk__in=[unit.pk for unit in draft.units]).order_by("label")
        self.fields["units"].queryset = offered  # type: ignore[attr-defined]
        fill_as_one_types(self, "more", EventUnit._meta.get_field("unit"), subjects)

    def clean_named(self) -> list[Unit]:
        found = []
        for public_id in self.cleaned_data["named"].replace(",", " ").split():
            unit = Unit.objects.find(public_id)
            if unit is None or unit.type == UnitType.EVENT:
                raise ValidationError(_("그런 항목이 없습니다: %(id)s") % {"id": public_id})
            found.append(unit.survivor)
        return found

    def as_draft(self) -> EventDraft:
        """What to publish; call it on a valid form."""
        given = self.cleaned_data
        units = dict.fromkeys([*given["units"], *given["more"], *given["named"]])
        names = ["label", "slug", "summary", "summary_en"]
        if "occurred_at" in self.changed_data:  # shown in minutes: a time nobody touched keeps its seconds
            names.append("occurred_at")
        return replace(self.draft, units=tuple(units), **{name: given[name] for name in names})


class EventForm(forms.Form):
    """Which public event a candidate belongs to: found by name, or named by its slug."""

    event = forms.ModelChoiceField(Unit.objects.none(), label=_("있는 사건"), required=False)
    slug = forms.SlugField(label=_("또는 주소로"), required=False, max_length=SLUG_MAX_LENGTH)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.events = Unit.objects.published().filter(type=UnitType.EVENT)
        fill_as_one_types(self, "event", EventCluster._meta.get_field("event"), self.events)

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("slug"):
            given["event"] = self.events.filter(slug=given["slug"]).first()
        if given.get("event") is None and not self.errors:
            raise ValidationError(_("공개된 사건을 고르거나 슬러그를 적어 주세요."))
        return given


class OtherUnitForm(forms.Form):
    """Another unit, picked from a list as one types or, without script, by its public id."""

    into = forms.ModelChoiceField(Unit.objects.none(), required=False)
    public_id = forms.CharField(
        label=_("또는 공개 id"), required=False, max_length=120, help_text=_("asset:btc 같은 꼴입니다.")
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        fill_as_one_types(self, "into", UnitMerge._meta.get_field("survivor"), Unit.objects.all())

    def clean_public_id(self) -> Unit | None:
        public_id = self.cleaned_data["public_id"]
        unit = Unit.objects.find(public_id)
        if public_id and unit is None:
            raise ValidationError(_("그런 항목이 없습니다."))
        return unit

    @property
    def unit(self) -> Unit | None:
        """The unit that was named; of a valid form."""
        named: Unit | None = self.cleaned_data["into"] or self.cleaned_data["public_id"]
        return named


class MergeForm(OtherUnitForm):
    """The survivor of a merge, and why."""

    into = forms.ModelChoiceField(Unit.objects.none(), label=_("남을 항목"), required=False)
    note = forms.CharField(label=_("메모"), required=False, max_length=300)

    def clean(self) -> dict[str, Any]:
        if not self.errors and self.unit is None:
            raise ValidationError(_("남을 항목을 고르세요."))
        return self.cleaned_data


class SplitForm(OtherUnitForm):
    """The names that leave a unit, and the unit they go to: one that exists or a new one."""

    into = forms.ModelChoiceField(Unit.objects.none(), label=_("옮겨 갈 항목"), required=False)
    aliases = forms.ModelMultipleChoiceField(
        Alias.objects.none(), label=_("옮길 별칭"), widget=forms.CheckboxSelectMultiple
    )
    label = forms.CharField(label=_("새 항목의 이름"), required=False, max_length=LABEL_MAX_LENGTH)
    slug = forms.CharField(
        label=_("새 항목의 슬러그"), required=False, max_length=SLUG_MAX_LENGTH, validators=[lowercase_slug]
    )
    public = forms.BooleanField(label=_("새 항목을 바로 공개"), required=False)
    field_order = ("aliases", "into", "public_id", "label", "slug", "public")

    def __init__(self, data: Any = None, *, unit: Unit, may_publish: bool) -> None:
        super().__init__(data)
        self.kind = unit.type
        self.fields["aliases"].queryset = unit.aliases.order_by("surface")  # type: ignore[attr-defined]
        if not may_publish:
            del self.fields["public"]

    def clean(self) -> dict[str, Any]:
        if self.errors:
            return self.cleaned_data
        named = bool(self.cleaned_data["label"] and self.cleaned_data["slug"])
        if (self.unit is None) != named:
            raise ValidationError(_("있는 항목을 고르거나, 새 항목의 이름과 슬러그를 함께 적으세요."))
        return self.cleaned_data

    @property
    def target(self) -> Unit:
        """Where the names go, perhaps not saved yet; of a valid form."""
        data = self.cleaned_data
        status = Status.PUBLISHED if data.get("public") else Status.DRAFT
        return self.unit or Unit(type=self.kind, label=data["label"], slug=data["slug"], status=status)
