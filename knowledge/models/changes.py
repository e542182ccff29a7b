"""What changed in the public indexes, numbered in the order of the commits, for whoever mirrors them."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import CheckConstraint, Max, Q, UniqueConstraint
from pgtrigger import Condition, Deferred, Insert, UpdateOf

from knowledge.models.triggers import after_row

CHANGES_KEPT = timedelta(days=90)
PUBLIC_ID_MAX_LENGTH = 16 + 1 + 96  # characters of ``prefix:slug``


class ChangeKind(models.TextChoices):
    PUBLISHED = "published"
    EDITED = "edited"
    MERGED = "merged"
    UNMERGED = "unmerged"
    RETRACTED = "retracted"


class UnitChangeQuerySet(models.QuerySet["UnitChange"]):
    def newest_seq(self) -> int:
        """The number of the newest change; 0 before the first."""
        newest: int | None = self.aggregate(newest=Max("seq"))["newest"]
        return newest or 0

    def forgotten_through(self, now: datetime) -> int:
        """The number up to which changes are no longer told; 0 while all that there were are."""
        past = self.filter(at__lt=now - CHANGES_KEPT).order_by("-at", "-seq")
        return past.values_list("seq", flat=True).first() or 0

    def prune(self, now: datetime) -> int:
        """Delete what is no longer told; how many rows went. The last of them stays, to say how far that is."""
        deleted, _by_model = self.filter(seq__lt=self.forgotten_through(now)).delete()
        return deleted


class UnitChange(models.Model):
    """One change of a public unit. Triggers write it when its transaction commits; nobody ever changes it.

    ``seq`` rises with the commits: who sees a number sees every lower one that there will ever be. ``unit`` is the id
    that readers know, for a row of another unit may bear it tomorrow.
    """

    seq = models.BigAutoField(primary_key=True)
    unit = models.CharField(max_length=PUBLIC_ID_MAX_LENGTH)
    kind = models.CharField(max_length=10, choices=ChangeKind.choices)
    merged_into = models.CharField(max_length=PUBLIC_ID_MAX_LENGTH, blank=True)
    at = models.DateTimeField(db_index=True)

    objects = UnitChangeQuerySet.as_manager()

    class Meta:
        constraints = [
            CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="unit_change_kind_known"),
            CheckConstraint(
                condition=Q(kind=ChangeKind.MERGED) & ~Q(merged_into="")
                | ~Q(kind=ChangeKind.MERGED) & Q(merged_into=""),
                name="unit_change_merge_names_survivor",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.unit} {self.kind}"


class UnsettledUnit(models.Model):
    """A unit as it was before the transaction at work changed it, until the commit tells what came of it.

    Each transaction takes away its own rows before it ends, so that nobody ever sees those of another.
    """

    transaction = models.BigIntegerField()
    unit = models.BigIntegerField()
    public_id = models.CharField(max_length=PUBLIC_ID_MAX_LENGTH)
    was_public = models.BooleanField()
    was_merged_into = models.BigIntegerField(null=True)
    asks = models.BooleanField(db_default=False)
    last_round = models.BooleanField(db_default=False)

    class Meta:
        constraints = [UniqueConstraint(fields=["transaction", "unit"], name="unsettled_unit_once")]
        triggers = [
            after_row("settle_at_commit", Insert, Condition("NEW.asks"), timing=Deferred),
            after_row("settle", UpdateOf("last_round"), Condition("NEW.last_round"), timing=Deferred),
        ]

    def __str__(self) -> str:
        return self.public_id
