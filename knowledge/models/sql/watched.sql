-- Every public row is part of a record of {scope}. The columns need an equality operator (jsonb has one, json has none).
DECLARE
    changed boolean := true;  -- TRUNCATE shows no rows
BEGIN
    IF TG_OP = 'INSERT' THEN
        changed := EXISTS (SELECT FROM new_rows WHERE {public});
    ELSIF TG_OP = 'DELETE' THEN
        changed := EXISTS (SELECT FROM old_rows WHERE {public});
    ELSIF TG_OP = 'UPDATE' THEN
        changed := EXISTS (
            (SELECT * FROM new_rows WHERE {public} EXCEPT SELECT * FROM old_rows WHERE {public})
            UNION ALL (SELECT * FROM old_rows WHERE {public} EXCEPT SELECT * FROM new_rows WHERE {public})
        );
    END IF;
    IF changed THEN
        PERFORM knowledge_note_change('{scope}');
    END IF;
END;
