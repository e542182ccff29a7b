"""Accounts: whose sign-in takes a code, and who is locked out. Secrets are shown nowhere."""

from typing import Any

from axes.models import AccessAttempt
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from desk import lockout, second_factor

# Their own pages show keys and codes, and let a superuser give another account a device unseen.
admin.site.unregister([TOTPDevice, StaticDevice])


class KeptByTheService(admin.ModelAdmin[Any]):
    """Rows that nobody writes by hand."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(TOTPDevice)
class SecondFactorAdmin(KeptByTheService):
    """Who has a second factor. A superuser takes it from somebody who has lost phone and codes, by deleting."""

    list_display = ("user", "enrolled", "used")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = ("user", "enrolled", "used")
    readonly_fields = ("enrolled", "used")
    ordering = ("user__username",)

    @admin.display(description=_("등록"), ordering="created_at")
    def enrolled(self, device: Any) -> Any:
        return device.created_at

    @admin.display(description=_("마지막 사용"), ordering="last_used_at")
    def used(self, device: Any) -> Any:
        return device.last_used_at

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {"title": _("2단계 인증"), **(extra_context or {})})

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # One's own goes by its page, which takes a code: an unattended desk must not be enough.
        return request.user.is_superuser and (obj is None or obj.user_id != request.user.pk)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(confirmed=True)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        # One at a time, each with its own confirmation.
        return {}

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        second_factor.forget(obj.user)


@admin.register(AccessAttempt)
class LockoutAdmin(KeptByTheService):
    """Failed sign-ins that still count, and the locks they made."""

    list_display = ("name", "source", "failures", "last", "locked")
    list_display_links = None
    ordering = ("-attempt_time",)
    search_fields = ("username",)
    actions = ("lift",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # The list says all there is.
        return obj is None and super().has_view_permission(request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(attempt_time__gt=timezone.now() - lockout.cool_off())

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions: dict[str, Any] = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return super().changelist_view(request, {"title": _("로그인 잠금"), **(extra_context or {})})

    @admin.display(description=_("이름"), ordering="username")
    def name(self, attempt: Any) -> str:
        return str(attempt.username)

    @admin.display(description=_("실패"), ordering="failures_since_start")
    def failures(self, attempt: Any) -> int:
        return int(attempt.failures_since_start)

    @admin.display(description=_("마지막"), ordering="attempt_time")
    def last(self, attempt: Any) -> Any:
        return attempt.attempt_time

    @admin.display(description=_("어디에서"))
    def source(self, attempt: Any) -> str:
        """Rows from one address end alike; the address itself is not known."""
        return str(attempt.ip_address)[-4:].strip(":")

    @admin.display(description=_("막힘"), boolean=True)
    def locked(self, attempt: Any) -> bool:
        return bool(attempt.failures_since_start >= lockout.FAILURES_OF_A_NAME)

    @admin.action(description=_("선택한 곳의 막힘 풀기"), permissions=["delete"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self.log_deletions(request, queryset)
        count = lockout.lift(queryset)
        self.message_user(
            request, _("실패 기록 %(count)d건을 지웠습니다.") % {"count": count}, messages.SUCCESS
        )
