-- Nobody knew it before.
PERFORM knowledge_unsettle(NEW.id, NEW.prefix || ':' || NEW.slug, false, NULL);
