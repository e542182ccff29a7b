PERFORM pg_notify('madang_scope', 'documents') WHERE EXISTS (SELECT FROM old_rows);
