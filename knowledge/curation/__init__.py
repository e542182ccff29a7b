"""What editors decide. ``knowledge.curation.previews`` computes beforehand what a decision about units would change."""

from knowledge.curation.decisions import CurationError as CurationError
from knowledge.curation.decisions import changes_back as changes_back
from knowledge.curation.decisions import former_status as former_status
from knowledge.curation.decisions import guarded_fields as guarded_fields
from knowledge.curation.decisions import merge as merge
from knowledge.curation.decisions import revert as revert
from knowledge.curation.decisions import set_status as set_status
from knowledge.curation.decisions import split as split
from knowledge.curation.decisions import status_blocked_by as status_blocked_by
from knowledge.curation.decisions import unmerge as unmerge
