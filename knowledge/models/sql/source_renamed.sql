-- Pages name the source beside each of its documents and values.
PERFORM pg_notify('madang_scope', scope) FROM unnest(ARRAY['documents', 'series']) AS scope;
