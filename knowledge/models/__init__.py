"""The knowledge base's tables, by subject."""

from knowledge.models.candidates import ClusterDocument, ClusterStatus, EventCluster, PossibleMerge
from knowledge.models.creators import Creator
from knowledge.models.documents import (
    SUMMARY_MAX_LENGTH,
    Document,
    FetchCause,
    FetchRun,
    Mention,
    RunOutcome,
    Source,
    SourceKind,
)
from knowledge.models.mention_reviews import MentionReview, Verdict
from knowledge.models.personas import AI_PERSONA, Persona, PersonaPost
from knowledge.models.publications import Change, Publication
from knowledge.models.pulses import WINDOW_HOURS_MAX, Direction, Pulse, PulseKind
from knowledge.models.search import PassageKind, SearchCorpus, SearchPassage, SearchTerm
from knowledge.models.series import Candle, Interval, Market, Observation, Premium, Series, Venue
from knowledge.models.units import (
    ENTITY_TYPES,
    PREFIXES,
    Alias,
    AliasLanguage,
    Entity,
    Event,
    EventUnit,
    Status,
    Topic,
    Unit,
    UnitMerge,
    UnitType,
    prefix_of,
)

__all__ = [
    "AI_PERSONA",
    "ENTITY_TYPES",
    "PREFIXES",
    "SUMMARY_MAX_LENGTH",
    "WINDOW_HOURS_MAX",
    "Alias",
    "AliasLanguage",
    "Candle",
    "Change",
    "ClusterDocument",
    "ClusterStatus",
    "Creator",
    "Direction",
    "Document",
    "Entity",
    "Event",
    "EventCluster",
    "EventUnit",
    "FetchCause",
    "FetchRun",
    "Interval",
    "Market",
    "Mention",
    "MentionReview",
    "Observation",
    "PassageKind",
    "Persona",
    "PersonaPost",
    "PossibleMerge",
    "Premium",
    "Publication",
    "Pulse",
    "PulseKind",
    "RunOutcome",
    "SearchCorpus",
    "SearchPassage",
    "SearchTerm",
    "Series",
    "Source",
    "SourceKind",
    "Status",
    "Topic",
    "Unit",
    "UnitMerge",
    "UnitType",
    "Venue",
    "Verdict",
    "prefix_of",
]
