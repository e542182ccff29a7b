"""Whether the web process answers yet, asked over and over without ever waiting for it."""

import socket

REQUEST = b"GET /api/health HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n"


class WebProbe:
    """One request at a time to a port of this machine. Any HTTP answer counts, whatever it says."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._connection: socket.socket | None = None

    def answered(self) -> bool:
        """Ask if nothing is being asked; True once an answer begins to arrive."""
        try:
            if self._connection is None:
                self._connection = self._ask()
            answer = self._connection.recv(16)
        except BlockingIOError:
            return False
        except OSError:
            answer = b""
        self._hang_up()
        return answer.startswith(b"HTTP/")

    def _ask(self) -> socket.socket:
        connection = socket.create_connection((self._host, self._port), timeout=1)
        connection.sendall(REQUEST % self._port)
        connection.setblocking(False)
        return connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
