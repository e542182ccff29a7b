PERFORM knowledge_note_change(scope) FROM (
    SELECT DISTINCT knowledge_unit_scope(type) AS scope FROM new_rows
    WHERE status = 'published' AND merged_into_id IS NULL
) AS scopes;
PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT merged_into_id FROM new_rows WHERE merged_into_id IS NOT NULL));
