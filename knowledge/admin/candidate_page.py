"""The page of one candidate: what it is, what it would become, and the decision, which leads to the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from knowledge.admin import queues
from knowledge.admin.candidate_forms import DraftForm, EventForm
from knowledge.admin.queues import DECIDE, PUBLISH
from knowledge.curation import CurationError
from knowledge.events import decisions, drafts, related
from knowledge.models import ClusterDocument, ClusterStatus, EventCluster, Unit

REASONS = (
    gettext_lazy("광고·홍보"),
    gettext_lazy("이미 다룬 일"),
    gettext_lazy("사건이 아님"),
    gettext_lazy("근거가 부족함"),
)


class CandidatePage:
    """One request for one candidate's page."""

    def __init__(self, model_admin: ModelAdmin[Any], request: HttpRequest, cluster: EventCluster) -> None:
        self.admin = model_admin
        self.request = request
        self.cluster = cluster
        self.draft = drafts.draft(cluster)
        self.draft_form = DraftForm(self.draft)
        self.event_form = EventForm()

    def respond(self) -> HttpResponse:
        if self.request.method != "POST":
            return self.shown()
        decisions_by_button: dict[str, Callable[[], HttpResponse]] = {
            "_publish": self.publish,
            "_add": self.add,
            "_reject": self.reject,
            "_split": self.split,
            "_remove": self.remove,
        }
        for button, decide in decisions_by_button.items():
            if button in self.request.POST:
                try:
                    return decide()
                except CurationError as error:
                    messages.error(self.request, str(error))
                    return self.shown()
        return self.shown()

    def publish(self) -> HttpResponse:
        queues.require_permissions(self.request, PUBLISH)
        self.draft_form = DraftForm(self.draft, self.request.POST)
        if not self.draft_form.is_valid():
            return self.shown()
        position = self.position()
        event = decisions.publish(self.cluster, now=timezone.now(), draft=self.draft_form.as_draft())
        return self.published(event, _("공개했습니다"), position)

    def add(self) -> HttpResponse:
        queues.require_permissions(self.request, PUBLISH)
        near = self.request.POST.get("near", "")
        self.event_form = EventForm({"slug": near} if near else self.request.POST)
        if not self.event_form.is_valid():
            return self.shown()
        position = self.position()
        event = decisions.publish(
            self.cluster, now=timezone.now(), event=self.event_form.cleaned_data["event"]
        )
        return self.published(event, _("사건에 더했습니다"), position)

    def published(self, event: Unit, said: str, position: queues.QueuePosition) -> HttpResponse:
        self.log(f"published: {event.public_id}")
        self.say_undoable(queues.with_page_link(said, event.get_absolute_url(), event.label))
        return queues.redirect_to_next(self.request, EventCluster, position)

    def reject(self) -> HttpResponse:
        queues.require_permissions(self.request, DECIDE)
        reason = self.request.POST.get("chosen", "").strip() or queues.posted_reason(self.request)
        position = self.position()
        decisions.reject(self.cluster, reason=reason[: queues.REASON_MAX_LENGTH], now=timezone.now())
        self.log(f"rejected: {reason}")
        self.say_undoable(
            _("기각했습니다: %(label)s (%(reason)s)") % {"label": self.cluster.label, "reason": reason}
        )
        return queues.redirect_to_next(self.request, EventCluster, position)

    def split(self) -> HttpResponse:
        queues.require_permissions(self.request, DECIDE)
        fresh = decisions.split(self.cluster, self.chosen())
        self.log(f"split: {fresh.pk}")
        link = queues.admin_url(fresh, "change", fresh.pk)
        said = format_html(
            '{} <a href="{}"><bdi>{}</bdi></a>', _("새 후보로 나누었습니다:"), link, fresh.label
        )
        messages.success(self.request, said)
        return self.again()

    def remove(self) -> HttpResponse:
        queues.require_permissions(self.request, DECIDE)
        count = decisions.remove(self.cluster, self.chosen())
        self.log(f"removed: {count} documents")
        messages.success(self.request, _("문서 %(count)d건을 뺐습니다.") % {"count": count})
        return self.again()

    def chosen(self) -> list[int]:
        return [int(key) for key in self.request.POST.getlist("document") if key.isascii() and key.isdigit()]

    def position(self) -> queues.QueuePosition:
        return queues.queue_position(EventCluster.objects.awaiting(), self.cluster.pk)

    def again(self) -> HttpResponse:
        return HttpResponseRedirect(self.request.path)

    def log(self, said: str) -> None:
        self.admin.log_change(self.request, self.cluster, said)

    def say_undoable(self, said: str) -> None:
        queues.message_with_undo(
            self.request, said, queues.admin_url(EventCluster, "undo"), {"row": self.cluster.pk}
        )

    def shown(self) -> TemplateResponse:
        user, cluster = self.request.user, self.cluster
        members = ClusterDocument.objects.filter(cluster=cluster).select_related("document__source")
        listed = list(members.order_by("document__published_at", "document_id"))
        outlets = list(dict.fromkeys(member.document.source.name for member in listed))
        context = {
            **self.admin.admin_site.each_context(self.request),
            "title": cluster.label,
            "opts": self.admin.opts,
            "cluster": cluster,
            "members": listed,
            "outlets": outlets,
            "draft": self.draft,
            "draft_form": self.draft_form,
            "event_form": self.event_form,
            "near": related.events_near(cluster, self.draft.units),
            "pulses": related.pulses_near(cluster, self.draft.units),
            "queue_position": self.position(),
            "reasons": REASONS,
            "reason_max_length": queues.REASON_MAX_LENGTH,
            "may_decide": user.has_perm(DECIDE),
            "may_publish": user.has_perm(PUBLISH),
            "undoable": cluster.status in (ClusterStatus.PUBLISHED, ClusterStatus.REJECTED),
            "media": self.draft_form.media + self.event_form.media,
        }
        return TemplateResponse(self.request, "admin/knowledge/eventcluster/decide.html", context)
