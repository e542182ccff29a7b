-- Each row is a scope of its own, {scope} with its {key}, told when the row comes or goes or one of {columns} changes.
DECLARE
    keys text[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        keys := ARRAY(SELECT {key} FROM new_rows);
    ELSIF TG_OP = 'DELETE' THEN
        keys := ARRAY(SELECT {key} FROM old_rows);
    ELSE
        keys := ARRAY(
            SELECT {key} FROM (SELECT {key}, {columns} FROM old_rows EXCEPT SELECT {key}, {columns} FROM new_rows) AS changed
        );
    END IF;
    IF cardinality(keys) > 100 THEN
        PERFORM pg_notify('madang_scope', 'all');
    ELSE
        PERFORM pg_notify('madang_scope', '{scope}:' || key) FROM unnest(keys) AS key;
    END IF;
END;
