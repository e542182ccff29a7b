"""What editors said about doubtful mentions, remembered so that linking a document again does not ask again."""

from __future__ import annotations

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint
from django.utils.translation import gettext_lazy as _

from knowledge.models.documents import Document
from knowledge.models.units import Unit


class Verdict(models.TextChoices):
    CONFIRMED = "confirmed", _("맞음")
    REFUSED = "refused", _("아님")


class MentionReview(models.Model):
    """In this document, this surface is (or is not) this unit, wherever it stands: places move when a text changes."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="mention_reviews", db_index=False)
    unit = models.ForeignKey(Unit, models.CASCADE, related_name="mention_reviews")
    surface = models.CharField(_("표기"), max_length=200)
    verdict = models.CharField(_("판정"), max_length=10, choices=Verdict.choices)
    decided_at = models.DateTimeField(_("결정"))

    class Meta:
        verbose_name = verbose_name_plural = _("언급의 판정")
        constraints = [
            UniqueConstraint(fields=["document", "unit", "surface"], name="mention_review_once"),
            CheckConstraint(condition=Q(verdict__in=Verdict.values), name="mention_review_known"),
            CheckConstraint(condition=~Q(surface=""), name="mention_review_surface_present"),
        ]

    def __str__(self) -> str:
        return f"{self.surface}: {self.get_verdict_display()}"
