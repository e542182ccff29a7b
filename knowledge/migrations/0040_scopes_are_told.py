"""Whoever keeps what was made from documents hears of their changes, and of an edit by the name of its scope."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION knowledge_note_change(scope text, counts_only boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_change (scope, counts_only) VALUES ($1, $2);
    PERFORM pg_notify('madang_change', CASE WHEN $2 THEN '' ELSE $1 END);
END $$;
"""
FORMER_FUNCTION = """
CREATE OR REPLACE FUNCTION knowledge_note_change(scope text, counts_only boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_change (scope, counts_only) VALUES ($1, $2);
    PERFORM pg_notify('madang_change', $1);
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0039_names_as_written'),
    ]

    operations = [
        migrations.RunSQL(FUNCTION, FORMER_FUNCTION),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='told_edited', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := EXISTS (\n        SELECT id, source_id, kind, url, title, summary, author, lang, published_at, withdrawn FROM old_rows\n        EXCEPT\n        SELECT id, source_id, kind, url, title, summary, author, lang, published_at, withdrawn FROM new_rows\n    );\nBEGIN\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents');\n    END IF;\nEND;\nRETURN NULL;", hash='be479d5d34586ecfc9e01cf3701a8497f2c85f82', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_told_edited_d788d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='document',
            trigger=pgtrigger.compiler.Trigger(name='told_removed', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM pg_notify('madang_scope', 'documents') WHERE EXISTS (SELECT FROM old_rows);\nRETURN NULL;", hash='39d28c54d1be7ca1f88ae946cc02a98555d34a1c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_told_removed_34c24', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_document', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='documentunit',
            trigger=pgtrigger.compiler.Trigger(name='pair_told_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean;\nBEGIN\n    IF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows);\n    ELSE\n        changed := EXISTS (SELECT FROM new_rows);\n    END IF;\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents:new');\n    END IF;\nEND;\nRETURN NULL;", hash='154b9759fc4e466946d4022fbff518634c593981', level='STATEMENT', operation='INSERT', pgid='pgtrigger_pair_told_inserted_e72d7', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='documentunit',
            trigger=pgtrigger.compiler.Trigger(name='pair_told_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean;\nBEGIN\n    IF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows);\n    ELSE\n        changed := EXISTS (SELECT FROM new_rows);\n    END IF;\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents:new');\n    END IF;\nEND;\nRETURN NULL;", hash='03d569b4b21434816254accf54cab1d8364177d3', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_pair_told_updated_446cd', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_documentunit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='documentunit',
            trigger=pgtrigger.compiler.Trigger(name='pair_told_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean;\nBEGIN\n    IF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows);\n    ELSE\n        changed := EXISTS (SELECT FROM new_rows);\n    END IF;\n    IF changed THEN\n        PERFORM pg_notify('madang_scope', 'documents:new');\n    END IF;\nEND;\nRETURN NULL;", hash='be8e73874216772f2bbe2ef74ef22720697e341c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_pair_told_deleted_35593', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_documentunit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='source',
            trigger=pgtrigger.compiler.Trigger(name='source_renamed', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."homepage" IS DISTINCT FROM (NEW."homepage") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."name_en" IS DISTINCT FROM (NEW."name_en") OR OLD."url" IS DISTINCT FROM (NEW."url"))', func="PERFORM pg_notify('madang_scope', scope) FROM unnest(ARRAY['documents', 'series']) AS scope;\nRETURN NULL;", hash='59673780623d65aeb7f96423b30a5dde44760ebb', operation='UPDATE OF "name", "name_en", "homepage", "url"', pgid='pgtrigger_source_renamed_26977', table='knowledge_source', when='AFTER')),
        ),
    ]
