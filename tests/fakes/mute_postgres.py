"""A Postgres that lets everybody in and then answers empty queries, hangs up, or says nothing, as it is told."""

import socketserver
import struct
import threading
from typing import Any, Literal

import psycopg

Manner = Literal["answers", "silent", "hangs up"]

PROTOCOL_3 = 196608
# AuthenticationOk, the one parameter without which psycopg does not go on, ReadyForQuery.
WELCOME = b"R\0\0\0\x08\0\0\0\0S\0\0\0\x19client_encoding\0UTF8\0Z\0\0\0\x05I"
EMPTY_QUERY_RESPONSE = b"I\0\0\0\x04Z\0\0\0\x05I"


class MutePostgres(socketserver.ThreadingTCPServer):
    """Listens on loopback from ``with`` to its end; ``manner`` holds for every connection and may change."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.manner: Manner = "answers"
        self.accepted = 0

    def __enter__(self) -> "MutePostgres":
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.shutdown()
        self.server_close()

    def connect(self) -> psycopg.Connection[Any]:
        """A connection to it, as the pool holds them."""
        host, port = self.server_address
        address = f"host={host!s} port={port} user=someone dbname=any sslmode=disable gssencmode=disable"
        return psycopg.connect(address, autocommit=True)


class _Session(socketserver.StreamRequestHandler):
    server: MutePostgres

    def handle(self) -> None:
        length, _protocol = struct.unpack("!II", self.rfile.read(8))
        self.rfile.read(length - 8)
        self.server.accepted += 1
        self.wfile.write(WELCOME)
        while header := self.rfile.read(5):
            kind, length = struct.unpack("!cI", header)
            self.rfile.read(length - 4)
            if kind == b"X" or self.server.manner == "hangs up":
                return
            if self.server.manner == "answers":
                self.wfile.write(EMPTY_QUERY_RESPONSE)
