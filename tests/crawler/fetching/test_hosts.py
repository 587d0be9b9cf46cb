"""Private addresses are refused, whatever they are written as."""

import socket
from typing import Any

import pytest

from crawler.fetching.hosts import AddressPolicy, PrivateAddressError

PRIVATE = [
    "127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "::1",
    "fe80::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    "100.64.0.1", "224.0.0.1", "255.255.255.255", "::",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not AddressPolicy([]).allows("example.org", address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_public_addresses(address: str) -> None:
    assert AddressPolicy([]).allows("example.org", address)


@pytest.mark.parametrize("named", ["127.0.0.1", "127.0.0.0/8", "local.example"])
def test_named_ones_are_allowed(named: str) -> None:
    policy = AddressPolicy([named])
    assert policy.allows("local.example", "127.0.0.1")
    assert not policy.allows("other.example", "10.0.0.1")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "LOCALHOST.", "a.localhost"])
def test_literal_hosts(host: str) -> None:
    with pytest.raises(PrivateAddressError):
        AddressPolicy([]).check_literal(host)
    AddressPolicy([]).check_literal("example.org")


def test_odd_spellings_resolve_to_what_is_refused() -> None:
    # These pass as names; the resolver turns them into an address, which is judged.
    for spelling in ("2130706433", "0x7f.1", "0177.0.0.1", "127.1"):
        AddressPolicy([]).check_literal(spelling)
        resolved: Any = socket.getaddrinfo(spelling, 80)[0][4]
        assert not AddressPolicy([]).allows(spelling, resolved[0])
