"""Pulses: sudden moves of an asset, as the detector saw them."""

from django.db import models
from django.db.models import CheckConstraint, F, Func, Index, Q, Value
from django.db.models.lookups import Exact
from django.utils.translation import gettext_lazy as _

from knowledge.models.triggers import watched
from knowledge.models.units import Status, Unit

WINDOW_HOURS_MAX = 168
EXTREMA = ("close", "high", "low")  # of the bar in which a move was seen
SCOPES = ("global", "local", "unknown")  # local: a second venue did not follow; unknown: there is none to ask


class Direction(models.TextChoices):
    UP = "up", _("상승")
    DOWN = "down", _("하락")


class PulseKind(models.TextChoices):
    PRICE = "price", _("가격")
    BURST = "burst", _("문서 급증")
    PREMIUM = "premium", _("김치 프리미엄")


PULSE_UNITS = {PulseKind.PRICE: "%", PulseKind.BURST: "%", PulseKind.PREMIUM: "%p"}


class PulseQuerySet(models.QuerySet["Pulse"]):
    def published(self) -> "PulseQuerySet":
        """The public pulses: not retracted, and of an asset that is public itself."""
        return self.filter(status=Status.PUBLISHED, asset__in=Unit.objects.published())


class Pulse(models.Model):
    """A move of an asset; ``key`` is a hash of asset, direction and first bar, so a rerun finds its own row."""

    key = models.CharField(_("식별자"), max_length=32, unique=True)
    asset = models.ForeignKey(
        Unit, models.CASCADE, verbose_name=_("자산"), related_name="pulses", db_index=False
    )
    kind = models.CharField(_("종류"), max_length=8, choices=PulseKind.choices, default=PulseKind.PRICE)
    direction = models.CharField(_("방향"), max_length=4, choices=Direction.choices)
    magnitude_pct = models.FloatField(
        _("크기(%)"), help_text=_("하락은 음수, 프리미엄은 30일 중앙값과의 차이(%p)")
    )
    started_at = models.DateTimeField(_("시작"))
    detected_at = models.DateTimeField(_("탐지"))
    ended_at = models.DateTimeField(_("끝"), null=True, blank=True)
    horizon_hours = models.PositiveSmallIntegerField(_("관찰 폭(시간)"))
    extremum = models.CharField(_("극값"), max_length=5, default="close")
    scope = models.CharField(_("범위"), max_length=8, default="global")
    confidence = models.FloatField(_("신뢰도"))
    summary = models.CharField(_("요약"), max_length=400)
    summary_en = models.CharField(_("요약(영어)"), max_length=400, blank=True)
    sources = models.JSONField(_("출처"), default=list)
    status = models.CharField(_("상태"), max_length=10, choices=Status.choices, default=Status.PUBLISHED)

    objects = PulseQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = _("펄스")
        constraints = [
            CheckConstraint(condition=Q(confidence__gte=0, confidence__lte=1), name="pulse_confidence_range"),
            CheckConstraint(
                condition=Q(direction=Direction.UP, magnitude_pct__gt=0)
                | Q(direction=Direction.DOWN, magnitude_pct__lt=0),
                name="pulse_direction_sign",
            ),
            CheckConstraint(condition=Q(status__in=Status.values), name="pulse_status_known"),
            CheckConstraint(condition=Q(kind__in=PulseKind.values), name="pulse_kind_known"),
            CheckConstraint(condition=Q(extremum__in=EXTREMA), name="pulse_extremum_known"),
            CheckConstraint(condition=Q(scope__in=SCOPES), name="pulse_scope_known"),
            CheckConstraint(
                condition=Exact(
                    Func(F("sources"), function="jsonb_typeof", output_field=models.TextField()),
                    Value("array"),
                ),
                name="pulse_sources_array",
            ),
        ]
        indexes = [
            Index(fields=["-detected_at"], name="pulse_newest"),
            Index(fields=["asset", "-detected_at"], name="pulse_by_asset"),
        ]
        triggers = watched("pulse", "status = 'published'")

    def __str__(self) -> str:
        return f"{self.asset_id} {self.direction} {self.magnitude_pct:+.1f}{self.unit}"

    @property
    def public_id(self) -> str:
        return f"pulse:{self.key}"

    @property
    def unit(self) -> str:
        """Of ``magnitude_pct``: a premium moves by percentage points."""
        return PULSE_UNITS[PulseKind(self.kind)]


class DetectorRun(models.Model):
    """When prices were last looked at for sudden moves, and in how many markets: one row, written anew by each run.

    Without it nobody could tell quiet markets from a detector that stands still.
    """

    ran_at = models.DateTimeField()
    markets = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [CheckConstraint(condition=Q(pk=1), name="detector_run_single_row")]
