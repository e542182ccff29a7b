"""No address of our own network is ever connected to, however it is written (R5)."""

import socket
import threading
from collections.abc import Callable, Iterator
from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.sources.errors import SourceError
from knowledge.sources.http.addresses import is_public, system_resolver
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay

MakeHttp = Callable[..., HttpClient]

PRIVATE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "::ffff:0:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
NAT64 = ip_network("64:ff9b::/96")
PUBLIC = ["1.1.1.1", "8.8.8.8", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]

# What a hostile feed or redirect would write. {port} is where something of ours listens.
HOSTILE = [
    "http://127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/",
    "https://127.0.0.1/",
    "https://localhost:{port}/",
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST:443/",
    "https://0.0.0.0/",
    "https://0/",
    "https://[::1]/",
    "https://[::1]:{port}/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[0:0:0:0:0:ffff:127.0.0.1]/",
    "https://[fe80::1%25lo]/",
    "https://[fe80::1%lo]/",
    "https://[fc00::1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://2130706433/",
    "https://2130706433:{port}/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://0177.0.0.01/",
    "https://127.1/",
    "https://127.0.1/",
    "https://127.0.0.1./",
    "https://127.000.000.001/",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://①②⑦.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://10.0.0.1/",
    "https://192.168.0.1/",
    "https://172.16.0.1/",
    "https://user@127.0.0.1/",
    "https://news.example@127.0.0.1/",
    "https://news.example:443@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}@news.example/",
    "https://127.0.0.1\\@news.example/",
    "https://news.example:{port}/",
    "https://news.example:22/",
    "http://news.example/",
    "https:127.0.0.1/",
    "https:///127.0.0.1/",
    "//127.0.0.1:{port}/",
    "file:///etc/passwd",
    "file://127.0.0.1/etc/passwd",
    "gopher://127.0.0.1:{port}/_GET",
    "ftp://127.0.0.1:{port}/",
    "ws://127.0.0.1:{port}/",
    "data:text/xml,<rss/>",
    "dict://127.0.0.1:{port}/",
    "unix:///var/run/docker.sock",
    "",
    "127.0.0.1:{port}",
    "https://",
    "https://?",
    "https://[",
    "https://\x00127.0.0.1/",
    "https://127.0.0.1\r\nHost: news.example/",
]


class Listener:
    """A port of our own network that counts who knocks."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.knocks = 0
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _address = self._socket.accept()
            except OSError:
                return
            self.knocks += 1
            connection.close()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(timeout=5)


@pytest.fixture
def listener() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


@pytest.fixture
def production_http() -> HttpClient:
    """The door as production has it, with a resolver that answers every unknown name with loopback."""

    def resolver(host: str, port: int) -> list[str]:
        return ["127.0.0.1"] if host.endswith(".example") else system_resolver(host, port)

    return HttpClient(
        allow_private=False,
        user_agent="x",
        connect_seconds=0.5,
        total_seconds=1.0,
        interval_seconds=0,
        resolver=resolver,
    )


def refused(http: HttpClient, url: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        http.get(url)
    return caught.value


@pytest.mark.parametrize("text", PRIVATE)
def test_special_addresses_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_addresses_of_the_open_internet_are_public(text: str) -> None:
    assert is_public(ip_address(text))


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_public(address: object) -> None:
    checked = ip_address(str(address))
    carries_ipv4 = getattr(checked, "ipv4_mapped", None) is not None or checked in NAT64
    if not carries_ipv4 and (checked.is_private or checked.is_multicast or checked.is_reserved):
        assert not is_public(checked)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_in_ipv6_clothes_is_judged_as_itself(address: object) -> None:
    plain = ip_address(str(address))
    assert is_public(ip_address(f"::ffff:{plain}")) == is_public(plain)


@pytest.mark.parametrize("template", HOSTILE)
def test_no_hostile_address_reaches_a_listener_of_ours(
    template: str, listener: Listener, production_http: HttpClient
) -> None:
    error = refused(production_http, template.replace("{port}", str(listener.port)))
    assert error.cause in ("forbidden_address", "dns")
    assert listener.knocks == 0


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_resolves_into_our_network_is_refused(
    address: str, listener: Listener, make_http: MakeHttp
) -> None:
    http = make_http(allow_private=False, resolver=lambda host, port: [address])
    assert refused(http, "https://innocent.example/").cause == "forbidden_address"
    assert listener.knocks == 0


def test_one_private_address_among_public_ones_condemns_the_name(make_http: MakeHttp) -> None:
    http = make_http(allow_private=False, resolver=lambda host, port: ["8.8.8.8", "127.0.0.1"])
    assert refused(http, "https://mixed.example/").cause == "forbidden_address"


def test_a_name_is_looked_up_once_so_a_second_answer_cannot_rebind_it(
    replay: Replay, listener: Listener, make_http: MakeHttp
) -> None:
    """The first answer is the replay server's address; any later one would be the listener's."""
    replay.serve("/feed", b"<rss/>")
    answers = iter([["127.0.0.1"]])
    http = make_http(resolver=lambda host, port: next(answers))
    assert http.get(f"http://rebind.example:{replay.port}/feed").body == b"<rss/>"
    assert listener.knocks == 0


def test_a_name_that_rebinds_between_two_fetches_is_checked_again(make_http: MakeHttp) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    http = make_http(resolver=lambda host, port: next(answers))
    assert refused(http, "https://rebind.example:9/").cause == "refused"  # allowed, but nobody listens
    assert refused(http, "https://rebind.example:9/").cause == "forbidden_address"


@pytest.mark.parametrize("target", ["https://10.0.0.1/", "https://[fd00::1]/", "http://169.254.169.254/"])
def test_a_redirect_into_another_private_network_is_refused_even_where_loopback_is_allowed(
    target: str, replay: Replay, make_http: MakeHttp
) -> None:
    assert refused(make_http(), replay.redirect("/away", target)).cause == "forbidden_address"


def test_every_hop_of_a_redirect_is_checked(replay: Replay, listener: Listener, make_http: MakeHttp) -> None:
    """The first hop may go to loopback by its name; the name of the second one resolves to a private
    address.
    """
    names = {"first.example": "127.0.0.1", "second.example": "192.168.0.10"}
    replay.redirect("/", f"http://second.example:{listener.port}/")
    http = make_http(resolver=lambda host, port: [names[host]])
    assert refused(http, f"http://first.example:{replay.port}/").cause == "forbidden_address"
    assert listener.knocks == 0


def test_production_refuses_loopback_that_tests_may_reach(replay: Replay, make_http: MakeHttp) -> None:
    url = replay.serve("/feed", b"<rss/>")
    assert make_http().get(url).body == b"<rss/>"
    assert refused(make_http(allow_private=False), url).cause == "forbidden_address"
    assert replay.count("/feed") == 1
