-- Counts and summaries change all day, and the linker reads neither.
DECLARE
    renamed boolean;
BEGIN
    EXECUTE $query$
        SELECT EXISTS (
            SELECT FROM old_rows o JOIN new_rows n USING (id)
            WHERE (o.type, o.slug, o.label, o.symbol, o.status, o.merged_into_id)
                  IS DISTINCT FROM (n.type, n.slug, n.label, n.symbol, n.status, n.merged_into_id)
        )
    $query$ INTO renamed;
    IF renamed THEN
        PERFORM knowledge_vocabulary_changed();
    END IF;
END;
