"""One tab of Chromium: what it loads is answered here, and what it shows is read from it."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urldefrag

from crawler.fetching.browser.answers import Answer, Answers, Asked

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, CDPSession, Page, Request, Route

VIEWPORT = (1280, 1024)
"""Width and height of the window in pixels. Origin: that of the models that read the pages."""

QUIET_MS = 400
"""How long nothing may change for a page to count as complete. Origin: guess."""

LEAST_SECONDS = 1.0
"""Time that scripts get after the page is loaded. Origin: guess."""

MOST_SCROLLS = 12
"""Times that a page is scrolled to its end for what it loads then. Origin: guess."""

MUCH_STYLE = 4_000
"""Bytes of style sheets that lay a page out, whatever else is missing. Origin: archived sites; a
theme has 10,000 or more, what only changes another one some hundred."""

NO_CONTENT = 204
"""The HTTP status after which a browser stays where it is."""


class RenderingError(RuntimeError):
    """A page could not be drawn; `url` and `problem` say which, and why."""

    def __init__(self, url: str, problem: str) -> None:
        super().__init__(f"{url}: not drawn: {problem}")
        self.url = url
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one page may take."""

    seconds: float = 30.0
    """From the request to the picture."""
    max_bytes: int = 32 * 2**20
    """Of all that it loads."""
    max_requests: int = 500


@dataclass(slots=True)
class Load:
    """What one page has asked for so far."""

    answers: Answers
    limits: Limits
    n_bytes: int = 0
    n_style_bytes: int = 0
    in_flight: int = 0
    has_begun: bool = False
    has_scripts: bool = True
    """Whether the scripts of its documents run."""
    asked: Counter[str] = field(default_factory=Counter)
    """Requests by kind."""
    refused: Counter[str] = field(default_factory=Counter)
    """Those of them that were not answered."""

    def is_first_document(self) -> bool:
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
        self.has_scripts = self.has_scripts and answer.has_scripts
        self.n_style_bytes += len(answer.body) * (asked.kind == "stylesheet")
        return answer

    @property
    def is_styled(self) -> bool:
        """Whether the style sheets that were asked for came: half of them, or much of style."""
        half_came = 2 * self.refused["stylesheet"] <= self.asked["stylesheet"]
        return half_came or self.n_style_bytes >= MUCH_STYLE


class Tab:
    """A page of Chromium, used again and again, in a profile of its own."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession) -> None:
        self.context = context
        self.session = session
        self.n_pages = 0
        """Pages that it has drawn."""
        self._page = page
        self._load: Load | None = None
        self._frame = ""
        """Chromium's name of the main frame."""
        self._loaded = asyncio.Event()

    @classmethod
    async def opened(cls, chromium: Chromium, user_agent: str | None) -> Self:
        """A new tab, through which nothing reaches the network."""
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

    async def load(self, url: str, answers: Answers, limits: Limits) -> Load:
        """Load a page with what it refers to; RenderingError if it has no document."""
        self.n_pages += 1
        self._load = Load(answers, limits)
        self._loaded.clear()
        # Not Playwright's own `goto`: that waits for ever where a script wants to lead away.
        tree = await self.session.send("Page.getFrameTree")
        self._frame = tree["frameTree"]["frame"]["id"]
        went = await self.session.send("Page.navigate", {"url": url})
        if problem := went.get("errorText"):
            raise RenderingError(url, problem)
        await self._loaded.wait()
        return self._load

    def _stopped(self, event: dict[str, str]) -> None:
        if event["frameId"] == self._frame:
            self._loaded.set()

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

    def _leads_away(self, request: Request, load: Load) -> bool:
        """Whether a request would put another document in the place of the page."""
        if not request.is_navigation_request() or request.frame != self._page.main_frame:
            return False
        return not load.is_first_document()

    async def settle(self, load: Load) -> None:
        """Wait until nothing changes any more, scrolling to the end as long as that brings more.

        Where scripts do not run there is nothing to wait for, and no clock to wait by.
        """
        if not load.has_scripts:
            return
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

    async def html(self) -> str:
        """The document as it is now."""
        return str(await self.evaluate(_DOCUMENT) or "")

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
        allowed = "allow-same-origin allow-forms" + " allow-scripts" * answer.has_scripts
        headers["content-security-policy"] = f"sandbox {allowed}"
    return headers


def _asked(request: Request) -> Asked:
    return Asked(
        url=urldefrag(request.url).url,
        kind=request.resource_type,
        method=request.method,
    )
