"""Which network addresses a crawl may connect to.

A page can link to `http://127.0.0.1/` or to a name that resolves to it. Addresses that are not
public are refused after resolution, at the moment of connecting, so that a name which resolves to
another address the second time gains nothing. A configured proxy is the user's own choice: it may
be private, and it resolves the names.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingHostnameResolver
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.interfaces import IAddress, IHostResolution, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
logger = logging.getLogger(__name__)

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_DNS_CACHE_SIZE = 10_000


class PrivateAddressError(IgnoreRequest):
    """A host is, or resolves to, an address that is not public; `host` and `address` say which."""

    def __init__(self, host: str, address: str) -> None:
        super().__init__(
            f"private address {address} of host {host!r}; "
            "name the host in the site's private_hosts if that is meant"
        )
        self.host = host
        self.address = address


class AddressPolicy:
    """Public addresses, and those named by the user (hosts, addresses or networks)."""

    def __init__(self, private_hosts: Iterable[str]) -> None:
        self._names = {name.lower() for name in private_hosts}
        self._networks = [network for name in self._names if (network := _network(name))]

    def allow_host(self, host: str) -> None:
        """Let `host` be private too: a proxy that the user configured."""
        self._names.add(host.lower())
        if network := _network(host):
            self._networks.append(network)

    def allows(self, host: str, address: str) -> bool:
        """True if a connection to `address`, asked for as `host`, may be made.

        >>> policy = AddressPolicy(["intranet", "10.1.0.0/16"])
        >>> policy.allows("example.org", "127.0.0.1"), policy.allows("intranet", "127.0.0.1")
        (False, True)
        >>> policy.allows("example.org", "10.1.2.3"), policy.allows("example.org", "93.184.215.14")
        (True, True)
        """
        parsed = ipaddress.ip_address(address.partition("%")[0])
        inner = _embedded(parsed)
        if host.lower() in self._names:
            return True
        if any(inner in network for network in self._networks):
            return True
        return inner.is_global and not inner.is_multicast

    def check_literal(self, host: str) -> None:
        """PrivateAddressError if `host` is an address, or `localhost`, that may not be asked."""
        name = host.lower().rstrip(".")
        if name == "localhost" or name.endswith(".localhost"):
            address = "127.0.0.1"
        else:
            try:
                address = str(ipaddress.ip_address(host))
            except ValueError:
                return
        if not self.allows(host, address):
            raise PrivateAddressError(host, address)


@implementer(IResolutionReceiver)
class _FilteringReceiver:
    """Passes on the addresses that the policy allows."""

    def __init__(self, receiver: Any, host: str, guard: AddressGuard) -> None:
        self._receiver = receiver
        self._host = host
        self._guard = guard

    def resolutionBegan(self, resolution: IHostResolution) -> None:
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:
        if self._guard.policy.allows(self._host, address.host):
            self._receiver.addressResolved(address)
        else:
            self._guard.refused[self._host] = address.host

    def resolutionComplete(self) -> None:
        self._receiver.resolutionComplete()


class _GuardedResolver(CachingHostnameResolver):
    """Scrapy's caching resolver of IPv4 and IPv6 names, behind the policy."""

    def __init__(self, reactor: Any, guard: AddressGuard) -> None:
        super().__init__(reactor, _DNS_CACHE_SIZE)
        self._guard = guard

    def resolveHostName(
        self,
        resolutionReceiver: IResolutionReceiver,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[IAddress]] | None = None,
        transportSemantics: str = "TCP",
    ) -> IHostResolution:
        receiver: Any = _FilteringReceiver(resolutionReceiver, hostName, self._guard)
        return super().resolveHostName(
            receiver, hostName, portNumber, addressTypes, transportSemantics
        )


class AddressGuard:
    """Downloader middleware that keeps a crawl on public addresses.

    Stands after HttpProxyMiddleware, so that it knows whether a request goes through a proxy.
    """

    def __init__(self, policy: AddressPolicy) -> None:
        self.policy = policy
        self.refused: dict[str, str] = {}
        """Hosts that resolved to a private address, with the address."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        # `scrapy fetch` and `scrapy shell` may run without a site.
        site = getattr(crawler.spidercls, "site", None)
        guard = cls(AddressPolicy(site.private_hosts if site else ()))
        crawler.signals.connect(guard.install, signals.engine_started)
        crawler.signals.connect(guard.restore, signals.engine_stopped)
        return guard

    def install(self) -> None:
        """Resolve names through the policy while the crawl runs."""
        from twisted.internet import reactor

        self._reactor: Any = reactor
        self._before = self._reactor.nameResolver
        _GuardedResolver(reactor, self).install_on_reactor()

    def restore(self) -> None:
        """Give the reactor its own resolver back."""
        self._reactor.installNameResolver(self._before)

    def process_request(self, request: Request) -> None:
        """Refuse addresses written in the URL; let a proxy be private."""
        proxy = request.meta.get("proxy")
        if proxy:
            self.policy.allow_host(urlsplit(proxy).hostname or "")
        self.policy.check_literal(urlparse_cached(request).hostname or "")

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Say what a failed resolution really was."""
        host = urlparse_cached(request).hostname or ""
        if host in self.refused and not isinstance(exception, IgnoreRequest):
            raise PrivateAddressError(host, self.refused[host]) from exception


def _network(name: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(name)
    except ValueError:
        return None


def _embedded(address: IpAddress) -> IpAddress:
    """The IPv4 address that an IPv6 address only wraps, else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
