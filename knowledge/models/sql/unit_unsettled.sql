PERFORM knowledge_unsettle(
    OLD.id, OLD.prefix || ':' || OLD.slug, OLD.status = 'published' AND OLD.merged_into_id IS NULL,
    CASE WHEN OLD.status = 'published' THEN OLD.merged_into_id END
);
