PERFORM knowledge_vocabulary_changed();
