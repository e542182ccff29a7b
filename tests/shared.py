"""A world that all tests of a file share: made once, and what a test does to its rows is taken back after it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import TestCase, override_settings
from django.utils import translation
from pytest_django.plugin import DjangoDbBlocker

from archive import bodies
from bulk.catalogue import catalogue
from feeds.status import evaluation, levels
from knowledge.publications import publication_cache

Made = TypeVar("Made")


@contextmanager
def archive_in(folder: Path) -> Iterator[None]:
    """Day files and bulk files lie in this folder, which is made when the first is written."""
    days = {"BACKEND": "archive.storage.DayFileStorage", "OPTIONS": {"location": str(folder)}}
    bodies.kept.clear()
    catalogue.forget()
    with override_settings(STORAGES={**settings.STORAGES, "archive": days}):
        yield


def start_over() -> None:
    """Forget what this process keeps of the database, its counters, and the language of a page of the desk."""
    translation.deactivate()
    cache.clear()
    publication_cache.clear()
    evaluation.clear()
    levels.clear()


@dataclass(frozen=True)
class Shared(Generic[Made]):
    """What stands in the database, and the folder of its day files."""

    made: Made
    folder: Path

    def brought_to(self, archive: Path) -> Made:
        """A copy for one test, which may change it, with the day files in that test's own folder."""
        if self.folder.exists():
            shutil.copytree(self.folder, archive)
        return deepcopy(self.made)


@contextmanager
def shared(make: Callable[[], Made], blocker: DjangoDbBlocker, folder: Path) -> Iterator[Shared[Made]]:
    """Make a world inside a transaction around those of the tests. They must not flush, nor use other connections."""

    class Around(TestCase):
        """Django's own transaction around the tests of a class."""

    with blocker.unblock():
        Around.setUpClass()
    try:
        with blocker.unblock(), archive_in(folder):
            start_over()
            made = make()
            connection.check_constraints()  # what a commit begins with
        yield Shared(made, folder)
    finally:
        with blocker.unblock():
            Around.tearDownClass()
            Around.doClassCleanups()
