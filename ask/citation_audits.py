"""What citation audits found: a run a day at most, and a row for every question that was put to the model."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class CitationAudit(models.Model):
    """One run: do answers of a model that searches the web cite us when nobody tells it to?"""

    date = models.DateField(_("날짜"), unique=True)
    model = models.CharField(_("모델"), max_length=80)
    tool = models.CharField(_("검색 도구"), max_length=40)
    started_at = models.DateTimeField(_("시작"))
    finished_at = models.DateTimeField(_("끝"), null=True)
    cost_micro_usd = models.BigIntegerField(_("비용(µUSD)"), default=0)

    class Meta:
        verbose_name = _("인용 점검")
        verbose_name_plural = _("인용 점검")
        ordering: ClassVar[list[str]] = ["-date"]

    def __str__(self) -> str:
        return f"{self.date:%Y-%m-%d}"


class AuditedQuery(models.Model):
    """A seed question in a run. ``repeats`` are the answers that came; errors are counted beside them."""

    audit = models.ForeignKey(
        CitationAudit, verbose_name=_("점검"), on_delete=models.CASCADE, related_name="queries"
    )
    question = models.CharField(_("질문"), max_length=300)
    question_hash = models.CharField(_("질문 해시"), max_length=32)
    repeats = models.PositiveSmallIntegerField(_("답을 받은 횟수"))
    errors = models.PositiveSmallIntegerField(_("오류"))
    retrieved_repeats = models.PositiveSmallIntegerField(_("검색 결과에 나온 횟수"))
    cited_repeats = models.PositiveSmallIntegerField(_("인용된 횟수"))
    cited = models.BooleanField(_("인용됨"))
    urls = ArrayField(models.CharField(max_length=500), verbose_name=_("인용된 우리 주소"), default=list)
    asked_at = models.DateTimeField(_("질문 일시"))

    class Meta:
        verbose_name = _("점검한 질문")
        verbose_name_plural = _("점검한 질문")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["audit", "question_hash"], name="audited_once_a_run"),
            models.CheckConstraint(
                condition=Q(cited_repeats__lte=F("repeats"), retrieved_repeats__lte=F("repeats")),
                name="audited_within_repeats",
            ),
            models.CheckConstraint(
                condition=Q(cited=False) | Q(cited_repeats__gt=0), name="audited_cited_somewhere"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["question_hash", "-asked_at"], name="audited_last"),
        ]

    def __str__(self) -> str:
        return self.question
