"""The processes of Postgres that work for this one's connections, where they are on this machine."""

import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

PEER = struct.Struct("3i")  # pid, uid and gid of a Unix socket's other end: struct ucred of unix(7)


def process_of(connection: psycopg.Connection[Any]) -> int:
    """The process of a connection's backend.

    Raises OSError where it is on another machine or in another container, where its number may be that of a process
    here, and where the connection has just ended.
    """
    backend = connection.info.backend_pid
    if _parent(backend) != _listener(connection):
        raise ProcessLookupError(f"{backend} is no process of the Postgres on this machine")
    return backend


def is_elsewhere(connection: psycopg.Connection[Any]) -> bool:
    """Whether its backend runs on another machine; False as well where the connection has just ended."""
    with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as wire:
        return wire.family != socket.AF_UNIX and wire.getpeername()[0] != wire.getsockname()[0]
    return False


def follow_niceness(connection: psycopg.Connection[Any]) -> None:
    """Have the backend of a connection come no sooner at the CPU than the calling thread, if that one has a niceness.

    Otherwise much of what workers do would be done before readers: Postgres has a priority of its own. Nothing changes
    where the backend is elsewhere, or belongs to another user and may not be told.
    """
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    if niceness > 0:
        with suppress(OSError):
            backend = process_of(connection)
            present = os.getpriority(os.PRIO_PROCESS, backend)
            os.setpriority(os.PRIO_PROCESS, backend, max(niceness, present))


def _listener(connection: psycopg.Connection[Any]) -> int | None:
    """The process that listens on the connection's Unix socket: of backends it is the parent."""
    with socket.socket(fileno=os.dup(connection.fileno())) as wire:
        if wire.family != socket.AF_UNIX:
            return None
        pid: int = PEER.unpack(wire.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size))[0]
        return pid


def _parent(pid: int) -> int:
    """Raises OSError where there is no such process."""
    # The name of the command stands in brackets before it, and may hold spaces and brackets.
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
