import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ask", "0013_triggers_beside_models")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="figures_due_at",
            field=models.DateTimeField(editable=False, null=True, verbose_name="수치를 다시 볼 때"),
        ),
        migrations.AddField(
            model_name="answerversion",
            name="figures_due_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="answer",
            name="accepted",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="ask.answerversion",
            ),
        ),
    ]
