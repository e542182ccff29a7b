from django.db import migrations

# Search reads the lexemes of a passage once for each lexeme of a question. Above 2 kB Postgres moves them out of their
# row, and then each of these reads fetches them anew. Rows that are there keep their form until they are written again.
KEEP = "ALTER TABLE knowledge_searchpassage SET (toast_tuple_target = 8160)"
KEEP_NO_LONGER = "ALTER TABLE knowledge_searchpassage RESET (toast_tuple_target)"


class Migration(migrations.Migration):
    dependencies = [
        ("knowledge", "0052_reader_questions"),
    ]

    operations = [
        migrations.RunSQL(KEEP, KEEP_NO_LONGER),
    ]
