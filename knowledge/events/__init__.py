"""Events: documents that tell of one thing, gathered for an editor. Pure functions of documents and their
units."""

from knowledge.events.clustering import Clusters, EventIndex, Placement, UnitsOf, cluster
from knowledge.events.documents import EventDoc, NamedUnit, has_expired, is_candidate
from knowledge.events.facets import action_facets

__all__ = [
    "Clusters",
    "EventDoc",
    "EventIndex",
    "NamedUnit",
    "Placement",
    "UnitsOf",
    "action_facets",
    "cluster",
    "has_expired",
    "is_candidate",
]
