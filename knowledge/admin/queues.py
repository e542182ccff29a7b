"""What the queues of the desk share: the position in a queue, decisions with an undo button, decisions in bulk.

A bulk decision is shown before it is made (a page of the server, no script), made all or nothing, and written into the
admin's history row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, QuerySet, TextChoices
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.curation import CurationError

# Rows of one bulk decision: what one page can show and one transaction should hold.
BULK_LIMIT = 200
REASON_MAX_LENGTH = 300
DECIDE, PUBLISH = "knowledge.decide_candidate", "knowledge.publish_unit"


class UndoableAdmin(admin.ModelAdmin[Any]):
    """Rows about which decisions are undone by a button of the message that tells of them."""

    def get_urls(self) -> list[URLPattern]:
        undo = self.admin_site.admin_view(require_POST(self.undo_view))
        name = f"{self.opts.app_label}_{self.opts.model_name}_undo"
        return [path("undo/", undo, name=name), *super().get_urls()]

    def undo_view(self, request: HttpRequest) -> HttpResponse:
        """Undo the decisions about the posted rows."""
        raise NotImplementedError


class QueueAdmin(UndoableAdmin, ReadOnlyAdmin):
    """Rows that machines write; editors act on them by decisions, each a domain call."""

    list_per_page = 50
    show_full_result_count = False
    queue_title: Any = ""

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().changelist_view(request, {"title": self.queue_title, **(extra_context or {})})

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        return self.decision_view(request, row)

    def decision_view(self, request: HttpRequest, row: Any) -> HttpResponse:
        """The page of one row, and what its buttons do."""
        raise NotImplementedError

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(DECIDE)

    def has_publish_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(PUBLISH)


class WaitingFilter(admin.SimpleListFilter):
    """Lists what waits for a decision unless something else is chosen.

    ``waiting`` names what waits, ``others`` are further choices (value, name) beside all rows.
    """

    title = gettext_lazy("상태")
    waiting: Any
    others: Sequence[tuple[str, Any]] = ()
    ALL = "all"
    all_title: Any = gettext_lazy("모두")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [*self.others, (self.ALL, self.all_title)]

    def choices(self, changelist: Any) -> Any:
        first, *others = super().choices(changelist)
        yield {**first, "display": self.waiting}
        yield from others

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return queryset if chosen == self.ALL else self.matching(queryset, chosen)

    def matching(self, rows: QuerySet[Any], chosen: str | None) -> QuerySet[Any]:
        """The rows of a choice of ``others``; None: those that wait."""
        raise NotImplementedError


class WaitingStatusFilter(WaitingFilter):
    """A WaitingFilter by the field ``status``: rows with ``waiting_status`` wait, ``others`` are its other values."""

    parameter_name = "status__exact"
    waiting_status: TextChoices

    def __init__(self, *args: Any) -> None:
        statuses = type(self.waiting_status)
        self.waiting = self.waiting_status.label
        self.others = [(one.value, one.label) for one in statuses if one is not self.waiting_status]
        super().__init__(*args)

    def matching(self, rows: QuerySet[Any], chosen: str | None) -> QuerySet[Any]:
        return rows.filter(status=chosen or self.waiting_status)

    def value(self) -> str | None:
        given = super().value()
        return None if given == self.waiting_status else given


@dataclass(frozen=True, slots=True)
class QueuePosition:
    """The rank of a row in its queue, from 1 (None: it waits no more), how many wait, and the key of the next one."""

    position: int | None
    total: int
    next: Any


def queue_position(queue: QuerySet[Any], key: Any) -> QueuePosition:
    """One query, keys only. After the last comes the first; None when there is no other."""
    keys = list(queue.values_list("pk", flat=True))
    if key not in keys:
        return QueuePosition(None, len(keys), keys[0] if keys else None)
    position = keys.index(key)
    others = keys[position + 1 :] + keys[:position]
    return QueuePosition(position + 1, len(keys), others[0] if others else None)


def korean_minute(at: datetime | None) -> str:
    """A time in Korea as the lists show it: short, and in the order of its characters."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M}" if at is not None else "-"


def admin_url(model: type[Model] | Model, name: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def redirect_to_next(request: HttpRequest, model: type[Model], position: QueuePosition) -> HttpResponse:
    """To the next row's page, or to the list when none waits."""
    if position.next is None:
        messages.info(request, _("기다리는 것이 없습니다."))
        return HttpResponseRedirect(admin_url(model, "changelist"))
    return HttpResponseRedirect(admin_url(model, "change", position.next))


def redirect_to_undone(model: type[Model], rows: Sequence[Any]) -> HttpResponse:
    """To the page of the one row whose decision was undone, else to the list."""
    one = len(rows) == 1
    return HttpResponseRedirect(
        admin_url(model, "change", rows[0].pk) if one else admin_url(model, "changelist")
    )


def with_page_link(said: str, url: str, label: object) -> SafeString:
    """What was done, with a link to the public page, which opens in a tab of its own."""
    return format_html('{}: <a href="{}" target="_blank"><bdi>{}</bdi></a>', said, url, label)


def require_permissions(request: HttpRequest, *permissions: str) -> None:
    """Raises PermissionDenied unless the editor has all of them."""
    if not request.user.has_perms(permissions):
        raise PermissionDenied


def message_with_undo(
    request: HttpRequest, done: str | SafeString, url: str, fields: Mapping[str, Any]
) -> None:
    """A message that a decision was made, with a button that posts ``fields`` to ``url`` to undo it."""
    pairs = [
        (name, value)
        for name, given in fields.items()
        for value in (given if isinstance(given, list | tuple) else [given])
    ]
    inputs = format_html_join("", '<input type="hidden" name="{}" value="{}">', pairs)
    form = format_html(
        '{} <form class="desk-undo" method="post" action="{}">'
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">{}<button type="submit">{}</button></form>',
        done,
        url,
        get_token(request),
        inputs,
        _("되돌리기"),
    )
    messages.success(request, form)


def web_links(addresses: Iterable[str]) -> SafeString:
    """Addresses from outside as links; whatever is no web address stays text."""
    return format_html_join(
        SafeString(" "),
        "{}",
        (
            (format_html('<a href="{}" rel="noopener noreferrer"><bdi>{}</bdi></a>', address, address),)
            if address.startswith(("https://", "http://"))
            else (address,)
            for address in addresses
        ),
    )


@dataclass(frozen=True, slots=True)
class RowEffect:
    """What a decision does to one row: a sentence, and details under it (addresses, titles).

    ``blocked_by`` is why the row would be refused, where that is known beforehand; then nothing can be decided yet.
    """

    says: str
    details: Sequence[str] = ()
    blocked_by: str = ""


@dataclass(frozen=True, slots=True)
class BulkAction:
    """A decision about many rows.

    ``effects`` says for all rows at once what would happen to each, in their order. ``step`` decides about one row and
    returns what is written into the history, empty when the row stays as it is; it raises CurationError to refuse.
    ``done`` is a message with ``%(count)d``, the rows that changed; ``undo`` names the address that takes the decisions
    back, if any does. ``finish`` does for all rows at once what would be slow one by one; it returns the keys that
    ``undo`` takes, which are else the rows'.
    """

    action: str
    title: str
    verb: str
    effects: Callable[[Sequence[Any]], Sequence[RowEffect]]
    step: Callable[[Any], str]
    done: str
    permissions: Sequence[str]
    asks_reason: bool = False
    reasons: Sequence[str] = ()
    undo: str = ""
    warning: str = ""
    finish: Callable[[Sequence[Any]], Sequence[Any]] | None = None


class RefusedError(Exception):
    """Some rows refused, so nothing was done; ``reasons`` by the rows' keys."""

    def __init__(self, reasons: dict[Any, str]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


def decide(
    model_admin: ModelAdmin[Any], request: HttpRequest, rows: QuerySet[Any], bulk: BulkAction
) -> HttpResponse | None:
    """The body of an admin action: ask first, then do. Returns the page to show, or None for the list."""
    require_permissions(request, *bulk.permissions)
    chosen = list(rows[: BULK_LIMIT + 1])
    if len(chosen) > BULK_LIMIT:
        limit = _("한 번에 %(count)d건까지 고를 수 있습니다.") % {"count": BULK_LIMIT}
        model_admin.message_user(request, limit, messages.ERROR)
        return None
    if "confirmed" not in request.POST:
        return _question(model_admin, request, chosen, bulk, {})
    if bulk.asks_reason and not posted_reason(request):
        return _question(model_admin, request, chosen, bulk, {}, _("이유를 적어 주세요."))
    try:
        count, keys = _carry_out(model_admin, request, chosen, bulk)
    except RefusedError as refused:
        nothing = _("아무것도 바뀌지 않았습니다. 아래 까닭을 보고 다시 고르세요.")
        return _question(model_admin, request, chosen, bulk, refused.reasons, nothing)
    done = bulk.done % {"count": count}
    if bulk.undo:
        message_with_undo(request, done, bulk.undo, {"row": keys})
    else:
        model_admin.message_user(request, done, messages.SUCCESS)
    return None


def posted_reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "").strip()[:REASON_MAX_LENGTH]


def _carry_out(
    model_admin: ModelAdmin[Any], request: HttpRequest, chosen: Sequence[Any], bulk: BulkAction
) -> tuple[int, list[Any]]:
    """All rows, or none: raises RefusedError with every reason.

    Returns how many rows changed, and the keys by which that is undone.
    """
    wanted = set(request.POST.getlist(ACTION_CHECKBOX_NAME))
    left = wanted - {str(row.pk) for row in chosen}
    reasons: dict[Any, str] = dict.fromkeys(left, _("그사이 목록에서 빠졌습니다."))
    changed = []
    with transaction.atomic():
        # Always in key order, so that two editors who decide about the same rows wait rather than deadlock.
        for row in sorted(chosen, key=lambda row: row.pk):
            try:
                with transaction.atomic():
                    if said := bulk.step(row):
                        model_admin.log_change(request, row, said)
                        changed.append(row)
            except CurationError as error:
                reasons[row.pk] = str(error)
        if reasons:
            raise RefusedError(reasons)
        return len(changed), list(bulk.finish(changed)) if bulk.finish else [row.pk for row in changed]


def _question(
    model_admin: ModelAdmin[Any],
    request: HttpRequest,
    chosen: Sequence[Any],
    bulk: BulkAction,
    refusals: Mapping[Any, str],
    problem: str = "",
) -> TemplateResponse:
    effects = bulk.effects(chosen)
    blocked = any(effect.blocked_by for effect in effects)
    if blocked and not problem:
        problem = _("아래에 바꿀 수 없는 것이 있습니다. 모두 바꾸거나 하나도 바꾸지 않습니다.")
    known = {row.pk for row in chosen}
    context = {
        **model_admin.admin_site.each_context(request),
        "title": bulk.title,
        "opts": model_admin.opts,
        "bulk": bulk,
        "rows": [
            (row, admin_url(row, "change", row.pk), effect, refusals.get(row.pk, effect.blocked_by))
            for row, effect in zip(chosen, effects, strict=True)
        ],
        "gone": {key: reason for key, reason in refusals.items() if key not in known},
        "count": len(chosen),
        "blocked": blocked,
        "problem": problem,
        "reason": posted_reason(request),
        "checkbox_name": ACTION_CHECKBOX_NAME,
        "reason_max_length": REASON_MAX_LENGTH,
    }
    return TemplateResponse(request, "admin/knowledge/queue_confirm.html", context)


def undo_all(
    model_admin: ModelAdmin[Any], request: HttpRequest, step: Callable[[Any], None], said: str
) -> list[Any]:
    """Take decisions about the posted rows back, all or none. Returns the rows, none when one refused."""
    keys = request.POST.getlist("row")[:BULK_LIMIT]
    rows = [row for row in _rows_of(model_admin.model, keys) if row is not None]
    try:
        with transaction.atomic():
            for row in rows:
                step(row)
                model_admin.log_change(request, row, said)
    except CurationError as error:
        model_admin.message_user(request, str(error), messages.ERROR)
        return []
    if rows:
        model_admin.message_user(request, _("되돌렸습니다."), messages.SUCCESS)
    return rows


def _rows_of(model: type[Model], keys: Iterable[str]) -> list[Any]:
    wanted = [int(key) for key in keys if key.isascii() and key.isdigit()]
    return list(model._default_manager.filter(pk__in=wanted).order_by("pk"))
