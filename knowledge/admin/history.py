"""Who changed what, field by field, and a button that brings a row back to how it was."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as text
from django.utils.translation import gettext_lazy as _

from knowledge import curation, revisions
from knowledge.admin.addresses import link
from knowledge.models import Unit


class HistoryAdmin(admin.ModelAdmin[Any]):
    """The history of rows whose model keeps one (see ``knowledge.models.history``)."""

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_revert"
        view = self.admin_site.admin_view(self.revert_view)
        return [path("history/<int:history_id>/", view, name=name), *super().get_urls()]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_or_change_permission(request, row):
            raise PermissionDenied
        context = {
            "title": _("%(row)s: 지금까지의 변경") % {"row": row},
            "object": row,
            "revisions": [
                (revision, self._revert_url(revision) if revision.can_be_restored else "")
                for revision in self.changes_of(row)
            ],
            **(extra_context or {}),
        }
        return self._shown(request, "history", context)

    def revert_view(self, request: HttpRequest, history_id: int) -> HttpResponse:
        """What going back would change; a POST goes back."""
        record = revisions.record_of(self.model, history_id)
        if record is None:
            raise Http404
        row = revisions.present_row(record)
        if not self.may_revert(request, row, record):
            raise PermissionDenied
        if request.method == "POST":
            return self._revert(request, record, before=self._latest(row))
        changes = self.differences(row, record)
        context = {
            "title": _("%(row)s: 이때로 되돌리기") % {"row": row or record.instance},
            "object": row,
            "record": record,
            "changes": changes,
            "deleted": row is None,
        }
        return self._shown(request, "revert", context)

    # ---- What a kind of row may say otherwise
    def changes_of(self, row: Any) -> list[revisions.Revision]:
        return revisions.revisions_of(row)

    def differences(self, row: Any, record: Any) -> list[revisions.Difference]:
        return revisions.differences(row, record) if row is not None else []

    def may_revert(self, request: HttpRequest, row: Any, record: Any) -> bool:
        return self.has_change_permission(request, row)

    def revert(self, record: Any) -> Model:
        return revisions.revert(record)

    # ----
    def _revert(self, request: HttpRequest, record: Any, *, before: int | None) -> HttpResponse:
        try:
            row = self.revert(record)
        except (curation.CurationError, ValidationError) as error:
            why = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
            self.message_user(request, _("되돌리지 못했습니다. %(why)s") % {"why": why}, messages.ERROR)
            return redirect(self._url("revert", record.history_id))
        self.log_change(request, row, text("되돌림"))
        done = format_html("{}", _("%(row)s: 되돌렸습니다.") % {"row": row})
        if before is not None:
            done = format_html("{} {}", done, link(self._url("revert", before), _("되돌리기 취소")))
        self.message_user(request, done, messages.SUCCESS)
        return redirect(self._url("change", row.pk))

    def _latest(self, row: Any) -> int | None:
        """The record of how the row is now: the way back from going back."""
        return row.history.values_list("history_id", flat=True).first() if row is not None else None

    def _revert_url(self, revision: revisions.Revision) -> str:
        record = revision.record
        model = record.instance_type
        other = self if model is self.opts.concrete_model else self.admin_site.get_model_admin(model)
        if not isinstance(other, HistoryAdmin):
            return ""
        return other._url("revert", record.history_id)

    def _url(self, page: str, *arguments: object) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=arguments)

    def _shown(self, request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, "media": self.media, **context}
        return TemplateResponse(request, f"admin/knowledge/unit/{name}.html", context)


class UnitHistoryAdmin(HistoryAdmin):
    """The history of a unit with that of its aliases. Going back is a decision like any other."""

    def changes_of(self, row: Unit) -> list[revisions.Revision]:
        return revisions.revisions_of_unit(row)

    def differences(self, row: Unit, record: Any) -> list[revisions.Difference]:
        return curation.revertible(row, record)

    def revert(self, record: Any) -> Unit:
        return curation.revert(record)
