-- Most clusters tell of no event yet.
PERFORM knowledge_pair(ARRAY(
    SELECT n.document_id FROM new_rows n JOIN knowledge_eventcluster cluster ON cluster.id = n.cluster_id
    WHERE cluster.event_id IS NOT NULL
));
