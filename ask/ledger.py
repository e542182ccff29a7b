"""The books: what a day may still spend, what is promised, and every call that was made.

All amounts are integers in micro-USD. Days are those of Seoul.
"""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Purpose(models.TextChoices):
    """What a paid call is for."""

    ANSWER = "answer", _("답변")
    RENEWAL = "renewal", _("답변 갱신")
    REFLECTION = "reflection", _("도시의 회고")
    AUDIT = "audit", _("인용 점검")


class Outcome(models.TextChoices):
    """How a call ended."""

    ANSWERED = "answered", _("답함")
    REFUSED = "refused", _("모델이 거절함")
    REJECTED = "rejected", _("요청이 거부됨")
    THROTTLED = "throttled", _("한도나 과부하")
    FAILED = "failed", _("상대 서버의 오류")
    TIMED_OUT = "timed_out", _("시간 초과")
    CUT = "cut", _("연결이 끊김")
    UNREACHED = "unreached", _("연결하지 못함")
    UNREADABLE = "unreadable", _("읽을 수 없는 응답")
    LOST = "lost", _("결과를 모름")


class SpendDay(models.Model):
    """What a day has committed, by purpose: settled costs and open reservations together."""

    day = models.DateField(_("날짜"), primary_key=True)
    answer = models.BigIntegerField(_("답변"), default=0)
    renewal = models.BigIntegerField(_("답변 갱신"), default=0)
    reflection = models.BigIntegerField(_("도시의 회고"), default=0)
    audit = models.BigIntegerField(_("인용 점검"), default=0)

    class Meta:
        verbose_name = _("하루 지출")
        verbose_name_plural = _("하루 지출")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(answer__gte=0, renewal__gte=0, reflection__gte=0, audit__gte=0),
                name="spend_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"

    @property
    def committed(self) -> int:
        return self.answer + self.renewal + self.reflection + self.audit


class Reservation(models.Model):
    """Money put aside before a call, at its worst case; settled exactly once, on the day it was made."""

    day = models.ForeignKey(SpendDay, verbose_name=_("날짜"), on_delete=models.PROTECT)
    purpose = models.CharField(_("목적"), max_length=12, choices=Purpose.choices)
    model = models.CharField(_("모델"), max_length=80)
    amount = models.BigIntegerField(_("예약액(µUSD)"))
    created_at = models.DateTimeField(_("예약 일시"))
    # A process that has not settled by then is taken for dead, and the whole amount for spent.
    expires_at = models.DateTimeField(_("기한"))
    settled_at = models.DateTimeField(_("정산 일시"), null=True)
    charged = models.BigIntegerField(_("청구액(µUSD)"), null=True)

    class Meta:
        verbose_name = _("예약")
        verbose_name_plural = _("예약")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(purpose__in=Purpose.values), name="reservation_purpose_known"),
            models.CheckConstraint(condition=Q(amount__gte=0), name="reservation_not_negative"),
            models.CheckConstraint(
                condition=Q(settled_at__isnull=True, charged__isnull=True)
                | Q(settled_at__isnull=False, charged__gte=0),
                name="reservation_settled_with_charge",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["expires_at"], condition=Q(settled_at__isnull=True), name="reservation_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day_id} {self.purpose} {self.amount}"


class ModelCall(models.Model):
    """One call to the model. These rows are kept: they are the books."""

    reservation = models.ForeignKey(
        Reservation, verbose_name=_("예약"), on_delete=models.PROTECT, related_name="calls"
    )
    purpose = models.CharField(_("목적"), max_length=12, choices=Purpose.choices)
    model = models.CharField(_("모델"), max_length=80)
    started_at = models.DateTimeField(_("시작"))
    milliseconds = models.PositiveIntegerField(_("걸린 시간(ms)"))
    outcome = models.CharField(_("결과"), max_length=12, choices=Outcome.choices)
    status = models.PositiveSmallIntegerField(_("HTTP 상태"), null=True)
    stop_reason = models.CharField(_("중단 사유"), max_length=40, blank=True)
    message_id = models.CharField(_("메시지 번호"), max_length=80, blank=True)
    input_tokens = models.BigIntegerField(_("입력 토큰"), default=0)
    output_tokens = models.BigIntegerField(_("출력 토큰"), default=0)
    web_searches = models.PositiveIntegerField(_("웹 검색"), default=0)
    cost_micro_usd = models.BigIntegerField(_("비용(µUSD)"), default=0)

    class Meta:
        verbose_name = _("모델 호출")
        verbose_name_plural = _("모델 호출")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(purpose__in=Purpose.values), name="call_purpose_known"),
            models.CheckConstraint(condition=Q(outcome__in=Outcome.values), name="call_outcome_known"),
            models.CheckConstraint(
                condition=Q(cost_micro_usd__gte=0, input_tokens__gte=0, output_tokens__gte=0),
                name="call_figures_not_negative",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(F("started_at").desc(), name="call_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M:%S} {self.purpose} {self.outcome}"


class SwitchedOffModel(models.Model):
    """A model that cost more than its worst case: its price is not known after all, so it is called no more."""

    model = models.CharField(_("모델"), max_length=80, primary_key=True)
    at = models.DateTimeField(_("중지 일시"))
    reason = models.CharField(_("사유"), max_length=200)

    class Meta:
        verbose_name = _("꺼진 모델")
        verbose_name_plural = _("꺼진 모델")

    def __str__(self) -> str:
        return self.model
