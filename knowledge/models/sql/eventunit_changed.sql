-- A membership shows only while the unit it leads to is public. Whether it is, nobody else may decide before this is
-- committed: who publishes the unit would not see the new membership, nor this statement the public unit.
DECLARE
    links knowledge_eventunit[];
    linked bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        links := ARRAY(SELECT n FROM new_rows n);
    ELSIF TG_OP = 'DELETE' THEN
        links := ARRAY(SELECT o FROM old_rows o);
    ELSE
        links := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)
              || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);
    END IF;
    linked := ARRAY(SELECT DISTINCT link.unit_id FROM unnest(links) AS link);
    PERFORM FROM knowledge_unit WHERE id = ANY (linked) ORDER BY id FOR SHARE;
    PERFORM FROM knowledge_unit WHERE id IN (
        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (linked)
    ) ORDER BY id FOR SHARE;
    PERFORM knowledge_touch_units(ARRAY(
        SELECT DISTINCT link.event_id
        FROM unnest(links) AS link
        JOIN knowledge_unit u ON u.id = link.unit_id
        JOIN knowledge_unit survivor ON survivor.id = COALESCE(u.merged_into_id, u.id)
        WHERE survivor.status = 'published' AND survivor.type <> 'event'
    ));
END;
