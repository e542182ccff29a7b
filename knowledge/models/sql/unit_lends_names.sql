-- A merged unit lends its names to the survivor unless it is retracted.
PERFORM knowledge_touch_units(ARRAY[NEW.merged_into_id]);
