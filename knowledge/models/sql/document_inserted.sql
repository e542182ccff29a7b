-- A new document has no reason yet but its channel.
PERFORM knowledge_pair(ARRAY(
    SELECT n.id FROM new_rows n JOIN knowledge_source source ON source.id = n.source_id
    WHERE source.creator_id IS NOT NULL
));
