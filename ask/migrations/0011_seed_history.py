"""The history of seed questions, and what editors may be allowed to do with answers."""

from typing import Any, ClassVar

import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models

# Everything that stands begins its history as it is now, so that the first change can be told and undone.
BASELINE = """
INSERT INTO ask_historicalseedquestion
    (id, text, "order", active, history_date, history_type, history_change_reason)
SELECT id, text, "order", active, now(), '+', 'baseline' FROM ask_seedquestion ORDER BY id;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("ask", "0010_flight"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AlterModelOptions(
            name="answer",
            options={
                "permissions": [
                    ("accept_answer", "만든 답변을 받아들이기"),
                    ("hide_answer", "답변을 숨기고 다시 보이기"),
                ],
                "verbose_name": "답변",
                "verbose_name_plural": "답변",
            },
        ),
        migrations.CreateModel(
            name="HistoricalSeedQuestion",
            fields=[
                (
                    "id",
                    models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID"),
                ),
                ("text", models.CharField(max_length=300, verbose_name="질문")),
                ("order", models.PositiveIntegerField(default=1000, verbose_name="순서")),
                ("active", models.BooleanField(default=True, verbose_name="사용")),
                ("history_change_reason", models.CharField(max_length=60, null=True)),
                ("history_id", models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                (
                    "history_type",
                    models.CharField(
                        choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "시드 질문의 변경",
                "verbose_name_plural": "시드 질문의 변경",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.RunSQL(BASELINE, migrations.RunSQL.noop),
    ]
