"""The one way out to the world: checked addresses, one deadline, bounded bodies, masked keys."""
