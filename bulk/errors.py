"""What is refused of the bulk files, in words that name the fix."""

from collections.abc import Iterable

from rest_framework import status

from bulk.files import NAMES
from knowledge.errors import Refusal


class NoSuchBulkFile(Refusal):
    """404: no list names such a file of such a day."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_such_bulk_file"

    def __init__(self, day: str, name: str, nearest: Iterable[str]) -> None:
        days = list(nearest)
        asked, held, known = f"{name[:40]} of {day[:20]}", ", ".join(days) or "none yet", ", ".join(NAMES)
        super().__init__(
            f"There is no bulk file {asked}. Files: {known}. Nearest days: {held}. /api/bulk lists all that are kept.",
            f"{day[:20]}의 벌크 파일 {name[:40]}은(는) 없습니다. 파일: {known}. 가까운 날: {held}. 남아 있는 전체 "
            "목록은 /api/bulk에 있습니다.",
            errors=[{"parameter": "date", "nearest": days}],
        )


class NoSuchBulkSchema(Refusal):
    """404: no bulk file has this name, so there is no schema of its lines."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_such_bulk_schema"
    english = f"There is no bulk file of this name, so no schema. The names: {', '.join(NAMES)}."
    korean = f"그런 이름의 벌크 파일이 없어 스키마도 없습니다. 이름: {', '.join(NAMES)}."


class RangeNotSatisfiable(Refusal):
    """416: the range begins behind the end of the file."""

    status_code = status.HTTP_416_REQUESTED_RANGE_NOT_SATISFIABLE
    default_code = "range_not_satisfiable"

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(
            f"The file has {size} bytes; a range such as bytes=0-{size - 1} begins within them.",
            f"파일은 {size}바이트입니다. 범위는 bytes=0-{size - 1}처럼 그 안에서 시작해야 합니다.",
        )


class BulkUnreadable(Refusal):
    """503: the storage does not give what the list names."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "bulk_unreadable"
    english = "The bulk files cannot be read at the moment. Try again in a minute."
    korean = "지금은 벌크 파일을 읽을 수 없습니다. 1분 뒤에 다시 시도하세요."

    def __init__(self) -> None:
        super().__init__(retry_after=60)
