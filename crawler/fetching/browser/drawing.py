"""`Browser`: pages in, what Chromium made of them out.

The browser reaches no network. Each request of a page is handed to the caller's `Answers`: a table
of stored bodies, or a crawl, which then holds its robots.txt, pauses, limits and guarded hosts for
what a page loads as for the page itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urldefrag

from crawler.fetching.browser.answers import Answer, Answers, Asked
from crawler.fetching.browser.capture import take_picture, take_snapshot
from crawler.fetching.browser.launch import BrowserMissingError, start_chromium, start_problem

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, CDPSession, Page, Request, Route

logger = logging.getLogger(__name__)

VIEWPORT = (1280, 1024)
"""Width and height of the window in pixels. Origin: that of the models that read the pages."""

PAGES_OF_A_TAB = 50
"""Pages that one tab draws before it is replaced, with all that they left in it. Origin: guess."""

SECONDS_TO_CLOSE = 5.0
"""After which a tab that does not close is given up, and Chromium with it. Origin: guess."""

QUIET_MS = 400
"""How long nothing may change for a page to count as complete. Origin: guess."""

LEAST_SECONDS = 1.0
"""Time that scripts get after the page is loaded. Origin: guess."""

MOST_SCROLLS = 12
"""Times that a page is scrolled to its end for what it loads then. Origin: guess."""


NO_CONTENT = 204
"""The HTTP status after which a browser stays where it is."""


class RenderingError(RuntimeError):
    """A page could not be drawn; `url` says which."""

    def __init__(self, url: str, problem: str) -> None:
        super().__init__(f"{url}: not drawn: {problem}")
        self.url = url


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one page may take."""

    seconds: float = 30.0
    """From the request to the picture."""
    max_bytes: int = 32 * 2**20
    """Of all that it loads."""
    max_requests: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A page as it was drawn."""

    url: str
    """As asked for."""
    html: str
    """The document after its scripts, as HTML."""
    snapshot: bytes
    """Gzip'd JSON of its DOM snapshot; `learner.vision.snapshot` reads it."""
    picture: bytes | None
    """The whole page as JPEG; None if none was asked for."""
    viewport: tuple[int, int]
    """Width and height of the window in pixels."""
    styled: bool
    """Whether at least half of the style sheets that it asks for were there; without them its
    boxes mean nothing."""
    loaded_bytes: int
    """Of all that it loaded, the document included."""
    refused: dict[str, int]
    """Requests that were not answered, by kind."""
    seconds: float
    """How long it took."""


class Browser:
    """One Chromium and its tabs; an asynchronous context manager.

    `at_once` pages are drawn side by side. With `settles` a page gets time for its scripts and is
    scrolled to its end, else it counts as complete as soon as it is loaded.
    """

    def __init__(
        self,
        answers: Answers,
        *,
        at_once: int = 1,
        settles: bool = False,
        pictures: bool = True,
        user_agent: str | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._answers = answers
        self._at_once = at_once
        self._settles = settles
        self._pictures = pictures
        self._user_agent = user_agent
        self._limits = limits or Limits()
        self._stack = AsyncExitStack()
        self._chromium: Chromium | None = None
        self._starting = asyncio.Lock()
        self._idle: list[_Tab] = []
        self._turns = asyncio.Semaphore(at_once)

    async def __aenter__(self) -> Self:
        if problem := start_problem():
            raise BrowserMissingError(problem)
        from playwright.async_api import async_playwright

        self._playwright = await self._stack.enter_async_context(async_playwright())
        await self._running()
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

    async def render(self, url: str) -> Rendered:
        """Draw a page; RenderingError if that fails or takes too long."""
        from playwright.async_api import Error

        async with self._turns:
            tab = await self._tab()
            try:
                drawn = await asyncio.wait_for(self._draw(tab, url), self._limits.seconds)
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
            return drawn

    async def _draw(self, tab: _Tab, url: str) -> Rendered:
        began = time.perf_counter()
        load = tab.begin(url, self._answers, self._limits)
        await tab.go_to(url)
        if self._settles:
            await tab.settle(load)
        html = await tab.evaluate(_DOCUMENT)
        snapshot = await take_snapshot(tab.session)
        picture = await take_picture(tab.session) if self._pictures else None
        return Rendered(
            url=url,
            html=html,
            snapshot=snapshot,
            picture=picture,
            viewport=VIEWPORT,
            styled=2 * load.refused["stylesheet"] <= load.asked["stylesheet"],
            loaded_bytes=load.n_bytes,
            refused=dict(load.refused),
            seconds=time.perf_counter() - began,
        )

    # Tabs

    async def _running(self) -> Chromium:
        async with self._starting:
            if self._chromium is None or not self._chromium.is_connected():
                self._idle.clear()
                self._chromium = await start_chromium(self._playwright)
            return self._chromium

    async def _tab(self) -> _Tab:
        chromium = await self._running()
        return self._idle.pop() if self._idle else await _Tab.opened(chromium, self._user_agent)

    async def _put_back(self, tab: _Tab) -> None:
        if tab.n_pages < PAGES_OF_A_TAB:
            self._idle.append(tab)
        else:
            await self._drop(tab)

    async def _drop(self, tab: _Tab) -> None:
        """Close a tab; where it does not close, its Chromium: the next page starts another."""
        try:
            await asyncio.wait_for(tab.context.close(), SECONDS_TO_CLOSE)
        except Exception:
            logger.warning("a tab did not close; Chromium is started anew")
            chromium, self._chromium = self._chromium, None
            if chromium is not None:
                with suppress(Exception):
                    await asyncio.wait_for(chromium.close(), SECONDS_TO_CLOSE)


@dataclass(slots=True)
class _Load:
    """What one page has asked for so far."""

    url: str
    answers: Answers
    limits: Limits
    n_bytes: int = 0
    in_flight: int = 0
    has_begun: bool = False
    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def is_own_document(self) -> bool:
        """Whether the main frame's document is still to come: scripts lead it nowhere else."""
        begun, self.has_begun = self.has_begun, True
        return not begun

    async def answer(self, asked: Asked) -> Answer | None:
        """The answer to a request; None if it is refused, or beyond the limits."""
        self.asked[asked.kind] += 1
        self.in_flight += 1
        try:
            within = self.asked.total() <= self.limits.max_requests
            answer = await self.answers(asked) if within else None
        finally:
            self.in_flight -= 1
        if answer is not None and self.n_bytes + len(answer.body) > self.limits.max_bytes:
            answer = None
        if answer is None:
            self.refused[asked.kind] += 1
            return None
        self.n_bytes += len(answer.body)
        return answer


class _Tab:
    """A page of Chromium, used again and again, in a profile of its own."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession) -> None:
        self.context = context
        self.page = page
        self.session = session
        self.n_pages = 0
        self._load: _Load | None = None
        self._frame = ""
        """Chromium's name of the main frame."""
        self._loaded = asyncio.Event()

    @classmethod
    async def opened(cls, chromium: Chromium, user_agent: str | None) -> Self:
        context = await chromium.new_context(
            viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
            user_agent=user_agent,
            accept_downloads=False,
            service_workers="block",
            reduced_motion="reduce",
        )
        page = await context.new_page()
        tab = cls(context, page, await context.new_cdp_session(page))
        tab.session.on("Page.frameStoppedLoading", tab._stopped)
        await tab.session.send("Page.enable")
        await context.route("**/*", tab._answer)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        context.on("page", lambda popup: asyncio.ensure_future(popup.close()))
        return tab

    def begin(self, url: str, answers: Answers, limits: Limits) -> _Load:
        """Count and answer from now on for a new page."""
        self.n_pages += 1
        self._load = _Load(urldefrag(url).url, answers, limits)
        return self._load

    async def _answer(self, route: Route, request: Request) -> None:
        from playwright.async_api import Error

        load = self._load
        # The tab may be closed meanwhile, or show the next page.
        with suppress(Error):
            if load is None:
                await route.abort("blockedbyclient")
                return
            if self._leads_away(request, load):
                # Refused, Chromium would show an error in the place of the page.
                await route.fulfill(status=NO_CONTENT)
                return
            answer = await load.answer(_asked(request))
            if answer is None:
                await route.abort("blockedbyclient")
            else:
                headers = _headers(request.resource_type, answer)
                await route.fulfill(status=answer.status, headers=headers, body=answer.body)

    def _leads_away(self, request: Request, load: _Load) -> bool:
        """Whether a request would put another document in the place of the page."""
        if not request.is_navigation_request() or request.frame != self.page.main_frame:
            return False
        return not load.is_own_document()

    async def go_to(self, url: str) -> None:
        """Load a page with what it refers to; RenderingError if it has no document."""
        # Not Playwright's own `goto`: that waits for ever where a script wants to lead away.
        self._loaded.clear()
        tree = await self.session.send("Page.getFrameTree")
        self._frame = tree["frameTree"]["frame"]["id"]
        went = await self.session.send("Page.navigate", {"url": url})
        if problem := went.get("errorText"):
            raise RenderingError(url, problem)
        await self._loaded.wait()

    def _stopped(self, event: dict[str, str]) -> None:
        if event["frameId"] == self._frame:
            self._loaded.set()

    async def settle(self, load: _Load) -> None:
        """Wait until nothing changes any more, scrolling to the end as long as that brings more."""
        await asyncio.sleep(LEAST_SECONDS)
        height = -1
        for _ in range(MOST_SCROLLS):
            while await self.evaluate(_CHANGES) or load.in_flight:
                pass
            grown = await self.evaluate(_SCROLL_DOWN)
            if grown <= height:
                break
            height = grown
        await self.evaluate("scrollTo(0, 0)")

    async def evaluate(self, script: str) -> Any:
        """What a script gives, run apart from those of the page."""
        world = await self.session.send("Page.createIsolatedWorld", {"frameId": self._frame})
        asked = {
            "expression": script,
            "contextId": world["executionContextId"],
            "awaitPromise": True,
            "returnByValue": True,
        }
        answer = await self.session.send("Runtime.evaluate", asked)
        return answer["result"].get("value")


_DOCUMENT = """
(document.doctype ? new XMLSerializer().serializeToString(document.doctype) + "\\n" : "")
  + (document.documentElement ? document.documentElement.outerHTML : "")
"""

_SCROLL_DOWN = """
(() => {
  const height = document.documentElement.scrollHeight;
  scrollTo(0, height);
  return height;
})()
"""

_CHANGES = f"""
new Promise(done => {{
  let changes = 0;
  const observer = new MutationObserver(found => {{ changes += found.length; }});
  observer.observe(document, {{childList: true, subtree: true, characterData: true}});
  setTimeout(() => {{ observer.disconnect(); done(changes); }}, {QUIET_MS});
}})
"""


def _headers(kind: str, answer: Answer) -> dict[str, str]:
    headers = {"access-control-allow-origin": "*"}
    if answer.content_type:
        headers["content-type"] = answer.content_type
    if kind == "document":
        # Neither windows, dialogs nor downloads.
        headers["content-security-policy"] = "sandbox allow-scripts allow-same-origin allow-forms"
    return headers


def _asked(request: Request) -> Asked:
    return Asked(
        url=urldefrag(request.url).url,
        kind=request.resource_type,
        method=request.method,
        headers=request.headers,
        body=request.post_data_buffer,
    )


# Without asyncio


def render_all(
    urls: Iterable[str], answers: Answers, *, at_once: int = 2, pictures: bool = True
) -> Iterator[Rendered | RenderingError]:
    """The pages one by one, in their order, `at_once` drawn side by side.

    BrowserMissingError if there is no browser.
    """
    loop = asyncio.new_event_loop()
    try:
        drawing = _drawn(urls, answers, at_once, pictures)
        with suppress(StopAsyncIteration):
            while True:
                yield loop.run_until_complete(anext(drawing))
    finally:
        loop.run_until_complete(drawing.aclose())
        loop.close()


async def _drawn(
    urls: Iterable[str], answers: Answers, at_once: int, pictures: bool
) -> AsyncGenerator[Rendered | RenderingError, None]:
    async with Browser(answers, at_once=at_once, pictures=pictures) as browser:

        async def drawn(url: str) -> Rendered | RenderingError:
            try:
                return await browser.render(url)
            except RenderingError as problem:
                return problem

        waiting: list[asyncio.Task[Rendered | RenderingError]] = []
        for url in urls:
            waiting.append(asyncio.ensure_future(drawn(url)))
            if len(waiting) > at_once:
                yield await waiting.pop(0)
        for task in waiting:
            yield await task
