"""``python -m benchmarks.bare_loop BYTES``: an event loop that says the same to whatever it is asked; prints its port.

The least that a server in Python does: what processes that compute cost its readers, they cost those of any other.
"""

import asyncio
import sys
from typing import cast

import uvloop


class Constant(asyncio.Protocol):
    """Of requests without bodies, each in one piece."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's does not say that it is one

    def data_received(self, _data: bytes) -> None:
        self._transport.write(self._answer)


async def serve(size: int) -> None:
    answer = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size + b"x" * size
    server = await asyncio.get_running_loop().create_server(lambda: Constant(answer), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
