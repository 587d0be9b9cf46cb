"""`scrapy text FILE | URL`: all text of pages, without tags."""

from __future__ import annotations

import argparse
import codecs
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request, Spider
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.command import EXIT_CODES, fail
from crawler.exitcodes import EXIT_FAILED

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings


class Command(ScrapyCommand):
    """Pages in, their text out; no pattern is needed."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def syntax(self) -> str:
        return "<FILE | URL | -> ... [options]"

    def short_desc(self) -> str:
        return "Print all text of pages, a line for each block"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--charset", type=_codec, help="encoding of pages that declare none (else: detected)"
        )
        parser.add_argument(
            "--encoding", type=_codec, default="utf-8", help="of the output (default: utf-8)"
        )
        parser.epilog = f"example: scrapy text saved.html http://example.com/. {EXIT_CODES}"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        unknown = [each for each in args if each.startswith("-") and each != "-"]
        if unknown:
            raise UsageError(f"unknown option {unknown[0]!r}", print_help=False)
        if not args:
            raise UsageError("expected a file, a URL, or - for stdin")
        fetched = self._fetch([each for each in args if _is_url(each)])
        for name in args:
            page = fetched.get(name) if _is_url(name) else _read(name)
            if page is None:
                self.exitcode = fail(f"{name}: not read", EXIT_FAILED)
            else:
                self._print(*page, opts)

    def _print(self, body: bytes, content_type: str | None, opts: argparse.Namespace) -> None:
        from crawler.html import detect_charset
        from extractor.pagetext import page_text

        charset = detect_charset(body, content_type, opts.charset).name
        text = page_text(body, charset) + "\n"
        sys.stdout.buffer.write(text.encode(opts.encoding, "replace"))
        sys.stdout.flush()

    def _fetch(self, urls: list[str]) -> dict[str, Page]:
        """URL -> the page that came; those that did not come are missing."""
        if not urls:
            return {}
        assert self.crawler_process is not None
        fetched: dict[str, Page] = {}
        self.crawler_process.crawl(TextSpider, urls=urls, fetched=fetched)
        self.crawler_process.start()
        return fetched


Page = tuple[bytes, str | None]
"""A body, and what the server says of its type."""


class TextSpider(Spider):
    """Fetches single pages that a user names; what the project does with sites is off."""

    name = "text"

    def __init__(self, urls: list[str], fetched: dict[str, Page]) -> None:
        super().__init__()
        self._urls = urls
        self._fetched = fetched

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        names = ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS", "ITEM_PIPELINES")
        off: dict[str, Any] = {name: {} for name in names}
        off |= {"AUTOTHROTTLE_ENABLED": False, "HTTPERROR_ALLOW_ALL": False}
        settings.setdict(off, priority="spider")

    async def start(self) -> AsyncIterator[Any]:
        for url in dict.fromkeys(self._urls):
            yield Request(url, cb_kwargs={"asked": url})

    def parse(self, response: Response, asked: str = "") -> Iterator[Any]:
        content_type = response.headers.get("Content-Type")
        kind = content_type.decode("latin-1") if content_type else None
        self._fetched[asked] = (response.body, kind)
        yield from ()


def _is_url(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _read(name: str) -> Page | None:
    try:
        return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()), None
    except OSError:
        return None


def _codec(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        message = f"expected an encoding such as utf-8 or euc-jp, got {name!r}"
        raise argparse.ArgumentTypeError(message) from None
