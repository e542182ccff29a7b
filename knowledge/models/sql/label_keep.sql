-- Whoever updates many aliases may meet labels among them: only the key may be put right.
OLD.norm := NEW.norm; RETURN OLD;
