-- At depth 1 the writer is the application, whose idea of updated_at does not count; deeper it is a touch of ours.
IF (NEW.type, NEW.slug, NEW.label, NEW.label_en, NEW.summary, NEW.summary_en, NEW.status, NEW.merged_into_id,
    NEW.symbol, NEW.website, NEW.occurred_at, NEW.category, NEW.country, NEW.source_urls)
   IS DISTINCT FROM
   (OLD.type, OLD.slug, OLD.label, OLD.label_en, OLD.summary, OLD.summary_en, OLD.status, OLD.merged_into_id,
    OLD.symbol, OLD.website, OLD.occurred_at, OLD.category, OLD.country, OLD.source_urls)
THEN
    NEW.updated_at := now();
ELSIF pg_trigger_depth() = 1 THEN
    NEW.updated_at := OLD.updated_at;
END IF;
RETURN NEW;
