"""Import and export at the desk: a file, what it would change, a confirmation.

Nothing of an upload is kept: the page that shows its effect carries it, signed, to the confirmation, so any web
process can take that and none has anything to clear away.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.exchange import (
    RESOURCES,
    FileFormat,
    Report,
    UnreadableFileError,
    carry_out,
    preview,
    read,
    write,
)
from knowledge.exchange.files import MAX_BYTES, MAX_ROWS

CONFIRM_WITHIN = 3600  # seconds between a preview and its confirmation
SHOWN_ROWS = 200  # of a preview; its counts tell of all
_SALT = "knowledge.import"


def seal(content: bytes) -> str:
    """An upload as the value of a form field, which nobody can alter."""
    packed = base64.urlsafe_b64encode(zlib.compress(content, 9)).decode()
    return signing.TimestampSigner(salt=_SALT).sign(packed)


def unseal(value: str) -> bytes:
    """The inverse of ``seal``. Raises BadSignature for what was altered or is too old."""
    packed = signing.TimestampSigner(salt=_SALT).unsign(value, max_age=CONFIRM_WITHIN)
    return zlib.decompress(base64.urlsafe_b64decode(packed))


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("파일"),
        help_text=_("CSV(UTF-8) 또는 JSON."),
        widget=forms.FileInput({"accept": ".csv,.json"}),
    )

    def clean_file(self) -> Any:
        upload = self.cleaned_data["file"]
        if upload.size > MAX_BYTES:
            raise forms.ValidationError(
                _("파일이 너무 큽니다(%(limit)d MB까지). 나누어 가져오세요."),
                params={"limit": MAX_BYTES >> 20},
            )
        if format_of(upload.name) is None:
            raise forms.ValidationError(_("이름이 .csv나 .json으로 끝나는 파일이어야 합니다."))
        return upload


class ConfirmForm(forms.Form):
    content = forms.CharField()
    name = forms.CharField(max_length=200)
    shown = forms.CharField(max_length=64)


def format_of(name: str) -> FileFormat | None:
    ending = name.lower().rpartition(".")[2]
    return FileFormat(ending) if ending in {form.value for form in FileFormat} else None


class ExchangeAdmin(admin.ModelAdmin[Any]):
    """A list whose records go out to files and come in from them."""

    exchanged: ClassVar[type[Model]]
    change_list_template = "admin/import_export/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        own = [
            path("import/", self.admin_site.admin_view(self.import_view), name=f"{name}_import"),
            path("export/", self.admin_site.admin_view(self.export_view), name=f"{name}_export"),
        ]
        return [*own, *super().get_urls()]

    def has_import_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("knowledge.import_unit"))

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("knowledge.export_unit"))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {
            "may_import": self.has_import_permission(request),
            "may_export": self.has_export_permission(request),
        }
        return super().changelist_view(request, context | (extra_context or {}))

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """The rows of the list under its present search and filters, streamed; without a format, the choice."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        parameters = request.GET.copy()
        wanted = parameters.pop("format", [""])[-1]
        request.GET = parameters  # type: ignore[assignment]  # the list takes whatever is left for a filter
        records = self.get_changelist_instance(request).get_queryset(request)
        form = format_of(f".{wanted}")
        if form is None:
            context = {
                "count": records.count(),
                "filters": parameters.urlencode(),
                "formats": list(FileFormat),
            }
            return self._page(request, "export", gettext("내보내기"), context)
        resource = RESOURCES[self.exchanged]
        response = StreamingHttpResponse(
            write(resource.columns(), resource.exported(records), form), content_type=form.content_type
        )
        day = timezone.localdate().isoformat()
        name = f"{self.opts.model_name}-{day}.{form.value}"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        response.headers["Cache-Control"] = "no-store"
        return response

    def import_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_import_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return self._asked(request, UploadForm())
        return self._confirmed(request) if "content" in request.POST else self._uploaded(request)

    def _uploaded(self, request: HttpRequest) -> HttpResponse:
        form = UploadForm(request.POST, request.FILES)
        if not form.is_valid():
            return self._asked(request, form)
        upload = form.cleaned_data["file"]
        content, name = upload.read(), upload.name
        try:
            report = self._preview(request, content, name)
        except UnreadableFileError as error:
            form.add_error("file", str(error))
            return self._asked(request, form)
        return self._asked(request, UploadForm(), report=report, content=content, name=name)

    def _confirmed(self, request: HttpRequest) -> HttpResponse:
        form = ConfirmForm(request.POST)
        try:
            content = unseal(form.data.get("content", ""))
        except signing.BadSignature:
            self.message_user(
                request, _("확인이 너무 늦었거나 파일이 바뀌었습니다. 다시 올리세요."), messages.ERROR
            )
            return redirect(request.path)
        if not form.is_valid() or (kind := format_of(form.cleaned_data["name"])) is None:
            return redirect(request.path)
        resource = RESOURCES[self.exchanged]
        report = carry_out(
            resource,
            read(content, kind, resource.columns()),
            may_publish=self._may_publish(request),
            shown=form.cleaned_data["shown"],
        )
        if report.problems:
            name = form.cleaned_data["name"]
            return self._asked(request, UploadForm(), report=report, content=content, name=name)
        return self._done(request, report)

    def _preview(self, request: HttpRequest, content: bytes, name: str) -> Report:
        resource, form = RESOURCES[self.exchanged], format_of(name) or FileFormat.CSV
        table = read(content, form, resource.columns())
        return preview(resource, table, may_publish=self._may_publish(request))

    def _done(self, request: HttpRequest, report: Report) -> HttpResponse:
        said = gettext("가져왔습니다: 새로 %(new)d건, 바뀜 %(updated)d건, 그대로 %(same)d건.")
        counts = {"new": report.created, "updated": report.updated, "same": report.unchanged}
        self.message_user(request, said % counts, messages.SUCCESS)
        return redirect(self._list_url())

    def _may_publish(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("knowledge.publish_unit"))

    def _asked(
        self,
        request: HttpRequest,
        form: forms.Form,
        *,
        report: Report | None = None,
        content: bytes = b"",
        name: str = "",
    ) -> HttpResponse:
        context: dict[str, Any] = {
            "form": form,
            "report": report,
            "columns": RESOURCES[self.exchanged].columns(),
            "max_rows": MAX_ROWS,
            "max_megabytes": MAX_BYTES >> 20,
        }
        if report is not None:
            context |= _shown(report) | {"name": name}
            # Shown anew, a changed effect may be confirmed; a bad row may not.
            if all(problem.number is None for problem in report.problems) and report.rows:
                context["sealed"] = seal(content)
        return self._page(request, "import", gettext("가져오기"), context)

    def _page(self, request: HttpRequest, name: str, title: str, context: dict[str, Any]) -> HttpResponse:
        request.current_app = self.admin_site.name
        common = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{self.opts.verbose_name_plural}: {title}",
            "list_url": self._list_url(),
        }
        return TemplateResponse(request, f"admin/import_export/{name}.html", common | context)

    def _list_url(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")


def _shown(report: Report) -> dict[str, Any]:
    rest = len(report.rows) - SHOWN_ROWS
    more_problems = len(report.problems) - SHOWN_ROWS
    return {
        "rows": report.rows[:SHOWN_ROWS],
        "rest": max(0, rest),
        "problems": report.problems[:SHOWN_ROWS],
        "more_problems": max(0, more_problems),
    }
