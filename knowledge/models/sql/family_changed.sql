-- Who speaks for whom changed: both are counted anew, rather than by steps that were noted for another family.
INSERT INTO knowledge_documentunitchange (unit_id, step, video)
SELECT unit, 0, false FROM unnest(ARRAY[OLD.id, OLD.merged_into_id]) AS unit WHERE unit IS NOT NULL;
IF TG_OP = 'UPDATE' AND NEW.merged_into_id IS NOT NULL THEN
    INSERT INTO knowledge_documentunitchange (unit_id, step, video) VALUES (NEW.merged_into_id, 0, false);
END IF;
