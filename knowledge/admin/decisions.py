"""Decisions about a unit, each on a page that says what it would change before one POST makes it."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.generic import FormView

from knowledge import curation
from knowledge.admin import queues
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.forms import MergeForm, SplitForm
from knowledge.admin.pages import admin_url, desk_url, link
from knowledge.curation import previews
from knowledge.models import Status, Unit, UnitMerge

MERGE = "knowledge.merge_unit"
# What a status is reached by, as its button says it, and what is said once it is.
STEPS = {
    Status.PUBLISHED: (_("공개하기"), _("%(unit)s: 공개했습니다.")),
    Status.RETRACTED: (_("철회하기"), _("%(unit)s: 철회했습니다.")),
    Status.DRAFT: (_("초안으로 되돌리기"), _("%(unit)s: 초안으로 되돌렸습니다.")),
}


class DecisionView(FormView[Any]):
    """A decision about a unit: opened, it says what it would change once it knows what to do; posted, it is made."""

    template_name = "admin/knowledge/unit/decide.html"
    form_class: Any = forms.Form
    model_admin: Any = None
    permission = MERGE
    title: Any
    undo_text: Any = _("되돌리기")

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        queues.require_permissions(request, self.permission)
        self.unit = self.found(kwargs["pk"])
        self.words: dict[str, Any] = {"unit": self.unit}

    def found(self, pk: int) -> Unit:
        units: QuerySet[Unit] = self.model_admin.get_queryset(self.request)
        return get_object_or_404(units.select_related("merged_into"), pk=pk)

    def preview(self, form: Any) -> dict[str, Any]:
        """For the page: ``effect``, what a valid form would change, and whatever else it shows of it."""
        raise NotImplementedError

    def decide(self, form: Any) -> tuple[str, Unit, str]:
        """What the editor is told, on which unit's page, and where it is taken back. Raises CurationError to refuse."""
        raise NotImplementedError

    def get_form_kwargs(self) -> dict[str, Any]:
        given = self.request.POST if self.request.method == "POST" else self.request.GET
        # A form without fields has all that it needs.
        return {"data": given if given or not self.form_class.base_fields else None}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        form = context["form"]
        return {
            **context,
            **self.model_admin.admin_site.each_context(self.request),
            "opts": self.model_admin.opts,
            "title": self.title % self.words,
            "media": self.model_admin.media + form.media,
            "unit": self.unit,
            "back": desk_url(self.unit),
            **(self.preview(form) if form.is_valid() else {}),
        }

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            said, unit, undo = self.decide(form)
        except curation.CurationError as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)
        messages.success(self.request, format_html("{} {}", said, link(undo, self.undo_text)))
        return redirect(desk_url(unit))

    def log(self, said: str, *units: Unit) -> None:
        for unit in units:
            self.model_admin.log_change(self.request, unit, said)


class StatusView(DecisionView):
    permission = queues.PUBLISH
    title = _("%(unit)s: %(status)s")

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        if kwargs["status"] not in Status.values:
            raise Http404
        self.wanted = Status(kwargs["status"])
        self.words["status"] = self.wanted.label

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        if self.unit.status == self.wanted:
            messages.info(request, _("이미 그 상태입니다: %(status)s") % self.words)
            return redirect(desk_url(self.unit))
        return super().dispatch(request, *args, **kwargs)

    def preview(self, form: forms.Form) -> dict[str, Any]:
        return {"effect": previews.preview_status(self.unit, self.wanted), "step": STEPS[self.wanted][0]}

    def decide(self, form: forms.Form) -> tuple[str, Unit, str]:
        former = self.unit.status
        curation.set_status(self.unit, self.wanted)
        self.log(_("상태: %(status)s") % self.words, self.unit)
        said = STEPS[self.wanted][1] % self.words
        return said, self.unit, desk_url(self.unit, "status", former)


class MergeView(DecisionView):
    template_name = "admin/knowledge/unit/merge.html"
    form_class = MergeForm
    title = _("%(unit)s: 병합")

    def preview(self, form: MergeForm) -> dict[str, Any]:
        assert form.unit is not None
        turned = f"{desk_url(form.unit, 'merge')}?into={self.unit.pk}"
        return {"effect": previews.preview_merge(self.unit, form.unit), "turned": turned}

    def decide(self, form: MergeForm) -> tuple[str, Unit, str]:
        loser, survivor = self.unit, form.unit
        assert survivor is not None
        record = curation.merge(loser, survivor, now=timezone.now(), note=form.cleaned_data["note"])
        self.log(_("병합: %(merge)s") % {"merge": f"{loser} → {survivor}"}, loser, survivor)
        said = _("%(loser)s을(를) %(survivor)s에 병합했습니다.")
        undo = admin_url(record, "undo", record.pk)
        return said % {"loser": loser, "survivor": survivor}, survivor, undo


class UnmergeView(DecisionView):
    """The undoing of a merge; what it is about is the unit that was merged away."""

    title = _("병합 되돌리기: %(unit)s")
    undo_text = _("다시 병합")

    def found(self, pk: int) -> Unit:
        records = UnitMerge.objects.select_related("loser__merged_into", "survivor")
        self.record = get_object_or_404(records, pk=pk)
        return self.record.loser

    def preview(self, form: forms.Form) -> dict[str, Any]:
        return {"effect": previews.preview_unmerge(self.record), "step": _("되돌리기")}

    def decide(self, form: forms.Form) -> tuple[str, Unit, str]:
        loser, survivor = self.record.loser, self.record.survivor
        curation.unmerge(self.record, now=timezone.now())
        self.log(_("병합 되돌림: %(merge)s") % {"merge": f"{loser} → {survivor}"}, loser, survivor)
        said = _("%(unit)s: 병합을 되돌렸습니다.") % self.words
        return said, loser, f"{desk_url(loser, 'merge')}?into={survivor.pk}"


class SplitView(DecisionView):
    template_name = "admin/knowledge/unit/split.html"
    form_class = SplitForm
    title = _("%(unit)s: 나누기")

    def get_form_kwargs(self) -> dict[str, Any]:
        may_publish = self.request.user.has_perm(queues.PUBLISH)
        return {**super().get_form_kwargs(), "unit": self.unit, "may_publish": may_publish}

    def preview(self, form: SplitForm) -> dict[str, Any]:
        return {"effect": previews.preview_split(self.unit, form.cleaned_data["aliases"], form.target)}

    def decide(self, form: SplitForm) -> tuple[str, Unit, str]:
        aliases = list(form.cleaned_data["aliases"])
        target = curation.split(self.unit, aliases, into=form.target)
        names = {"names": ", ".join(alias.surface for alias in aliases), "unit": target}
        self.log(_("나누기: %(names)s → %(unit)s") % names, self.unit, target)
        back: dict[str, Any] = {"into": self.unit.pk}
        if form.unit is None:
            undo = desk_url(target, "merge")
        else:
            undo, back = desk_url(target, "split"), back | {"aliases": [alias.pk for alias in aliases]}
        said = _("%(names)s: %(unit)s(으)로 옮겼습니다.") % names
        return said, target, f"{undo}?{urlencode(back, doseq=True)}"


def _status_effect(status: Status, unit: Unit) -> queues.RowEffect:
    if unit.status == status:
        return queues.RowEffect(_("이미 그 상태라 그대로 둡니다."))
    standing = {"now": unit, "later": previews.with_changes(unit, status=status)}
    says = render_to_string("admin/knowledge/unit/address.html", standing)
    return queues.RowEffect(says, blocked_by=curation.status_blocked_by(unit, status))


class UnitDecisions(queues.DecidingAdmin):
    """Publishing, retracting, merging and splitting, from a unit's page and from the list."""

    actions: Any = ("publish", "retract", "merge_two")
    publish = queues.status_action(Status.PUBLISHED, partial(_status_effect, Status.PUBLISHED))
    retract = queues.status_action(Status.RETRACTED, partial(_status_effect, Status.RETRACTED))

    @admin.action(description=_("고른 둘을 병합…"), permissions=["merge"])
    def merge_two(self, request: HttpRequest, queryset: QuerySet[Unit]) -> HttpResponse | None:
        """The one that more is written about stays, unless the editor turns it round on the next page."""
        pair = list(queryset.order_by("document_count", "-pk")[:3])
        if len(pair) != 2:
            self.message_user(request, _("병합하려면 꼭 둘을 고르세요."), messages.ERROR)
            return None
        return redirect(f"{desk_url(pair[0], 'merge')}?into={pair[1].pk}")

    def has_merge_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MERGE)

    def get_urls(self) -> list[URLPattern]:
        def view(decision: type[DecisionView]) -> Any:
            return self.admin_site.admin_view(decision.as_view(model_admin=self))

        name = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            path("<int:pk>/status/<str:status>/", view(StatusView), name=f"{name}_status"),
            path("<int:pk>/merge/", view(MergeView), name=f"{name}_merge"),
            path("<int:pk>/split/", view(SplitView), name=f"{name}_split"),
            *super().get_urls(),
        ]


@admin.register(UnitMerge)
class UnitMergeAdmin(ReadOnlyAdmin):
    """The books of merges. They are made from a unit's page or the list of units, and undone here."""

    list_display = ("merge", "merged_at", "undone_at", "note", "undoing")
    list_display_links = None
    list_filter = (("undone_at", admin.EmptyFieldListFilter),)
    list_select_related = ("loser", "survivor")
    search_fields = ("loser__label", "survivor__label", "loser__slug", "survivor__slug", "note")
    ordering = ("-merged_at", "-pk")
    list_per_page = 50

    @admin.display(description=_("병합"))
    def merge(self, record: UnitMerge) -> SafeString:
        loser, survivor = record.loser, record.survivor
        return format_html("{} → {}", link(desk_url(loser), loser), link(desk_url(survivor), survivor))

    @admin.display(description=_("되돌리기"))
    def undoing(self, record: UnitMerge) -> SafeString:
        undo = link(admin_url(record, "undo", record.pk), _("되돌리기…"))
        return undo if record.undone_at is None else SafeString("")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(UnmergeView.as_view(model_admin=self))
        return [path("<int:pk>/undo/", view, name="knowledge_unitmerge_undo"), *super().get_urls()]
