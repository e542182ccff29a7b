"""What notes the changes of answers, and keeps their versions as they are, stands beside the models."""

from importlib import import_module

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

append_only = import_module("ask.migrations.0002_versions_append_only")
watched = import_module("ask.migrations.0003_watch_indexable_answers")


class Migration(migrations.Migration):

    dependencies = [
        ('ask', '0012_answer_declined'),
    ]
    # Which drops what these triggers called until now.
    run_before = [("knowledge", "0017_triggers_beside_models")]

    operations = [
        migrations.RunSQL(append_only.ALLOW_UPDATES, append_only.REFUSE_UPDATES),
        migrations.RunSQL(watched.UNWATCH, watched.WATCH),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='fcf395db9b74fe018197abe839c5a08753d42718', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_34e9f', referencing='REFERENCING NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='edcba2ce80bf4f8a2d3b5fb554a19fae8c5eb46d', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_629b2', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='ask_answer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='2b5e47eb87eac6902221547aa30f120ff561e3b3', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_4a717', referencing='REFERENCING OLD TABLE AS old_rows ', table='ask_answer', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answer',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active));\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n            UNION ALL (SELECT * FROM old_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active) EXCEPT SELECT * FROM new_rows WHERE question_hash IN (SELECT question_hash FROM ask_seedquestion WHERE active))\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='d1d15216bbae3d2151274a3d69cd63e0399c54a4', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_2062a', table='ask_answer', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='answerversion',
            trigger=pgtrigger.compiler.Trigger(name='append_only', sql=pgtrigger.compiler.UpsertTriggerSql(func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;", hash='b07831263e1638da85c62cfbef5f53440338afa2', operation='UPDATE', pgid='pgtrigger_append_only_d66f7', table='ask_answerversion', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seedquestion',
            trigger=pgtrigger.compiler.Trigger(name='note_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='f1b567533ec91c7d3054e443eb75de7e4e0afad2', level='STATEMENT', operation='INSERT', pgid='pgtrigger_note_inserted_8b068', referencing='REFERENCING NEW TABLE AS new_rows ', table='ask_seedquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seedquestion',
            trigger=pgtrigger.compiler.Trigger(name='note_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='40f4cf950b6da20e0503306d5b2e931f4eb3b50f', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_note_updated_a8519', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='ask_seedquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seedquestion',
            trigger=pgtrigger.compiler.Trigger(name='note_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='7fd0a48b2c2b5170f8ff5d5e1bf3ad14b8843385', level='STATEMENT', operation='DELETE', pgid='pgtrigger_note_deleted_f3dad', referencing='REFERENCING OLD TABLE AS old_rows ', table='ask_seedquestion', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seedquestion',
            trigger=pgtrigger.compiler.Trigger(name='note_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    changed boolean := true;  -- TRUNCATE shows no rows\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        changed := EXISTS (SELECT FROM new_rows WHERE true);\n    ELSIF TG_OP = 'DELETE' THEN\n        changed := EXISTS (SELECT FROM old_rows WHERE true);\n    ELSIF TG_OP = 'UPDATE' THEN\n        changed := EXISTS (\n            (SELECT * FROM new_rows WHERE true EXCEPT SELECT * FROM old_rows WHERE true)\n            UNION ALL (SELECT * FROM old_rows WHERE true EXCEPT SELECT * FROM new_rows WHERE true)\n        );\n    END IF;\n    IF changed THEN\n        PERFORM knowledge_note_change('answer');\n    END IF;\nEND;\nRETURN NULL;", hash='323296c85b46070739bf711405d21c0bc3dcec6a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_note_truncated_57a43', table='ask_seedquestion', when='BEFORE')),
        ),
    ]
