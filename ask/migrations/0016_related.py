import django.contrib.postgres.fields
from django.db import migrations, models
from django.db.models import Value


class Migration(migrations.Migration):
    dependencies = [("ask", "0015_accepted_before")]

    operations = [
        migrations.AddField(
            model_name="answerversion",
            name="related_keys",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40),
                db_default=Value([]),
                default=list,
                editable=False,
                size=None,
            ),
        ),
    ]
