from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

# What was counted by the former rules is counted anew by the next pass; clusters and their documents stay.
FORGET = "DELETE FROM knowledge_documentterms"
# The former likeness had no bound.
BOUND = "UPDATE knowledge_clusterdocument SET score = 1 WHERE score > 1"


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0037_phrases_that_ask")]

    operations = [
        migrations.RunSQL(BOUND, migrations.RunSQL.noop),
        migrations.RunSQL(FORGET, migrations.RunSQL.noop),
        migrations.RemoveField("documentterms", "remainder"),
        migrations.AddField("documentterms", "meanings", models.JSONField(default=dict)),
        migrations.AddField(
            "documentterms",
            "subjects",
            ArrayField(base_field=models.TextField(), default=list, size=None),
        ),
    ]
