"""Pages of the second factor: an editor's own device, and the second step of signing in.

A secret or a recovery code stands in the answer to a POST and in no address that could be opened again.
"""

from typing import Any

import django_otp
from axes.handlers.proxy import AxesProxyHandler
from django.contrib import admin, messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from desk import lockout, second_factor
from desk.second_factor import CodeRefusedError
from desk.second_factor_forms import CodeForm

PENDING = "desk.sign_in"
PENDING_SECONDS = 300  # between the password and the code


class PasswordStep(LoginView):
    """Signs in whoever has no second factor; remembers the others until their code, and no longer."""

    def form_valid(self, form: Any) -> HttpResponse:
        user = form.get_user()
        if not second_factor.is_enrolled(user):
            return super().form_valid(form)
        # A new key: whoever knew the one before the password must not know this one.
        self.request.session.flush()
        self.request.session[PENDING] = {
            "user": user.pk,
            "password": user.get_session_auth_hash(),
            "backend": user.backend,
            "at": timezone.now().timestamp(),
            "next": self.get_success_url(),
        }
        return HttpResponseRedirect(reverse("admin:login_code"))


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def code_step(request: HttpRequest) -> HttpResponse:
    """The code after the password. Until it is right there is no signed-in user, only a note in the session."""
    pending = request.session.get(PENDING)
    user = remembered(pending)
    if user is None:
        request.session.pop(PENDING, None)
        return redirect("admin:login")
    form = CodeForm(request.POST or None)
    if form.is_valid():
        if not AxesProxyHandler.is_allowed(request, {"username": user.get_username()}):
            return lockout.refusal(request, None)
        try:
            device = second_factor.verify(user, form.cleaned_data["code"])
        except CodeRefusedError as refused:
            lockout.count_failure(code_step, request, user.get_username())
            form.refuse(refused)
        else:
            return signed_in(request, user, device, pending)
    context = {"title": _("인증 코드"), "form": form, "signing_in": user.get_username()}
    return render(request, "desk/login_code.html", {**admin.site.each_context(request), **context})


def remembered(pending: Any) -> User | None:
    """Whoever gave the right password a moment ago and has not changed it since."""
    if not pending or not 0 <= timezone.now().timestamp() - pending["at"] <= PENDING_SECONDS:
        return None
    user = User.objects.filter(pk=pending["user"], is_active=True).first()
    return user if user and user.get_session_auth_hash() == pending["password"] else None


def signed_in(request: HttpRequest, user: User, device: Any, pending: Any) -> HttpResponse:
    del request.session[PENDING]
    login(request, user, backend=pending["backend"])
    django_otp.login(request, device)
    return HttpResponseRedirect(pending["next"])


@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """What the editor has, and what can be done with it."""
    context = {
        "title": _("2단계 인증"),
        "device": second_factor.device_of(request.user),
        "codes_left": second_factor.recovery_codes_left(request.user),
        "form": CodeForm(),
    }
    return page(request, "desk/second_factor.html", context)


@sensitive_post_parameters()
@require_POST
def enrol(request: HttpRequest) -> HttpResponse:
    """A new secret, and then its first code. Who has a device removes that one first, which takes a code."""
    if second_factor.is_enrolled(request.user):
        return redirect("admin:second_factor")
    if "code" not in request.POST:
        return enrolment(request, second_factor.begin(request.user), CodeForm())
    form, device = CodeForm(request.POST), second_factor.pending_device(request.user)
    if device is None:
        return redirect("admin:second_factor")
    if form.is_valid():
        try:
            device, codes = second_factor.confirm(request.user, form.cleaned_data["code"])
        except CodeRefusedError as refused:
            form.refuse(refused)
        else:
            request.session.cycle_key()
            django_otp.login(request, device)
            return recovery_codes(request, codes)
    return enrolment(request, device, form)


def enrolment(request: HttpRequest, device: Any, form: CodeForm) -> HttpResponse:
    side, drawing = second_factor.qr_drawing(device)
    context = {
        "title": _("인증 앱 등록"),
        "form": form,
        "side": side,
        "drawing": drawing,
        "secret": second_factor.secret_for_typing(device),
    }
    return page(request, "desk/second_factor_enrol.html", context)


@sensitive_post_parameters()
@require_POST
def renew(request: HttpRequest) -> HttpResponse:
    """New recovery codes in place of the former ones."""
    form = CodeForm(request.POST)
    if form.is_valid():
        try:
            codes = second_factor.renew_recovery_codes(request.user, form.cleaned_data["code"])
        except CodeRefusedError as refused:
            form.refuse(refused)
        else:
            return recovery_codes(request, codes)
    return refused_on_overview(request, form)


@sensitive_post_parameters()
@require_POST
def remove(request: HttpRequest) -> HttpResponse:
    """No second factor any more."""
    form = CodeForm(request.POST)
    if form.is_valid():
        try:
            second_factor.remove(request.user, form.cleaned_data["code"])
        except CodeRefusedError as refused:
            form.refuse(refused)
        else:
            messages.success(request, _("2단계 인증을 껐습니다."))
            return redirect("admin:second_factor")
    return refused_on_overview(request, form)


def refused_on_overview(request: HttpRequest, form: CodeForm) -> HttpResponse:
    for error in form.errors.get("code", ()):
        messages.error(request, str(error))
    return redirect("admin:second_factor")


def recovery_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return page(request, "desk/recovery_codes.html", {"title": _("복구 코드"), "codes": codes})


def page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return render(request, template, {**admin.site.each_context(request), **context})
