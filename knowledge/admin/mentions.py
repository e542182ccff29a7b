"""The queue of mentions that rest on an ambiguous alias; a verdict holds for the surface in its document."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.pages import admin_url
from knowledge.curation import mention_review
from knowledge.models import Mention, Verdict

CONTEXT = 70  # characters on either side of a mention


def around(mention: Mention) -> tuple[str, str, str]:
    """The words before a mention, the mention, and the words after it."""
    text = mention.document.text.replace("\n", " ")
    start, end = mention.start, mention.end
    return text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT]


def as_effects(mentions: Sequence[Mention]) -> list[queues.RowEffect]:
    return [
        queues.RowEffect(f"{mention.unit.label} · {mention.unit.public_id}", ["".join(around(mention))])
        for mention in mentions
    ]


@admin.register(Mention)
class MentionAdmin(queues.QueueAdmin):
    """The queue of doubtful mentions, each with the words around it."""

    queue_title = _("모호한 별칭의 언급: 이 항목이 맞는가")
    waiting = _("모호한 것")
    buttons = {"_block": "knowledge.change_alias", "_confirm": queues.DECIDE, "_refuse": queues.DECIDE}
    list_display = ("in_context", "meant", "outlet", "at")
    list_select_related = ("unit", "document__source")
    search_fields = ("surface", "unit__label", "document__title")
    ordering = ("-document__fetched_at", "-pk")
    actions = ("confirm", "refuse")

    @admin.display(description=_("문맥"))
    def in_context(self, mention: Mention) -> SafeString:
        return format_html('<bdi class="queue-context">{}<mark>{}</mark>{}</bdi>', *around(mention))

    meant = queues.column("unit", _("항목"), ordering="unit__label")
    outlet = queues.column("document.source.name", _("출처"))
    at = queues.time_column("document.fetched_at", _("수집 일시"))

    def awaiting(self) -> QuerySet[Mention]:
        return mention_review.awaiting(now=timezone.now())

    def page_context(self, request: HttpRequest, row: Mention) -> dict[str, Any]:
        text = row.document.text
        others = Mention.objects.filter(document=row.document).exclude(unit=row.unit_id)
        return {
            "title": row.surface,
            "mention": row,
            "document": row.document,
            "before": text[: row.start],
            "named": text[row.start : row.end],
            "after": text[row.end :],
            "others": dict.fromkeys(one.unit for one in others.select_related("unit")),
            "alias": mention_review.alias_of(row),
            "context_max_length": mention_review.CONTEXT_MAX_LENGTH,
        }

    def decide_confirm(self, request: HttpRequest, mention: Mention) -> queues.RowDecision:
        return self._reviewed(mention, Verdict.CONFIRMED, _("맞다고 했습니다"))

    def decide_refuse(self, request: HttpRequest, mention: Mention) -> queues.RowDecision:
        return self._reviewed(mention, Verdict.REFUSED, _("연결을 끊었습니다"))

    def _reviewed(self, mention: Mention, verdict: Verdict, said: object) -> queues.RowDecision:
        keys = mention_review.review([mention], verdict, now=timezone.now())
        logged = f"{verdict.value}: {mention.unit.public_id} in document {mention.document_id}"
        text = format_html("{}: <bdi>{}</bdi> · <bdi>{}</bdi>", said, mention.surface, mention.unit.label)
        return queues.RowDecision(logged, text, undo=keys)

    def decide_block(self, request: HttpRequest, mention: Mention) -> queues.RowDecision:
        alias = mention_review.block(mention, request.POST.get("context", ""))
        word = alias.blocked_contexts[-1]
        said = _("‘%(word)s’ 곁에서는 ‘%(alias)s’을(를) 연결하지 않습니다. 다른 문서도 곧 다시 연결됩니다.")
        return queues.RowDecision(f"blocked: {word}", said % {"word": word, "alias": alias.surface})

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """The posted rows are the verdicts: a refused mention is no row any more."""
        queues.require_permissions(request, queues.DECIDE)
        undone = mention_review.take_back(queues.posted_keys(request, "row"))
        for verdict in undone:
            self.log_change(request, verdict, "verdict undone")
        if undone:
            self.message_user(request, _("되돌렸습니다."), messages.SUCCESS)
        return redirect(admin_url(Mention, "changelist"))

    confirm = queues.BulkAction(
        short_description=_("선택한 언급은 맞음"),
        verb=_("모두 맞음"),
        effects=as_effects,
        step=lambda mention, made: f"confirmed: {mention.unit.public_id}",
        finish=lambda rows, made: mention_review.review(rows, Verdict.CONFIRMED, now=made.now),
        done=_("%(count)d건을 맞다고 했습니다."),
        undoable=True,
    )
    refuse = queues.BulkAction(
        short_description=_("선택한 언급은 아님 (연결을 끊음)"),
        verb=_("모두 연결 끊기"),
        effects=as_effects,
        step=lambda mention, made: f"refused: {mention.unit.public_id}",
        finish=lambda rows, made: mention_review.review(rows, Verdict.REFUSED, now=made.now),
        done=_("%(count)d건의 연결을 끊었습니다."),
        undoable=True,
        warning=_("문서가 항목의 페이지와 문서 수에서 빠지고, 다시 연결해도 돌아오지 않습니다."),
    )
