-- A rename is told once, by the unit itself: what its label's row does touches nothing. The touch waits for whoever is
-- changing the unit's type, so the copy is looked at again after it.
PERFORM knowledge_touch_units(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE active AND NOT is_label));
PERFORM knowledge_alias_recopy_type(ARRAY(SELECT DISTINCT unit_id FROM new_rows WHERE NOT is_label));
