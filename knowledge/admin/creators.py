"""The queue of creators: drafts, with what they published, are made public or retracted."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Max, Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from knowledge import curation
from knowledge.admin import queues
from knowledge.models import Creator, Document, Source, Status


def _effect(says: Any, creator: Any) -> queues.RowEffect:
    """What an action says of a creator's page, and its channels."""
    return queues.RowEffect(says % {"page": creator.get_absolute_url()}, [one.name for one in creator.listed])


@admin.register(Creator)
class CreatorAdmin(queues.QueueAdmin):
    """The queue of creators. Names and aliases are edited in the list of entities."""

    queue_title = _("크리에이터: 등록 검토")
    waiting = Status.DRAFT.label
    others = queues.other_statuses(Status.DRAFT)
    buttons = {"_publish": queues.PUBLISH, "_retract": queues.PUBLISH}
    undo_permissions = (queues.PUBLISH,)
    list_display = ("label", "channels", "works", "latest", "status")
    search_fields = ("label", "slug", "aliases__surface")
    ordering = ("-created_at", "-pk")
    actions = ("publish", "retract")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("knowledge.view_unit")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        sources = Source.objects.annotate(newest=Max("documents__published_at")).order_by("name")
        listed = Prefetch("sources", queryset=sources, to_attr="listed")
        return super().get_queryset(request).filter(merged_into=None).prefetch_related(listed)

    @admin.display(description=_("채널"))
    def channels(self, creator: Any) -> str:
        return ", ".join(source.name for source in creator.listed) or "-"

    @admin.display(description=_("영상 / 문서"))
    def works(self, creator: Any) -> str:
        return f"{creator.video_count} / {creator.document_count}"

    @admin.display(description=_("마지막"))
    def latest(self, creator: Any) -> str:
        return queues.korean_minute(max((one.newest for one in creator.listed if one.newest), default=None))

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        works = Document.objects.filter(source__creator=row).select_related("source")
        return {
            "creator": row,
            "title": row.label,
            "aliases": row.aliases.values_list("surface", flat=True),
            "works": works.order_by("-published_at", "-pk")[:12],
        }

    def decide_publish(self, request: HttpRequest, creator: Any) -> queues.RowDecision:
        return self._bring_to(creator, Status.PUBLISHED, _("공개했습니다"))

    def decide_retract(self, request: HttpRequest, creator: Any) -> queues.RowDecision:
        return self._bring_to(creator, Status.RETRACTED, _("철회했습니다"))

    def _bring_to(self, creator: Any, status: Status, said: object) -> queues.RowDecision:
        curation.set_status(creator, status)
        link = queues.with_page_link(said, creator.get_absolute_url(), creator.label)
        return queues.RowDecision(f"status: {status.value}", link, undo=[creator.pk])

    def undo(self, request: HttpRequest, row: Any) -> None:
        """Back to where it stood before."""
        curation.set_status(row, curation.former_status(row))

    publish = queues.status_action(
        Status.PUBLISHED, partial(_effect, _("%(page)s 페이지가 생깁니다.")), undoable=True
    )
    retract = queues.status_action(
        Status.RETRACTED, partial(_effect, _("%(page)s 페이지는 410이 됩니다.")), undoable=True
    )
