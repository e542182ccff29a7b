"""Events: documents that tell of one thing, clustered for an editor, and what editors decide about the clusters."""
