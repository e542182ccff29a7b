"""What clustering counted in a document's text: gone when the text or its mentions change, and counted anew."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

STALE = """
CREATE FUNCTION knowledge_terms_stale() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER terms_inserted AFTER INSERT ON knowledge_mention REFERENCING NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_terms_stale();
CREATE TRIGGER terms_updated AFTER UPDATE ON knowledge_mention
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_terms_stale();
CREATE TRIGGER terms_deleted AFTER DELETE ON knowledge_mention REFERENCING OLD TABLE AS old_rows
FOR EACH STATEMENT EXECUTE FUNCTION knowledge_terms_stale();

CREATE FUNCTION knowledge_text_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM knowledge_documentterms WHERE document_id = NEW.id;
    RETURN NULL;
END $$;

CREATE TRIGGER terms_text AFTER UPDATE OF title, summary ON knowledge_document
FOR EACH ROW WHEN ((OLD.title, OLD.summary) IS DISTINCT FROM (NEW.title, NEW.summary))
EXECUTE FUNCTION knowledge_text_changed();
"""

STALE_REVERSE = """
DROP TRIGGER terms_text ON knowledge_document;
DROP FUNCTION knowledge_text_changed();
DROP TRIGGER terms_deleted ON knowledge_mention;
DROP TRIGGER terms_updated ON knowledge_mention;
DROP TRIGGER terms_inserted ON knowledge_mention;
DROP FUNCTION knowledge_terms_stale();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0013_weeks_of_units'),
    ]

    operations = [
        migrations.CreateModel(
            name='DocumentTerms',
            fields=[
                ('document', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='event_terms', serialize=False, to='knowledge.document')),
                ('units', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('facets', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None)),
                ('whole', models.JSONField()),
                ('remainder', models.JSONField()),
            ],
            options={
                'verbose_name': '문서의 낱말 수',
                'verbose_name_plural': '문서의 낱말 수',
            },
        ),
        migrations.RunSQL(STALE, STALE_REVERSE),
    ]
