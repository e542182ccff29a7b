-- A redirect is one hop and stays within one prefix. The share lock on the target makes two who change both ends at once
-- meet: the second to commit sees the first.
DECLARE
    target bigint;
    own_prefix text;
BEGIN
    SELECT merged_into_id, prefix INTO target, own_prefix FROM knowledge_unit WHERE id = NEW.id;
    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id AND prefix <> own_prefix) THEN
        RAISE EXCEPTION 'units of another prefix are merged into unit %', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';
    END IF;
    IF target IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM knowledge_unit WHERE id = target FOR SHARE;
    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND prefix <> own_prefix) THEN
        RAISE EXCEPTION 'unit % is merged into unit %, which has another prefix', NEW.id, target
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_merged_within_prefix', TABLE = 'knowledge_unit';
    END IF;
    IF EXISTS (SELECT FROM knowledge_unit WHERE id = target AND merged_into_id IS NOT NULL) THEN
        RAISE EXCEPTION 'unit % is merged into unit %, which is merged itself', NEW.id, target
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';
    END IF;
    IF EXISTS (SELECT FROM knowledge_unit WHERE merged_into_id = NEW.id) THEN
        RAISE EXCEPTION 'unit % is merged away while others are merged into it', NEW.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'unit_redirects_one_hop', TABLE = 'knowledge_unit';
    END IF;
END;
