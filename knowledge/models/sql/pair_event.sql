PERFORM knowledge_pair(ARRAY(SELECT document_id FROM knowledge_clusterdocument WHERE cluster_id = NEW.id));
