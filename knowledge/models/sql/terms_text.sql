DELETE FROM knowledge_documentterms WHERE document_id = NEW.id;
