from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

# What was counted by the former rules is counted anew by the next pass; clusters and their documents stay.
FORGET = "DELETE FROM knowledge_documentterms"


def texts() -> ArrayField:
    return ArrayField(base_field=models.TextField(), default=list, size=None)


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0034_names_in_english_and_premiums_shown")]

    operations = [
        migrations.RunSQL(FORGET, migrations.RunSQL.noop),
        migrations.AddField(
            "documentterms",
            "headline_units",
            ArrayField(base_field=models.BigIntegerField(), default=list, size=None),
        ),
        migrations.AddField("documentterms", "denies", models.BooleanField(default=False)),
        migrations.AddField("documentterms", "is_column", models.BooleanField(default=False)),
        migrations.AddField("documentterms", "parties", texts()),
        migrations.AddField("documentterms", "figures", texts()),
        migrations.AddField("documentterms", "sounds", texts()),
        migrations.AddField("documentterms", "heard", texts()),
    ]
