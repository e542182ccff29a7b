PERFORM knowledge_label_rows(ARRAY(SELECT id FROM knowledge_unit));
