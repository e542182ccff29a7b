"""Series and sources have names in English; an asset's record names its premium also where a topic holds that."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

PREMIUM_ASSETS = """
CREATE OR REPLACE FUNCTION knowledge_premium_assets(series bigint[]) RETURNS SETOF bigint STABLE
LANGUAGE sql AS $$
    SELECT DISTINCT asset.id
    FROM knowledge_seriesinput input
    JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)
    WHERE input.series_id = ANY ($1) AND input.key LIKE 'premium:%'
$$;
"""
# Their records change with the code, so mirrors are told.
SHOWN_FROM_NOW_ON = """
SELECT knowledge_touch_units(ARRAY(
    SELECT DISTINCT asset.id
    FROM knowledge_seriesinput input
    JOIN knowledge_series series ON series.id = input.series_id
    JOIN knowledge_unit holder ON holder.id = series.holder_id
    JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)
    WHERE input.key LIKE 'premium:%' AND asset.id <> COALESCE(holder.merged_into_id, holder.id)
))
"""


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0033_links_and_units_meet'),
    ]

    operations = [
        migrations.RunSQL(PREMIUM_ASSETS, "DROP FUNCTION knowledge_premium_assets(bigint[])"),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='held_inserted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='held_updated',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='series',
            name='held_deleted',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='unit',
            name='unit_updated',
        ),
        migrations.AddField(
            model_name='historicalseries',
            name='licence_en',
            field=models.CharField(blank=True, db_default='', default='', help_text='비우면 한국어와 같음', max_length=200, verbose_name='이용 조건(영어)'),
        ),
        migrations.AddField(
            model_name='series',
            name='licence_en',
            field=models.CharField(blank=True, db_default='', default='', help_text='비우면 한국어와 같음', max_length=200, verbose_name='이용 조건(영어)'),
        ),
        migrations.AddField(
            model_name='source',
            name='name_en',
            field=models.CharField(blank=True, db_default='', default='', help_text='비우면 한국어와 같음', max_length=120, verbose_name='이름(영어)'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\n    IF TG_OP = 'UPDATE' THEN\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)\n        ))));\n    END IF;\nEND;\nRETURN NULL;", hash='934b8e33255315b137a96aba8cf9f82240eb66ce', level='STATEMENT', operation='INSERT', pgid='pgtrigger_held_inserted_f12ff', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\n    IF TG_OP = 'UPDATE' THEN\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)\n        ))));\n    END IF;\nEND;\nRETURN NULL;", hash='526cf0d8f3e197903d823b2e797de848221dfbbf', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_held_updated_8dfea', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='series',
            trigger=pgtrigger.compiler.Trigger(name='held_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);\n    ELSIF TG_OP = 'DELETE' THEN\n        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);\n    ELSE\n        holders := ARRAY(\n            SELECT DISTINCT holder\n            FROM old_rows o JOIN new_rows n USING (id)\n            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)\n            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)\n        );\n    END IF;\n    PERFORM knowledge_touch_units(holders);\n    IF TG_OP = 'UPDATE' THEN\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)\n        ))));\n    END IF;\nEND;\nRETURN NULL;", hash='83df0119a73f5271c97953b0d6f6f7b6fa9602ec', level='STATEMENT', operation='DELETE', pgid='pgtrigger_held_deleted_72f25', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_series', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='premium_inserted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    inputs knowledge_seriesinput[];\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');\n    ELSIF TG_OP = 'DELETE' THEN\n        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');\n    ELSE\n        inputs := ARRAY(\n            SELECT o FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'\n        ) || ARRAY(\n            SELECT n FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'\n        );\n    END IF;\n    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;\n    holders := ARRAY(\n        SELECT DISTINCT series.holder_id\n        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT asset.id\n        FROM unnest(inputs) AS input\n        JOIN knowledge_series series ON series.id = input.series_id\n        JOIN knowledge_unit holder ON holder.id = series.holder_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)\n        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)\n        WHERE survivor.status = 'published' AND survivor.id <> asset.id\n    ));\nEND;\nRETURN NULL;", hash='ead4c2c1ff2e6bdb6cf4a5e789a9d16ccbf0ff40', level='STATEMENT', operation='INSERT', pgid='pgtrigger_premium_inserted_f3059', referencing='REFERENCING NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='premium_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    inputs knowledge_seriesinput[];\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');\n    ELSIF TG_OP = 'DELETE' THEN\n        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');\n    ELSE\n        inputs := ARRAY(\n            SELECT o FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'\n        ) || ARRAY(\n            SELECT n FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'\n        );\n    END IF;\n    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;\n    holders := ARRAY(\n        SELECT DISTINCT series.holder_id\n        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT asset.id\n        FROM unnest(inputs) AS input\n        JOIN knowledge_series series ON series.id = input.series_id\n        JOIN knowledge_unit holder ON holder.id = series.holder_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)\n        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)\n        WHERE survivor.status = 'published' AND survivor.id <> asset.id\n    ));\nEND;\nRETURN NULL;", hash='6700a1d1570e8e902d2831545fc5dbcfed018b40', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_premium_updated_8cd90', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_seriesinput', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='premium_deleted', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    inputs knowledge_seriesinput[];\n    holders bigint[];\nBEGIN\n    IF TG_OP = 'INSERT' THEN\n        inputs := ARRAY(SELECT n FROM new_rows n WHERE n.key LIKE 'premium:%');\n    ELSIF TG_OP = 'DELETE' THEN\n        inputs := ARRAY(SELECT o FROM old_rows o WHERE o.key LIKE 'premium:%');\n    ELSE\n        inputs := ARRAY(\n            SELECT o FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND o.key LIKE 'premium:%'\n        ) || ARRAY(\n            SELECT n FROM old_rows o JOIN new_rows n USING (id)\n            WHERE (o.key, o.series_id) IS DISTINCT FROM (n.key, n.series_id) AND n.key LIKE 'premium:%'\n        );\n    END IF;\n    PERFORM FROM knowledge_series WHERE id IN (SELECT series_id FROM unnest(inputs)) ORDER BY id FOR SHARE;\n    holders := ARRAY(\n        SELECT DISTINCT series.holder_id\n        FROM unnest(inputs) AS input JOIN knowledge_series series ON series.id = input.series_id\n    );\n    PERFORM FROM knowledge_unit WHERE id = ANY (holders) ORDER BY id FOR SHARE;\n    PERFORM FROM knowledge_unit WHERE id IN (\n        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (holders)\n    ) ORDER BY id FOR SHARE;\n    PERFORM knowledge_touch_units(ARRAY(\n        SELECT DISTINCT asset.id\n        FROM unnest(inputs) AS input\n        JOIN knowledge_series series ON series.id = input.series_id\n        JOIN knowledge_unit holder ON holder.id = series.holder_id\n        JOIN knowledge_unit survivor ON survivor.id = COALESCE(holder.merged_into_id, holder.id)\n        JOIN knowledge_unit asset ON asset.prefix = 'asset' AND asset.slug = substr(input.key, length('premium:') + 1)\n        WHERE survivor.status = 'published' AND survivor.id <> asset.id\n    ));\nEND;\nRETURN NULL;", hash='07ebb0778986ce17bfbbe203aaaf693a9ae1fea4', level='STATEMENT', operation='DELETE', pgid='pgtrigger_premium_deleted_948a3', referencing='REFERENCING OLD TABLE AS old_rows ', table='knowledge_seriesinput', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='seriesinput',
            trigger=pgtrigger.compiler.Trigger(name='premium_truncated', sql=pgtrigger.compiler.UpsertTriggerSql(func="PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;\nPERFORM pg_advisory_xact_lock(120299659095922);\nINSERT INTO knowledge_unitchange (unit, kind, merged_into, at)\nSELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()\nFROM knowledge_unit unit\nWHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')\n    AND NOT EXISTS (\n        SELECT FROM knowledge_unitchange gone\n        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()\n    )\nORDER BY id;\nRETURN NULL;", hash='f7053bb9c511390c60cd9285bc3cd1438624638a', level='STATEMENT', operation='TRUNCATE', pgid='pgtrigger_premium_truncated_f365b', table='knowledge_seriesinput', when='BEFORE')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='unit',
            trigger=pgtrigger.compiler.Trigger(name='unit_updated', sql=pgtrigger.compiler.UpsertTriggerSql(func="DECLARE\n    edited_scopes text[];\n    counted_scopes text[];\n    survivors bigint[];\n    reappeared bigint[];\n    retyped bigint[];\nBEGIN\n    EXECUTE $query$\n        WITH pairs AS (\n            SELECT n.id, o.type AS old_type, n.type AS new_type,\n                o.merged_into_id AS old_survivor, n.merged_into_id AS new_survivor,\n                o.status = 'published' AND o.merged_into_id IS NULL\n                    OR n.status = 'published' AND n.merged_into_id IS NULL AS shown,\n                (o.type, o.slug, o.label, o.summary, o.summary_en, o.status, o.merged_into_id, o.symbol, o.website,\n                 o.occurred_at)\n                    IS DISTINCT FROM\n                (n.type, n.slug, n.label, n.summary, n.summary_en, n.status, n.merged_into_id, n.symbol, n.website,\n                 n.occurred_at) AS edited,\n                (o.document_count, o.video_count) IS DISTINCT FROM (n.document_count, n.video_count) AS counted,\n                (o.label, o.merged_into_id) IS DISTINCT FROM (n.label, n.merged_into_id) AS renamed,\n                (o.type, o.slug, o.status, o.merged_into_id)\n                    IS DISTINCT FROM\n                (n.type, n.slug, n.status, n.merged_into_id) AS reappeared\n            FROM old_rows o JOIN new_rows n USING (id)\n        )\n        SELECT\n            array_agg(DISTINCT knowledge_unit_scope(old_type)) FILTER (WHERE shown AND edited)\n                || array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND edited),\n            array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND counted AND NOT edited),\n            array_agg(DISTINCT old_survivor) FILTER (WHERE renamed AND old_survivor IS NOT NULL)\n                || array_agg(DISTINCT new_survivor) FILTER (WHERE renamed AND new_survivor IS NOT NULL),\n            array_agg(id) FILTER (WHERE reappeared),\n            array_agg(id) FILTER (WHERE old_type <> new_type)\n        FROM pairs\n    $query$ INTO edited_scopes, counted_scopes, survivors, reappeared, retyped;\n\n    PERFORM knowledge_note_change(scope) FROM (SELECT DISTINCT unnest(edited_scopes)) AS scopes (scope);\n    PERFORM knowledge_note_change(scope, true)\n    FROM (SELECT unnest(counted_scopes) EXCEPT SELECT unnest(edited_scopes)) AS scopes (scope);\n    PERFORM knowledge_touch_units(survivors);\n    IF reappeared IS NOT NULL THEN\n        PERFORM knowledge_touch_units(ARRAY(\n            SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN knowledge_unit u ON u.id = link.unit_id\n            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)\n        ));\n        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(\n            SELECT series.id FROM knowledge_series series JOIN knowledge_unit u ON u.id = series.holder_id\n            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)\n        ))));\n    END IF;\n    IF retyped IS NOT NULL THEN\n        PERFORM knowledge_alias_recopy_type(retyped);\n    END IF;\nEND;\nRETURN NULL;", hash='6bbca628b365d3decd80877b599c9e2b38ab5009', level='STATEMENT', operation='UPDATE', pgid='pgtrigger_unit_updated_4f0cf', referencing='REFERENCING OLD TABLE AS old_rows  NEW TABLE AS new_rows ', table='knowledge_unit', when='AFTER')),
        ),
        migrations.RunSQL(SHOWN_FROM_NOW_ON, migrations.RunSQL.noop),
    ]
