"""What editors decide. ``knowledge.curation.previews`` computes beforehand what a decision about units would change."""

from knowledge.curation.units import CurationError as CurationError
from knowledge.curation.units import changes_back as changes_back
from knowledge.curation.units import former_status as former_status
from knowledge.curation.units import guarded_fields as guarded_fields
from knowledge.curation.units import merge as merge
from knowledge.curation.units import revert as revert
from knowledge.curation.units import set_status as set_status
from knowledge.curation.units import split as split
from knowledge.curation.units import status_blocked_by as status_blocked_by
from knowledge.curation.units import unmerge as unmerge
