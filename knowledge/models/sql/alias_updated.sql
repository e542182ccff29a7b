DECLARE
    owners bigint[];
BEGIN
    EXECUTE $query$
        SELECT array_agg(DISTINCT o.unit_id) || array_agg(DISTINCT n.unit_id)
        FROM (SELECT * FROM old_rows WHERE NOT is_label) o JOIN new_rows n USING (id)
        WHERE (o.active OR n.active)
          AND (o.unit_id, o.surface, o.active) IS DISTINCT FROM (n.unit_id, n.surface, n.active)
    $query$ INTO owners;
    PERFORM knowledge_touch_units(owners);
END;
