"""What every test shares."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import override_settings

from config.celery import app
from knowledge.publications import shelf


@pytest.fixture(autouse=True)
def own_broker() -> Iterator[None]:
    """Tasks that a test sends stay in this process: a worker of `make run` listens on the same Valkey."""
    former = app.conf.broker_url
    app.conf.broker_url = "memory://"
    yield
    app.conf.broker_url = former


@pytest.fixture(autouse=True)
def own_cache() -> Iterator[None]:
    """Counters of one test are nobody else's: a `make run` on this machine uses the same Valkey."""
    local = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    with override_settings(CACHES=local):
        cache.clear()
        yield


@pytest.fixture(autouse=True)
def empty_shelf() -> None:
    """The database starts over with every test, and so does what this process keeps of it."""
    shelf.clear()
