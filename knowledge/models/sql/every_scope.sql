PERFORM knowledge_note_change(scope) FROM unnest(ARRAY['entity', 'topic', 'event']) AS scope;
-- Numbered at once: what waits for the commit could be truncated by then.
PERFORM pg_advisory_xact_lock({lock});
INSERT INTO knowledge_unitchange (unit, kind, merged_into, at)
SELECT prefix || ':' || slug, CASE TG_TABLE_NAME WHEN 'knowledge_unit' THEN 'retracted' ELSE 'edited' END, '', clock_timestamp()
FROM knowledge_unit unit
WHERE status = 'published' AND (merged_into_id IS NULL OR TG_TABLE_NAME = 'knowledge_unit')
    -- Truncating units goes on to all that refers to them.
    AND NOT EXISTS (
        SELECT FROM knowledge_unitchange gone
        WHERE gone.unit = unit.prefix || ':' || unit.slug AND gone.kind = 'retracted' AND gone.at >= now()
    )
ORDER BY id;
