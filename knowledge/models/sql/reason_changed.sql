-- Each row of these tables may be a reason why its document is paired with a unit.
IF TG_OP = 'INSERT' THEN
    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM new_rows));
ELSIF TG_OP = 'DELETE' THEN
    PERFORM knowledge_pair(ARRAY(SELECT DISTINCT document_id FROM old_rows));
ELSE
    PERFORM knowledge_pair(ARRAY(SELECT document_id FROM old_rows UNION SELECT document_id FROM new_rows));
END IF;
