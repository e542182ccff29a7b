"""The desk has no models of its own; Django tells an app of a migrate only where this file is."""
