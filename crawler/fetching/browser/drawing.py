"""`Browser`: pages in, what Chromium made of them out.

The browser reaches no network. Each request of a page is handed to the caller's `Answers`: a table
of stored bodies, or a crawl, which then holds its robots.txt, pauses, limits and guarded hosts for
what a page loads as for the page itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Self

from crawler.fetching.browser.answers import Answers
from crawler.fetching.browser.capture import take_picture, take_snapshot
from crawler.fetching.browser.launch import BrowserMissingError, start_chromium, start_problem
from crawler.fetching.browser.tab import VIEWPORT, Limits, RenderingError, Tab

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium

logger = logging.getLogger(__name__)

PAGES_OF_A_TAB = 50
"""Pages that one tab draws before it is replaced, with all that they left in it. Origin: guess."""

SECONDS_TO_CLOSE = 5.0
"""After which a tab that does not close is given up, and Chromium with it. Origin: guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A page as it was drawn."""

    url: str
    """As asked for."""
    html: str
    """The document after its scripts, as HTML."""
    snapshot: bytes
    """Gzip'd JSON of its DOM snapshot; `learner.vision.snapshots` reads it."""
    picture: bytes | None
    """The whole page as JPEG; None if none was asked for."""
    viewport: tuple[int, int]
    """Width and height of the window in pixels."""
    styled: bool
    """Whether its style sheets were there, half of those that it asks for or at least 4,000 bytes;
    without them its boxes mean nothing."""
    loaded_bytes: int
    """Of all that it loaded, the document included."""
    refused: dict[str, int]
    """Requests that were not answered, by kind."""
    seconds: float
    """How long it took."""


class Browser:
    """One Chromium and its tabs; an asynchronous context manager.

    `at_once` pages are drawn side by side. With `settles` a page gets time for its scripts and is
    scrolled to its end, else it counts as complete as soon as it is loaded. Entering it is
    BrowserMissingError if there is no browser.
    """

    def __init__(
        self,
        *,
        at_once: int = 1,
        settles: bool = False,
        pictures: bool = True,
        user_agent: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._settles = settles
        self._pictures = pictures
        self._user_agent = user_agent
        self._limits = limits or Limits()
        self._stack = AsyncExitStack()
        self._chromium: Chromium | None = None
        self._starting = asyncio.Lock()
        self._idle: list[Tab] = []
        self._turns = asyncio.Semaphore(at_once)

    async def __aenter__(self) -> Self:
        if problem := start_problem():
            raise BrowserMissingError(problem)
        from playwright.async_api import async_playwright

        self._playwright = await self._stack.enter_async_context(async_playwright())
        try:
            await self._running()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._chromium is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._chromium.close(), SECONDS_TO_CLOSE)
        await self._stack.aclose()

    async def render(self, url: str, answers: Answers) -> Rendered:
        """Draw a page; RenderingError if that fails or takes too long."""
        async with self._tab(url) as tab:
            began = time.perf_counter()
            load = await tab.load(url, answers, self._limits)
            if self._settles:
                await tab.settle(load)
            return Rendered(
                url=url,
                html=await tab.html(),
                snapshot=await take_snapshot(tab.session),
                picture=await take_picture(tab.session) if self._pictures else None,
                viewport=VIEWPORT,
                styled=load.is_styled,
                loaded_bytes=load.n_bytes,
                refused=dict(load.refused),
                seconds=time.perf_counter() - began,
            )

    async def load(self, url: str, answers: Answers) -> str:
        """The document of a page after its scripts, as HTML, and nothing drawn; RenderingError if
        that fails or takes too long."""
        async with self._tab(url) as tab:
            load = await tab.load(url, answers, self._limits)
            if self._settles:
                await tab.settle(load)
            return await tab.html()

    # Tabs

    @asynccontextmanager
    async def _tab(self, url: str) -> AsyncIterator[Tab]:
        """A tab for one page, in its turn; what goes wrong in it is a RenderingError."""
        from playwright.async_api import Error

        async with self._turns:
            chromium = await self._running()
            tab = self._idle.pop() if self._idle else await Tab.opened(chromium, self._user_agent)
            try:
                async with asyncio.timeout(self._limits.seconds):
                    yield tab
            except RenderingError:
                await self._put_back(tab)
                raise
            except (Error, TimeoutError) as problem:
                await self._drop(tab)
                said = str(problem).partition("\n")[0] or f"took over {self._limits.seconds:g} s"
                raise RenderingError(url, said) from problem
            except BaseException:
                await self._drop(tab)
                raise
            await self._put_back(tab)

    async def _running(self) -> Chromium:
        async with self._starting:
            if self._chromium is None or not self._chromium.is_connected():
                self._idle.clear()
                self._chromium = await start_chromium(self._playwright)
            return self._chromium

    async def _put_back(self, tab: Tab) -> None:
        if tab.n_pages < PAGES_OF_A_TAB:
            self._idle.append(tab)
        else:
            await self._drop(tab)

    async def _drop(self, tab: Tab) -> None:
        """Close a tab; where it does not close, its Chromium: the next page starts another."""
        try:
            await asyncio.wait_for(tab.context.close(), SECONDS_TO_CLOSE)
        except Exception:
            logger.warning("a tab did not close; Chromium is started anew")
            chromium, self._chromium = self._chromium, None
            if chromium is not None:
                with suppress(Exception):
                    await asyncio.wait_for(chromium.close(), SECONDS_TO_CLOSE)


Outcome = Rendered | RenderingError
"""What comes of a page."""


async def render_in_turn(
    browser: Browser, pages: Iterable[tuple[str, Answers]], at_once: int
) -> AsyncGenerator[Outcome, None]:
    """The pages in their order, `at_once` of them on their way side by side."""

    async def outcome(url: str, answers: Answers) -> Outcome:
        try:
            return await browser.render(url, answers)
        except RenderingError as problem:
            return problem

    waiting: list[asyncio.Task[Outcome]] = []
    try:
        for url, answers in pages:
            waiting.append(asyncio.ensure_future(outcome(url, answers)))
            if len(waiting) > at_once:
                yield await waiting.pop(0)
        while waiting:
            yield await waiting.pop(0)
    finally:
        for task in waiting:
            task.cancel()


def render_all(
    urls: Iterable[str], answers: Answers, *, at_once: int = 2, pictures: bool = True
) -> Iterator[Outcome]:
    """The same without asyncio, all from the same answers, as soon as they are loaded.

    BrowserMissingError if there is no browser.
    """

    async def outcomes() -> AsyncGenerator[Outcome, None]:
        async with Browser(at_once=at_once, pictures=pictures) as browser:
            async for each in render_in_turn(browser, ((url, answers) for url in urls), at_once):
                yield each

    with asyncio.Runner() as runner:
        rendering = outcomes()
        try:
            with suppress(StopAsyncIteration):
                while True:
                    yield runner.run(_next(rendering))
        finally:
            runner.run(rendering.aclose())


async def _next(rendering: AsyncIterator[Outcome]) -> Outcome:
    return await anext(rendering)
