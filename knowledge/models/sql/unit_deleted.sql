PERFORM knowledge_note_change(scope) FROM (
    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM old_rows
    WHERE status = 'published' AND merged_into_id IS NULL
) AS scopes;
PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM old_rows WHERE merged_into_id IS NOT NULL));
-- Links go after their unit where a constraint waits for the commit, and lead nowhere by then.
PERFORM knowledge_touch_units(ARRAY(
    SELECT DISTINCT link.event_id FROM knowledge_eventunit link JOIN old_rows o ON o.id = link.unit_id
));
