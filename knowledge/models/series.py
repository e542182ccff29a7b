"""Numbers over time: macro and on-chain series, and the closed bars of markets."""

from datetime import timedelta
from decimal import Decimal
from http import HTTPStatus

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _
from pgtrigger import Delete, Insert, Truncate, Update

from knowledge.models.documents import Source
from knowledge.models.history import Changes
from knowledge.models.triggers import after_statement, after_statements, before_truncate, watched
from knowledge.models.units import Unit

PREMIUM_KEYS = "premium:"  # and an asset's slug: the key of its kimchi premium
DERIVED = (PREMIUM_KEYS, "year:")  # how the keys of what is calculated here begin
# Hash rates have 22 digits before the point, prices of the smallest coins ten behind it.
VALUE_DIGITS, VALUE_PLACES = 40, 12
READABLE = 1e28  # below it a number is read in digits
PER_CENT = "%"
SERIES_SLUG_LENGTH = 80
UNIT_LENGTH = 40  # of how a source or a series calls its unit


class Cadence(models.TextChoices):
    """How often a series has a new point."""

    LIVE = "live", _("수시")
    HOURLY = "hourly", _("매시간")
    DAILY = "daily", _("매일")
    BUSINESS_DAILY = "business_daily", _("영업일마다")
    MONTHLY = "monthly", _("매월")

    @property
    def step(self) -> timedelta:
        """How far two points are apart at most where none is missing: a long weekend has no business day."""
        return _STEPS[self]

    @property
    def stale_after(self) -> timedelta:
        """How old the newest point may become: it is dated by the beginning of its day or month and published later."""
        return _STALE_AFTER[self]


_STEPS = {
    Cadence.LIVE: timedelta(hours=1),
    Cadence.HOURLY: timedelta(hours=2),
    Cadence.DAILY: timedelta(days=2),
    Cadence.BUSINESS_DAILY: timedelta(days=5),
    Cadence.MONTHLY: timedelta(days=32),
}
_STALE_AFTER = {
    Cadence.LIVE: timedelta(hours=2),
    Cadence.HOURLY: timedelta(hours=3),
    Cadence.DAILY: timedelta(days=3),
    Cadence.BUSINESS_DAILY: timedelta(days=5),
    Cadence.MONTHLY: timedelta(days=80),
}


class EventOn(models.TextChoices):
    """Which values of a series become event candidates."""

    NOTHING = "", _("없음")
    CHANGE = "change", _("앞 값과 다른 값")
    VALUE = "value", _("기간마다 새 값")


class SeriesQuerySet(models.QuerySet["Series"]):
    def public(self) -> "SeriesQuerySet":
        """The series that readers see: those that a public unit holds, itself or by one merged into it."""
        return self.filter(holder__in=Unit.objects.families(Unit.objects.published().values("pk")))

    def in_order(self) -> "SeriesQuerySet":
        """As a unit's page shows them, its headline first."""
        return self.order_by("position", "slug")


class Series(models.Model):
    """A number that is followed over time: ``series:<slug>``, held by the unit that it is about.

    Its values come from ``inputs``, of which the first that is fresh counts. ``least``, ``most`` and ``largest_jump``
    say which values are taken for mistakes: they wait for an editor (``HeldValue``).
    """

    slug = models.CharField(_("슬러그"), max_length=SERIES_SLUG_LENGTH, unique=True)
    label = models.CharField(_("이름"), max_length=120)
    label_en = models.CharField(_("이름(영어)"), max_length=120)
    aliases = models.JSONField(_("다른 이름"), default=list, blank=True)
    unit = models.CharField(_("단위"), max_length=UNIT_LENGTH, help_text=_("UCUM 또는 ISO 4217 기호"))
    cadence = models.CharField(_("주기"), max_length=16, choices=Cadence.choices)
    holder = models.ForeignKey(Unit, models.CASCADE, verbose_name=_("대상 항목"), related_name="series")
    position = models.PositiveSmallIntegerField(_("순서"), default=0, help_text=_("가장 작은 것이 대표 수치"))
    decimals = models.PositiveSmallIntegerField(_("소수 자리"), default=0)
    licence = models.CharField(_("이용 조건"), max_length=200)
    licence_en = models.CharField(
        _("이용 조건(영어)"),
        max_length=200,
        blank=True,
        default="",
        db_default="",
        help_text=_("비우면 한국어와 같음"),
    )
    redistributable = models.BooleanField(_("재배포 가능"), default=False)
    note = models.TextField(_("만드는 방법"), blank=True)
    note_en = models.TextField(_("만드는 방법(영어)"), blank=True)
    least = models.FloatField(_("최솟값"), null=True, blank=True)
    most = models.FloatField(_("최댓값"), null=True, blank=True)
    largest_jump = models.FloatField(
        _("최대 변화 배수"), null=True, blank=True, help_text=_("앞 값의 몇 배를 넘게 뛰거나 줄면 보류할지")
    )
    stale_after_hours = models.PositiveSmallIntegerField(
        _("오래됨 기준(시간)"), null=True, blank=True, help_text=_("비우면 주기에 따름")
    )
    event_on = models.CharField(
        _("사건 후보로 올릴 값"), max_length=6, choices=EventOn.choices, blank=True, default=EventOn.NOTHING
    )
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    history = Changes(_("시계열의 변경"), excluded=("canon_sha256",))
    objects = SeriesQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("시계열")
        constraints = [
            CheckConstraint(condition=Q(slug__regex=r"^[a-z0-9-]+$"), name="series_slug_form"),
            CheckConstraint(condition=Q(cadence__in=Cadence.values), name="series_cadence_known"),
            CheckConstraint(condition=Q(event_on__in=EventOn.values), name="series_event_on_known"),
            CheckConstraint(
                condition=Q(largest_jump=None) | Q(largest_jump__gt=1), name="series_jump_above_1"
            ),
        ]
        triggers = [
            *watched("series"),
            after_statement("vocabulary_series", Insert | Update | Delete | Truncate, "vocabulary_changed"),
            *after_statements("held", "series_held"),
            before_truncate("held"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def public_id(self) -> str:
        return f"series:{self.slug}"

    @property
    def names(self) -> list[str]:
        """What readers may call it, its slug included."""
        return [self.label, self.label_en, self.slug, *self.aliases]

    @property
    def licence_in_english(self) -> str:
        """As in Korean where it has no words of its own, such as ``CC BY 4.0``."""
        return self.licence_en or self.licence

    def get_absolute_url(self) -> str:
        return f"/number/{self.slug}"

    @property
    def is_public(self) -> bool:
        """As ``public`` says it of a query."""
        return self.holder.survivor.is_public

    @property
    def public_status(self) -> HTTPStatus:
        """What readers get at its address: it is as public as the unit that it stands with today."""
        return self.holder.survivor.public_status

    def in_words(self, value: Decimal) -> str:
        """With all the places that the series is published in, and a sign of per cent: ``2.50%``, ``118.33``."""
        return f"{value:,.{self.decimals}f}{PER_CENT if self.unit == PER_CENT else ''}"

    @property
    def stale_after(self) -> timedelta:
        hours = self.stale_after_hours
        return timedelta(hours=hours) if hours else Cadence(self.cadence).stale_after


class SeriesPattern(models.Model):
    """A record of the canon that stands for a series of each asset with a market, such as ``price-<asset>``."""

    slug = models.CharField(max_length=SERIES_SLUG_LENGTH, unique=True)
    record = models.JSONField()
    canon_sha256 = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return self.slug


class SeriesInput(models.Model):
    """What one source says of a series, under the source's own ``key``.

    A key that no series names is kept too: the series may be declared later.
    """

    key = models.CharField(_("API 키"), max_length=80, unique=True)
    series = models.ForeignKey(
        Series, models.SET_NULL, verbose_name=_("시계열"), null=True, blank=True, related_name="inputs"
    )
    position = models.PositiveSmallIntegerField(_("순서"), default=0, help_text=_("작은 것이 먼저"))
    unit = models.CharField(_("단위"), max_length=UNIT_LENGTH, blank=True)
    source = models.ForeignKey(
        Source, models.SET_NULL, verbose_name=_("출처"), null=True, blank=True, related_name="series_inputs"
    )

    class Meta:
        verbose_name = verbose_name_plural = _("시계열의 입력")
        triggers = [
            *watched("series", public="series_id IS NOT NULL"),
            *after_statements("premium", "premium_shown"),
            before_truncate("premium"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def is_derived(self) -> bool:
        """Whether this service calculates the values itself."""
        return self.key.startswith(DERIVED)


class Observation(models.Model):
    """One value of an input. A corrected one is a new row, of which ``newest`` is true for the last.

    ``period`` names the calendar day or month that the value is about, such as 2026-10; ``at`` is then its first moment
    where the publisher is.
    """

    input = models.ForeignKey(SeriesInput, models.CASCADE, related_name="observations", db_index=False)
    at = models.DateTimeField(_("시점"))
    period = models.CharField(_("기간"), max_length=10, blank=True)
    revision = models.PositiveSmallIntegerField(_("개정"), default=1)
    newest = models.BooleanField(_("최신 개정"), default=True)
    value = models.DecimalField(_("값"), max_digits=VALUE_DIGITS, decimal_places=VALUE_PLACES)
    fetched_at = models.DateTimeField(_("수집 일시"))

    class Meta:
        verbose_name = verbose_name_plural = _("관측값")
        constraints = [
            UniqueConstraint(fields=["input", "at", "revision"], name="observation_revision_once"),
            UniqueConstraint(
                fields=["input", "at"], condition=Q(newest=True), name="observation_newest_once"
            ),
        ]
        triggers = watched("series", public="newest")

    def __str__(self) -> str:
        return f"{self.input_id} {self.at:%Y-%m-%d} {self.value}"

    @property
    def in_digits(self) -> str:
        return plain_digits(self.value)


def plain_digits(value: Decimal) -> str:
    """A number without an exponent and without zeros behind its last digit."""
    return f"{value.normalize():,f}"


class HeldValueQuerySet(models.QuerySet["HeldValue"]):
    def awaiting(self) -> "HeldValueQuerySet":
        """The values about which nobody has decided, the newest first."""
        return self.filter(rejected_at=None).order_by("-fetched_at", "-at", "pk")


class HeldValue(models.Model):
    """A value that a rule of its series took for a mistake: never shown until an editor accepts it."""

    input = models.ForeignKey(
        SeriesInput, models.CASCADE, verbose_name=_("입력"), related_name="held_values", db_index=False
    )
    at = models.DateTimeField(_("시점"))
    period = models.CharField(_("기간"), max_length=10, blank=True)
    value = models.FloatField(_("값"))
    unit = models.CharField(_("단위"), max_length=UNIT_LENGTH, blank=True)
    reason = models.CharField(_("사유"), max_length=200)
    fetched_at = models.DateTimeField(_("수집 일시"))
    rejected_at = models.DateTimeField(_("폐기 일시"), null=True, blank=True)

    objects = HeldValueQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("보류한 값")
        constraints = [UniqueConstraint(fields=["input", "at", "value"], name="held_value_once")]

    def __str__(self) -> str:
        return f"{self.input} {self.at:%Y-%m-%d %H:%M} {self.in_digits}"

    @property
    def in_digits(self) -> str:
        """Its value in plain digits; one that is too long to be read so, with an exponent."""
        if abs(self.value) >= READABLE:
            return str(self.value)
        return plain_digits(Decimal(str(self.value)))


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
    hourly = models.BooleanField(
        _("시간봉"), default=False, help_text=_("매일 밤 거래대금과 최근 펄스로 고릅니다.")
    )
    day_bars_at = models.DateTimeField(_("일봉 요청 일시"), null=True, blank=True, editable=False)
    warnings = ArrayField(
        models.CharField(max_length=40), verbose_name=_("거래소 경고"), default=list, blank=True
    )

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


class MarketCandidateQuerySet(models.QuerySet["MarketCandidate"]):
    def awaiting(self) -> "MarketCandidateQuerySet":
        """What editors are asked about, the newest first."""
        return self.filter(dismissed_at=None).order_by("-first_seen_at", "symbol")


class MarketCandidate(models.Model):
    """A market that a venue lists and that belongs to no asset of the canon, or to one of several with its ticker.

    It goes when a market is opened for it, by an editor or because the canon has the asset by now, and when the venue
    lists it no more.
    """

    venue = models.CharField(_("거래소"), max_length=16, choices=Venue.choices)
    symbol = models.CharField(_("심볼"), max_length=24)
    name = models.CharField(_("이름"), max_length=120, blank=True)
    name_en = models.CharField(_("이름(영어)"), max_length=120, blank=True)
    reason = models.CharField(_("사유"), max_length=200)
    first_seen_at = models.DateTimeField(_("최초 확인 일시"))
    dismissed_at = models.DateTimeField(_("무시함"), null=True, blank=True)

    objects = MarketCandidateQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("마켓 후보")
        constraints = [
            CheckConstraint(condition=Q(venue__in=Venue.values), name="market_candidate_venue_known"),
            UniqueConstraint(fields=["venue", "symbol"], name="market_candidate_once"),
        ]

    def __str__(self) -> str:
        return f"{self.symbol} {self.name}".strip()


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
