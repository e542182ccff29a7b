"""The sister services are the editors'; signals, sealed days and seals under way are for looking at."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from archive.models import Sealing, Signal, SisterService, Snapshot
from knowledge.admin.documents import ReadOnlyAdmin


class SisterServiceForm(forms.ModelForm[SisterService]):
    """The secret goes in and never comes out again: an empty field keeps the one that is there."""

    secret = forms.CharField(
        label=_("공유 비밀"),
        required=False,
        max_length=200,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("비워 두면 지금 것을 그대로 씁니다."),
    )

    class Meta:
        model = SisterService
        fields = ("name", "district", "url", "secret", "active")

    def clean_secret(self) -> str:
        given: str = self.cleaned_data["secret"]
        return given or self.instance.secret


@admin.register(SisterService)
class SisterServiceAdmin(admin.ModelAdmin[SisterService]):
    form = SisterServiceForm
    list_display = ("name", "slug", "district", "active", "last_pulled_at", "last_success_at", "last_refusal")
    readonly_fields = ("slug", "last_pulled_at", "last_success_at", "last_refusal")
    fields = ("slug", ("name", "district"), "url", "secret", "active", *readonly_fields[1:])

    # The city has six services, neither more nor less: the rules know each of them.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Signal)
class SignalAdmin(ReadOnlyAdmin):
    list_display = ("day", "service", "revision", "complete", "late", "rehearsal", "received_at")
    list_filter = ("service", "complete", "late", "rehearsal")
    list_select_related = ("service",)
    date_hierarchy = "day"
    fields = (
        "day",
        "service",
        "revision",
        "complete",
        "late",
        "rehearsal",
        "generated_at",
        "received_at",
        "sha256",
        "text",
    )
    readonly_fields = ("text",)

    @admin.display(description=_("본문"))
    def text(self, signal: Signal) -> str:
        return bytes(signal.body).decode("utf-8", "replace")


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    list_display = ("day", "revision", "status", "late", "rehearsal", "size", "sealed_at")
    list_filter = ("status", "late", "rehearsal")
    date_hierarchy = "day"
    fields = ("day", "revision", "status", "late", "rehearsal", "size", "sha256", "sealed_at")


@admin.register(Sealing)
class SealingAdmin(ReadOnlyAdmin):
    list_display = ("day", "revision", "began_at", "failed_at", "failure")
