"""What the tests of the web process share."""

from collections.abc import Iterator

import pytest

from tests.config.raw_http import Server


@pytest.fixture(scope="session")
def own_server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def server(own_server: Server) -> Server:
    own_server.lines.said.clear()
    return own_server
