"""Header names that break the rules cost the header, not the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from twisted.web import _newclient
from twisted.web.http_headers import InvalidHeaderName

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class TolerantParser(_newclient.HTTPClientParser):
    """Twisted's parser of responses, which takes a header's name without white space around it and
    leaves out one that no name can be.

    Twisted gives up the response, though every browser shows what came with
    `Content-Type : text/html` (RFC 9112, 5.1: such white space is to be removed).
    """

    def headerReceived(self, name: bytes, value: bytes) -> None:
        try:
            super().headerReceived(name.strip(), value)  # type: ignore[no-untyped-call]
        except InvalidHeaderName:
            return


class TolerantHeaderNames:
    """Extension: all responses of this process are read so. Twisted has no setting for it."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        _newclient.HTTPClientParser = TolerantParser  # type: ignore[misc]
        return cls()
