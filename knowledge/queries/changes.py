"""What changed in the public indexes since a number, for whoever mirrors them."""

from dataclasses import dataclass
from datetime import datetime

from rest_framework import status

from knowledge.errors import InvalidParameter, Refusal
from knowledge.models import CHANGES_KEPT, UnitChange
from knowledge.queries.records import records_of
from knowledge.queries.serializers import UnitChangeRecord, UnitRecord
from knowledge.times import iso_kst


class CursorExpired(Refusal):
    """410: what followed this `since` is no longer told; begin anew from the bulk files."""

    status_code = status.HTTP_410_GONE
    default_code = "cursor_expired"

    def __init__(self, since: int, forgotten: int) -> None:
        super().__init__(
            f"Changes are kept for {CHANGES_KEPT.days} days, and those after {since} are older. Load the bulk files"
            " entities, topics and events listed at /api/bulk, then go on from the seq that they state.",
            f"변경은 {CHANGES_KEPT.days}일 동안만 보관하며 {since} 다음의 변경은 그보다 오래되었습니다."
            " /api/bulk에 있는 entities, topics, events 파일을 받은 뒤 거기 적힌 seq부터 이어 읽으세요.",
            errors=[{"parameter": "since", "oldest": forgotten, "bulk": "/api/bulk"}],
        )


@dataclass(frozen=True, slots=True)
class ChangesPage:
    """A page of changes, oldest first; ``following`` is the ``since`` of the next page, None after the last."""

    items: list[UnitChangeRecord]
    following: int | None
    newest: int


def newest_seq() -> int:
    """The number of the newest public change; 0 before the first. What is read after it has seen that change."""
    return UnitChange.objects.newest_seq()


def changes_after(since: int, limit: int, *, now: datetime) -> ChangesPage:
    """At most ``limit`` changes with a higher number than ``since``.

    Raises CursorExpired where some of them are no longer kept, InvalidParameter for a number that was never given.
    """
    newest = newest_seq()  # before the rows: none up to it can be added later
    if since > newest:
        raise _never_given(newest)
    rows = list(UnitChange.objects.filter(seq__gt=since, seq__lte=newest).order_by("seq")[: limit + 1])
    if since < (
        forgotten := UnitChange.objects.forgotten_through(now)
    ):  # after them: some may just have gone
        raise CursorExpired(since, forgotten)
    shown = rows[:limit]
    # After the rows: a record that is newer than its change is right, one that is older would stay wrong.
    records = records_of({row.unit for row in shown})
    items = [_change(row, records.get(row.unit)) for row in shown]
    return ChangesPage(items, shown[-1].seq if len(rows) > limit else None, newest)


def _never_given(newest: int) -> InvalidParameter:
    return InvalidParameter(
        "since",
        f"since must be a seq that was read here; the newest is {newest}. If this service was restored from a backup,"
        " begin anew from the bulk files listed at /api/bulk.",
        f"since는 여기서 읽은 seq여야 하며 가장 새것은 {newest}입니다. 서비스가 백업에서 복원되었다면 /api/bulk의"
        " 파일부터 다시 시작하세요.",
    )


def _change(row: UnitChange, record: UnitRecord | None) -> UnitChangeRecord:
    return {
        "seq": row.seq,
        "id": row.unit,
        "kind": row.kind,
        "mergedInto": row.merged_into or None,
        "at": iso_kst(row.at),
        "record": record,
    }
