IF TG_OP <> 'INSERT' THEN
    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM old_rows);
END IF;
IF TG_OP <> 'DELETE' THEN
    DELETE FROM knowledge_documentterms WHERE document_id IN (SELECT document_id FROM new_rows);
END IF;
