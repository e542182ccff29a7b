"""What all parts measure: one world in a database of its own, and three servers of it side by side."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.load import Address, fetch, get
from benchmarks.nginx import is_installed, nginx
from benchmarks.scratch import scratch_database, seed
from benchmarks.web_servers import START_SECONDS, WORKERS, Server, front, shown_by_a_worker, threads
from benchmarks.worlds import world_of_pages
from config.celery import app as celery_app
from knowledge.models import Entity, Publication, Unit
from knowledge.search import indexing
from knowledge.search.statistics import rebuild_statistics

ENTITIES = "/api/canonical/entities.json"
TOPICS = "/api/canonical/topics.json"
ROWS = 1_000
WITHOUT_MODEL = {"ANTHROPIC_API_KEY": ""}


@dataclass(frozen=True)
class World:
    """``front`` as production runs it, ``threads`` the same project as WSGI; ``files`` is nginx, None where there is
    none, and ``folder`` what it serves as ``NAME.gz``."""

    database: str
    front: Server
    threads: Server
    files: Address | None
    folder: Path
    pages: dict[str, str]
    archive: str
    static: str

    @property
    def unit_page(self) -> str:
        return self.pages["asset"]

    def put_file(self, name: str, path: str) -> None:
        """Have nginx serve what a path shows now, compressed as it is."""
        reply = fetch(self.front.address, get(path))
        (self.folder / "files" / f"{name}.gz").write_bytes(reply.body)

    def grow(self, rows: int) -> None:
        """Up to this many rows in the index of entities, once every process shows them."""
        seed_up_to(rows)
        etag = Publication.objects.get(name="entities").etag
        deadline, current = time.monotonic() + START_SECONDS, 0
        while current < WORKERS * 5:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{rows} rows are not shown")
            shown = [shown_by_a_worker(server.address).etag for server in (self.front, self.threads)]
            current = current + 1 if shown == [etag, etag] else 0


def seed_up_to(rows: int) -> None:
    made_up = Unit.objects.filter(slug__startswith="made-up-").count()
    seed(rows - Entity.objects.published().count() + made_up)


def index() -> None:
    """What is not searchable is refused by quoting, and no model is asked about it."""
    while indexing.refresh():
        pass
    rebuild_statistics()


@contextmanager
def world() -> Iterator[World]:
    """A canon, a city of two weeks, one thing of every kind, and 1,000 rows in the index of entities."""
    # What saving a document sends to workers is not for those of a `make run` on the same Valkey.
    celery_app.conf.update(broker_url="memory://")
    with ExitStack() as stack:
        database = stack.enter_context(scratch_database())
        archive, static, folder = (stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(3))
        pages = world_of_pages(archive, static)
        seed_up_to(ROWS)
        index()
        front_door, plain = (
            stack.enter_context(start(database, folder=archive, static=static, environment=WITHOUT_MODEL))
            for start in (front, threads)
        )
        files = stack.enter_context(nginx(Path(folder))) if is_installed() else None
        yield World(database, front_door, plain, files, Path(folder), pages, archive, static)
