"""Import and export at the desk: django-import-export's own pages, which show an effect before it is confirmed.

Nothing of an upload is kept: the page that shows its effect carries it, signed, to the confirmation, so any web
process can take that and none has anything to clear away.
"""

import base64
import zlib
from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from import_export.admin import ImportExportModelAdmin
from import_export.forms import ConfirmImportForm, ExportForm, ImportForm
from import_export.results import Result
from import_export.tmp_storages import BaseStorage

from knowledge.exchange.formats import CSV, JSON, MAX_BYTES, MAX_ROWS, UnreadableFileError
from knowledge.exchange.resources import effect_of

CONFIRM_WITHIN = 3600  # seconds between a preview and its confirmation
FORMATS: list[type[CSV | JSON]] = [CSV, JSON]
_SALT = "knowledge.import"


class SignedUpload(BaseStorage):  # type: ignore[misc]
    """An upload whose "name" is its content, which nobody can alter."""

    def save(self, data: bytes) -> None:
        packed = base64.urlsafe_b64encode(zlib.compress(data, 9)).decode()
        self.name = signing.TimestampSigner(salt=_SALT).sign(packed)

    def read(self) -> bytes:
        """Raises BadSignature for what was altered or is too old."""
        packed = signing.TimestampSigner(salt=_SALT).unsign(self.name, max_age=CONFIRM_WITHIN)
        return zlib.decompress(base64.urlsafe_b64decode(packed))

    def remove(self) -> None:
        pass


class UploadForm(ImportForm):  # type: ignore[misc]
    def clean_import_file(self) -> Any:
        upload = self.cleaned_data["import_file"]
        if upload.size > MAX_BYTES:
            raise forms.ValidationError(
                _("파일이 너무 큽니다(%(limit)d MB까지). 나누어 가져오세요."),
                params={"limit": MAX_BYTES >> 20},
            )
        return upload


class ConfirmForm(ConfirmImportForm):  # type: ignore[misc]
    """``shown`` is a fingerprint of the effect that the editor saw."""

    format = forms.ChoiceField(choices=list(enumerate(FORMATS)), widget=forms.HiddenInput)
    shown = forms.CharField(widget=forms.HiddenInput)

    def clean(self) -> None:
        try:
            SignedUpload(name=self.cleaned_data.get("import_file_name", "")).read()
        except signing.BadSignature:
            raise forms.ValidationError(
                _("확인이 너무 늦었거나 파일이 바뀌었습니다. 다시 올리세요.")
            ) from None


class ExchangeAdmin(ImportExportModelAdmin):  # type: ignore[misc]
    """A list whose records go out to files and come in from them, by the one ``resource_classes``."""

    formats = FORMATS
    tmp_storage_class = SignedUpload
    import_form_class = UploadForm
    confirm_form_class = ConfirmForm
    export_form_class = ExportForm
    import_template_name = "admin/knowledge/import.html"
    export_template_name = "admin/knowledge/export.html"
    skip_admin_log = True  # each record's history tells of it

    def has_import_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("knowledge.import_unit"))

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("knowledge.export_unit"))

    def get_import_resource_kwargs(self, request: HttpRequest, **kwargs: Any) -> dict[str, Any]:
        return {"may_publish": request.user.has_perm("knowledge.publish_unit")}

    def get_import_data_kwargs(self, form: forms.Form, **kwargs: Any) -> dict[str, Any]:
        return {"shown": form.cleaned_data["shown"]} if "shown" in form.cleaned_data else {}

    def get_import_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {"max_rows": MAX_ROWS, "max_megabytes": MAX_BYTES >> 20}

    def add_data_read_fail_error_to_form(self, form: forms.Form, e: Exception) -> None:
        if not isinstance(e, UnreadableFileError):
            raise e
        form.add_error("import_file", str(e))

    def import_action(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """An upload and what it would change. The way to confirm it says which effect was shown."""
        response: Any = super().import_action(request, **kwargs)
        context = response.context_data
        context["fields_list"] = [("", self.resource_classes[0]().get_export_headers())]
        if "result" in context:
            context["before_first_row"] = FORMATS[int(context["form"].cleaned_data["format"])].first_row - 1
        if "confirm_form" in context:
            context["confirm_form"].initial["shown"] = effect_of(context["result"])
        return response  # type: ignore[no-any-return]

    def add_success_message(self, result: Result, request: HttpRequest) -> None:
        said = _("가져왔습니다: 새로 %(new)d건, 바뀜 %(update)d건, 그대로 %(skip)d건.")
        self.message_user(request, said % result.totals, messages.SUCCESS)

    def process_result(self, result: Result, request: HttpRequest) -> HttpResponse:
        if not result.has_errors() and not result.has_validation_errors():
            response: HttpResponse = super().process_result(result, request)
            return response
        why = [
            str(_("아직 아무것도 저장하지 않았습니다.")),
            *(str(error.error) for error in result.base_errors),
        ]
        self.message_user(request, " ".join(why), messages.ERROR)
        return redirect(reverse("admin:{}_{}_import".format(*self.get_model_info())))
