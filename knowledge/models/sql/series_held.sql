-- The ids of its series, in their order, are part of a unit's record.
DECLARE
    holders bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        holders := ARRAY(SELECT DISTINCT holder_id FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN
        holders := ARRAY(SELECT DISTINCT holder_id FROM old_rows);
    ELSE
        holders := ARRAY(
            SELECT DISTINCT holder
            FROM old_rows o JOIN new_rows n USING (id)
            CROSS JOIN LATERAL (VALUES (o.holder_id), (n.holder_id)) AS holders (holder)
            WHERE (o.holder_id, o.slug, o.position) IS DISTINCT FROM (n.holder_id, n.slug, n.position)
        );
    END IF;
    PERFORM knowledge_touch_units(holders);
    IF TG_OP = 'UPDATE' THEN
        PERFORM knowledge_touch_units(ARRAY(SELECT knowledge_premium_assets(ARRAY(
            SELECT o.id FROM old_rows o JOIN new_rows n USING (id)
            WHERE (o.holder_id, o.slug) IS DISTINCT FROM (n.holder_id, n.slug)
        ))));
    END IF;
END;
