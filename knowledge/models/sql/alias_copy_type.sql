SELECT type INTO NEW.unit_type FROM knowledge_unit WHERE id = NEW.unit_id; RETURN NEW;
