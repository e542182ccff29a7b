"""Publishing and retracting units, posts of personas and pulses, and undoing it."""

from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.curation.errors import CurationError
from knowledge.curation.locking import locked
from knowledge.models import PersonaPost, Pulse, Status, Unit, UnitType
from knowledge.signals import unit_published, unit_retracted

# What readers know a unit by.
IDENTITY = ("label", "symbol", "occurred_at")


@transaction.atomic
def set_status(row: Unit | PersonaPost | Pulse, status: Status) -> None:
    """Bring a row to ``status`` with all that follows from it. Raises CurationError where it must not stand there."""
    row = locked(row)
    if reason := status_blocked_by(row, status):
        raise CurationError(reason)
    was_published = row.status == Status.PUBLISHED
    row.status = status
    row._change_reason = status.value  # type: ignore[union-attr]
    row.save(update_fields=["status"])
    if not isinstance(row, Unit):
        return
    if status == Status.PUBLISHED:
        unit_published.send(Unit, unit=row)
    elif status == Status.RETRACTED or was_published:
        # A draft is as little public as what was retracted: nothing may go on quoting it.
        unit_retracted.send(Unit, unit=row)


def status_blocked_by(row: Unit | PersonaPost | Pulse, status: Status) -> str:
    """Why a row must not stand at ``status``; empty when it may."""
    if status != Status.PUBLISHED:
        return ""
    if isinstance(row, PersonaPost):
        persona = row.persona
        if not (persona.glyph.strip() and persona.disclosure.strip() and persona.disclosure_en.strip()):
            return _("글리프와 고지(한국어, 영어)가 있어야 공개할 수 있습니다.")
        if not persona.entity.is_public:
            return _("페르소나의 크리에이터가 공개되어 있지 않아 글이 아무 데도 나타나지 않습니다.")
    elif isinstance(row, Unit):
        if row.merged_into_id is not None:
            return _("병합된 단위는 공개할 수 없습니다. 먼저 병합을 되돌리세요.")
        if row.type == UnitType.EVENT and row.occurred_at is None:
            return _("일어난 때가 없는 사건은 공개할 수 없습니다.")
    return ""


def guarded_fields(unit: Unit) -> tuple[str, ...]:
    """The fields that only who may publish changes: all that readers know a unit by, once it has left its draft."""
    return () if unit.status == Status.DRAFT else IDENTITY


def former_status(unit: Unit) -> Status:
    """Where a unit stood before it came to where it stands; a draft where its history does not say."""
    former = Unit.history.filter(id=unit.pk).exclude(status=unit.status).values_list("status", flat=True)
    return Status(former.first() or Status.DRAFT)
