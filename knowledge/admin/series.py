"""Series and their values, and the values that wait for an editor."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.labels import LabelledFields
from knowledge.curation import CurationError
from knowledge.models import HeldValue, Observation, Premium, Series, SeriesInput
from knowledge.series import recording

VALUES_AROUND = 5  # stored ones before a held value and after it


class SeriesInputInline(LabelledFields, admin.TabularInline[SeriesInput, Series]):
    """Deleting one would take its values along without a question: that has a page of its own."""

    model = SeriesInput
    can_delete = False
    fields = ("key", "position", "unit", "source")
    autocomplete_fields = ("source",)
    extra = 0


@admin.register(Series)
class SeriesAdmin(admin.ModelAdmin[Series]):
    list_display = ("slug", "label", "unit", "cadence", "holder", "redistributable")
    list_filter = ("cadence", "redistributable")
    list_select_related = ("holder",)
    search_fields = ("slug", "label", "label_en")
    autocomplete_fields = ("holder",)
    inlines = (SeriesInputInline,)

    def get_readonly_fields(self, request: HttpRequest, obj: Series | None = None) -> tuple[str, ...]:
        return ("slug",) if obj else ()  # an address never changes


@admin.register(SeriesInput)
class SeriesInputAdmin(admin.ModelAdmin[SeriesInput]):
    list_display = ("key", "series", "position", "unit", "source")
    list_select_related = ("series", "source")
    search_fields = ("key", "series__label")
    autocomplete_fields = ("series", "source")


@admin.register(Observation)
class ObservationAdmin(ReadOnlyAdmin):
    """Without a hierarchy of dates: it reads every row, and there are ten million."""

    list_display = ("input", "at", "period", "value", "revision", "newest", "fetched_at")
    list_filter = ("newest",)
    list_select_related = ("input",)
    search_fields = ("input__key", "input__series__label")


def _as_values(values: Sequence[HeldValue]) -> Iterable[queues.RowEffect]:
    for held in values:
        yield queues.RowEffect(held.reason, [f"{held.in_digits} {held.unit}", queues.korean_minute(held.at)])


@admin.register(HeldValue)
class HeldValueAdmin(queues.QueueAdmin):
    """The queue of values that a rule took for mistakes: right after all, or not."""

    queue_title = _("보류한 값: 맞는가?")
    waiting = _("기다림")
    others = {"rejected": (_("폐기"), Q(rejected_at__isnull=False))}
    buttons = {"_accept": queues.DECIDE, "_reject": queues.DECIDE}
    undo_permissions = (queues.DECIDE,)
    list_display = ("series", "dated", "number", "unit", "reason", "fetched")
    list_select_related = ("input__series", "input__source")
    search_fields = ("input__key", "input__series__label")
    ordering = ("-fetched_at", "-at", "pk")
    actions = ("accept", "reject")

    dated = queues.time_column("at", _("시점"))
    number = queues.column("in_digits", _("값"), ordering="value")
    fetched = queues.time_column("fetched_at", _("수집 일시"))

    @admin.display(description=_("시계열"))
    def series(self, held: HeldValue) -> str:
        return str(held.input.series or held.input)

    def page_context(self, request: HttpRequest, row: HeldValue) -> dict[str, Any]:
        values = Observation.objects.filter(input=row.input, newest=True)
        before = list(values.filter(at__lte=row.at).order_by("-at")[:VALUES_AROUND])
        after = list(values.filter(at__gt=row.at).order_by("at")[:VALUES_AROUND])
        return {"title": _("이 값이 맞는가?"), "held": row, "around": [*reversed(before), *after]}

    def decide_accept(self, request: HttpRequest, held: HeldValue) -> queues.RowDecision:
        return queues.RowDecision(_accepted(held, timezone.now()), _("이 값을 공개했습니다."))

    def decide_reject(self, request: HttpRequest, held: HeldValue) -> queues.RowDecision:
        recording.reject(held, now=timezone.now())
        return queues.RowDecision("rejected", _("이 값을 버렸습니다."), undo=[held.pk])

    def undo(self, request: HttpRequest, row: HeldValue) -> None:
        recording.recall(row)

    accept = queues.BulkAction(
        short_description=_("선택한 값은 맞음"),
        verb=_("모두 공개"),
        effects=_as_values,
        step=lambda held, made: _accepted(held, made.now),
        done=_("값 %(count)d개를 공개했습니다."),
    )
    reject = queues.BulkAction(
        short_description=_("선택한 값은 잘못됨"),
        verb=_("모두 버리기"),
        effects=_as_values,
        step=lambda held, made: _rejected(held, made.now),
        done=_("값 %(count)d개를 버렸습니다."),
        undoable=True,
    )


def _accepted(held: HeldValue, now: datetime) -> str:
    said = f"accepted: {held}"
    if not recording.accept(held, now=now):
        raise CurationError(gettext("이 값은 이미 공개했거나, 저장할 수 있는 수보다 큽니다."))
    return said


def _rejected(held: HeldValue, now: datetime) -> str:
    recording.reject(held, now=now)
    return "rejected"


@admin.register(Premium)
class PremiumAdmin(ReadOnlyAdmin):
    """Premiums with the three legs they were made from."""

    list_display = ("asset", "at", "percent", "upbit_krw", "binance_usd", "usdkrw", "usdkrw_at")
    list_select_related = ("asset",)
    list_filter = (("asset", admin.RelatedOnlyFieldListFilter),)
    search_fields = ("asset__label", "asset__symbol")
    date_hierarchy = "at"

    @admin.display(description=_("프리미엄"), ordering="value")
    def percent(self, premium: Premium) -> str:
        return f"{premium.value:+.2%}"
