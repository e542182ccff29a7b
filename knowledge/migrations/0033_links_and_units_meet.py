"""Who changes a membership, and who decides whether its unit is public, wait for one another; so do names and merges."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

TOUCH = """
CREATE OR REPLACE FUNCTION knowledge_touch_units(touched bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
    locked bigint[];
BEGIN
    IF COALESCE(cardinality(touched), 0) = 0 THEN
        RETURN;
    END IF;
    LOOP
        SELECT array_agg(DISTINCT target) INTO ids
        FROM knowledge_unit u CROSS JOIN LATERAL (VALUES (u.id), (u.merged_into_id)) AS targets (target)
        WHERE u.id = ANY (touched) AND target IS NOT NULL;
        EXIT WHEN ids IS NOT DISTINCT FROM locked;
        PERFORM FROM knowledge_unit WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
        locked := ids;
    END LOOP;
    UPDATE knowledge_unit SET updated_at = now() WHERE id = ANY (ids) AND updated_at IS DISTINCT FROM now();
    PERFORM knowledge_note_change(scope) FROM (
        SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM knowledge_unit
        WHERE id = ANY (ids) AND status = 'published' AND merged_into_id IS NULL
    ) AS scopes;
END $$;
"""
FORMER_TOUCH = """
CREATE OR REPLACE FUNCTION knowledge_touch_units(touched bigint[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids bigint[];
BEGIN
    IF COALESCE(cardinality(touched), 0) = 0 THEN
        RETURN;
    END IF;
    SELECT array_agg(DISTINCT target) INTO ids
    FROM knowledge_unit u CROSS JOIN LATERAL (VALUES (u.id), (u.merged_into_id)) AS targets (target)
    WHERE u.id = ANY (touched) AND target IS NOT NULL;
    PERFORM FROM knowledge_unit WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
    UPDATE knowledge_unit SET updated_at = now() WHERE id = ANY (ids) AND updated_at IS DISTINCT FROM now();
    PERFORM knowledge_note_change(scope) FROM (
        SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM knowledge_unit
        WHERE id = ANY (ids) AND status = 'published' AND merged_into_id IS NULL
    ) AS scopes;
END $$;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0032_values_become_candidates'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='eventunit',
            name='eventunit_inserted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='eventunit',
            name='eventunit_updated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='eventunit',
            name='eventunit_deleted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='unsettledunit',
            name='settle',
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='eventunit',
            trigger=pgtrigger.compiler.Trigger(name='eventunit_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\n    linked bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);\n    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='c6958c81e80d7e1fc9aa9dfbffdf63b509991a37', level='STATEMENT', operation='INSERT', pgid='pgtrigger_eventunit_inserted_2fefc', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_eventunit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='eventunit',
            trigger=pgtrigger.compiler.Trigger(name='eventunit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\n    linked bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);\n    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='7385b1d305a12e529ce4b345cb002d9c8c4d1b8d', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_eventunit_updated_2584d', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_eventunit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='eventunit',
            trigger=pgtrigger.compiler.Trigger(name='eventunit_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    links knowledge_eventunit[];\n    linked bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        links := ARRAY(SELECT n FROM new_rows n);\n    ELSIF TG_OP = 'DELETE' THEN\n        links := ARRAY(SELECT o FROM old_rows o);\n    ELSE\n        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)\n              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);\n    END IF;\n    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);\n    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT link.event_id\n        FROM unnest(links) AS link\n        JOIN knowledge_unit u ON u.id = link.unit_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)\n        WHERE survivor.status = 'published' AND survivor.type <> 'event'\n    ));\nEND;\nRETURN NULL;", hash='2fe277b373d04ae3b28de6394719f3117f9251e4', level='STATEMENT', operation='DELETE', pgid='pgtrigger_eventunit_deleted_ea887', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_eventunit', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unsettledunit',
            trigger=pgtrigger.compiler.Trigger(name='settle', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW.last_round)', constraint='CONSTRAINT', func="DECLARE\n    ids text[];\n    kinds text[];\n    survivors text[];\nBEGIN\n    PERFORM set_config('madang.unsettled', '', true);\n    WITH touched AS MATERIALIZED (\n        DELETE FROM knowledge_unsettledunit WHERE transaction = NEW.transaction\n        RETURNING unit, public_id, was_public, was_merged_into\n    ), appeared AS MATERIALIZED (\n        SELECT u.id FROM touched t JOIN knowledge_unit u ON u.id = t.unit\n        WHERE u.status = 'published' AND u.merged_into_id IS NULL\n            AND (NOT t.was_public OR u.prefix || ':' || u.slug <> t.public_id)\n    ), known AS (\n        SELECT unit, public_id, was_public, was_merged_into FROM touched\n        UNION ALL\n        SELECT t.unit, u.prefix || ':' || u.slug, false, NULL\n        FROM touched t JOIN knowledge_unit u ON u.id = t.unit\n        WHERE u.prefix || ':' || u.slug <> t.public_id\n        UNION ALL\n        SELECT follower.id, follower.prefix || ':' || follower.slug, false, NULL\n        FROM appeared JOIN knowledge_unit follower ON follower.merged_into_id = appeared.id\n        WHERE NOT EXISTS (SELECT FROM touched WHERE touched.unit = follower.id)\n    ), states AS (\n        SELECT known.*, COALESCE(u.status = 'published' AND u.merged_into_id IS NULL, false) AS public,\n            CASE WHEN u.status = 'published' THEN u.merged_into_id END AS merged_into,\n            CASE WHEN survivor.status = 'published' THEN survivor.prefix || ':' || survivor.slug END AS survivor\n        FROM known\n        LEFT JOIN knowledge_unit u ON u.id = known.unit AND u.prefix || ':' || u.slug = known.public_id\n        LEFT JOIN knowledge_unit survivor ON survivor.id = u.merged_into_id\n    ), told AS (\n        SELECT unit, public_id, public, survivor, CASE\n            WHEN public AND was_public THEN 'edited'\n            WHEN public AND was_merged_into IS NOT NULL THEN 'unmerged'\n            WHEN public THEN 'published'\n            WHEN merged_into = was_merged_into AND NOT EXISTS (SELECT FROM appeared WHERE id = merged_into) THEN NULL\n            WHEN merged_into IS NOT NULL AND survivor IS NOT NULL THEN 'merged'\n            WHEN was_public OR was_merged_into IS NOT NULL THEN 'retracted'\n        END AS kind\n        FROM states\n    ), ordered AS (\n        SELECT * FROM told WHERE kind IS NOT NULL ORDER BY public, unit\n    )\n    SELECT array_agg(public_id), array_agg(kind), array_agg(CASE WHEN kind = 'merged' THEN survivor ELSE '' END)\n    INTO ids, kinds, survivors FROM ordered;\n    IF ids IS NULL THEN\n        RETURN NULL;\n    END IF;\n    PERFORM pg_advisory_xact_lock(120299659095922);\n    INSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\n    SELECT unit, kind, merged_into, clock_timestamp()\n    FROM unnest(ids, kinds, survivors) WITH ORDINALITY AS told (unit, kind, merged_into, place) ORDER BY place;\nEND;\nRETURN NULL;", hash='b3d511bd3f96fa3edac651e1685f70445626340c', operation='UPDATE OF "last_round"', pgid='pgtrigger_settle_f573e', table='knowledge_unsettledunit', timing='DEFERRABLE INITIALLY DEFERRED', when='AFTER')),
        ),
        migrations.RunSQL(TOUCH, FORMER_TOUCH),
    ]
