-- EXECUTE, for a plan that knows how many rows there are.
EXECUTE 'DELETE FROM knowledge_documentunit pair USING old_rows o WHERE pair.document_id = o.id';
