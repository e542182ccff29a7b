"""Who changed what, field by field, and the way back: django-simple-history's pages, on which going back is decided."""

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _
from simple_history.admin import SimpleHistoryAdmin
from simple_history.models import DeletedObject, ModelChange
from simple_history.template_utils import HistoricalRecordContextHelper

from knowledge import curation

REASONS = {
    "baseline": _("기록 시작"),
    "canon": _("정본 파일"),
    "draft": _("초안으로"),
    "published": _("공개"),
    "retracted": _("철회"),
    "merge": _("병합"),
    "unmerge": _("병합 되돌림"),
    "split": _("나누기"),
    "revert": _("되돌림"),
    "import": _("들여오기"),
}
LONGEST = 20_000  # characters of a value where it is about to be brought back: no summary is longer


class ReadableChanges(HistoricalRecordContextHelper):  # type: ignore[misc]
    """Values as an editor reads them: the names of choices, and nothing where there is nothing."""

    def prepare_delta_change_value(self, change: ModelChange, value: Any) -> Any:
        if isinstance(value, DeletedObject):
            value = None if value.pk is None else f"#{value.pk}"
        if value is None:
            return ""
        if isinstance(value, bool):
            return _("예") if value else _("아니요")
        if isinstance(value, list):
            return ", ".join(map(str, value))
        return dict(self.model._meta.get_field(change.field).flatchoices).get(value, value)


class HistoryAdmin(SimpleHistoryAdmin):  # type: ignore[misc]
    """The history of rows whose model keeps one (see ``knowledge.models.history``)."""

    object_history_template: Any = "admin/knowledge/history.html"
    object_history_form_template = "admin/knowledge/revert.html"
    history_list_display = ("reason",)

    def reason(self, record: Any) -> str:
        reason = record.history_change_reason or ""
        return str(REASONS.get(reason, reason))

    def may_revert(self, request: HttpRequest, row: Any, changed: Collection[str]) -> bool:
        """Whether this editor may bring ``row`` back, which changes those fields; None is a deleted row."""
        return bool(self.has_change_permission(request, row))

    def get_history_queryset(self, request: HttpRequest, *args: Any) -> QuerySet[Any]:
        if not str(args[-1]).isdecimal():
            raise Http404
        records: QuerySet[Any] = super().get_history_queryset(request, *args)
        return records

    def get_historical_record_context_helper(self, request: HttpRequest, record: Any) -> ReadableChanges:
        return ReadableChanges(self.model, record)

    def history_view_title(self, request: HttpRequest, obj: Any) -> str:
        return _("%(row)s: 지금까지의 변경") % {"row": obj}

    def history_form_view_title(self, request: HttpRequest, obj: Any) -> str:
        return _("%(row)s: 이때로 되돌리기") % {"row": obj}

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, *args: Any
    ) -> HttpResponse:
        """What going back would change; a POST goes back by ``curation.revert``, never by the form's fields."""
        records = self.get_history_queryset(request, self.model.history, "id", object_id)
        record = get_object_or_404(records, history_id=version_id if version_id.isdecimal() else 0)
        row = self.get_object(request, object_id)
        delta = curation.changes_back(record)
        allowed = self.may_revert(request, row, delta.changed_fields if delta else ())
        if request.method == "POST":
            if not allowed:
                raise PermissionDenied
            return self._revert(request, record)
        shown = ReadableChanges(self.model, record, max_displayed_delta_change_chars=LONGEST)
        context = {
            "opts": self.opts,
            "object": row,
            "record": record,
            "changes": shown.context_for_delta_changes(delta) if delta else [],
            "revert_disabled": not allowed,
        }
        response: HttpResponse = super().history_form_view(request, object_id, version_id, context)
        return response

    def _revert(self, request: HttpRequest, record: Any) -> HttpResponse:
        try:
            row = curation.revert(record)
        except curation.CurationError as error:
            self.message_user(request, _("되돌리지 못했습니다. %(why)s") % {"why": error}, messages.ERROR)
            return redirect(request.path)
        self.log_change(request, row, str(_("되돌림")))
        self.message_user(request, _("%(row)s: 되돌렸습니다.") % {"row": row}, messages.SUCCESS)
        return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_history", row.pk)
