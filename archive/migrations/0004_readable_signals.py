"""A signal's time must be one that can be read again, and a failed seal says what kind of failure it was.

Bodies stay byte for byte; only the row's copy of a time before the year 2000 becomes the moment at which it came.
"""

from datetime import UTC, datetime

from django.db import migrations, models

MEND = "UPDATE archive_signal SET generated_at = received_at WHERE generated_at < '2000-01-01 00:00:00+00';"


class Migration(migrations.Migration):
    dependencies = [("archive", "0003_watch_snapshots")]
    operations = [
        migrations.RunSQL(MEND, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="signal",
            constraint=models.CheckConstraint(
                condition=models.Q(("generated_at__gte", datetime(2000, 1, 1, tzinfo=UTC))),
                name="signal_generated_at_readable",
            ),
        ),
        migrations.AddField(
            model_name="sealing",
            name="failure_kind",
            field=models.CharField(
                blank=True,
                choices=[
                    ("storage", "파일을 쓰거나 읽지 못함"),
                    ("database", "데이터베이스가 거절하거나 끊김"),
                    ("defect", "프로그램의 오류"),
                ],
                db_default="",
                default="",
                max_length=10,
                verbose_name="실패의 갈래",
            ),
        ),
        migrations.AddConstraint(
            model_name="sealing",
            constraint=models.CheckConstraint(
                condition=models.Q(("failure_kind__in", ["", "storage", "database", "defect"])),
                name="sealing_failure_kind_known",
            ),
        ),
    ]
