"""The desk's page of a seed's present answer and its next one, side by side: accept, keep, or answer anew; then on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ask import proposals
from ask.models import Answer, AnswerVersion, SeedQuestion
from ask.wording import Piece, compared
from knowledge.admin import queues
from knowledge.admin.pages import own_page
from knowledge.curation import CurationError
from knowledge.errors import Refusal

ACCEPT = "ask.accept_answer"
EXCERPT = 200  # characters of an answer in a list of effects


class ProposalFilter(admin.SimpleListFilter):
    title = _("새 답변")
    parameter_name = "proposed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("승인 대기")), ("unanswered", _("답이 없음"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "unanswered":
            return queryset.filter(pk__in=SeedQuestion.objects.unanswered().values("pk"))
        return queryset.filter(active=True, proposed__isnull=False) if self.value() == "yes" else queryset


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    """One answer, its words marked where the other has others."""

    name: str
    version: AnswerVersion | None
    pieces: Sequence[Piece]


def comparison_url(seed_id: int) -> str:
    return reverse("admin:ask_seedquestion_compare", args=[seed_id])


def propose(model_admin: ModelAdmin[Any], request: HttpRequest, seed: SeedQuestion) -> bool:
    """Have an answer made now; a refusal is shown."""
    try:
        version = proposals.propose(seed.text, now=timezone.now())
    except Refusal as refusal:
        model_admin.message_user(request, f"{seed.text}: {refusal.korean}", messages.ERROR)
        return False
    model_admin.log_change(request, seed, f"answered: version {version.pk}")
    model_admin.message_user(request, _("답변을 만들었습니다: %(seed)s") % {"seed": seed}, messages.SUCCESS)
    return True


class ComparisonPage:
    """One request for one seed's comparison."""

    def __init__(self, model_admin: ModelAdmin[Any], request: HttpRequest, seed: SeedQuestion) -> None:
        self.admin = model_admin
        self.request = request
        self.seed = seed
        self.answer: Answer | None = seed.answer
        self.proposed = proposals.proposal(self.answer) if self.answer is not None else None

    def respond(self) -> HttpResponse:
        if self.request.method != "POST":
            return self.shown()
        if "_answer" in self.request.POST:
            if not self.admin.has_change_permission(self.request, self.seed):
                raise PermissionDenied
            propose(self.admin, self.request, self.seed)
            return redirect(comparison_url(self.seed.pk))
        queues.require_permissions(self.request, ACCEPT)
        return self.keep() if "_keep" in self.request.POST else self.accept()

    def accept(self) -> HttpResponse:
        """Only the version that the editor has seen: another may have been made meanwhile."""
        former = self.answer.current if self.answer is not None else None
        proposed = self.seen()
        if proposed is None or former is None or not proposals.accept(proposed, now=timezone.now()):
            return self.changed()
        position = self.position()
        self.admin.log_change(self.request, self.seed, f"accepted: version {proposed.pk}")
        self.say_undoable(gettext("새 답변을 공개했습니다."), accepted=proposed.pk, former=former.pk)
        return self.redirect_to_next(position)

    def keep(self) -> HttpResponse:
        """The present answer stays; the proposal is not offered again."""
        proposed = self.seen()
        if proposed is None or not proposals.decline(proposed):
            return self.changed()
        position = self.position()
        self.admin.log_change(self.request, self.seed, f"declined: version {proposed.pk}")
        self.say_undoable(gettext("지금 답변을 그대로 둡니다."), declined=proposed.pk)
        return self.redirect_to_next(position)

    def undo(self) -> HttpResponse:
        """What the message of a decision offers: the posted versions say which."""
        accepted, former, declined = (self.posted(name) for name in ("accepted", "former", "declined"))
        if accepted is not None and former is not None:
            undone = proposals.take_back(accepted, former, now=timezone.now())
        else:
            undone = declined is not None and proposals.recall(declined)
        if not undone:
            return self.changed()
        self.admin.log_change(self.request, self.seed, "decision undone")
        self.admin.message_user(self.request, _("되돌렸습니다."), messages.SUCCESS)
        return redirect(comparison_url(self.seed.pk))

    def posted(self, name: str) -> AnswerVersion | None:
        """A version of this seed's answer that the form names."""
        given = self.request.POST.get(name, "")
        if not (given.isascii() and given.isdigit()):
            return None
        return AnswerVersion.objects.filter(answer=self.seed.question_hash, pk=given).first()

    def seen(self) -> AnswerVersion | None:
        named = self.request.POST.get("version", "")
        return self.proposed if self.proposed is not None and str(self.proposed.pk) == named else None

    def changed(self) -> HttpResponse:
        said = _("그사이 답변이 바뀌었거나 근거가 철회되었습니다. 다시 비교해 보세요.")
        self.admin.message_user(self.request, said, messages.ERROR)
        return redirect(comparison_url(self.seed.pk))

    def say_undoable(self, said: str, **versions: int) -> None:
        undo = reverse("admin:ask_seedquestion_undo", args=[self.seed.pk])
        queues.message_with_undo(self.request, said, undo, versions.items())

    def position(self) -> queues.QueuePosition:
        return queues.queue_position(proposals.awaiting(), self.seed.pk)

    def redirect_to_next(self, position: queues.QueuePosition) -> HttpResponse:
        """To the next seed that waits, or back to this one's answers when none does."""
        return redirect(comparison_url(self.seed.pk if position.next is None else position.next))

    def shown(self) -> HttpResponse:
        current = self.answer.current if self.answer is not None else None
        user = self.request.user
        context = {
            "title": _("답변 비교"),
            "seed": self.seed,
            "sides": sides(current, self.proposed),
            "same": current and self.proposed and current.body == self.proposed.body,
            "proposed": self.proposed,
            "queue_position": self.position(),
            "may_accept": user.has_perm(ACCEPT),
            "may_answer": self.admin.has_change_permission(self.request, self.seed),
        }
        return own_page(self.admin, self.request, "ask/seedquestion/compare.html", context)


def sides(current: AnswerVersion | None, proposed: AnswerVersion | None) -> list[MarkedAnswer]:
    if current is None or proposed is None:
        old = [Piece(current.body, False)] if current else []
        new = [Piece(proposed.body, False)] if proposed else []
    else:
        old, new = compared(current.body, proposed.body)
    return [MarkedAnswer(gettext("지금 답변"), current, old), MarkedAnswer(gettext("새 답변"), proposed, new)]


def _accept(seed: Any, made: queues.BulkDecision) -> str:
    version = AnswerVersion.objects.filter(pk=seed.proposed).first() if seed.proposed else None
    if version is None:
        raise CurationError(gettext("승인할 새 답변이 없습니다."))
    if not proposals.accept(version, now=made.now):
        raise CurationError(gettext("그사이 답변이 바뀌었거나 근거가 철회되었습니다."))
    return f"accepted: version {version.pk}"


def _bodies(seeds: Sequence[Any]) -> list[queues.RowEffect]:
    """The answer that each page would show. One query."""
    versions = AnswerVersion.objects.in_bulk([seed.proposed for seed in seeds if seed.proposed])
    return [
        queues.RowEffect(seed.get_absolute_url(), [versions[seed.proposed].body[:EXCERPT]])
        if seed.proposed in versions
        else queues.RowEffect(gettext("승인할 새 답변이 없습니다."))
        for seed in seeds
    ]


ACCEPT_MANY = queues.BulkAction(
    short_description=_("선택한 질문의 새 답변 승인"),
    allowed_permissions=["accept"],
    verb=_("모두 승인"),
    effects=_bodies,
    step=_accept,
    done=_("%(count)d개를 승인했습니다."),
)
