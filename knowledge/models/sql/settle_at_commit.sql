-- What is deferred is done in rounds. The other checks of a commit wait for rows, and whoever holds the lock of the
-- numbers must wait for nobody: a change of the row makes a round after all of them.
UPDATE knowledge_unsettledunit SET last_round = true WHERE id = NEW.id;
