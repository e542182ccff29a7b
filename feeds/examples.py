"""The scripts of ``docs/examples``, one for each job of a developer, given out at ``/docs/examples/<name>.py``.

They stand in the repository, from which the service runs, and change only with an upgrade, so each is read once a
process. Handed out, a script asks the service that it came from unless told otherwise.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FOLDER = Path(settings.BASE_DIR) / "docs" / "examples"
# What the files say while nobody has told them where the service is.
UNTOLD_BASE = "http://localhost:8000"
# Each with what it is called with, and what it does.
JOBS: dict[str, tuple[str, Promise]] = {
    "exchanges": ("KR", _("한 나라의 거래소와 별칭을 모두 적습니다.")),
    "search_box": ("bitcion", _("검색창에 입력한 글자에서 이름을 먼저 찾고, 이어 글을 찾습니다.")),
    "ask": (
        "What is the kimchi premium?",
        _("질문하고 답변과 출처를 받습니다. 한도를 넘으면 기다렸다가 다시 묻습니다."),
    ),
    "citation": ("asset:btc", _("인용할 기록의 표기를 받습니다.")),
    "table": ("usd-krw", _("숫자의 지난 값을 표로 읽습니다. pandas로는 한 줄입니다.")),
    "feed": ("seen.txt", _("RSS에서 새 글만 읽습니다.")),
    "mirror": ("madang.db", _("색인을 SQLite에 복제합니다. 바뀐 것이 없으면 본문을 받지 않습니다.")),
    "archive": ("days", _("도시의 하루 파일을 받아 해시를 확인하고 보관합니다.")),
    "health": ("", _("상태를 점검해 종료 코드 0, 1, 2로 알립니다.")),
    "typed_client": ("", _("타입이 있는 클라이언트입니다. 표준 라이브러리만 씁니다.")),
}


@dataclass(frozen=True, slots=True)
class Example:
    """A script, as the page of the documentation tells of it. ``lines`` counts those that are not blank."""

    name: str
    arguments: str
    job: Promise
    lines: int


def source(name: str) -> str:
    """The text of a script, which asks this service. Raises KeyError for what is none."""
    return _written(name).replace(UNTOLD_BASE, settings.BASE_URL)


def examples() -> Iterator[Example]:
    """All of them, in the order in which they are shown."""
    for name, (arguments, job) in JOBS.items():
        yield Example(name, arguments, job, sum(map(bool, map(str.strip, _written(name).splitlines()))))


@cache
def _written(name: str) -> str:
    if name not in JOBS:
        raise KeyError(name)
    return (FOLDER / f"{name}.py").read_text(encoding="utf-8")
