"""The queue of creators: drafts, with what they published, are made public or retracted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import Max, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge import curation
from knowledge.admin import queues
from knowledge.admin.queues import PUBLISH
from knowledge.curation import CurationError
from knowledge.models import Creator, Document, Source, Status

WORKS_SHOWN = 12


class DraftFilter(queues.WaitingStatusFilter):
    waiting_status = Status.DRAFT


def awaiting() -> QuerySet[Any]:
    """The creators that nobody let in or kept out yet, the newest first."""
    return Creator.objects.survivors().filter(status=Status.DRAFT).order_by("-created_at", "-pk")


@admin.register(Creator)
class CreatorAdmin(queues.QueueAdmin):
    """The queue of creators. Names and aliases are edited in the list of entities."""

    queue_title = _("크리에이터: 들일까, 말까")

    list_display = ("label", "channels", "works", "latest", "status")
    list_filter = (DraftFilter,)
    search_fields = ("label", "slug", "aliases__surface")
    ordering = ("-created_at", "-pk")
    actions = ("publish", "retract")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("knowledge.view_unit")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        sources = Source.objects.annotate(newest=Max("documents__published_at")).order_by("name")
        creators: QuerySet[Any] = super().get_queryset(request)
        return creators.filter(merged_into=None).prefetch_related(
            Prefetch("sources", queryset=sources, to_attr="listed")
        )

    @admin.display(description=_("채널"))
    def channels(self, creator: Any) -> str:
        return ", ".join(source.name for source in creator.listed) or "-"

    @admin.display(description=_("영상 / 문서"))
    def works(self, creator: Any) -> str:
        return f"{creator.video_count} / {creator.document_count}"

    @admin.display(description=_("마지막"))
    def latest(self, creator: Any) -> str:
        return queues.korean_minute(max((one.newest for one in creator.listed if one.newest), default=None))

    def decision_view(self, request: HttpRequest, row: Any) -> HttpResponse:
        response = self._decided(request, row) if request.method == "POST" else None
        return response or self._shown(request, row)

    def _decided(self, request: HttpRequest, creator: Any) -> HttpResponse | None:
        wanted = {"_publish": Status.PUBLISHED, "_retract": Status.RETRACTED}
        status = next((status for button, status in wanted.items() if button in request.POST), None)
        if status is None:
            return None
        queues.require_permissions(request, PUBLISH)
        position = queues.queue_position(awaiting(), creator.pk)
        try:
            curation.set_status(creator, status)
        except CurationError as error:
            messages.error(request, str(error))
            return None
        self.log_change(request, creator, f"status: {status.value}")
        said = gettext("공개했습니다") if status == Status.PUBLISHED else gettext("철회했습니다")
        link = queues.with_page_link(said, creator.get_absolute_url(), creator.label)
        queues.message_with_undo(request, link, queues.admin_url(Creator, "undo"), {"row": creator.pk})
        return queues.redirect_to_next(request, Creator, position)

    def _shown(self, request: HttpRequest, creator: Any) -> HttpResponse:
        works = Document.objects.filter(source__creator=creator).select_related("source")
        context = {
            **self.admin_site.each_context(request),
            "title": creator.label,
            "opts": self.opts,
            "creator": creator,
            "aliases": list(creator.aliases.values_list("surface", flat=True)),
            "works": works.order_by("-published_at", "-pk")[:WORKS_SHOWN],
            "queue_position": queues.queue_position(awaiting(), creator.pk),
            "may_publish": self.has_publish_permission(request),
            "may_edit": request.user.has_perm("knowledge.change_entity"),
        }
        return TemplateResponse(request, "admin/knowledge/creator/decide.html", context)

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Back to where each stood before."""
        queues.require_permissions(request, PUBLISH)
        rows = queues.undo_all(
            self,
            request,
            lambda creator: curation.set_status(creator, curation.former_status(creator)),
            "decision undone",
        )
        return queues.redirect_to_undone(Creator, rows)

    @admin.action(description=_("선택한 크리에이터 공개"), permissions=["publish"])
    def publish(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        bulk = queues.BulkAction(
            action="publish",
            title=gettext("크리에이터 공개"),
            verb=gettext("모두 공개"),
            effects=lambda rows: [_page(row, gettext("%(page)s 쪽이 생깁니다.")) for row in rows],
            step=_to(Status.PUBLISHED),
            done=gettext("%(count)d개를 공개했습니다."),
            permissions=[PUBLISH],
            undo=queues.admin_url(Creator, "undo"),
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("선택한 크리에이터 철회"), permissions=["publish"])
    def retract(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        bulk = queues.BulkAction(
            action="retract",
            title=gettext("크리에이터 철회"),
            verb=gettext("모두 철회"),
            effects=lambda rows: [_page(row, gettext("%(page)s 쪽은 410이 됩니다.")) for row in rows],
            step=_to(Status.RETRACTED),
            done=gettext("%(count)d개를 철회했습니다."),
            permissions=[PUBLISH],
            undo=queues.admin_url(Creator, "undo"),
        )
        return queues.decide(self, request, queryset, bulk)


def _page(creator: Any, says: str) -> queues.RowEffect:
    details: Sequence[str] = [source.name for source in creator.listed]
    return queues.RowEffect(says % {"page": creator.get_absolute_url()}, details)


def _to(status: Status) -> Callable[[Any], str]:
    def step(creator: Any) -> str:
        curation.set_status(creator, status)
        return f"status: {status.value}"

    return step
