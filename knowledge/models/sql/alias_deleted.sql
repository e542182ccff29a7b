PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM old_rows WHERE active AND NOT is_label));
PERFORM knowledge_label_rows(ARRAY(SELECT unit_id FROM old_rows WHERE is_label));
