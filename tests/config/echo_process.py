"""``python -m tests.config.echo_process LINE [never]``: says what it is asked twice, in place of the process that
answers questions; ends when it is asked to ``end``, or, never ready, at once."""

import os
import socket
import sys
import threading
from multiprocessing.connection import Connection

from config.front.memory import FrontResponse


def echo(connection: Connection) -> None:
    while True:
        try:
            environ, body = connection.recv()
        except EOFError:
            return
        if body == b"end":
            os._exit(0)
        client = environ.get("REMOTE_ADDR", "").encode()
        connection.send(FrontResponse(202, [(b"X-Client", client)], body + body))


if __name__ == "__main__":
    if sys.argv[2:] == ["never"]:
        sys.exit()
    with socket.socket(fileno=int(sys.argv[1])) as line:
        line.sendall(b"\0")
        while taken := socket.recv_fds(line, 1, 1)[1]:
            threading.Thread(target=echo, args=[Connection(taken[0])], daemon=True).start()
