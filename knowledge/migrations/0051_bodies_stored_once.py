from django.db import migrations

# Both are compressed already: to try it again takes time and gains nothing. A database made since migrations were
# squashed does not have this yet.
AS_THEY_ARE = """
ALTER TABLE knowledge_publication ALTER COLUMN gz SET STORAGE EXTERNAL, ALTER COLUMN br SET STORAGE EXTERNAL;
"""


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0050_changes_for_two_groups")]

    operations = [
        # What stands there is in gz as well.
        migrations.RemoveField(model_name="publication", name="body"),
        migrations.RunSQL(AS_THEY_ARE, migrations.RunSQL.noop),
    ]
