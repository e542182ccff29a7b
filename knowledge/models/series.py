"""Numbers over time: macro and on-chain series, and the closed bars of markets."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from knowledge.models.documents import Source
from knowledge.models.units import Unit


class Series(models.Model):
    """A named series with its unit of measure."""

    key = models.CharField(_("열쇠"), max_length=80, unique=True)
    label = models.CharField(_("이름"), max_length=120, blank=True)
    unit = models.CharField(_("단위"), max_length=40, blank=True)
    source = models.ForeignKey(
        Source, models.SET_NULL, verbose_name=_("출처"), null=True, blank=True, related_name="series"
    )

    class Meta:
        verbose_name = verbose_name_plural = _("시계열")

    def __str__(self) -> str:
        return self.label or self.key


class Observation(models.Model):
    """One value of a series. Publishers revise, so a point is upserted, never doubled."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="observations", db_index=False)
    at = models.DateTimeField(_("시점"))
    value = models.FloatField(_("값"))
    fetched_at = models.DateTimeField(_("가져온 때"))

    class Meta:
        verbose_name = verbose_name_plural = _("관측값")
        constraints = [UniqueConstraint(fields=["series", "at"], name="observation_once")]

    def __str__(self) -> str:
        return f"{self.series_id} {self.at:%Y-%m-%d} {self.value}"


class Venue(models.TextChoices):
    UPBIT = "upbit", "업비트"
    BINANCE = "binance", "바이낸스"


class Market(models.Model):
    """A venue's market for an asset. Tickers get reused, so bars hang on this row, not on the symbol."""

    venue = models.CharField(_("거래소"), max_length=16, choices=Venue.choices)
    symbol = models.CharField(_("심볼"), max_length=24)
    asset = models.ForeignKey(Unit, models.CASCADE, verbose_name=_("자산"), related_name="markets")
    listed_at = models.DateTimeField(_("상장"), null=True, blank=True)
    delisted_at = models.DateTimeField(_("상장 폐지"), null=True, blank=True)
    stablecoin = models.BooleanField(_("스테이블코인"), default=False)

    class Meta:
        verbose_name = verbose_name_plural = _("마켓")
        constraints = [
            CheckConstraint(condition=Q(venue__in=Venue.values), name="market_venue_known"),
            UniqueConstraint(
                fields=["venue", "symbol"],
                condition=Q(delisted_at__isnull=True),
                name="market_one_live_per_symbol",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.venue} {self.symbol}"


class Interval(models.TextChoices):
    HOUR = "1h", _("1시간")
    DAY = "1d", _("1일")


class Candle(models.Model):
    """A closed bar; ``at`` is its opening."""

    market = models.ForeignKey(Market, models.CASCADE, related_name="candles", db_index=False)
    interval = models.CharField(max_length=2, choices=Interval.choices)
    at = models.DateTimeField()
    open = models.FloatField()
    high = models.FloatField()
    low = models.FloatField()
    close = models.FloatField()
    volume = models.FloatField()

    class Meta:
        verbose_name = verbose_name_plural = _("캔들")
        constraints = [
            UniqueConstraint(fields=["market", "interval", "at"], name="candle_once"),
            CheckConstraint(condition=Q(interval__in=Interval.values), name="candle_interval_known"),
            CheckConstraint(
                condition=Q(low__gt=0, low__lte=F("open"), high__gte=F("open"))
                & Q(low__lte=F("close"), high__gte=F("close"), volume__gte=0),
                name="candle_shape",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.market_id} {self.interval} {self.at:%Y-%m-%d %H:%M}"


class Premium(models.Model):
    """A kimchi premium with its three legs and their times; refused where the legs do not belong together."""

    asset = models.ForeignKey(
        Unit, models.CASCADE, verbose_name=_("자산"), related_name="premiums", db_index=False
    )
    at = models.DateTimeField(_("시점"))
    value = models.FloatField(_("프리미엄(비율)"))
    upbit_krw = models.FloatField(_("업비트(원)"))
    upbit_at = models.DateTimeField()
    binance_usd = models.FloatField(_("바이낸스(달러)"))
    binance_at = models.DateTimeField()
    usdkrw = models.FloatField(_("원/달러"))
    usdkrw_at = models.DateTimeField()

    class Meta:
        verbose_name = verbose_name_plural = _("김치 프리미엄")
        constraints = [
            UniqueConstraint(fields=["asset", "at"], name="premium_once"),
            CheckConstraint(
                condition=Q(upbit_krw__gt=0, binance_usd__gt=0, usdkrw__gt=0), name="premium_legs_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asset_id} {self.at:%Y-%m-%d %H:%M} {self.value:+.2%}"
