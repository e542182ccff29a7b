"""Whoever shows an answer, or waits for one, hears of its changes."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('ask', '0016_related'),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='told_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    keys text[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        keys := ARRAY(SELECT question_hash FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        keys := ARRAY(SELECT question_hash FROM old_rows);\n    ELSE\n        keys := ARRAY(\n            SELECT question_hash FROM (SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM old_rows EXCEPT SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM new_rows) AS changed\n        );\n    END IF;\n    IF cardinality(keys) > 100 THEN\n        PERFORM pg_notify('madang_scope', 'all');\n    ELSE\n        PERFORM pg_notify('madang_scope', 'answer:' || key) FROM unnest(keys) AS key;\n    END IF;\nEND;\nRETURN NULL;", hash='3ca4d986dc39c574c297b5c5e16e9f3956a35df8', level='STATEMENT', operation='INSERT', pgid='pgtrigger_told_inserted_29127', referencing='REFERENCING NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='told_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    keys text[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        keys := ARRAY(SELECT question_hash FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        keys := ARRAY(SELECT question_hash FROM old_rows);\n    ELSE\n        keys := ARRAY(\n            SELECT question_hash FROM (SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM old_rows EXCEPT SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM new_rows) AS changed\n        );\n    END IF;\n    IF cardinality(keys) > 100 THEN\n        PERFORM pg_notify('madang_scope', 'all');\n    ELSE\n        PERFORM pg_notify('madang_scope', 'answer:' || key) FROM unnest(keys) AS key;\n    END IF;\nEND;\nRETURN NULL;", hash='19270d3060528d6ee1426f86449d6048ae571a96', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_told_updated_73a22', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='told_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    keys text[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        keys := ARRAY(SELECT question_hash FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        keys := ARRAY(SELECT question_hash FROM old_rows);\n    ELSE\n        keys := ARRAY(\n            SELECT question_hash FROM (SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM old_rows EXCEPT SELECT question_hash, current_id, status, evidence_withdrawn_at, figures_due_at FROM new_rows) AS changed\n        );\n    END IF;\n    IF cardinality(keys) > 100 THEN\n        PERFORM pg_notify('madang_scope', 'all');\n    ELSE\n        PERFORM pg_notify('madang_scope', 'answer:' || key) FROM unnest(keys) AS key;\n    END IF;\nEND;\nRETURN NULL;", hash='b0b084f363bf1ede9192cce938ebbc38cfd86816', level='STATEMENT', operation='DELETE', pgid='pgtrigger_told_deleted_5d7ae', referencing='REFERENCING OLD TABLE AS old_rows ', table='ask_answer', when='AFTER')),
        ),
    ]
