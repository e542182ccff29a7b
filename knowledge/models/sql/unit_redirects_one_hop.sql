-- The share lock on the target makes two merges that would form a chain meet: the second to commit sees the first.
DECLARE
    target bigint;
BEGIN
    SELECT merged_into_id INTO target FROM knowledge_unit WHERE id = NEW.id;
    IF target IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;
    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN
        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';
    END IF;
    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN
        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';
    END IF;
END;
