"""What editors do to units: publish, retract, merge, split, and back again. One transaction each, all or nothing.

``knowledge.curation.previews`` computes beforehand what a decision would change.
"""

from knowledge.curation.errors import CurationError
from knowledge.curation.merging import followers_of, merge, merge_obstacle, unmerge, unmerge_obstacle
from knowledge.curation.reverting import changes_back, revert
from knowledge.curation.splitting import NewUnit, split, split_obstacle
from knowledge.curation.statuses import former_status, guarded_fields, set_status, status_obstacle

__all__ = [
    "CurationError",
    "NewUnit",
    "changes_back",
    "followers_of",
    "former_status",
    "guarded_fields",
    "merge",
    "merge_obstacle",
    "revert",
    "set_status",
    "split",
    "split_obstacle",
    "status_obstacle",
    "unmerge",
    "unmerge_obstacle",
]
