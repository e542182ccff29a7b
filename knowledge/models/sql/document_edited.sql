-- What pages show of a document is another from now on, or the document is not shown any more.
DECLARE
    changed boolean := EXISTS (
        SELECT id, source_id, kind, url, title, summary, author, lang, published_at, withdrawn FROM old_rows
        EXCEPT
        SELECT id, source_id, kind, url, title, summary, author, lang, published_at, withdrawn FROM new_rows
    );
BEGIN
    IF changed THEN
        PERFORM pg_notify('madang_scope', 'documents');
    END IF;
END;
