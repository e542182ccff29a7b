-- Documents come on pages, and leave them, by their pairs: by the dozen, so listeners need not hear of each at once.
DECLARE
    changed boolean;
BEGIN
    IF TG_OP = 'DELETE' THEN
        changed := EXISTS (SELECT FROM old_rows);
    ELSE
        changed := EXISTS (SELECT FROM new_rows);
    END IF;
    IF changed THEN
        PERFORM pg_notify('madang_scope', 'documents:new');
    END IF;
END;
