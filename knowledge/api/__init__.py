"""The canon over HTTP as JSON and CSV: indexes and search, one unit, the points of a series, changes."""
