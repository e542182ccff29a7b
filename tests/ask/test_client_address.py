"""Whose question it is, with every way in which an address can be written or forged."""

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from ask.client_address import UNKNOWN, client_address

PROXY = "10.0.0.9"


def seen(forwarded: str | None = None, *, connected: str = "203.0.113.7") -> str:
    extra = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=connected, **extra))


@pytest.mark.parametrize(
    "forwarded", [None, "", "198.51.100.1", "198.51.100.1, 198.51.100.2", "::1", "unknown", "\x00"]
)
def test_without_proxies_nothing_a_client_writes_is_believed(settings: Settings, forwarded: str) -> None:
    settings.TRUSTED_PROXY_COUNT = 0
    assert seen(forwarded) == "203.0.113.7"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "6.6.6.6, 198.51.100.1", "198.51.100.1"),
        (1, "6.6.6.6,7.7.7.7,198.51.100.1", "198.51.100.1"),
        (2, "6.6.6.6, 198.51.100.1, 10.0.0.8", "198.51.100.1"),
        (2, "198.51.100.1, 10.0.0.8", "198.51.100.1"),
    ],
)
def test_hops_are_counted_from_the_right(
    settings: Settings, proxies: int, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    assert seen(forwarded, connected=PROXY) == address


@pytest.mark.parametrize("forwarded", [None, "", "198.51.100.1", " , "])
def test_fewer_hops_than_proxies_leave_the_connection(settings: Settings, forwarded: str | None) -> None:
    settings.TRUSTED_PROXY_COUNT = 2
    assert seen(forwarded, connected=PROXY) == PROXY


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("198.51.100.1:4711", "198.51.100.1"),
        ("[2001:db8:1:2::5]:443", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::5]", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("::FFFF:C633:6401", "198.51.100.1"),
        ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_an_address_is_read_as_proxies_write_it(settings: Settings, written: str, address: str) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    assert seen(written, connected=PROXY) == address
    assert seen(connected=written) == address


def test_two_clients_of_a_dual_stack_socket_are_two() -> None:
    assert seen(connected="::ffff:198.51.100.1") != seen(connected="::ffff:198.51.100.2")


def test_a_household_is_one_and_its_neighbour_another() -> None:
    mine = seen(connected="2001:db8:1:2::5")
    assert mine == seen(connected="2001:db8:1:2:ffff:ffff:ffff:ffff")
    assert mine != seen(connected="2001:db8:1:3::5")


@pytest.mark.parametrize(
    "junk", ["unknown", "1.2.3", "999.1.1.1", "01.2.3.4", "a,b", "'; DROP", "1" * 5000, "::gg", "[", "한글"]
)
def test_a_hop_that_is_no_address_leaves_the_connection(settings: Settings, junk: str) -> None:
    settings.TRUSTED_PROXY_COUNT = 1
    assert seen(junk, connected=PROXY) == PROXY


@pytest.mark.parametrize("connected", ["", "unix:", "/run/socket"])
def test_a_unix_socket_has_a_bucket_of_its_own(connected: str) -> None:
    assert seen(connected=connected) == UNKNOWN


@given(forwarded=st.text(max_size=60), connected=st.text(max_size=30))
def test_nothing_that_is_written_there_raises(forwarded: str, connected: str) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=connected, HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request)
