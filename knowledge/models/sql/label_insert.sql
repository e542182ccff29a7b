PERFORM knowledge_label_rows(ARRAY(SELECT id FROM new_rows));
