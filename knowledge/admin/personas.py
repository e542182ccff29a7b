"""AI personas and the queue of their posts, which wait as drafts; public ones carry their disclosure everywhere."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext_lazy as _

from knowledge import curation
from knowledge.admin import queues
from knowledge.admin.history import HistoryAdmin
from knowledge.models import Persona, PersonaPost, Status


@admin.register(Persona)
class PersonaAdmin(HistoryAdmin):
    list_display = ("glyph", "entity", "disclosure")
    list_select_related = ("entity",)
    search_fields = ("entity__label", "glyph")
    autocomplete_fields = ("entity",)


def as_published(post: PersonaPost) -> queues.RowEffect:
    """Under which byline, disclosure and page it would stand."""
    persona = post.persona
    byline = f"{persona.byline} → {persona.entity.get_absolute_url()}"
    return queues.RowEffect(byline, [persona.disclosure, persona.disclosure_en])


def as_retracted(post: PersonaPost) -> queues.RowEffect:
    page = post.persona.entity.get_absolute_url()
    return queues.RowEffect(_("%(page)s 에서 사라집니다.") % {"page": page})


@admin.register(PersonaPost)
class PersonaPostAdmin(queues.UndoableAdmin):
    """The queue of drafts, and what was published of them."""

    undo_permissions = (queues.PUBLISH,)
    list_display = ("excerpt", "persona", "status", "published_at")
    # By the unit: a persona is named by it, so a list of personas would ask for each name.
    list_filter = ("status", ("persona__entity", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("persona__entity",)
    search_fields = ("body", "slug")
    autocomplete_fields = ("persona", "units")
    date_hierarchy = "published_at"
    ordering = ("-published_at", "-pk")
    actions = ("publish", "retract")
    change_form_template = "admin/knowledge/personapost/change_form.html"

    excerpt = queues.column("body", _("본문"), show=lambda body: body[:80])

    def has_change_permission(self, request: HttpRequest, obj: PersonaPost | None = None) -> bool:
        return super().has_change_permission(request, obj) and self._may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: PersonaPost | None = None) -> bool:
        return super().has_delete_permission(request, obj) and self._may_touch(request, obj)

    def _may_touch(self, request: HttpRequest, post: PersonaPost | None) -> bool:
        """What readers see or have seen changes with a publisher's hand only, as units do."""
        return post is None or post.status == Status.DRAFT or self.has_publish_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: PersonaPost | None = None) -> tuple[str, ...]:
        # A status is a decision of its own; a new post starts as a draft.
        return () if self.has_publish_permission(request) else ("status",)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        post = kwargs.get("obj")
        if post is not None:
            context["blocked_by"] = curation.status_blocked_by(post, Status.PUBLISHED)
            context["queue_position"] = queues.queue_position(PersonaPost.objects.awaiting(), post.pk)
        return super().render_change_form(request, context, *args, **kwargs)

    def response_change(self, request: HttpRequest, obj: PersonaPost) -> HttpResponse:
        if "_publish" not in request.POST:
            return super().response_change(request, obj)
        queues.require_permissions(request, queues.PUBLISH)
        position = queues.queue_position(PersonaPost.objects.awaiting(), obj.pk)
        try:
            curation.set_status(obj, Status.PUBLISHED)
        except curation.CurationError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(request.path)
        self.log_change(request, obj, "published")
        page = obj.persona.entity.get_absolute_url()
        said = queues.with_page_link(_("공개했습니다"), page, obj.persona.byline)
        queues.say_done(request, said, PersonaPost, [obj.pk])
        return queues.redirect_to_next(request, PersonaPost, position)

    def undo(self, request: HttpRequest, row: PersonaPost) -> None:
        """A published post goes back to being a draft."""
        curation.set_status(row, Status.DRAFT)

    publish = queues.status_action(Status.PUBLISHED, as_published, undoable=True)
    retract = queues.status_action(Status.RETRACTED, as_retracted)
