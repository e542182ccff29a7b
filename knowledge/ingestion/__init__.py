"""Fetch → normalise → store once → link → count → index."""
