"""The sister services, what they said, and one row for each sealed file."""

from datetime import UTC, datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from archive.metrics import SERVICES, SLUGS
from knowledge.models.triggers import watched

SHA256_FORM = r"^[0-9a-f]{64}$"
OLDEST_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)


class SisterService(models.Model):
    """Where one of the six signals comes from. The rows exist from the start; editors fill in the addresses."""

    slug = models.CharField(
        _("서비스"),
        max_length=20,
        unique=True,
        choices=[(service.slug, service.slug) for service in SERVICES],
    )
    name = models.CharField(_("이름"), max_length=80)
    district = models.CharField(_("구역"), max_length=40)
    url = models.URLField(
        _("주소"), max_length=500, blank=True, help_text=_("?day=YYYY-MM-DD를 붙여 가져옵니다.")
    )
    secret = models.CharField(
        _("공유 비밀"), max_length=200, blank=True, help_text=_("X-Signature(HMAC-SHA256)를 확인합니다.")
    )
    active = models.BooleanField(_("켬"), default=False)
    last_pulled_at = models.DateTimeField(_("마지막 질문 일시"), null=True, blank=True, editable=False)
    last_success_at = models.DateTimeField(_("마지막 수신 일시"), null=True, blank=True, editable=False)
    last_refusal = models.CharField(_("마지막 거절 사유"), max_length=300, blank=True, editable=False)

    class Meta:
        verbose_name = _("자매 서비스")
        verbose_name_plural = _("자매 서비스")
        ordering: ClassVar[list[str]] = ["pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(slug__in=SLUGS), name="sister_known"),
            # An unsigned signal proves nothing, so nobody is asked before there is a secret.
            models.CheckConstraint(
                condition=Q(active=False) | (~Q(url="") & ~Q(secret="")),
                name="sister_active_has_address",
                violation_error_message=_("켜려면 주소와 공유 비밀이 있어야 합니다."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.district})"


class Signal(models.Model):
    """What a service said about one day, byte for byte. Another body is another revision."""

    service = models.ForeignKey(
        SisterService, verbose_name=_("서비스"), on_delete=models.PROTECT, related_name="signals"
    )
    day = models.DateField(_("날"))
    revision = models.PositiveIntegerField(_("버전"))
    sha256 = models.CharField(_("해시"), max_length=64)
    body = models.BinaryField(_("본문"))
    complete = models.BooleanField(_("마감된 신호"))
    generated_at = models.DateTimeField(_("생성 일시"))
    received_at = models.DateTimeField(_("수신 일시"))
    # Came after the day was sealed: kept, and without effect on the sealed file.
    late = models.BooleanField(_("봉인 뒤 도착"), default=False)
    rehearsal = models.BooleanField(_("예행"), default=False)

    class Meta:
        verbose_name = _("신호")
        verbose_name_plural = _("신호")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["service", "day", "rehearsal", "sha256"], name="signal_body_once"
            ),
            models.UniqueConstraint(
                fields=["service", "day", "rehearsal", "revision"], name="signal_revision_once"
            ),
            models.CheckConstraint(condition=Q(revision__gte=1), name="signal_revision_from_one"),
            models.CheckConstraint(condition=Q(sha256__regex=SHA256_FORM), name="signal_sha256_form"),
            # A moment before the year 1 can be stored, and then no row that carries it can be read.
            models.CheckConstraint(
                condition=Q(generated_at__gte=OLDEST_MOMENT), name="signal_generated_at_readable"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["day", "rehearsal"], name="signal_by_day")
        ]

    def __str__(self) -> str:
        return f"{self.service_id} {self.day} r{self.revision}"


class Completeness(models.TextChoices):
    """How much of a day was heard; the contract's words."""

    COMPLETE = "complete", _("여섯 신호 모두")
    PARTIAL = "partial", _("일부 신호")
    NO_SIGNAL = "no_signal", _("신호 없음")


class SnapshotQuerySet(models.QuerySet["Snapshot"]):
    def newest(self) -> "SnapshotQuerySet":
        """The newest revision of each day, newest day first."""
        return self.order_by("-day", "-revision").distinct("day")

    def published(self) -> "SnapshotQuerySet":
        """Every sealed day is public; said here so that nobody filters elsewhere."""
        return self.newest()


class Snapshot(models.Model):
    """One sealed file. The file is the record; this row says what is in it, and could be made again from it."""

    day = models.DateField(_("날"))
    revision = models.PositiveIntegerField(_("버전"), default=1)
    status = models.CharField(_("상태"), max_length=10, choices=Completeness.choices)
    late = models.BooleanField(_("늦은 봉인"))
    rehearsal = models.BooleanField(_("예행"))
    size = models.PositiveIntegerField(_("바이트"))
    sha256 = models.CharField(_("해시"), max_length=64)
    sealed_at = models.DateTimeField(_("봉인 일시"))
    # What other days and the pages need of it: city, districts, the metrics heard that day, the reflection.
    facts = models.JSONField(_("요지"), default=dict)

    objects = SnapshotQuerySet.as_manager()

    class Meta:
        verbose_name = _("봉인된 하루")
        verbose_name_plural = _("봉인된 하루")
        ordering: ClassVar[list[str]] = ["-day", "-revision"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["day", "revision"], name="snapshot_once"),
            models.CheckConstraint(condition=Q(status__in=Completeness.values), name="snapshot_status_known"),
            models.CheckConstraint(condition=Q(revision__gte=1), name="snapshot_revision_from_one"),
            models.CheckConstraint(condition=Q(size__gte=1), name="snapshot_not_empty"),
            models.CheckConstraint(condition=Q(sha256__regex=SHA256_FORM), name="snapshot_sha256_form"),
        ]
        triggers = watched("archive")

    def __str__(self) -> str:
        return f"{self.day} r{self.revision}"

    def get_absolute_url(self) -> str:
        return f"/city/{self.day.isoformat()}"


class FailureKind(models.TextChoices):
    """What kept a day from being sealed, as far as anybody may know; the cause in full is the desk's."""

    STORAGE = "storage", _("파일을 쓰거나 읽지 못함")
    DATABASE = "database", _("데이터베이스가 거절하거나 끊김")
    DEFECT = "defect", _("프로그램의 오류")


class Sealing(models.Model):
    """The seal of a day while it is being made: paid texts survive a crash here, and a failure is written down."""

    day = models.DateField(_("날"))
    revision = models.PositiveIntegerField(_("버전"), default=1)
    began_at = models.DateTimeField(_("시작"))
    # One entry a model call, written before the call is made: an empty one was begun and never came back.
    calls = models.JSONField(_("모델 호출"), default=list)
    failed_at = models.DateTimeField(_("실패 일시"), null=True, blank=True)
    failure = models.CharField(_("실패 원인"), max_length=300, blank=True)
    # Empty in rows of former versions; the database's own default lets those run beside this column.
    failure_kind = models.CharField(
        _("실패의 갈래"), max_length=10, choices=FailureKind.choices, blank=True, default="", db_default=""
    )

    class Meta:
        verbose_name = _("봉인 과정")
        verbose_name_plural = _("봉인 과정")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["day", "revision"], name="sealing_once"),
            models.CheckConstraint(
                condition=Q(failed_at__isnull=True, failure="")
                | (Q(failed_at__isnull=False) & ~Q(failure="")),
                name="sealing_failure_has_cause",
            ),
            models.CheckConstraint(
                condition=Q(failure_kind__in=["", *FailureKind.values]), name="sealing_failure_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day} r{self.revision}"
