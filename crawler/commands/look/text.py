"""`scrapy text FILE | URL`: all text of pages, without tags."""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request, Spider
from scrapy.exceptions import UsageError

from crawler.command import ProjectCommand, fail, reported, text_encoding
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure


class Command(ProjectCommand):
    """Pages in, their text out; no pattern is needed."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    examples = """\
  scrapy text saved.html http://example.com/
"""

    def syntax(self) -> str:
        return "<FILE | URL | -> ... [options]"

    def short_desc(self) -> str:
        return "Print all text of pages, a line for each block"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--charset",
            type=text_encoding,
            help="encoding of pages that declare none (else: detected)",
        )
        parser.add_argument(
            "--encoding", type=text_encoding, default="utf-8", help="of the output (default: utf-8)"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise UsageError("expected a file, a URL, or - for stdin")
        self.exitcode = reported(lambda: self._print_all(args, opts))

    def _print_all(self, names: list[str], opts: argparse.Namespace) -> int:
        exit_code = EXIT_OK
        fetched = self._fetch([each for each in names if _is_url(each)])
        for name in names:
            page = fetched[name] if _is_url(name) else _read(name)
            if isinstance(page, str):
                exit_code = fail(f"{name}: not read: {page}", EXIT_FAILED)
            else:
                self._print(*page, opts)
        return exit_code

    def _print(self, body: bytes, content_type: str | None, opts: argparse.Namespace) -> None:
        from crawler.reading.html import detect_charset
        from extractor.webstemmer.plain_text import page_text

        charset = detect_charset(body, content_type, opts.charset).name
        text = page_text(body, charset) + "\n"
        sys.stdout.buffer.write(text.encode(opts.encoding, "replace"))
        sys.stdout.flush()

    def _fetch(self, urls: list[str]) -> dict[str, Page | str]:
        """URL -> the page that came, or why it did not."""
        if not urls:
            return {}
        assert self.crawler_process is not None
        fetched: dict[str, Page | str] = dict.fromkeys(urls, "not asked for")
        self.crawler_process.crawl(TextSpider, urls=urls, fetched=fetched)
        self.crawler_process.start()
        return fetched


Page = tuple[bytes, str | None]
"""A body, and what the server says of its type."""


class TextSpider(Spider):
    """Fetches single pages that a user names; what the project does with sites is off."""

    name = "text"

    def __init__(self, urls: list[str], fetched: dict[str, Page | str]) -> None:
        super().__init__()
        self._urls = urls
        self._fetched = fetched

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        names = ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS", "ITEM_PIPELINES")
        off: dict[str, Any] = {name: {} for name in names}
        off |= {"AUTOTHROTTLE_ENABLED": False, "LOG_ENABLED": False}
        settings.setdict(off, priority="spider")

    async def start(self) -> AsyncIterator[Any]:
        for url in dict.fromkeys(self._urls):
            yield Request(url, errback=self.failed, cb_kwargs={"asked": url})

    def failed(self, failure: Failure) -> Iterator[Any]:
        """Note why a page did not come."""
        request: Request = failure.request  # type: ignore[attr-defined]
        self._fetched[request.cb_kwargs["asked"]] = failure.getErrorMessage()
        yield from ()

    def parse(self, response: Response, asked: str = "") -> Iterator[Any]:
        content_type = response.headers.get("Content-Type")
        kind = content_type.decode("latin-1") if content_type else None
        if response.status == 200:
            self._fetched[asked] = (response.body, kind)
        else:
            self._fetched[asked] = f"http {response.status}"
        yield from ()


def _is_url(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _read(name: str) -> Page | str:
    """A file, or why it cannot be read."""
    try:
        return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()), None
    except OSError as problem:
        return problem.strerror or str(problem)
