import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ask", "0011_seed_history")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="declined",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="ask.answerversion",
            ),
        ),
    ]
