"""``make run``: the servers, the Procfile's release steps, then its processes, until something ends it."""

import errno
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from config.embedded.admin import USERNAME, create_first_admin, first_password, has_password
from config.embedded.children import APPLICATION_STOP, STEP_STOP, Child, Children, Program, describe
from config.embedded.environment import configured, for_children, write_env_file
from config.embedded.errors import EmbeddedError, StopRequested
from config.embedded.home import settle
from config.embedded.lock import Instance, InstanceLock
from config.embedded.output import Output, to_stdout
from config.embedded.probe import WebProbe
from config.embedded.procfile import read_procfile, shell_command, steps
from config.embedded.project import Project
from config.embedded.rehearsal import forget_old_world
from config.embedded.released import is_released, note_released
from config.embedded.startup import Servers, start_servers
from config.embedded.supervision import supervised

DEFAULT_PORT = "8000"
DEMO_PORT = "8010"  # beside a running `make run`
# DEBUG shows settings and code on an error page: not for the network to reach.
DEFAULT_HOST = "127.0.0.1"
EVERYWHERE = "0.0.0.0"  # noqa: S104 (recognised, never the default)
# Lines of the Procfile that are steps, run to their end: `release` before anything is served, in a rehearsal `demo`
# after it; `local` while web starts and before anything works on the same data. The last two are only ours.
STEP_LINES = ("release", "demo", "local")
SECONDS_TO_ANSWER = 120
# A terminal is read while it is written: what goes well is not told there.
QUIET_LEVEL = "warning"
CHANGE_PASSWORD = f'make manage ARGS="changepassword {USERNAME}"'
# A newcomer waits for an instance that is on its way out, and gives one that was just killed time to say so.
SECONDS_TO_LEAVE = 30.0
SECONDS_TO_NOTICE = 1.0


def run_stack(project: Project) -> int:
    """Run everything in the foreground; 0 when the user ended it, 1 when something failed."""
    processes = read_procfile(project.root / "Procfile")
    if "web" not in processes:
        raise EmbeddedError("The Procfile has no `web` line, so there is nothing to serve.")
    lock = InstanceLock.of(project)
    _own(lock)
    settings = configured(project)
    host = settings.get("HOST", DEFAULT_HOST)
    port = free_port(
        host, settings.get("PORT", DEMO_PORT if project.rehearsal else DEFAULT_PORT), project.command
    )
    quiet = sys.stdout.isatty() and "LOG_LEVEL" not in settings
    run = _Run(project, processes, lock, to_stdout(tuple(processes)), host, port, quiet)
    with supervised(run.output, lambda: run.publish("stopping")) as children:
        return run.to_the_end(children)


def _own(lock: InstanceLock) -> None:
    """Take the lock; raises EmbeddedError where another process keeps it."""
    began = time.monotonic()
    while not lock.owner.try_exclusive():
        instance = lock.instance()
        leaving = instance is not None and instance.phase == "stopping"
        if time.monotonic() - began > (SECONDS_TO_LEAVE if leaving else SECONDS_TO_NOTICE):
            raise EmbeddedError(_refusal(instance))
        time.sleep(0.05)


def _refusal(instance: Instance | None) -> str:
    if instance is None:
        return "Another process is using the servers of this folder; try again when it has ended."
    if not instance.url:
        return f"A command (process {instance.pid}) uses this folder's servers; try again when it has ended."
    return f"Already running at {instance.url} (process {instance.pid}): stop that one first (Ctrl-C there)."


def free_port(host: str, text: str, command: str = "make run") -> int:
    """The port as a number; raises EmbeddedError where it is none, is taken or may not be opened on the host."""
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise EmbeddedError(f"PORT must be a number from 1 to 65535, not {text!r}.")
    port = int(text)
    for address in (EVERYWHERE, host):  # macOS lets the first succeed beside a server on the second
        with socket.socket() as candidate:
            candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                candidate.bind((address, port))
            except OSError as error:
                raise EmbeddedError(_port_trouble(host, port, error, command)) from None
    return port


def _port_trouble(host: str, port: int, error: OSError, command: str) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return (
            f"HOST must be an IPv4 address of this machine, not {host!r}: "
            f"{DEFAULT_HOST} for this machine alone, {EVERYWHERE} for every network that reaches it."
        )
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program: stop it, or choose one with `{command} PORT=8001`."
    return f"Port {port} cannot be opened ({error.strerror}): choose another one with `{command} PORT=8001`."


@dataclass
class _Run:
    """One run of the Procfile."""

    project: Project
    processes: dict[str, str]
    lock: InstanceLock
    output: Output
    host: str
    port: int
    quiet: bool = False  # on a terminal, unless LOG_LEVEL says what is wanted there
    unseen_password: str | None = None

    @property
    def url(self) -> str:
        return f"http://{'localhost' if self.reachable_host == DEFAULT_HOST else self.host}:{self.port}"

    @property
    def reachable_host(self) -> str:
        """Where the web process is reached from this machine."""
        return DEFAULT_HOST if self.host == EVERYWHERE else self.host

    def publish(
        self, phase: Literal["starting", "ready", "stopping"], servers: Servers | None = None
    ) -> None:
        addresses = servers.addresses if servers else {}
        self.lock.publish(Instance(os.getpid(), phase, self.url, addresses))

    def to_the_end(self, children: Children) -> int:
        """Start everything and stay until the user (0) or a failure (1) ends it; the caller stops it all."""
        try:
            self.start(children)
            children.wait(lambda: False)
        except StopRequested:
            self.output.say("Stopping …")
            if self.quiet:
                self.output.hush()
            return 0
        except EmbeddedError as error:
            self.output.say(str(error))
        finally:
            self._show_password()
        return 1

    def start(self, children: Children) -> None:
        """Servers and, where something changed, release steps; web and, while it starts, what a newcomer needs; then
        everything else."""
        self.publish("starting")
        if self.project.rehearsal:
            forget_old_world(self.project, settle(self.project), self.output.say)
        self.output.say("Starting the servers …")
        servers = start_servers(self.project, children, self.output.say)
        environment = self._environment(servers)
        self.publish("ready", servers)
        has_changed = not is_released(self.project, servers, environment)
        if has_changed:
            self._steps("release", children, environment)
        admin = self._begin_admin(servers, children, environment)
        if has_changed and self.project.rehearsal:
            self._steps("demo", children, environment, quiet=False)
        self.output.say("Starting web …")
        self._start(children, "web", environment)
        if has_changed:
            if not self.project.rehearsal:  # whose world has all of it already
                self._steps("local", children, environment)
            note_released(self.project, servers, environment)
        self._finish_admin(admin, servers, children, environment)
        self._require_answer(children)
        for name in self.processes:
            if name not in (*STEP_LINES, "web"):
                self._start(children, name, environment)
        self._welcome()

    def _environment(self, servers: Servers) -> dict[str, str]:
        generated = write_env_file(self.project, servers.addresses)
        hosts = f"{generated['ALLOWED_HOSTS']},{self.reachable_host}"
        environment = for_children(self.project, {**generated, "ALLOWED_HOSTS": hosts, "BASE_URL": self.url})
        if self.quiet:
            environment["LOG_LEVEL"] = QUIET_LEVEL
        return {**environment, "HOST": self.host, "PORT": str(self.port)}

    def _steps(
        self, name: str, children: Children, environment: Mapping[str, str], *, quiet: bool | None = None
    ) -> None:
        """One line of steps, each after the other; raises EmbeddedError at the first that fails."""
        quiet = self.quiet if quiet is None else quiet
        for step in steps(self.processes.get(name, "true")):
            self.output.say(f"{name.capitalize()}: {step} …")
            program = self._program(name, step, environment, STEP_STOP)
            child = children.run(replace(program, quiet=quiet))
            if child.status != 0:
                for line in child.tail if quiet else ():
                    self.output.line(name, line)
                raise EmbeddedError(f"`{step}` failed ({describe(child)}); its last lines are above.")

    def _begin_admin(
        self, servers: Servers, children: Children, environment: Mapping[str, str]
    ) -> Child | None:
        """The password is kept before the account has it: whatever ends this start meanwhile, it is shown."""
        password = self.unseen_password = first_password(self.project, servers, environment)
        return create_first_admin(password, self.project, children, environment) if password else None

    def _finish_admin(
        self, child: Child | None, servers: Servers, children: Children, environment: Mapping[str, str]
    ) -> None:
        if child is None:
            return
        children.wait(lambda: child.status is not None)
        if not has_password(child, self.project, servers, environment):
            self.unseen_password = None

    def _require_answer(self, children: Children) -> None:
        """Wait until web answers; raises EmbeddedError when it does not."""
        if not children.wait(WebProbe(self.reachable_host, self.port).answered, SECONDS_TO_ANSWER):
            raise EmbeddedError(f"web has not answered on port {self.port} for {SECONDS_TO_ANSWER} seconds.")

    def _start(self, children: Children, name: str, environment: Mapping[str, str]) -> None:
        program = self._program(name, self.processes[name], environment, APPLICATION_STOP)
        children.vital.append(children.start(program))

    def _program(
        self, name: str, command: str, environment: Mapping[str, str], stop_signals: Sequence[signal.Signals]
    ) -> Program:
        return Program(name, shell_command(command), environment, self.project.root, stop_signals)

    def _welcome(self) -> None:
        self.output.say(f"Ready: {self.url}")
        self.output.say(f"Ask:   {self.url}/ask")
        forgotten = "" if self.project.rehearsal else f" (a forgotten password: {CHANGE_PASSWORD})"
        self.output.say(f"Admin: {self.url}/admin/{forgotten}")
        self._show_password()
        self.output.say("Ctrl-C stops everything.")

    def _show_password(self) -> None:
        if self.unseen_password is not None:
            self.output.say(f"Admin login, shown this once: {USERNAME} / {self.unseen_password}")
            self.unseen_password = None
