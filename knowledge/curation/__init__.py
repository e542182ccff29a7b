"""What editors do to units: publish, retract, merge, split, and back again. One transaction each, all or nothing.

``knowledge.curation.previews`` computes beforehand what a decision would change.
"""

from knowledge.curation.errors import CurationError
from knowledge.curation.merging import merge, unmerge
from knowledge.curation.reverting import changes_back, revert
from knowledge.curation.splitting import split
from knowledge.curation.statuses import former_status, guarded_fields, set_status, status_blocked_by

__all__ = [
    "CurationError",
    "changes_back",
    "former_status",
    "guarded_fields",
    "merge",
    "revert",
    "set_status",
    "split",
    "status_blocked_by",
    "unmerge",
]
