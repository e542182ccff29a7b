"""What was found of each subsystem, hour by hour: the record behind the service level."""

from django.db import models
from django.db.models import CheckConstraint, Q, UniqueConstraint

CONDITIONS = ("ok", "warn", "fail")


class SubsystemVerdict(models.Model):
    """How a subsystem was found when it was looked at in an hour, 0 to 23, of a day in Seoul."""

    subsystem = models.CharField(max_length=60)
    day = models.DateField()
    hour = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=4)

    class Meta:
        constraints = [
            # In the order in which ninety days are counted, from the index alone.
            UniqueConstraint(
                fields=["day", "subsystem", "hour"], include=["status"], name="verdict_once_an_hour"
            ),
            CheckConstraint(condition=Q(hour__lt=24), name="verdict_in_an_hour_of_the_day"),
            CheckConstraint(condition=Q(status__in=CONDITIONS), name="verdict_of_known_condition"),
        ]
