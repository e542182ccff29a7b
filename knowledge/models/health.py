"""What was found of each subsystem, hour by hour: the record behind the service level."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

CONDITIONS = ("ok", "warn", "fail")


class SubsystemVerdict(models.Model):
    """How a subsystem was found when it was looked at in an hour; ``hour`` is the beginning of that hour."""

    subsystem = models.CharField(max_length=60)
    hour = models.DateTimeField()
    status = models.CharField(max_length=4)

    class Meta:
        constraints = [
            # By hour first: ninety days are read at once, and old hours go first. The status is read off the index.
            UniqueConstraint(fields=["hour", "subsystem"], include=["status"], name="verdict_once_an_hour"),
            CheckConstraint(condition=Q(status__in=CONDITIONS), name="verdict_of_known_condition"),
        ]
