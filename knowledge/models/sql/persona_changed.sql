DECLARE
    entities bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        entities := ARRAY(SELECT entity_id FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN
        entities := ARRAY(SELECT entity_id FROM old_rows);
    ELSE
        entities := ARRAY(
            SELECT DISTINCT entity
            FROM old_rows o JOIN new_rows n USING (id)
            CROSS JOIN LATERAL (VALUES (o.entity_id), (n.entity_id)) AS entities (entity)
            WHERE (o.entity_id, o.glyph, o.disclosure, o.disclosure_en)
                  IS DISTINCT FROM (n.entity_id, n.glyph, n.disclosure, n.disclosure_en)
        );
    END IF;
    PERFORM knowledge_touch_units(entities);
END;
