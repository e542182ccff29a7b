"""The queue of mentions that rest on an ambiguous alias; a verdict holds for the surface in its document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.queues import DECIDE
from knowledge.curation import CurationError, mention_review
from knowledge.models import Mention

CONTEXT = 70  # characters on either side of a mention
BLOCK = "knowledge.change_alias"


class DoubtFilter(queues.WaitingFilter):
    title = _("검토")
    parameter_name = "doubt"
    waiting = _("모호한 것")
    all_title = _("모든 언급")

    def matching(self, rows: QuerySet[Any], chosen: str | None) -> QuerySet[Any]:
        return rows.filter(pk__in=mention_review.awaiting(now=timezone.now()).order_by().values("pk"))


@admin.register(Mention)
class MentionAdmin(queues.QueueAdmin):
    """The queue of doubtful mentions, each with the words around it."""

    queue_title = _("모호한 별칭의 언급: 이 단위가 맞는가")
    list_display = ("in_context", "meant", "outlet", "at")
    list_display_links = ("in_context",)
    list_filter = (DoubtFilter,)
    list_select_related = ("unit", "document__source")
    search_fields = ("surface", "unit__label", "document__title")
    ordering = ("-document__fetched_at", "-pk")
    actions = ("confirm", "refuse")

    @admin.display(description=_("문맥"))
    def in_context(self, mention: Mention) -> SafeString:
        return in_context(mention)

    @admin.display(description=_("단위"), ordering="unit__label")
    def meant(self, mention: Mention) -> str:
        return str(mention.unit)

    @admin.display(description=_("출처"))
    def outlet(self, mention: Mention) -> str:
        return mention.document.source.name

    @admin.display(description=_("가져온 때"), ordering="document__fetched_at")
    def at(self, mention: Mention) -> str:
        return queues.korean_minute(mention.document.fetched_at)

    def decision_view(self, request: HttpRequest, row: Mention) -> HttpResponse:
        if request.method == "POST":
            try:
                if (response := self._decided(request, row)) is not None:
                    return response
            except CurationError as error:
                messages.error(request, str(error))
        return self._shown(request, row)

    def _decided(self, request: HttpRequest, mention: Mention) -> HttpResponse | None:
        now = timezone.now()
        position = queues.queue_position(mention_review.awaiting(now=now), mention.pk)
        if "_block" in request.POST:
            queues.require_permissions(request, BLOCK)
            alias = mention_review.block(mention, request.POST.get("context", ""))
            self.log_change(request, mention, f"blocked: {alias.blocked_contexts[-1]}")
            messages.success(
                request,
                gettext(
                    "‘%(word)s’ 곁에서는 ‘%(alias)s’을(를) 연결하지 않습니다. 다른 문서도 곧 다시 연결됩니다."
                )
                % {"word": alias.blocked_contexts[-1], "alias": alias.surface},
            )
        elif "_confirm" in request.POST:
            queues.require_permissions(request, DECIDE)
            self._said(request, mention, mention_review.confirm([mention], now=now), "confirmed")
        elif "_refuse" in request.POST:
            queues.require_permissions(request, DECIDE)
            self._said(request, mention, mention_review.refuse([mention], now=now), "refused")
        else:
            return None
        return queues.redirect_to_next(request, Mention, position)

    def _said(self, request: HttpRequest, mention: Mention, keys: list[int], word: str) -> None:
        self.log_change(
            request, mention, f"{word}: {mention.unit.public_id} in document {mention.document_id}"
        )
        said = gettext("맞다고 했습니다") if word == "confirmed" else gettext("연결을 끊었습니다")
        text = format_html("{}: <bdi>{}</bdi> · <bdi>{}</bdi>", said, mention.surface, mention.unit.label)
        queues.message_with_undo(request, text, queues.admin_url(Mention, "undo"), {"row": keys})

    def _shown(self, request: HttpRequest, mention: Mention) -> HttpResponse:
        document, text = mention.document, mention.document.text
        others = (
            Mention.objects.filter(document=document).exclude(unit=mention.unit_id).select_related("unit")
        )
        context = {
            **self.admin_site.each_context(request),
            "title": mention.surface,
            "opts": self.opts,
            "mention": mention,
            "document": document,
            "before": text[: mention.start],
            "named": text[mention.start : mention.end],
            "after": text[mention.end :],
            "others": list(dict.fromkeys(one.unit for one in others)),
            "alias": mention_review.alias_of(mention),
            "queue_position": queues.queue_position(mention_review.awaiting(now=timezone.now()), mention.pk),
            "may_decide": self.has_decide_permission(request),
            "may_block": request.user.has_perm(BLOCK),
            "context_max_length": mention_review.CONTEXT_MAX_LENGTH,
        }
        return TemplateResponse(request, "admin/knowledge/mention/decide.html", context)

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        queues.require_permissions(request, DECIDE)
        keys = [int(key) for key in request.POST.getlist("row") if key.isascii() and key.isdigit()]
        for verdict in mention_review.take_back(keys):
            self.log_change(request, verdict, "verdict undone")
        self.message_user(request, _("되돌렸습니다."), messages.SUCCESS)
        return HttpResponseRedirect(queues.admin_url(Mention, "changelist"))

    @admin.action(description=_("선택한 언급은 맞음"), permissions=["decide"])
    def confirm(self, request: HttpRequest, queryset: QuerySet[Mention]) -> HttpResponse | None:
        now = timezone.now()
        bulk = queues.BulkAction(
            action="confirm",
            title=gettext("언급이 맞음"),
            verb=gettext("모두 맞음"),
            effects=as_effects,
            step=lambda mention: f"confirmed: {mention.unit.public_id}",
            finish=lambda rows: mention_review.confirm(rows, now=now),
            done=gettext("%(count)d건을 맞다고 했습니다."),
            permissions=[DECIDE],
            undo=queues.admin_url(Mention, "undo"),
        )
        return queues.decide(self, request, queryset, bulk)

    @admin.action(description=_("선택한 언급은 아님 (연결을 끊음)"), permissions=["decide"])
    def refuse(self, request: HttpRequest, queryset: QuerySet[Mention]) -> HttpResponse | None:
        now = timezone.now()
        bulk = queues.BulkAction(
            action="refuse",
            title=gettext("언급이 아님"),
            verb=gettext("모두 연결 끊기"),
            effects=as_effects,
            step=lambda mention: f"refused: {mention.unit.public_id}",
            finish=lambda rows: mention_review.refuse(rows, now=now),
            done=gettext("%(count)d건의 연결을 끊었습니다."),
            permissions=[DECIDE],
            undo=queues.admin_url(Mention, "undo"),
            warning=gettext("문서가 단위의 쪽과 문서 수에서 빠지고, 다시 연결해도 돌아오지 않습니다."),
        )
        return queues.decide(self, request, queryset, bulk)


def around(mention: Mention) -> tuple[str, str, str]:
    """The words before a mention, the mention, and the words after it."""
    text = mention.document.text.replace("\n", " ")
    start, end = mention.start, mention.end
    return text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT]


def in_context(mention: Mention) -> SafeString:
    return format_html('<bdi class="queue-context">{}<mark>{}</mark>{}</bdi>', *around(mention))


def as_effects(mentions: Sequence[Mention]) -> list[queues.RowEffect]:
    return [
        queues.RowEffect(f"{mention.unit.label} · {mention.unit.public_id}", ["".join(around(mention))])
        for mention in mentions
    ]
