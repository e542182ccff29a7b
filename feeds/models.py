"""What the feeds and pages keep: the cards that shared links show."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

# "/en", a prefix, a slug of a unit or a series, or the hash of a question.
PAGE_MAX_LENGTH = 160


class ShareCard(models.Model):
    """The picture of a page, or that it wants one: ``picture`` is empty until it is drawn."""

    page = models.CharField(max_length=PAGE_MAX_LENGTH, unique=True)
    # Of what stands on it; see ``feeds.cards.content.Card.digest``.
    digest = models.CharField(max_length=64, blank=True)
    etag = models.CharField(max_length=64, blank=True)
    picture = models.BinaryField(default=bytes)
    drawn_at = models.DateTimeField(null=True)
    looked_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(page__startswith="/"), name="share_card_of_a_page"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(models.F("looked_at").asc(nulls_first=True), "id", name="share_card_to_look_at"),
        ]

    def __str__(self) -> str:
        return self.page
