-- The moment of the first publication stays, whatever the writer holds of it; a withdrawal and a return leave it.
NEW.public_since := COALESCE(OLD.public_since, NEW.public_since, CASE WHEN NEW.status = 'published' THEN now() END);
RETURN NEW;
