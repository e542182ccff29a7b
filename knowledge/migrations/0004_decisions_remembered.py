import django.db.models.deletion
import django.db.models.manager
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0003_history")]

    operations = [
        migrations.CreateModel(
            name="Creator",
            fields=[],
            options={
                "verbose_name": "크리에이터",
                "verbose_name_plural": "크리에이터",
                "proxy": True,
                "default_permissions": (),
                "indexes": [],
                "constraints": [],
            },
            bases=("knowledge.unit",),
        ),
        migrations.AddField(
            model_name="eventcluster",
            name="own_event",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="knowledge.unit",
            ),
        ),
        migrations.AlterField(
            model_name="eventcluster",
            name="event",
            field=models.ForeignKey(
                blank=True,
                limit_choices_to={"merged_into": None, "status": "published", "type": "event"},
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="clusters",
                to="knowledge.unit",
                verbose_name="사건",
            ),
        ),
        migrations.CreateModel(
            name="MentionVerdict",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("surface", models.CharField(max_length=200, verbose_name="표기")),
                (
                    "verdict",
                    models.CharField(
                        choices=[("confirmed", "맞음"), ("refused", "아님")], max_length=10, verbose_name="판정"
                    ),
                ),
                ("decided_at", models.DateTimeField(verbose_name="결정")),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mention_verdicts",
                        to="knowledge.document",
                    ),
                ),
                (
                    "unit",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mention_verdicts",
                        to="knowledge.unit",
                    ),
                ),
            ],
            options={
                "verbose_name": "언급의 판정",
                "verbose_name_plural": "언급의 판정",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("document", "unit", "surface"), name="mention_verdict_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("verdict__in", ["confirmed", "refused"])),
                        name="mention_verdict_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("surface", ""), _negated=True),
                        name="mention_verdict_surface_present",
                    ),
                ],
            },
        ),
    ]
