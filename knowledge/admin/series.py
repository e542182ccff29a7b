"""Series and their values, markets and their bars."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from knowledge.admin.documents import ReadOnlyAdmin
from knowledge.models import Candle, Market, Observation, Premium, Series, SeriesInput


class SeriesInputInline(admin.TabularInline[SeriesInput, Series]):
    model = SeriesInput
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


@admin.register(SeriesInput)
class SeriesInputAdmin(admin.ModelAdmin[SeriesInput]):
    list_display = ("key", "series", "position", "unit", "source")
    list_select_related = ("series", "source")
    search_fields = ("key", "series__label")
    autocomplete_fields = ("series", "source")


@admin.register(Observation)
class ObservationAdmin(ReadOnlyAdmin):
    list_display = ("input", "at", "period", "value", "revision", "newest", "fetched_at")
    list_filter = ("newest",)
    list_select_related = ("input",)
    search_fields = ("input__key", "input__series__label")
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
