"""Tests reach nothing but this machine, and the block itself works."""

import socket

import pytest
from pytest_socket import SocketConnectBlockedError


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
@pytest.mark.parametrize("address", ["192.0.2.1", "8.8.8.8"])
def test_a_connection_to_the_world_is_refused(address: str) -> None:
    with pytest.raises(SocketConnectBlockedError), socket.socket() as outgoing:
        outgoing.connect((address, 80))


def test_a_connection_to_this_machine_is_not() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with socket.create_connection(server.getsockname(), timeout=5) as client:
            assert client.getpeername() == server.getsockname()
