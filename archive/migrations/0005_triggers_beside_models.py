"""What notes the changes of sealed days stands beside its model."""

from importlib import import_module

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

former = import_module("archive.migrations.0003_watch_snapshots")


class Migration(migrations.Migration):

    dependencies = [
        ('archive', '0004_readable_signals'),
    ]
    # Which drops what these triggers called until now.
    run_before = [("knowledge", "0017_triggers_beside_models")]

    operations = [
        migrations.RunSQL(former.UNWATCH, former.WATCH),
        pgtrigger.migrations.AddTrigger(
            model_name='snapshot',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='ab9192f1b3bc4349813344301b52ba0371870674', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_33eb7', referencing='REFERENCING NEW TABLE AS new_rows ', table='archive_snapshot', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='snapshot',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='fa9269cbce657cf3a9f47e9bfa51c2fbe8e7d0ae', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_57a25', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='archive_snapshot', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='snapshot',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='c97864ea5d945c1a889f33462bafff0de1b4d7ce', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_3b885', referencing='REFERENCING OLD TABLE AS old_rows ', table='archive_snapshot', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='snapshot',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('archive');\n    END IF;\nEND;\nRETURN NULL;", hash='4e460e349b010e3be7887236d3c339644b1d7f6f', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_20366', table='archive_snapshot', when='BEFORE')),
        ),
    ]
