"""Chromium: where it is, and how it is started so that it reaches nothing by itself."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""Programs that are looked for on the path before Playwright's own."""

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--dns-prefetch-disable",
    # Peers are reached past any proxy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # What a page may take of memory.
    "--js-flags=--max-old-space-size=512",
    "--renderer-process-limit=4",
    # Whatever is not answered here finds no host.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)

NOWHERE = "http://127.0.0.1:9"
"""The proxy of all that is not answered here: the discard port, where nobody listens."""

HOW_TO_INSTALL = (
    "install it with `apt-get install chromium fonts-noto-cjk`, or `playwright install chromium`"
)


class BrowserMissingError(RuntimeError):
    """Playwright or Chromium is not there, or does not start."""


def start_problem() -> str | None:
    """What is missing for rendering, and how it is had; None if nothing is."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        return "rendering needs Playwright; install it with `pip install 'webstem[render]'`"
    if installed_chromium() is None and not _has_own_chromium():
        return f"rendering needs Chromium; {HOW_TO_INSTALL}"
    return None


def installed_chromium() -> str | None:
    """The Chromium of the system; None if it has none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def _has_own_chromium() -> bool:
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or "~/.cache/ms-playwright"
    return any(Path(folder).expanduser().glob("chromium*"))


async def start_chromium(playwright: Playwright) -> Browser:
    """A browser without a window that reaches no network; BrowserMissingError if it does not
    start."""
    from playwright.async_api import Error

    # Chromium refuses its sandbox to root.
    as_root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    try:
        return await playwright.chromium.launch(
            executable_path=installed_chromium(),
            args=[*FLAGS, *as_root],
            proxy={"server": NOWHERE, "bypass": "<-loopback>"},
        )
    except Error as problem:
        said = " ".join(problem.message.split())[:300]
        raise BrowserMissingError(f"Chromium did not start: {said}; {HOW_TO_INSTALL}") from problem
