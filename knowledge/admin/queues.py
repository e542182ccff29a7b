"""What the queues of the desk share: the position in a queue, decisions with an undo button, decisions in bulk.

A bulk decision is shown before it is made (a page of the server, no script), made all or nothing, and written into the
admin's history row by row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import model_format_dict
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, Q, QuerySet, TextChoices
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from django_stubs_ext import StrOrPromise

from knowledge import curation
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.pages import admin_url, own_page
from knowledge.models import Status

# Rows of one bulk decision: what one page can show and one transaction should hold.
BULK_LIMIT = 200
REASON_MAX_LENGTH = 300
DECIDE, PUBLISH = "knowledge.decide_candidate", "knowledge.publish_unit"


class DecidingAdmin(admin.ModelAdmin[Any]):
    """Rows about which editors decide; an action names one of these permissions."""

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(DECIDE)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(PUBLISH)


class UndoableAdmin(DecidingAdmin):
    """Rows about which decisions are undone by a button of the message that tells of them."""

    undo_permissions: Sequence[str] = ()

    def get_urls(self) -> list[URLPattern]:
        undo = self.admin_site.admin_view(require_POST(self.undo_view))
        name = f"{self.opts.app_label}_{self.opts.model_name}_undo"
        return [path("undo/", undo, name=name), *super().get_urls()]

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Undo the decisions about the posted rows, all or none; then the page of the one row, else the list."""
        require_permissions(request, *self.undo_permissions)
        rows = list(self.model._default_manager.filter(pk__in=posted_keys(request, "row")).order_by("pk"))
        try:
            with transaction.atomic():
                for row in rows:
                    self.undo(request, row)
                    self.log_change(request, row, "decision undone")
        except curation.CurationError as error:
            messages.error(request, str(error))
            return redirect(admin_url(self.model, "changelist"))
        if rows:
            messages.success(request, _("되돌렸습니다."))
        page = ("change", rows[0].pk) if len(rows) == 1 else ("changelist",)
        return redirect(admin_url(self.model, *page))

    def undo(self, request: HttpRequest, row: Any) -> None:
        """Undo the decision about one row. Raises CurationError to refuse."""
        raise NotImplementedError


class RowDecision(NamedTuple):
    """A decision about one row: what its history says, what the editor is told, which keys are posted to undo it.

    ``undo_of`` is the model whose undoing takes the keys, where it is not the row's own. After a decision that is not
    ``final`` the row's page is shown again.
    """

    logged: str
    said: StrOrPromise
    undo: Sequence[int] = ()
    undo_of: type[Model] | None = None
    final: bool = True


class WaitingFilter(admin.SimpleListFilter):
    """Lists what waits for a decision unless something else is chosen: see ``QueueAdmin``."""

    title = gettext_lazy("상태")
    parameter_name = "status__exact"

    def __init__(self, request: HttpRequest, params: Any, model: type[Model], queue: Any) -> None:
        self.queue = queue
        self.others: dict[str, tuple[Any, Q]] = {**queue.others, "all": (gettext_lazy("모두"), Q())}
        super().__init__(request, params, model, queue)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(value, name) for value, (name, _rows) in self.others.items()]

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        return [{**first, "display": self.queue.waiting}, *others]

    def value(self) -> str | None:
        given = super().value()
        return given if given in self.others else None

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        waiting = Q(pk__in=self.queue.awaiting().order_by().values("pk"))
        return queryset.filter(waiting if chosen is None else self.others[chosen][1])


class QueueAdmin(UndoableAdmin, ReadOnlyAdmin):
    """Rows that machines write; editors act on them by decisions, each a domain call.

    ``buttons`` are those of a row's page with the permission that each needs; ``_name`` is carried out by the method
    ``decide_name(request, row)``, which returns the RowDecision, or None where the page has a form to mend. Then the
    next row that waits is shown. The list shows what is ``waiting``, as that is called, or one of ``others``: by value
    a name, and which rows.
    """

    list_per_page = 50
    list_filter = (WaitingFilter,)
    queue_title: Any = ""
    waiting: Any
    others: Mapping[str, tuple[Any, Q]] = {}
    buttons: Mapping[str, str] = {}

    def awaiting(self) -> QuerySet[Any]:
        """The rows that wait for a decision, in their order."""
        return self.model._default_manager.awaiting()  # type: ignore[no-any-return]

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What the page of a row shows beside what all such pages do."""
        raise NotImplementedError

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().changelist_view(request, {"title": self.queue_title})

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        pressed = next((name for name in self.buttons if name in request.POST), None)
        if pressed and (response := self._decided(request, row, pressed)):
            return response
        position = queue_position(self.awaiting(), row.pk)
        context = {"title": str(row), "queue_position": position, **self.page_context(request, row)}
        return own_page(self, request, f"knowledge/{self.opts.model_name}/decide.html", context)

    def _decided(self, request: HttpRequest, row: Any, pressed: str) -> HttpResponse | None:
        """What a decision led to; None where it was refused."""
        require_permissions(request, self.buttons[pressed])
        position = queue_position(self.awaiting(), row.pk)
        try:
            made: RowDecision | None = getattr(self, f"decide{pressed}")(request, row)
        except curation.CurationError as error:
            messages.error(request, str(error))
            return None
        if made is None:
            return None
        self.log_change(request, row, made.logged)
        say_done(request, made.said, made.undo_of or self.model, made.undo)
        if not made.final:
            return redirect(request.path)
        if not self.awaiting().filter(pk=position.next).exists():  # it went along with this one
            position = queue_position(self.awaiting(), row.pk)
        return redirect_to_next(request, self.model, position)


def other_statuses(waiting: TextChoices) -> dict[str, tuple[StrOrPromise, Q]]:
    """The choices of a queue by ``status`` in which rows with one status wait."""
    return {one.value: (one.label, Q(status=one)) for one in type(waiting) if one is not waiting}


class QueuePosition(NamedTuple):
    """The rank of a row in its queue, from 1 (None: it waits no more), how many wait, and the key of the next one."""

    position: int | None
    total: int
    next: Any


def queue_position(queue: QuerySet[Any], key: Any) -> QueuePosition:
    """One query, keys only. After the last comes the first; None when there is no other."""
    keys = list(queue.values_list("pk", flat=True))
    rank = keys.index(key) + 1 if key in keys else 0
    following = next((one for one in (*keys[rank:], *keys[:rank]) if one != key), None)
    return QueuePosition(rank or None, len(keys), following)


def korean_minute(at: datetime | None) -> str:
    """A time in Korea as the lists show it: short, and in the order of its characters."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}" if at is not None else "-"


def column(
    path: str, description: StrOrPromise, *, ordering: str | None = None, show: Callable[[Any], str] = str
) -> Any:
    """A column of a list: the attribute of each row at a dotted path, as ``show`` words it."""
    value = attrgetter(path)

    @admin.display(description=description, ordering=ordering)
    def shown(model_admin: Any, row: Any) -> str:
        return show(value(row))

    return shown


def time_column(path: str, description: StrOrPromise) -> Any:
    """A column of times, by which the list can be sorted."""
    return column(path, description, ordering=path.replace(".", "__"), show=korean_minute)


def redirect_to_next(request: HttpRequest, model: type[Model], position: QueuePosition) -> HttpResponse:
    """To the next row's page, or to the list when none waits."""
    if position.next is not None:
        return redirect(admin_url(model, "change", position.next))
    messages.info(request, _("기다리는 것이 없습니다."))
    return redirect(admin_url(model, "changelist"))


def with_page_link(said: object, url: str, label: object) -> SafeString:
    """What was done, with a link to the public page, which opens in a tab of its own."""
    return format_html('{}: <a href="{}" target="_blank"><bdi>{}</bdi></a>', said, url, label)


def require_permissions(request: HttpRequest, *permissions: str) -> None:
    """Raises PermissionDenied unless the editor has all of them."""
    if not request.user.has_perms(permissions):
        raise PermissionDenied


def message_with_undo(
    request: HttpRequest, done: object, url: str, fields: Iterable[tuple[str, object]]
) -> None:
    """A message that a decision was made, with a button that posts ``fields`` to ``url`` to undo it."""
    context = {"done": done, "url": url, "fields": list(fields)}
    messages.success(request, render_to_string("admin/knowledge/undoable.html", context, request))


def say_done(request: HttpRequest, done: StrOrPromise, model: type[Model], keys: Sequence[Any]) -> None:
    """A message that a decision was made; with ``keys`` it has the button of an ``UndoableAdmin``."""
    if keys:
        message_with_undo(request, done, admin_url(model, "undo"), [("row", key) for key in keys])
    else:
        messages.success(request, done)


@dataclass(frozen=True, slots=True)
class RowEffect:
    """What a decision does to one row: a sentence, details under it, and why it would be refused if that is known."""

    says: StrOrPromise
    details: Sequence[str] = ()
    blocked_by: str = ""


class BulkDecision(NamedTuple):
    """A decision as an editor confirmed it: about which rows (in key order), when, and why where that is asked."""

    rows: Sequence[Any]
    now: datetime
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkAction:
    """A decision about many rows, as an action of a ``ModelAdmin``: first a page that says what it would do, then done.

    ``effects`` says for all rows at once what would happen to each, in their order. ``step`` decides about one row and
    returns what is written into the history, empty when the row stays as it is; it raises CurationError to refuse.
    ``finish`` does for all rows at once what would be slow one by one; it returns the keys that are posted to undo it,
    which are else the rows'. ``done`` is a message with ``%(count)d``, the rows that changed; the admin of an
    ``undoable`` one is an ``UndoableAdmin``. A reason is asked for where ``reasons`` offers some.
    """

    do_not_call_in_templates: ClassVar[bool] = True
    short_description: StrOrPromise
    allowed_permissions: Sequence[str] = ("decide",)
    verb: StrOrPromise
    effects: Callable[[Sequence[Any]], Iterable[RowEffect]]
    step: Callable[[Any, BulkDecision], str]
    done: StrOrPromise
    finish: Callable[[Sequence[Any], BulkDecision], Sequence[Any]] | None = None
    undoable: bool = False
    reasons: Sequence[StrOrPromise] = ()
    warning: StrOrPromise = ""

    def __call__(
        self, model_admin: admin.ModelAdmin[Any], request: HttpRequest, rows: QuerySet[Any]
    ) -> HttpResponse | None:
        """Ask first, then do. Returns the page to show, or None for the list."""
        chosen = list(rows[: BULK_LIMIT + 1])
        if len(chosen) > BULK_LIMIT:
            limit = _("한 번에 %(count)d건까지 고를 수 있습니다.") % {"count": BULK_LIMIT}
            model_admin.message_user(request, limit, messages.ERROR)
            return None
        # Always in key order, so that two editors who decide about the same rows wait rather than deadlock.
        in_order = sorted(chosen, key=lambda row: row.pk)
        made = BulkDecision(in_order, timezone.now(), posted_reason(request))
        if "confirmed" not in request.POST:
            return self._question(model_admin, request, chosen)
        if self.reasons and not made.reason:
            return self._question(model_admin, request, chosen, _("이유를 적어 주세요."))
        nothing = _("아무것도 바뀌지 않았습니다. 아래 사유를 보고 다시 고르세요.")
        if _gone(request, chosen):
            return self._question(model_admin, request, chosen, nothing)
        changed, keys, refusals = self._decide(model_admin, request, made)
        if refusals:
            return self._question(model_admin, request, chosen, nothing, refusals)
        done = self.done % {"count": len(changed)}
        say_done(request, done, model_admin.model, keys if self.undoable else ())
        return None

    @transaction.atomic
    def _decide(
        self, model_admin: admin.ModelAdmin[Any], request: HttpRequest, made: BulkDecision
    ) -> tuple[list[Any], Sequence[Any], dict[Any, str]]:
        """All rows, or none when one refuses: which changed, the keys that undo it, and by key why some refuse."""
        changed, refusals = [], {}
        for row in made.rows:
            try:
                with transaction.atomic():
                    if said := self.step(row, made):
                        model_admin.log_change(request, row, said)
                        changed.append(row)
            except curation.CurationError as error:
                refusals[row.pk] = str(error)
        if refusals:
            transaction.set_rollback(True)
            return [], [], refusals
        return changed, self.finish(changed, made) if self.finish else [row.pk for row in changed], {}

    def _question(
        self,
        model_admin: admin.ModelAdmin[Any],
        request: HttpRequest,
        chosen: Sequence[Any],
        problem: str = "",
        refusals: Mapping[Any, str] | None = None,
    ) -> HttpResponse:
        effects, refused = list(self.effects(chosen)), refusals or {}
        context = {
            "title": self.short_description % model_format_dict(model_admin.opts),
            "bulk": self,
            "rows": [
                (row, effect, refused.get(row.pk, effect.blocked_by))
                for row, effect in zip(chosen, effects, strict=True)
            ],
            "gone": _gone(request, chosen),
            "blocked": any(effect.blocked_by for effect in effects),
            "problem": problem,
            "reason": posted_reason(request),
            "reason_max_length": REASON_MAX_LENGTH,
        }
        return own_page(model_admin, request, "knowledge/queue_confirm.html", context)


def _gone(request: HttpRequest, chosen: Sequence[Any]) -> list[str]:
    """The keys that were chosen and are not in the list any more."""
    return sorted(set(request.POST.getlist(ACTION_CHECKBOX_NAME)) - {str(row.pk) for row in chosen})


def posted_reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:REASON_MAX_LENGTH]


def posted_keys(request: HttpRequest, name: str) -> list[int]:
    return [int(key) for key in request.POST.getlist(name) if key.isdecimal()]


_STATUS_WORDS = {
    Status.PUBLISHED: (
        gettext_lazy("선택한 %(verbose_name_plural)s 공개"),
        gettext_lazy("모두 공개"),
        gettext_lazy("%(count)d개를 공개했습니다."),
    ),
    Status.RETRACTED: (
        gettext_lazy("선택한 %(verbose_name_plural)s 철회"),
        gettext_lazy("모두 철회"),
        gettext_lazy("%(count)d개를 철회했습니다."),
    ),
}


def status_action(
    status: Status,
    effect: Callable[[Any], RowEffect],
    *,
    permission: str = "publish",
    undoable: bool = False,
) -> BulkAction:
    """Rows are brought to a status; one that stands there already stays as it is. ``effect`` tells of one row."""

    def step(row: Any, made: BulkDecision) -> str:
        if row.status == status:
            return ""
        curation.set_status(row, status)
        return _("상태: %(status)s") % {"status": status.label}

    description, verb, done = _STATUS_WORDS[status]
    return BulkAction(
        short_description=description,
        allowed_permissions=[permission],
        verb=verb,
        effects=lambda rows: [effect(row) for row in rows],
        step=step,
        done=done,
        undoable=undoable,
    )
