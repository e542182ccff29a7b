"""What the knowledge base tells the apps above it. Receivers run inside the curator's transaction."""

from django.dispatch import Signal

# Sent with unit=Unit once it is published.
unit_published = Signal()
# Sent with unit=Unit once it is retracted.
unit_retracted = Signal()
# Sent with loser=Unit, survivor=Unit once they are merged.
unit_merged = Signal()
# Sent with loser=Unit, survivor=Unit once a merge is undone.
unit_unmerged = Signal()
# Sent with loser, survivor before a merge or its undoing is confirmed; receivers return a line that says what it
# would touch, or nothing.
merge_preview = Signal()
# Sent with unit=Unit before it is withdrawn from the public; as above.
retract_preview = Signal()
# Sent with unit=Unit; receivers return a line that says where they use it, or nothing.
unit_uses = Signal()
# Sent with keys=list[int], the keys of documents that were withdrawn or are about to be deleted.
documents_removed = Signal()
