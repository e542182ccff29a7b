"""A merge stays within one prefix, and a published event has the time when it happened.

An event that had none stood, for readers, where it was written down: that becomes its time.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

MEND = """
UPDATE knowledge_unit SET occurred_at = created_at
WHERE type = 'event' AND status = 'published' AND occurred_at IS NULL
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0017_triggers_beside_models'),
    ]

    operations = [
        migrations.RunSQL(MEND, migrations.RunSQL.noop),
        pgtrigger.migrations.RemoveTrigger(
            model_name='unit',
            name='unit_redirects_one_hop',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_redirects_one_hop', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.merged_into_id IS NOT NULL)', constraint='CONSTRAINT', func="DECLARE\n    target bigint;\n    own_prefix text;\nBEGIN\n    SELECT merged_into_id, prefix INTO target, own_prefix FROM knowledge_unit WHERE id = NEW.id;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'units of another prefix are merged into unit %', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF target IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which has another prefix', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN\n        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\nEND;\nRETURN NULL;", hash='3c95a1a0b2b3be1d5943b9ac8de762e98ea95971', operation='INSERT OR UPDATE OF "merged_into_id"', pgid='pgtrigger_unit_redirects_one_hop_0b4ce', table='knowledge_unit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_retyped', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD."type" IS DISTINCT FROM (NEW."type"))', constraint='CONSTRAINT', func="DECLARE\n    target bigint;\n    own_prefix text;\nBEGIN\n    SELECT merged_into_id, prefix INTO target, own_prefix FROM knowledge_unit WHERE id = NEW.id;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'units of another prefix are merged into unit %', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF target IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND prefix <> own_prefix) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which has another prefix', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN\n        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\n    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN\n        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id\n            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';\n    END IF;\nEND;\nRETURN NULL;", hash='88be30b620e1a55ba5559b588235e3ffc4518377', operation='UPDATE OF "type"', pgid='pgtrigger_unit_retyped_96270', table='knowledge_unit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='unit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'published'), ('type', 'event'), _negated=True), ('occurred_at__isnull', False), _connector='OR'), name='unit_published_event_has_time'),
        ),
    ]
