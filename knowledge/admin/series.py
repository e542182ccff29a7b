"""Series and their values, markets and their bars."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.models import Candle, Market, Observation, Premium, Series


@admin.register(Series)
class SeriesAdmin(admin.ModelAdmin[Series]):
    list_display = ("key", "label", "unit", "source")
    list_select_related = ("source",)
    search_fields = ("key", "label")
    autocomplete_fields = ("source",)


@admin.register(Observation)
class ObservationAdmin(ReadOnlyAdmin):
    list_display = ("series", "at", "value", "fetched_at")
    list_filter = ("series",)
    list_select_related = ("series",)
    search_fields = ("series__key", "series__label")
    date_hierarchy = "at"


@admin.register(Market)
class MarketAdmin(admin.ModelAdmin[Market]):
    list_display = ("symbol", "venue", "asset", "listed_at", "delisted_at", "stablecoin")
    list_filter = ("venue", "stablecoin")
    list_select_related = ("asset",)
    search_fields = ("symbol", "asset__label")
    autocomplete_fields = ("asset",)


@admin.register(Candle)
class CandleAdmin(ReadOnlyAdmin):
    list_display = ("market", "interval", "at", "open", "high", "low", "close", "volume")
    list_filter = ("interval", "market__venue")
    list_select_related = ("market",)
    search_fields = ("market__symbol",)
    date_hierarchy = "at"


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
