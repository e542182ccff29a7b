"""Aliases: within their unit's page and as a list of their own, with what an editor should know before saving."""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from knowledge.admin.exchange import ExchangeAdmin
from knowledge.admin.forms import WordsField
from knowledge.admin.history import HistoryAdmin
from knowledge.admin.labels import LabelledFields
from knowledge.admin.pages import admin_url, desk_url, link, own_page
from knowledge.exchange.resources import AliasResource
from knowledge.ingestion import relinking
from knowledge.linking import collisions
from knowledge.linking.trial import Trial, try_sentence
from knowledge.models import Alias, Mention, Unit
from knowledge.normalise import normalise_alias

SENTENCE, CHANNEL, TRY, ACCEPTED = "try_sentence", "try_channel", "_try", "accepted_warnings"
BLOCKED = Alias._meta.get_field("blocked_contexts")
EDITED = ("surface", "lang", "case_sensitive", "ambiguous", "blocked_contexts", "active")
NAMING_FIELDS = frozenset({"surface", "ambiguous", "case_sensitive", "active", "unit"})
_SHOWN_CLASHES = 100  # of a kind


class Consulted:
    """A form of aliases that tells its concerns, and tries a sentence instead of saving when asked to.

    Concerns are accepted by their fingerprint, so a tick never covers one that was not on the page.
    """

    data: Any
    concerns: Sequence[collisions.Concern] = ()
    trial: Trial | None = None

    @property
    def fingerprint(self) -> str:
        said = "\n".join(f"{concern.kind}{concern.surface}{concern.message}" for concern in self.concerns)
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    @property
    def trying(self) -> bool:
        return bool(self.data and TRY in self.data)

    def consult(self, names: Iterable[collisions.Spelling]) -> None:
        """Raises ValidationError until every concern about ``names`` is accepted."""
        if names := list(names):
            known = collisions.known_names()
            self.concerns = [concern for name in names for concern in collisions.concerns(name, known)]
        if self.concerns and self.data.get(ACCEPTED) != self.fingerprint:
            raise forms.ValidationError(
                _("저장하기 전에 아래를 확인하세요. 그래도 맞으면 ‘그래도 저장’을 고르고 다시 저장하세요."),
                code="concerns",
            )

    def attempt(self, unit: Unit, aliases: Sequence[Alias]) -> None:
        """Raises ValidationError, for nothing is saved by trying."""
        self.trial = try_sentence(
            self.data.get(SENTENCE, ""), unit, aliases, crypto_channel=CHANNEL in self.data
        )
        raise forms.ValidationError(_("문장을 시험만 했습니다. 아직 저장하지 않았습니다."), code="trial")


def _name(alias: Alias, unit: Unit) -> collisions.Spelling:
    survivor = unit.merged_into_id or unit.pk or 0
    norm = normalise_alias(alias.surface)
    return collisions.Spelling(
        alias.surface, norm, survivor, unit.label, alias.ambiguous, alias.case_sensitive
    )


class AliasFormSet(Consulted, forms.BaseInlineFormSet[Alias, Unit, Any]):
    def clean(self) -> None:
        super().clean()
        cleaned = [(form, getattr(form, "cleaned_data", {})) for form in self.forms]
        kept = [form for form, given in cleaned if given.get("surface") and not given.get("DELETE")]
        changed = [form for form in kept if form.has_changed()]
        self._refuse_collisions(changed)
        if self.trying:
            if self.instance.pk is not None:
                self.attempt(self.instance, [form.instance for form in kept])
        elif not any(form.errors for form in changed):
            renamed = [form.instance for form in changed if NAMING_FIELDS.intersection(form.changed_data)]
            self.consult(_name(alias, self.instance) for alias in renamed if alias.active)

    def _refuse_collisions(self, changed: Iterable[Any]) -> None:
        seen = set()
        for form in changed:
            alias = form.instance
            repeated = _("같은 별칭이 두 번 있습니다.") if alias.surface in seen else ""
            if problem := alias.collision(self.instance.type) or repeated:
                form.add_error("surface", problem)
            seen.add(alias.surface)


class AliasFields(forms.ModelForm[Alias]):
    """The fields of an alias, each as wide as a row of them allows."""

    blocked_contexts = WordsField(
        label=BLOCKED.verbose_name,
        required=False,
        help_text=format_lazy("{} {}", BLOCKED.help_text, _("여럿이면 ‘가 | 나’처럼 나눕니다.")),
        widget=forms.TextInput(attrs={"size": 16}),
    )


class AliasInline(LabelledFields, admin.TabularInline[Alias, Unit]):
    model = Alias
    form = AliasFields
    formset = AliasFormSet
    template = "admin/knowledge/alias/inline.html"
    fields = EDITED
    extra = 1
    verbose_name_plural = _("별칭")


class AliasForm(Consulted, AliasFields):
    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or {}
        unit = cleaned.get("unit") or (self.instance.unit if self.instance.unit_id else None)
        if unit is None or self.errors or not cleaned.get("surface"):
            return cleaned
        alias = Alias(
            pk=self.instance.pk, unit=unit, **{name: cleaned[name] for name in EDITED if name in cleaned}
        )
        if self.trying:
            others = tuple(Alias.objects.filter(unit=unit).exclude(pk=self.instance.pk))
            self.attempt(unit, [*others, alias])
        elif alias.active and NAMING_FIELDS.intersection(self.changed_data):
            self.consult([_name(alias, unit)])
        return cleaned


class AliasTools(admin.ModelAdmin[Any]):
    """A page with edited aliases on it: trying is no error, and after saving one sees the documents follow."""

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        if TRY in request.POST:
            context["errors"] = None
        return super().render_change_form(request, context, *args, **kwargs)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        super().save_formset(request, form, formset, change)
        if isinstance(formset, AliasFormSet):
            edited = [alias for alias, _fields in formset.changed_objects]
            self.tell_of_relinking(request, [*formset.new_objects, *edited])

    def tell_of_relinking(self, request: HttpRequest, aliases: Sequence[Alias]) -> None:
        """How many documents an edit sends through the linker again, and where to see which."""
        if not aliases:
            return
        count = relinking.containing({alias.norm for alias in aliases}).count()
        said = _("이 표기가 든 문서 %(count)d건을 다시 잇습니다.") % {"count": count}
        outcome = link(admin_url(Alias, "relinking", aliases[0].pk), _("결과 보기"))
        self.message_user(request, format_html("{} {}", said, outcome), messages.SUCCESS)


@admin.register(Alias)
class AliasAdmin(HistoryAdmin, AliasTools, ExchangeAdmin):
    resource_classes: ClassVar[list[Any]] = [AliasResource]
    form = AliasForm
    list_display = ("surface", "unit", "unit_type", "lang", "ambiguous", "case_sensitive", "active")
    list_filter = ("ambiguous", "case_sensitive", "active", "unit_type", "lang")
    list_select_related = ("unit",)
    search_fields = ("surface", "norm", "unit__label", "unit__slug")
    autocomplete_fields = ("unit",)
    list_per_page = 50
    show_full_result_count = False
    import_export_change_list_template = "admin/knowledge/alias/change_list.html"
    change_form_template = "admin/knowledge/alias/change_form.html"

    def get_urls(self) -> list[URLPattern]:
        wrapped = self.admin_site.admin_view
        return [
            path("collisions/", wrapped(self.collisions_view), name="knowledge_alias_collisions"),
            path("<int:pk>/relinking/", wrapped(self.relinking_view), name="knowledge_alias_relinking"),
            *super().get_urls(),
        ]

    def save_model(self, request: HttpRequest, obj: Alias, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        self.tell_of_relinking(request, [obj])

    def collisions_view(self, request: HttpRequest) -> HttpResponse:
        """Every clash of names, by kind, each name leading to its unit."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        clashes = collisions.clashes(collisions.known_names())
        shown = {kind: found[:_SHOWN_CLASHES] for kind, found in clashes.items() if found}
        every_name = chain.from_iterable(chain.from_iterable(shown.values()))
        units = Unit.objects.in_bulk({name.unit for name in every_name})
        sections = []
        for kind, found in shown.items():
            linked = [[(name, desk_url(units[name.unit])) for name in names] for names in found]
            sections.append((kind.label, len(clashes[kind]), linked))
        context = {"title": _("겹치는 별칭"), "sections": sections}
        return own_page(self, request, "knowledge/alias/collisions.html", context)

    def relinking_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The documents that hold an alias, linked or not: what linking them again has come to."""
        alias = get_object_or_404(Alias.objects.select_related("unit"), pk=pk)
        if not self.has_view_permission(request, alias):
            raise PermissionDenied
        named = Mention.objects.filter(document=OuterRef("pk"), unit=alias.unit)
        documents = relinking.containing({alias.norm}).annotate(linked=Exists(named))
        context = {
            "title": _("다시 잇기"),
            "alias": alias,
            "unit_url": desk_url(alias.unit),
            "count": documents.count(),
            "linked": documents.filter(linked=True).count(),
            "documents": documents.order_by("-pk")[:20],
        }
        return own_page(self, request, "knowledge/alias/relinking.html", context)
