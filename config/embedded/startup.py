"""Bringing the servers up: those whose address the user has not set."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from config.embedded.children import Child, Children
from config.embedded.engines import Engine, find_postgres, find_valkey, within_reach
from config.embedded.environment import DATABASE_URL, REDIS_URL, configured
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home, settle
from config.embedded.project import Project
from config.embedded.servers import Postgres, Server, Valkey

SECONDS_TO_GET_READY = 120  # a recovery after a crash replays the log first
LOG_LIMIT = 5_000_000  # bytes; then the log is set aside once
LOG_TAIL = 15  # lines


@dataclass(frozen=True)
class Servers:
    """The servers that this process runs; ``home`` is None where it runs none."""

    home: Home | None = None
    addresses: dict[str, str] = field(default_factory=dict)
    children: list[Child] = field(default_factory=list)


def wanted(project: Project) -> list[str]:
    """The variables for which an embedded server stands in."""
    set_by_user = configured(project)
    return [name for name in (REDIS_URL, DATABASE_URL) if name not in set_by_user]


def start_servers(project: Project, children: Children, tell: Callable[[str], None]) -> Servers:
    """Start what is wanted, side by side, and wait until all of it answers."""
    finders = {REDIS_URL: find_valkey, DATABASE_URL: find_postgres}
    engines = {name: finders[name]() for name in wanted(project)}
    if not engines:
        return Servers()
    home = settle(project)
    servers = Servers(home)
    starting = []
    for name, engine in engines.items():
        server = _server(name, within_reach(engine, home), home, project)
        if isinstance(server, Postgres) and not server.data.exists():
            tell(f"Creating the database in {home.folder} (first start only, a few seconds) …")
        starting.append(_start(server, project, children))
        servers.addresses[name] = server.address
    children.wait(lambda: all(one.settled() for one in starting), SECONDS_TO_GET_READY)
    for one in starting:
        one.require_ready()
    servers.children.extend(one.child for one in starting)
    children.vital.extend(servers.children)
    return servers


def _server(name: str, engine: Engine, home: Home, project: Project) -> Postgres | Valkey:
    if name == DATABASE_URL:
        return Postgres(engine, home, project.database, disposable=project.rehearsal)
    return Valkey(engine, home)


@dataclass
class _Starting:
    """A server between its start and its first answer."""

    server: Server
    child: Child
    log: Path
    log_start: int
    ready: bool = False

    def settled(self) -> bool:
        """Whether it is ready or has given up."""
        self.ready = self.ready or self.server.ready(self.child)
        return self.ready or self.child.status is not None

    def require_ready(self) -> None:
        if self.ready:
            return
        with self.log.open("rb") as file:
            file.seek(self.log_start)
            tail = file.read().decode(errors="replace").splitlines()[-LOG_TAIL:]
        raise EmbeddedError("\n".join([f"{self.server.label} did not start; the end of {self.log}:", *tail]))


def _start(server: Server, project: Project, children: Children) -> _Starting:
    server.prepare(children)
    log = project.logs / f"{server.label.lower()}.log"
    size = log.stat().st_size if log.exists() else 0
    if size > LOG_LIMIT:
        log.replace(log.with_name(f"{log.name}.1"))
        size = 0
    log.touch()
    project.give_to_owner(log)
    return _Starting(server, children.start(server.program(log)), log, size)
