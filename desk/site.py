"""The admin site that editors work in: its frame, its order, and who gets in."""

from collections.abc import Callable
from typing import Any, cast

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from desk import second_factor
from desk import second_factor_views as views
from desk.sections import arranged
from desk.sign_in import SIGN_INS

# Whoever can change what readers see, or what the service does, should not be one stolen password away from it.
POWERS = ("knowledge.publish_unit", "knowledge.run_source")


def signed_out(view: Callable[..., Any]) -> Callable[..., Any]:
    """A page that needs no sign-in is protected as the others are."""
    return never_cache(csrf_protect(view))


class EditorsDesk(AdminSite):
    """The stock admin under the service's name, with a second factor and the editors' own order of things."""

    site_title = site_header = format_lazy("{} {}", settings.SERVICE_NAME, gettext_lazy("편집실"))
    index_title = gettext_lazy("편집실")
    enable_nav_sidebar = True

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own: list[URLPattern | URLResolver] = [
            path("language/", signed_out(require_POST(set_language)), name="set_language"),
            path("login/code/", signed_out(views.code_step), name="login_code"),
            path("second-factor/", self.admin_view(views.overview), name="second_factor"),
            path("second-factor/enrol/", self.admin_view(views.enrol), name="second_factor_enrol"),
            path("second-factor/codes/", self.admin_view(views.renew), name="second_factor_codes"),
            path("second-factor/remove/", self.admin_view(views.remove), name="second_factor_remove"),
        ]
        return own + super().get_urls()

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factor.is_satisfied(request.user)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The stock page, but a right password alone lets nobody in who has a second factor. May raise Busy."""
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        context = {
            **self.each_context(request),
            "title": _("로그인"),
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            **(extra_context or {}),
        }
        if REDIRECT_FIELD_NAME not in request.GET and REDIRECT_FIELD_NAME not in request.POST:
            context[REDIRECT_FIELD_NAME] = reverse("admin:index")
        step = views.PasswordStep.as_view(
            extra_context=context,
            authentication_form=self.login_form or AdminAuthenticationForm,
            template_name="admin/login.html",
        )
        if request.method != "POST":
            return cast("HttpResponse", step(request))
        with SIGN_INS:
            return cast("HttpResponse", step(request))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """What waits for a decision, above the list of models."""
        # The dashboard links to admins, which register themselves at this very site while they are imported.
        from desk.dashboard import dashboard

        shown = {"dashboard": dashboard(request, now=timezone.now()), **(extra_context or {})}
        return super().index(request, shown)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The models in the order in which a day's work meets them; one app's in Django's own order."""
        found = super().get_app_list(request, app_label)
        return found if app_label else arranged(found)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "wants_second_factor": self.wants_second_factor(request)}

    def wants_second_factor(self, request: HttpRequest) -> bool:
        """Whether to remind this editor that the account is worth a second factor."""
        user = request.user
        if not self.has_permission(request) or second_factor.is_enrolled(user):
            return False
        return user.is_superuser or any(user.has_perm(power) for power in POWERS)
