from django.db import migrations

# What was counted by the former rules is counted anew by the next pass; clusters and their documents stay.
FORGET = "DELETE FROM knowledge_documentterms"


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0038_meanings_of_documents")]

    operations = [migrations.RunSQL(FORGET, migrations.RunSQL.noop)]
