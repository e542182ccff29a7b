"""``python -m config.embedded COMMAND …``: one command with both servers up, and its exit status."""

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from config.embedded.children import Children, Program
from config.embedded.environment import for_children, read_assignments, write_env_file
from config.embedded.errors import EmbeddedError
from config.embedded.lock import Instance, InstanceLock
from config.embedded.output import Output, to_stderr
from config.embedded.project import Project
from config.embedded.startup import start_servers, wanted
from config.embedded.supervision import supervised

SECONDS_TO_WAIT_FOR_OTHERS = 180


def run_command(project: Project, command: Sequence[str]) -> int:
    """Run it over the servers of a running instance, else over its own, and return its exit status."""
    lock, output = InstanceLock.of(project), to_stderr()
    if not wanted(project):
        return _run_over(project, output, command, _settings_without_servers(project))
    instance = _own_or_borrow(lock, output)
    if instance is None:
        return _run_as_owner(project, lock, output, command)
    return _run_over(project, output, command, _settings_of(instance, project))


def _settings_without_servers(project: Project) -> dict[str, str]:
    """Both servers are the user's own: only the rest of ``var/env`` counts; it is made if it is not there."""
    kept = read_assignments(project.var / "env") or write_env_file(project, {})
    return {name: value for name, value in kept.items() if not name.endswith("_URL")}


def _settings_of(instance: Instance, project: Project) -> dict[str, str]:
    missing = [name for name in wanted(project) if name not in instance.addresses]
    if missing:
        raise EmbeddedError(
            f"What runs from this folder (process {instance.pid}) was started with its own "
            f"{' and '.join(missing)}: set the same here, or stop it first."
        )
    return {**read_assignments(project.var / "env"), **instance.addresses}


def _own_or_borrow(lock: InstanceLock, output: Output) -> Instance | None:
    """None once the instance lock is ours; else the running instance, kept up by our share of the other."""
    deadline, told = time.monotonic() + SECONDS_TO_WAIT_FOR_OTHERS, False
    while time.monotonic() < deadline:
        if lock.owner.try_exclusive():
            return None
        if lock.users.try_shared():
            instance = lock.instance()
            if instance is not None and instance.phase == "ready":
                return instance
            lock.users.release()
        if not told and time.monotonic() > deadline - SECONDS_TO_WAIT_FOR_OTHERS + 2:
            output.say("Waiting for the servers that another process is starting or stopping …")
            told = True
        time.sleep(0.1)
    raise EmbeddedError(
        "The process that holds the servers of this folder neither starts nor stops; end it first."
    )


def _run_as_owner(project: Project, lock: InstanceLock, output: Output, command: Sequence[str]) -> int:
    lock.publish(Instance(os.getpid(), "starting"))
    with supervised(output, lambda: lock.publish(Instance(os.getpid(), "stopping"))) as children:
        servers = start_servers(project, children, output.say)
        settings = write_env_file(project, servers.addresses)
        lock.publish(Instance(os.getpid(), "ready", addresses=servers.addresses))
        status = _run(children, output, command, for_children(project, settings))
        if not lock.users.try_exclusive():
            output.say("Another command still uses these servers; they stop when it ends.")
            children.wait(lock.users.try_exclusive)
    return status


def _run_over(project: Project, output: Output, command: Sequence[str], settings: Mapping[str, str]) -> int:
    with supervised(output) as children:
        return _run(children, output, command, for_children(project, settings))


def _run(children: Children, output: Output, command: Sequence[str], environment: Mapping[str, str]) -> int:
    """The command's exit status, as a shell would give it."""
    program = Program(
        name=command[0], arguments=command, environment=environment, folder=Path.cwd(), inherit=True
    )
    try:
        child = children.start(program)
    except FileNotFoundError:
        return _unknown(output, command[0])
    except PermissionError:
        # Also what comes of a folder of PATH that this user may not enter, be the command there or not.
        if "/" not in command[0] and shutil.which(command[0], os.F_OK, environment["PATH"]) is None:
            return _unknown(output, command[0])
        output.say(f"{command[0]} cannot be run: it is not a program.")
        return 126
    children.forward_to(child)
    status = child.status or 0
    return 128 - status if status < 0 else status


def _unknown(output: Output, name: str) -> int:
    output.say(f"{name}: there is no such command.")
    return 127
