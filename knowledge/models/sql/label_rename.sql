PERFORM knowledge_label_rows(ARRAY[NEW.id]);
