"""Two web processes of their own, as two machines would have them: what is withdrawn in one place is gone in both."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.utils import timezone

from ask.models import Answer, AnswerStatus
from knowledge.models import Document, Status, Unit
from tests.ask.records import KOREAN, ask, maru, news
from tests.config.web_processes import serving, status_and_body, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

# Far less than pages are kept for where nothing is told, and far more than it takes on a busy machine.
GONE_SECONDS = 6.0


def test_what_is_withdrawn_is_gone_from_every_process(tmp_path: Path) -> None:
    maru()
    document = news("마루코인 상장 소식", published_at=timezone.now())
    answer = ask(KOREAN, now=timezone.now()).answer
    page, asked = "/asset/marucoin", f"/ask/q/{answer.pk}"
    with ExitStack() as processes:
        logs = [tmp_path / "one", tmp_path / "other"]
        both = [processes.enter_context(serving(log, workers=1, settings={"DEBUG": "true"})) for log in logs]

        def everywhere(path: str, status: int, *, text: str = "", absent: str = "\0") -> bool:
            found = [status_and_body(each.port, path) for each in both]
            return all(code == status and text in body and absent not in body for code, body in found)

        for path in (page, asked, page, asked):
            assert everywhere(path, 200)
        assert everywhere(page, 200, text=document.title)

        Document.objects.filter(pk=document.pk).update(withdrawn=True)
        assert wait_until(lambda: everywhere(page, 200, absent=document.title), GONE_SECONDS)
        Answer.objects.filter(pk=answer.pk).update(status=AnswerStatus.HIDDEN, hidden_reason="asked for")
        assert wait_until(lambda: everywhere(asked, 410), GONE_SECONDS)
        Unit.objects.filter(slug="marucoin").update(label="고친 이름")
        assert wait_until(lambda: everywhere(page, 200, text="고친 이름"), GONE_SECONDS)
        Unit.objects.filter(slug="marucoin").update(status=Status.RETRACTED)
        assert wait_until(lambda: everywhere(page, 410), GONE_SECONDS)
        # What was given from memory is told once a second.
        assert all(wait_until(lambda log=log: is_from_memory(log), GONE_SECONDS) for log in logs)  # type: ignore[misc]


def is_from_memory(log: Path) -> bool:
    return (
        re.search(r'requests from memory .*"view":"(asset-page|unit-page|answer)', log.read_text())
        is not None
    )
