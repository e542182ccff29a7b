IF TG_OP <> 'INSERT' THEN
    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)
    SELECT unit_id, document_id, published_at, -1, video FROM old_rows;
END IF;
IF TG_OP <> 'DELETE' THEN
    INSERT INTO knowledge_documentunitchange (unit_id, document_id, published_at, step, video)
    SELECT unit_id, document_id, published_at, 1, video FROM new_rows;
END IF;
