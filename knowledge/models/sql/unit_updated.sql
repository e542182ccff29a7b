-- Old and new rows are joined by EXECUTE: a cached plan made for one row would go through 20,000 rows 20,000 times.
DECLARE
    edited_scopes text[];
    counted_scopes text[];
    survivors bigint[];
    reappeared bigint[];
    retyped bigint[];
BEGIN
    EXECUTE $query$
        WITH pairs AS (
            SELECT n.id, o.type AS old_type, n.type AS new_type,
                o.merged_into_id AS old_survivor, n.merged_into_id AS new_survivor,
                o.status = 'published' AND o.merged_into_id IS NULL
                    OR n.status = 'published' AND n.merged_into_id IS NULL AS shown,
                (o.type, o.slug, o.label, o.label_en, o.summary, o.summary_en, o.status, o.merged_into_id,
                 o.symbol, o.website, o.occurred_at, o.category, o.country, o.source_urls)
                    IS DISTINCT FROM
                (n.type, n.slug, n.label, n.label_en, n.summary, n.summary_en, n.status, n.merged_into_id,
                 n.symbol, n.website, n.occurred_at, n.category, n.country, n.source_urls) AS edited,
                (o.document_count, o.video_count) IS DISTINCT FROM (n.document_count, n.video_count) AS counted,
                (o.label, o.merged_into_id) IS DISTINCT FROM (n.label, n.merged_into_id) AS renamed,
                (o.type, o.slug, o.status, o.merged_into_id)
                    IS DISTINCT FROM
                (n.type, n.slug, n.status, n.merged_into_id) AS reappeared
            FROM old_rows o JOIN new_rows n USING (id)
        )
        SELECT
            array_agg(DISTINCT knowledge_unit_scope(old_type)) FILTER (WHERE shown AND edited)
                || array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND edited),
            array_agg(DISTINCT knowledge_unit_scope(new_type)) FILTER (WHERE shown AND counted AND NOT edited),
            array_agg(DISTINCT old_survivor) FILTER (WHERE renamed AND old_survivor IS NOT NULL)
                || array_agg(DISTINCT new_survivor) FILTER (WHERE renamed AND new_survivor IS NOT NULL),
            array_agg(id) FILTER (WHERE reappeared),
            array_agg(id) FILTER (WHERE old_type <> new_type)
        FROM pairs
    $query$ INTO edited_scopes, counted_scopes, survivors, reappeared, retyped;

    PERFORM knowledge_note_change(scope) FROM (SELECT DISTINCT unnest(edited_scopes)) AS scopes (scope);
    PERFORM knowledge_note_change(scope, true)
    FROM (SELECT unnest(counted_scopes) EXCEPT SELECT unnest(edited_scopes)) AS scopes (scope);
    -- The names of a merged unit are aliases of its survivor.
    PERFORM knowledge_touch_units(survivors);
    -- A unit that appears, disappears or changes its address does so in the records of its events too.
    IF reappeared IS NOT NULL THEN
        PERFORM knowledge_touch_units(ARRAY(
            SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN knowledge_unit u ON u.id = link.unit_id
            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)
        ));
        -- And in the records of the units that it is related to.
        PERFORM knowledge_touch_units(ARRAY(
            SELECT unnest(ARRAY[relation.subject_id, relation.object_id]) FROM knowledge_relation relation
            JOIN knowledge_unit u ON u.id IN (relation.subject_id, relation.object_id)
            WHERE NOT relation.withdrawn AND (u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared))
        ));
        -- So it does, with its series, in the records of the assets whose premium it holds.
        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(
            SELECT series.id FROM knowledge_series series JOIN knowledge_unit u ON u.id = series.holder_id
            WHERE u.id = ANY (reappeared) OR u.merged_into_id = ANY (reappeared)
        ))));
    END IF;
    IF retyped IS NOT NULL THEN
        PERFORM knowledge_alias_recopy_type(retyped);
    END IF;
END;
