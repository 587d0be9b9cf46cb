"""A site of any number of pages, made as they are asked for, and its server.

Its pages are of a usual size: 23 KB and 46 links in the median of the 35 real sites that the other
benchmarks measure. They are numbered: first the lists, a tree in which each names ten others and
thirty articles of its own, then the articles. The frame of all pages is the same, as on real sites,
so most links lead to pages that are known.

The server does little more than write: it should cost the crawls that are compared nothing.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from typing import Any

ARTICLES_OF_LIST = 30
LISTS_OF_LIST = 10
HOST = "127.0.0.1"

_NUMBER = re.compile(r"(\d+)/$")
_WORDS = """
    harbour lantern ferry council market winter engine letter garden bridge station morning paper
    island teacher window river captain village summer kitchen museum street engineer ticket
    the a of and to in for with from over under after before between against about
    opened closed carried found repaired promised measured counted painted answered followed
""".split()
_TOPICS = "Town Harbour Weather Sport Schools Trains Gardens Letters Music Markets Boats Books"
_STYLE = "\n".join(
    f".c{n} {{ margin: {n}px auto; padding: {n % 7}px; color: #{n * 7919 % 0xFFFFFF:06x}; }}"
    for n in range(90)
)
_SCRIPT = "\n".join(f'window.conf["{n:x}"] = {{"id": {n * n}, "lazy": true}};' for n in range(60))

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - The Big Site</title>
<link rel="stylesheet" href="/style.css"><style>
{style}
</style><script>
{script}
</script></head><body>
<header class="top"><a class="logo" href="/">The Big Site</a><nav><ul>{topics}</ul></nav></header>
<div class="page"><main>
{main}
</main><aside class="side"><h3>Most read</h3><ol>{latest}</ol></aside></div>
<footer><p>Printed every morning since 1921.</p><ul>{foot}</ul></footer>
</body></html>"""

_ARTICLE = """<article class="story"><h1>{title}</h1>
<p class="meta">By <span class="author">{author}</span> on <time>{date}</time></p>
<div class="story-text">
{text}
</div>
<div class="pager">{pager}</div></article>
<section class="more"><h2>More of this</h2><ul>{related}</ul></section>
<section class="talk"><h2>Comments</h2>{comments}</section>"""

_TEASER = '<div class="teaser"><h2><a href="{url}">{title}</a></h2><p>{text}</p></div>'


def _sentences() -> list[str]:
    chance = random.Random("sentences")
    drawn = (chance.choices(_WORDS, k=chance.randint(8, 20)) for _ in range(4000))
    return [" ".join(words).capitalize() + "." for words in drawn]


@dataclass(frozen=True)
class BigSite:
    """A site of `n_pages` pages; the same number gives the same bytes."""

    n_pages: int

    @property
    def n_lists(self) -> int:
        """How many of the pages are lists; the first of them is the home page."""
        return -(-self.n_pages // (ARTICLES_OF_LIST + 1))

    def path(self, number: int) -> str:
        """The path of a page."""
        if number < self.n_lists:
            return f"/list/{number}/" if number else "/"
        return f"/news/{number % 12 + 1:02d}/story-{number}/"

    def body(self, path: str) -> bytes | None:
        """The page at a path; None if there is none."""
        found = _NUMBER.search(path)
        number = int(found[1]) if found else 0
        if number >= self.n_pages or self.path(number) != path:
            return None
        page = self._list(number) if number < self.n_lists else self._article(number)
        return page.encode()

    def title(self, number: int) -> str:
        """The title of an article: that of its page, and the text of the links to it."""
        words = random.Random(number).choices(_WORDS, k=5)
        return f"{' '.join(words).capitalize()} {number}"

    def _list(self, number: int) -> str:
        first = self.n_lists + number * ARTICLES_OF_LIST
        chance = random.Random(f"list {number}")
        teasers = [
            _TEASER.format(
                url=self.path(n), title=self.title(n), text=" ".join(self._some(chance, 2))
            )
            for n in range(first, min(first + ARTICLES_OF_LIST, self.n_pages))
        ]
        start = LISTS_OF_LIST * number + 1
        older = range(start, min(start + LISTS_OF_LIST, self.n_lists))
        links = "".join(self._item(n, f"Archive {n}") for n in older)
        return self._page(f"Archive {number}", "\n".join(teasers) + f"<ul>{links}</ul>")

    def _article(self, number: int) -> str:
        chance = random.Random(number)
        title = self.title(number)
        near = [n for n in (number - 1, number + 1) if self.n_lists <= n < self.n_pages]
        comments = "".join(
            f'<div class="comment c{n}"><b>Reader {chance.randint(1, 99)}</b>'
            f"<p>{' '.join(self._some(chance, 2))}</p></div>"
            for n in range(chance.randint(2, 8))
        )
        paragraphs = (" ".join(self._some(chance, 6)) for _ in range(chance.randint(8, 16)))
        main = _ARTICLE.format(
            title=title,
            author=f"Ann {chance.choice(_WORDS).capitalize()}",
            date=f"{chance.randint(1, 28)} May {chance.randint(2001, 2025)}",
            text="\n".join(f"<p>{text}</p>" for text in paragraphs),
            pager=" ".join(f'<a href="{self.path(n)}">{self.title(n)}</a>' for n in near),
            related="".join(
                self._item(n, self.title(n))
                for n in chance.choices(range(self.n_lists, self.n_pages), k=10)
            ),
            comments=comments,
        )
        return self._page(title, main)

    def _page(self, title: str, main: str) -> str:
        return self._frame[0] + title + self._frame[1] + main + self._frame[2]

    @cached_property
    def _frame(self) -> tuple[str, str, str]:
        """What stands on every page before its title, between that and its content, and after."""
        topics = enumerate(_TOPICS.split())
        latest = range(self.n_lists, min(self.n_lists + 10, self.n_pages))
        whole = _PAGE.format(
            title="\0",
            main="\0",
            style=_STYLE,
            script=_SCRIPT,
            topics="".join(self._item(n % self.n_lists, name) for n, name in topics),
            latest="".join(self._item(n, self.title(n)) for n in latest),
            foot="".join(self._item(n % self.n_lists, f"Part {n}") for n in range(11)),
        )
        before, between, after = whole.split("\0")
        return before, between, after

    def _item(self, number: int, text: str) -> str:
        return f'<li class="item"><a href="{self.path(number)}">{text}</a></li>'

    def _some(self, chance: random.Random, count: int) -> list[str]:
        return chance.choices(self._all_sentences, k=count)

    @cached_property
    def _all_sentences(self) -> list[str]:
        return _sentences()


@dataclass(frozen=True, slots=True)
class ServedBigSite:
    """A site that is being served by another process."""

    site: BigSite
    port: int
    _served: Any

    @property
    def url(self) -> str:
        """The home page."""
        return f"http://{HOST}:{self.port}/"

    @property
    def n_served(self) -> int:
        """Pages served so far."""
        return int(self._served.value)


@contextmanager
def serve(site: BigSite) -> Iterator[ServedBigSite]:
    """Serve a site from a process of its own, on a free port of loopback."""
    context = get_context("spawn")
    served, (here, there) = context.Value("Q", 0), context.Pipe()
    process = context.Process(target=_serve, args=(site, served, there), daemon=True)
    process.start()
    there.close()  # so that waiting for a server that died is an error
    try:
        yield ServedBigSite(site, here.recv(), served)
    finally:
        process.terminate()
        process.join()


def _serve(site: BigSite, served: Any, port: Any) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Connection(site, served), HOST, 0)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


class _Connection(asyncio.Protocol):
    """HTTP/1.1 as far as a crawler needs it: GET without a body, connections kept open."""

    def __init__(self, site: BigSite, served: Any) -> None:
        self._site = site
        self._served = served
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *requests, self._received = (self._received + data).split(b"\r\n\r\n")
        for request in requests:
            path = request.split(b" ", 2)[1].decode("latin-1")
            body = self._site.body(path)
            self._served.value += body is not None
            status = b"404 Not Found" if body is None else b"200 OK"
            body = body or b"nothing here"
            self._transport.write(
                b"HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\n"
                b"Content-Length: %d\r\n\r\n" % (status, len(body)) + body
            )
