"""``python -m benchmarks.slow_clients HOST PORT EACH``: clients that hold connections, until its input ends; then it
prints the longest stay of each kind at the server, in seconds.

Each kind comes from an address of its own, by which the server's side is told apart: 127.0.0.2 sends its head by the
byte, one a second; .3 its body; .4 reads by the byte; .5 is silent after one answer. Who is cut off comes again.
"""

import json
import select
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from benchmarks.load import get

KINDS = {"127.0.0.2": "head", "127.0.0.3": "body", "127.0.0.4": "reader", "127.0.0.5": "idle"}
SLICES = 50  # of a second
# More than its system takes in advance, so that it is the server's process that waits for the reader.
READS = 8
CONNECTIONS = Path("/proc/net/tcp")
ENTITIES = "/api/canonical/entities.json"
HEAD = get("/about", X_Slow="a" * 900)
BODY = get("/api/ask", Content_Type="application/json", Content_Length="900").replace(b"GET", b"POST", 1)
FIRST = {
    "head": b"",
    "body": BODY,
    "reader": get(ENTITIES, Accept_Encoding="identity") * READS,
    "idle": get("/about"),
}


class Slow:
    """One client, again and again."""

    def __init__(self, host: str, port: int, source: str) -> None:
        self._address, self._source, self._kind = (host, port), source, KINDS[source]
        self._connect()

    def _connect(self) -> None:
        self._socket, self._sent = socket.socket(), 0
        if self._kind == "reader":
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self._socket.bind((self._source, 0))
        self._socket.connect(self._address)
        self._socket.sendall(FIRST[self._kind])
        self._socket.setblocking(False)
        self._ended = select.poll()
        self._ended.register(self._socket, select.POLLRDHUP)

    def step(self) -> None:
        """What it does in a second."""
        try:
            self._act()
        except BlockingIOError:
            pass  # nothing has come, or nothing more can be sent
        except OSError:
            self._again()
        if self._ended.poll(0):
            self._again()

    def _act(self) -> None:
        if self._kind == "reader":
            self._socket.recv(1)
        elif self._kind == "idle":
            self._socket.recv(1 << 16)
        else:
            rest = HEAD if self._kind == "head" else b"x" * 900
            self._socket.sendall(rest[self._sent : self._sent + 1])
            self._sent += 1

    def _again(self) -> None:
        self._socket.close()
        with suppress(OSError):
            self._connect()


class Stays:
    """How long the server held each connection; looked up once a second."""

    def __init__(self, port: int) -> None:
        self.longest = dict.fromkeys(KINDS.values(), 0.0)
        self._port = f":{port:04X}"
        self._since: dict[tuple[str, str], float] = {}

    def look(self) -> None:
        now = time.monotonic()
        held = self._held()
        self._since = {end: self._since.get(end, now) for end in held}
        for end, since in self._since.items():
            kind = KINDS[dotted(end[0])]
            self.longest[kind] = max(self.longest[kind], now - since)

    def _held(self) -> set[tuple[str, str]]:
        """The far ends of the server's connections with these clients, each with its socket's number: ports come again.

        What only the kernel still has, to send the rest of it, has none.
        """
        rows = (line.split() for line in CONNECTIONS.read_text().splitlines()[1:])
        held = ((row[2], row[9]) for row in rows if row[1].endswith(self._port) and row[9] != "0")
        return {end for end in held if dotted(end[0]) in KINDS}


def dotted(end: str) -> str:
    """An end as /proc writes it (``0200007F:C350``) as an address."""
    return ".".join(str(byte) for byte in reversed(bytes.fromhex(end.partition(":")[0])))


def main(host: str, port: int, each: int) -> None:
    clients = [Slow(host, port, source) for source in KINDS for _number in range(each)]
    stays, over = Stays(port), threading.Event()

    def listen() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=listen, daemon=True).start()
    print("ready", flush=True)
    while not over.is_set():
        began = time.monotonic()
        stays.look()
        # Strangers do not act in step.
        for at in range(SLICES):
            for client in clients[at::SLICES]:
                client.step()
            over.wait(max(0.0, began + (at + 1) / SLICES - time.monotonic()))
    print(json.dumps(stays.longest))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
