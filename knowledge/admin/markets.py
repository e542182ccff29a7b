"""Markets and their bars, and the markets that the canon lacks."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from knowledge.admin import queues
from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.admin.forms import fill_as_one_types
from knowledge.admin.labels import MOMENTS
from knowledge.curation import CurationError
from knowledge.models import Candle, Market, MarketCandidate, Status, Unit, UnitType
from knowledge.series import markets


@admin.register(Market)
class MarketAdmin(admin.ModelAdmin[Market]):
    list_display = ("symbol", "venue", "asset", "hourly", "warned", "listed_at", "delisted_at", "stablecoin")
    list_filter = ("venue", "hourly", ("delisted_at", admin.EmptyFieldListFilter), "stablecoin")
    list_select_related = ("asset",)
    search_fields = ("symbol", "asset__label")
    autocomplete_fields = ("asset",)
    formfield_overrides = MOMENTS
    ordering = ("venue", "symbol", "-pk")

    warned = queues.column("warnings", _("거래소 경고"), show=", ".join)


@admin.register(Candle)
class CandleAdmin(ReadOnlyAdmin):
    """Without a hierarchy of dates: it reads every row, and there are a million a year."""

    list_display = ("market", "interval", "at", "open", "high", "low", "close", "volume")
    list_filter = ("interval", "market__venue")
    list_select_related = ("market",)
    search_fields = ("market__symbol",)


class AssetForm(forms.Form):
    """Which asset trades on a market."""

    asset = forms.ModelChoiceField(Unit.objects.none(), label=_("자산"), help_text=_("이름으로 찾기"))

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        assets = Unit.objects.survivors().filter(type=UnitType.ASSET, status=Status.PUBLISHED)
        fill_as_one_types(self, "asset", Market._meta.get_field("asset"), assets)


def _as_markets(candidates: Sequence[MarketCandidate]) -> Iterable[queues.RowEffect]:
    for candidate in candidates:
        yield queues.RowEffect(str(candidate), [candidate.reason])


def _dismiss(candidate: MarketCandidate, made: queues.BulkDecision) -> str:
    markets.dismiss(candidate, now=made.now)
    return "dismissed"


@admin.register(MarketCandidate)
class MarketCandidateAdmin(queues.QueueAdmin):
    """The queue of markets that an exchange lists and that belong to no asset of the canon: whose are they?"""

    queue_title = _("마켓 후보: 어느 자산의 마켓인가?")
    waiting = _("기다림")
    others = {"dismissed": (_("무시함"), Q(dismissed_at__isnull=False))}
    buttons = {"_open": queues.DECIDE, "_dismiss": queues.DECIDE}
    undo_permissions = (queues.DECIDE,)
    list_display = ("symbol", "venue", "name", "name_en", "reason", "seen")
    search_fields = ("symbol", "name", "name_en")
    ordering = ("-first_seen_at", "symbol")
    actions = ("dismiss",)

    seen = queues.time_column("first_seen_at", _("최초 확인 일시"))

    def page_context(self, request: HttpRequest, row: MarketCandidate) -> dict[str, Any]:
        form = AssetForm(request.POST if "_open" in request.POST else None)
        ticker = markets.ticker_of(row.symbol)
        return {
            "candidate": row,
            "form": form,
            "media": self.media + form.media,
            "namesakes": Unit.objects.survivors().filter(type=UnitType.ASSET, symbol__iexact=ticker),
        }

    def decide_open(self, request: HttpRequest, candidate: MarketCandidate) -> queues.RowDecision | None:
        form = AssetForm(request.POST)
        if not form.is_valid():
            return None
        market = markets.open_candidate(candidate, form.cleaned_data["asset"])
        if market is None:
            raise CurationError(gettext("이 마켓은 이미 열렸거나, 거래소 목록에 더는 없습니다."))
        said = queues.with_page_link(
            _("마켓을 열었습니다"), market.asset.get_absolute_url(), market.asset.label
        )
        return queues.RowDecision(f"opened for {market.asset.public_id}", said)

    def decide_dismiss(self, request: HttpRequest, candidate: MarketCandidate) -> queues.RowDecision:
        markets.dismiss(candidate, now=timezone.now())
        return queues.RowDecision("dismissed", _("무시했습니다."), undo=[candidate.pk])

    def undo(self, request: HttpRequest, row: MarketCandidate) -> None:
        markets.recall(row)

    dismiss = queues.BulkAction(
        short_description=_("선택한 마켓 후보 무시"),
        verb=_("모두 무시"),
        effects=_as_markets,
        step=_dismiss,
        done=_("마켓 후보 %(count)d개를 무시했습니다."),
        undoable=True,
    )
