"""The service for a WSGI server: what is meant for the front door does not leave it."""

import asyncio
from unittest.mock import Mock

import pytest
from django.core.wsgi import get_wsgi_application
from django.test import RequestFactory
from gunicorn.arbiter import Arbiter

from config.front.worker import Worker
from config.request_bodies import WholeBodies
from knowledge.publications.keeping import KEEP_HEADER, WAIT_HEADER


def test_nothing_that_is_said_to_the_front_reaches_a_client() -> None:
    def application(_environ: object, start: object) -> list[bytes]:
        start("200 OK", [(KEEP_HEADER, "{}"), ("ETag", '"a"'), (WAIT_HEADER, "answer:a")])  # type: ignore[operator]
        return [b""]

    said: list[tuple[str, list[tuple[str, str]]]] = []
    WholeBodies(application)(RequestFactory().get("/").environ, lambda *told: said.append(told))  # type: ignore[arg-type]
    assert said == [("200 OK", [("ETag", '"a"')])]


def test_the_fronts_worker_says_which_one_a_wsgi_application_needs() -> None:
    worker = object.__new__(Worker)
    worker.wsgi, worker.log = WholeBodies(get_wsgi_application()), Mock()
    with pytest.raises(SystemExit) as ended:
        asyncio.run(worker._serve())
    assert ended.value.code == Arbiter.APP_LOAD_ERROR
    assert "gunicorn -k gthread config.wsgi" in worker.log.critical.call_args.args[0]
