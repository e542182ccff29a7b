"""Changes of public units are numbered as they are committed; what is public already is told first."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

UNSETTLE = """
CREATE OR REPLACE FUNCTION knowledge_unsettle(unit bigint, public_id text, was_public boolean, was_merged_into bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO knowledge_unsettledunit (transaction, unit, public_id, was_public, was_merged_into, asks)
    VALUES (
        pg_current_xact_id()::text::bigint, $1, $2, $3, $4, COALESCE(current_setting('madang.unsettled', true), '') = ''
    )
    ON CONFLICT ON CONSTRAINT unsettled_unit_once DO NOTHING;
    PERFORM set_config('madang.unsettled', 'asked', true);
END $$;
"""
# The triggers that come before it lock the table, so that no change falls in between.
KNOWN_ALREADY = """
INSERT INTO knowledge_unitchange (unit, kind, merged_into, at)
SELECT prefix || ':' || slug, 'published', '', clock_timestamp() FROM knowledge_unit
WHERE status = 'published' AND merged_into_id IS NULL ORDER BY id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0030_held_values_without_second_index'),
    ]

    operations = [
        migrations.CreateModel(
            name='UnitChange',
            fields=[
                ('seq', models.BigAutoField(primary_key=True, serialize=False)),
                ('unit', models.CharField(max_length=113)),
                ('kind', models.CharField(choices=[('published', 'Published'), ('edited', 'Edited'), ('merged', 'Merged'), ('unmerged', 'Unmerged'), ('retracted', 'Retracted')], max_length=10)),
                ('merged_into', models.CharField(blank=True, max_length=113)),
                ('at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='UnsettledUnit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('transaction', models.BigIntegerField()),
                ('unit', models.BigIntegerField()),
                ('public_id', models.CharField(max_length=113)),
                ('was_public', models.BooleanField()),
                ('was_merged_into', models.BigIntegerField(null=True)),
                ('asks', models.BooleanField(db_default=False)),
                ('last_round', models.BooleanField(db_default=False)),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='alias',
            name='alias_truncated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='eventunit',
            name='eventunit_truncated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='persona',
            name='persona_truncated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='holder_inserted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='holder_updated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='holder_deleted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='holder_truncated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='unit',
            name='unit_deleted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='unit',
            name='unit_truncated',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='alias',
            trigger=pgtrigger.compiler.Trigger(name='alias_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='c5108a7a5e7dd72e9d7cbe63d592bcaf0a575a21', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_alias_truncated_88afc', table='knowledge_alias', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='eventunit',
            trigger=pgtrigger.compiler.Trigger(name='eventunit_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='1faef88da725e5abf25e1a5c0d47d88001ef975c', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_eventunit_truncated_0c6fc', table='knowledge_eventunit', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='persona',
            trigger=pgtrigger.compiler.Trigger(name='persona_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='ff1da47d746412d585ab4c81d2ba2c3a7ad21dc8', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_persona_truncated_acafa', table='knowledge_persona', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\nEND;\nRETURN NULL;", hash='e3a5380f8e01bdf35b38a2b97e002f9eed8e52df', level='STATEMENT', operation='INSERT', pgid='pgtrigger_held_inserted_f12ff', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\nEND;\nRETURN NULL;", hash='9d6c9dc6112919042829e02787f6e84832eb5dab', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_held_updated_8dfea', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\nEND;\nRETURN NULL;", hash='1e982c16c2d076b1f2b8d5b6a869fd792c50450c', level='STATEMENT', operation='DELETE', pgid='pgtrigger_held_deleted_72f25', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='fcc3fc37f98be40d2defd76e6d2cb68466239a33', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_held_truncated_317ab', table='knowledge_series', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM (\n    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM old_rows\n    WHERE status = 'published' AND merged_into_id IS NULL\n) AS scopes;\nPERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM old_rows WHERE merged_into_id IS NOT NULL));\nPERFORM knowledge_touch_units(ARRAY(\n    SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN old_rows o ON o.id = link.unit_id\n));\nRETURN NULL;", hash='1cb1863c9c4abfc8ff0e32ba61ca326ad9545dac', level='STATEMENT', operation='DELETE', pgid='pgtrigger_unit_deleted_be3b0', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_unit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='cafd24067c0d6b1fcc8c2cd8702ea886b650ee12', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_unit_truncated_7d127', table='knowledge_unit', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_appears', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (NEW.status = 'published')", func="PERFORM knowledge_unsettle(NEW.id, NEW.prefix || ':' || NEW.slug, false, NULL);\nRETURN NULL;", hash='43161ab7f579e220902a61c1a8f1b713c45e98a8', operation='INSERT', pgid='pgtrigger_unit_appears_4281b', table='knowledge_unit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_unsettled', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN ('published' IN (OLD.status, NEW.status) AND (OLD.updated_at, OLD.status, OLD.merged_into_id, OLD.prefix, OLD.slug) IS DISTINCT FROM (NEW.updated_at, NEW.status, NEW.merged_into_id, NEW.prefix, NEW.slug))", func="PERFORM knowledge_unsettle(\n    OLD.id, OLD.prefix || ':' || OLD.slug, OLD.status = 'published' AND OLD.merged_into_id IS NULL,\n    CASE WHEN OLD.status = 'published' THEN OLD.merged_into_id END\n);\nRETURN NULL;", hash='ab7880f4490a8cc517d84e5d20350ec44bed3558', operation='UPDATE', pgid='pgtrigger_unit_unsettled_91bee', table='knowledge_unit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_leaves', sql=pgtrigger.compiler.UpsertTriggerSql(condition="WHEN (OLD.status = 'published')", func="PERFORM knowledge_unsettle(\n    OLD.id, OLD.prefix || ':' || OLD.slug, OLD.status = 'published' AND OLD.merged_into_id IS NULL,\n    CASE WHEN OLD.status = 'published' THEN OLD.merged_into_id END\n);\nRETURN NULL;", hash='7172f9c9dd291170b47eabc1b9d8520d386a8724', operation='DELETE', pgid='pgtrigger_unit_leaves_0a6ef', table='knowledge_unit', when='AFTER')),
        ),
        migrations.AddConstraint(
            model_name='unitchange',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['published', 'edited', 'merged', 'unmerged', 'retracted'])), name='unit_change_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='unitchange',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'merged'), models.Q(('merged_into', ''), _negated=True)), models.Q(models.Q(('kind', 'merged'), _negated=True), ('merged_into', '')), _connector='OR'), name='unit_change_merge_names_survivor'),
        ),
        migrations.AddConstraint(
            model_name='unsettledunit',
            constraint=models.UniqueConstraint(fields=('transaction', 'unit'), name='unsettled_unit_once'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unsettledunit',
            trigger=pgtrigger.compiler.Trigger(name='settle_at_commit', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.asks)', constraint='CONSTRAINT', func='UPDATE knowledge_unsettledunit SET last_round = true WHERE id = NEW.id;\nRETURN NULL;', hash='e18f933bfff3d6c7b08562c4a33e17543906fc43', operation='INSERT', pgid='pgtrigger_settle_at_commit_db38f', table='knowledge_unsettledunit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unsettledunit',
            trigger=pgtrigger.compiler.Trigger(name='settle', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.last_round)', constraint='CONSTRAINT', func="DECLARE\n    ids text[];\n    kinds text[];\n    survivors text[];\nBEGIN\n    PERFORM set_config('madang.unsettled', '', true);\n    WITH touched AS MATERIALIZED (\n        DELETE FROM knowledge_unsettledunit WHERE transaction = NEW.transaction\n        RETURNING unit, public_id, was_public, was_merged_into\n    ), known AS (\n        SELECT unit, public_id, was_public, was_merged_into FROM touched\n        UNION ALL\n        SELECT t.unit, u.prefix || ':' || u.slug, false, NULL\n        FROM touched t JOIN knowledge_unit u ON u.id = t.unit\n        WHERE u.prefix || ':' || u.slug <> t.public_id\n        UNION ALL\n        SELECT follower.id, follower.prefix || ':' || follower.slug, false, NULL\n        FROM touched t JOIN knowledge_unit u ON u.id = t.unit JOIN knowledge_unit follower ON follower.merged_into_id = u.id\n        WHERE NOT t.was_public AND u.status = 'published' AND u.merged_into_id IS NULL\n            AND NOT EXISTS (SELECT FROM touched other WHERE other.unit = follower.id)\n    ), states AS (\n        SELECT known.*, COALESCE(u.status = 'published' AND u.merged_into_id IS NULL, false) AS public,\n            CASE WHEN u.status = 'published' THEN u.merged_into_id END AS merged_into,\n            CASE WHEN survivor.status = 'published' THEN survivor.prefix || ':' || survivor.slug END AS survivor\n        FROM known\n        LEFT JOIN knowledge_unit u ON u.id = known.unit AND u.prefix || ':' || u.slug = known.public_id\n        LEFT JOIN knowledge_unit survivor ON survivor.id = u.merged_into_id\n    ), told AS (\n        SELECT unit, public_id, public, survivor, CASE\n            WHEN public AND was_public THEN 'edited'\n            WHEN public AND was_merged_into IS NOT NULL THEN 'unmerged'\n            WHEN public THEN 'published'\n            WHEN merged_into = was_merged_into THEN NULL\n            WHEN merged_into IS NOT NULL AND survivor IS NOT NULL THEN 'merged'\n            WHEN was_public OR was_merged_into IS NOT NULL THEN 'retracted'\n        END AS kind\n        FROM states\n    ), ordered AS (\n        SELECT * FROM told WHERE kind IS NOT NULL ORDER BY public, unit\n    )\n    SELECT array_agg(public_id), array_agg(kind), array_agg(CASE WHEN kind = 'merged' THEN survivor ELSE '' END)\n    INTO ids, kinds, survivors FROM ordered;\n    IF ids IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM pg_advisory_xact_lock(120299659095922);\n    INSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\n    SELECT unit, kind, merged_into, clock_timestamp()\n    FROM unnest(ids, kinds, survivors) WITH ORDINALITY AS told (unit, kind, merged_into, place) ORDER BY place;\nEND;\nRETURN NULL;", hash='ba1a091cd4c07b75a0011853552c51b75db474e1', operation='UPDATE OF "last_round"', pgid='pgtrigger_settle_f573e', table='knowledge_unsettledunit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.RunSQL(UNSETTLE, "DROP FUNCTION knowledge_unsettle"),
        migrations.RunSQL(KNOWN_ALREADY, migrations.RunSQL.noop),
    ]
