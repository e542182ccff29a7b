DELETE FROM knowledge_alias WHERE is_label AND unit_id IN (SELECT id FROM old_rows);
