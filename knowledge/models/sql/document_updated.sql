DECLARE
    changed bigint[];
BEGIN
    EXECUTE $query$
        SELECT array_agg(n.id) FROM old_rows o JOIN new_rows n USING (id)
        WHERE (o.source_id, o.kind, o.published_at, o.withdrawn)
              IS DISTINCT FROM (n.source_id, n.kind, n.published_at, n.withdrawn)
    $query$ INTO changed;
    PERFORM knowledge_pair(changed);
END;
