"""Units and aliases out as CSV or JSON, and back in: what is exported imports with no change."""
