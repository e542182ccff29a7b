"""A table of its own: how each subsystem was found, hour by hour."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0027_markets_in_won")]

    operations = [
        migrations.CreateModel(
            name="SubsystemVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subsystem", models.CharField(max_length=60)),
                ("day", models.DateField()),
                ("hour", models.PositiveSmallIntegerField()),
                ("status", models.CharField(max_length=4)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "subsystem", "hour"), include=("status",), name="verdict_once_an_hour"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("hour__lt", 24)), name="verdict_in_an_hour_of_the_day"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ("ok", "warn", "fail"))), name="verdict_of_known_condition"
                    ),
                ],
            },
        ),
    ]
