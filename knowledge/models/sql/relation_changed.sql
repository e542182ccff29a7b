-- A relation shows at both its ends, while both are public. Whether they are, nobody else may decide before this is
-- committed, as with the memberships of events.
DECLARE
    relations knowledge_relation[];
    ends bigint[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        relations := ARRAY(SELECT n FROM new_rows n);
    ELSIF TG_OP = 'DELETE' THEN
        relations := ARRAY(SELECT o FROM old_rows o);
    ELSE
        relations := ARRAY(SELECT o FROM old_rows o EXCEPT SELECT n FROM new_rows n)
                  || ARRAY(SELECT n FROM new_rows n EXCEPT SELECT o FROM old_rows o);
    END IF;
    ends := ARRAY(
        SELECT DISTINCT unnest(ARRAY[relation.subject_id, relation.object_id]) FROM unnest(relations) AS relation
    );
    PERFORM FROM knowledge_unit WHERE id = ANY (ends) ORDER BY id FOR SHARE;
    PERFORM FROM knowledge_unit WHERE id IN (
        SELECT merged_into_id FROM knowledge_unit WHERE id = ANY (ends)
    ) ORDER BY id FOR SHARE;
    PERFORM knowledge_touch_units(ARRAY(
        SELECT DISTINCT unnest(ARRAY[subject.id, object.id])
        FROM unnest(relations) AS relation
        JOIN knowledge_unit s ON s.id = relation.subject_id
        JOIN knowledge_unit subject ON subject.id = COALESCE(s.merged_into_id, s.id)
        JOIN knowledge_unit o ON o.id = relation.object_id
        JOIN knowledge_unit object ON object.id = COALESCE(o.merged_into_id, o.id)
        WHERE subject.status = 'published' AND object.status = 'published'
    ));
END;
