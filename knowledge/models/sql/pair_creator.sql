PERFORM knowledge_pair(ARRAY(SELECT id FROM knowledge_document WHERE source_id = NEW.id));
