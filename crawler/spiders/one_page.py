"""`OnePageSpider`: fetches the URLs that come as lines, and answers each (`fetching.one_page`).

The first line of standard input is a site as JSON, each further one `{"number": ..., "url": ...}`.
Each answer is a line of JSON and the `n_bytes` of a body that it tells. Ends when the input does.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request

from crawler.config.sites import SiteConfig
from crawler.fetching.failures import failure_reason
from crawler.fetching.one_page import ANY_SITE
from crawler.fetching.redirects import REFUSAL
from crawler.frontier.scope import Scope
from crawler.reading.html import detect_charset
from crawler.spiders.manners import PassingSpider, run_alone
from crawler.spiders.site import response_error

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure


_NOT_HTTP = ("data", "file", "ftp", "s3")
"""What Scrapy fetches besides, files of this machine among it."""


class OnePageSpider(PassingSpider):
    """Pages that somebody asks for, one by one; nothing is stored and no link followed."""

    name = "one-page"
    custom_settings = {"DOWNLOAD_HANDLERS": dict.fromkeys(_NOT_HTTP)}  # noqa: RUF012 - as Scrapy has it
    scope: ClassVar[Scope]

    async def start(self) -> AsyncIterator[Any]:
        """A request for each line, as it comes."""
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin.buffer)
        while line := await reader.readline():
            asked = json.loads(line)
            number = {"number": asked["number"]}
            try:
                request = Request(asked["url"], errback=self.failed, cb_kwargs=number)
            except ValueError as problem:
                _answer({**number, "reason": f"not a URL: {problem}"})
            else:
                yield request

    def refuse_redirect(self, request: Request, target: str) -> str | None:
        """Why a redirect to `target` is not followed: a site's scope says so, for sites that nobody
        has configured robots.txt and the guard of addresses do."""
        refusal = None if self.site == ANY_SITE else self.scope.refusal(target)
        return f"redirect refused, {refusal}: {target}" if refusal else None

    async def parse(self, response: Response, number: int) -> None:
        """Hand out what came."""
        assert response.request is not None
        reason = response.request.meta.get(REFUSAL) or response_error(response)
        if reason:
            _answer({"number": number, "reason": reason})
            return
        said = response.headers.get("Content-Type")
        content_type = said.decode("latin-1") if said else None
        charset = detect_charset(response.body, content_type, self.site.default_charset)
        head = {
            "number": number,
            "final_url": response.url,
            "charset": charset.name,
            "content_type": content_type,
        }
        _answer(head, response.body)

    async def failed(self, failure: Failure) -> None:
        """Tell what kept a page from coming."""
        request: Request = failure.request  # type: ignore[attr-defined]
        reason = failure_reason(failure.value)
        _answer({"number": request.cb_kwargs["number"], "reason": reason})


def _answer(head: dict[str, Any], body: bytes = b"") -> None:
    line = json.dumps({**head, "n_bytes": len(body)}).encode()
    sys.stdout.buffer.write(line + b"\n" + body)
    sys.stdout.buffer.flush()


def main() -> None:
    """Fetch until the input ends."""
    site = SiteConfig.model_validate_json(_first_line())
    attributes = {"site": site, "scope": Scope.of_site(site)}
    run_alone(type("OnePage", (OnePageSpider,), attributes))


def _first_line() -> bytes:
    """The first line of the input, and nothing of the next: that is for the spider's own reader."""
    line = bytearray()
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"\n", b""):
        line += byte
    return bytes(line)


if __name__ == "__main__":
    main()
