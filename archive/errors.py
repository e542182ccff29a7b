"""What the archive refuses, in words that name the fix."""

from collections.abc import Sequence
from datetime import date

from rest_framework import status

from knowledge.errors import Refusal


class NoSuchDay(Refusal):
    """404: a well-formed day, or revision of one, that has no file."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_such_day"

    def __init__(self, day: date, nearest: Sequence[date]) -> None:
        if nearest:
            days = ", ".join(known.isoformat() for known in nearest)
            english = f"There is no file for {day}. The nearest days that have one: {days}."
            korean = f"{day}의 파일은 없습니다. 파일이 있는 가장 가까운 날: {days}."
        else:
            english = f"There is no file for {day}: the archive holds no day yet."
            korean = f"{day}의 파일은 없습니다. 아카이브에 아직 아무 날도 없습니다."
        errors = [{"parameter": "date", "nearest": [known.isoformat() for known in nearest]}]
        super().__init__(english, korean, errors=errors)


class NoSuchRevision(Refusal):
    """404: the day has a file, but not this revision of it."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_such_revision"

    def __init__(self, day: date, newest: int) -> None:
        super().__init__(
            f"{day} has revisions 1 to {newest}.",
            f"{day}의 버전은 1부터 {newest}까지 있습니다.",
            errors=[{"parameter": "revision", "newest": newest}],
        )


class DayUnreadable(Refusal):
    """503: the day is in the manifest, and the storage does not give the file that was sealed."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "day_unreadable"

    def __init__(self, day: date) -> None:
        self.day = day
        super().__init__(
            f"The sealed file of {day} cannot be given at the moment. Other days may answer; try again later.",
            f"지금은 봉인된 {day}의 파일을 내줄 수 없습니다. 다른 날은 읽을 수 있으니 나중에 다시 시도하세요.",
            retry_after=60,
        )
