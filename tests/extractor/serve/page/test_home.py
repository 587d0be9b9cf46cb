"""The page for people, in a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.extractor.serve.conftest import HOSTILE
from tests.handmade import HOST, Story, page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip
NEW = page(Story(99))
HURT = NEW.html.replace(b"</h1>", HOSTILE.replace("<", "&lt;").encode() + b"</h1>").decode()


def form(client: httpx.Client, **fields: str) -> httpx.Response:
    return client.post("/", data=fields)


def test_a_page_without_scripts(client: httpx.Client) -> None:
    text = form(client, html=HURT, url=NEW.url).text
    assert HOSTILE not in text and "&lt;script&gt;" in text
    assert text.count('<li class="block main"') == 4
    assert text.count('<li class="block title"') == 1
    assert Story(99).paragraphs[0] in text and ">pattern</a>" in text


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"html": " "}, 400, "expected the HTML of a page"),
        ({"html": "<p>a", "url": "file:///etc/passwd"}, 400, "url: expected the address"),
        ({"html": "<p>a", "b": "1", "c": "2"}, 400, "no form"),
    ],
)
def test_wrong_forms_are_told(
    client: httpx.Client, fields: dict[str, str], status: int, said: str
) -> None:
    answer = form(client, **fields)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text and said in answer.text


def test_an_address_that_gives_no_page_is_told_and_kept(client: httpx.Client) -> None:
    answer = client.get("/", params={"url": "http://127.0.0.2/?a=<b>"})
    assert answer.status_code == 403 and "private address" in answer.text
    assert 'value="http://127.0.0.2/?a=&lt;b&gt;"' in answer.text


def test_the_page_of_a_site(client: httpx.Client) -> None:
    text = client.get("/sites/good.html").text
    assert HOSTILE not in text and "Newest articles" in text and text.count(f'href="{HOST}/') >= 10
    assert "<style" not in text and "<script" not in text
    assert client.get("/sites/other.html").status_code == 404
    assert client.get("/sites/..%2f..%2fx.html").status_code == 404
    assert client.get("/static/..%2fhome.py").status_code == 404


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield running
        running.close()


@pytest.fixture(params=[400, 1200])
def desk(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty page of a narrow and of a wide browser; at its end nothing was complained of, and
    nothing was asked for elsewhere."""
    context = browser.new_context(viewport={"width": request.param, "height": 900})
    shown = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("request", lambda sent: asked.append(sent.url))
    shown.set_default_timeout(60_000)
    yield shown
    context.close()
    assert complaints == []
    assert {url for url in asked if not url.startswith((address, "data:"))} == set()


def paste(shown: Page, address: str) -> None:
    """Paste a page into the form and send it, by keys alone."""
    shown.goto(address)
    shown.focus("summary")
    shown.keyboard.press("Enter")
    shown.keyboard.press("Tab")
    shown.evaluate("html => document.activeElement.value = html", HURT)
    shown.keyboard.press("Tab")
    shown.keyboard.type(NEW.url)
    shown.keyboard.press("Tab")
    shown.keyboard.press("Enter")
    shown.wait_for_selector(".blocks")


def is_wide_enough(shown: Page) -> bool:
    """Whether nothing lies beside the window."""
    return bool(shown.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def screenshot(shown: Page, name: str) -> None:
    """A picture for people who change the page, if `$SCREENSHOTS` names a folder."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        width = shown.viewport_size["width"] if shown.viewport_size else 0
        shown.screenshot(path=Path(folder, f"{name}-{width}.png"), full_page=True)


def test_blocks_beside_the_record(desk: Page, address: str) -> None:
    paste(desk, address)
    assert desk.title() == f"Webstem: {NEW.url}"
    assert desk.locator("li.block.main").count() == 4
    colours = {
        role: desk.locator(f"li.{role}").first.evaluate("e => getComputedStyle(e).backgroundColor")
        for role in ("title", "main", "left")
    }
    assert len(set(colours.values())) == 3
    assert is_wide_enough(desk)
    screenshot(desk, "read")
    desk.uncheck("#show-left")
    assert not desk.locator("li.left").first.is_visible()
    assert desk.locator("li.main").first.is_visible()
    desk.locator("dl.record a").first.click()
    assert desk.wait_for_selector(":target.block.title").is_visible()


def test_the_sites_and_one_of_them(desk: Page, address: str) -> None:
    desk.goto(address)
    assert desk.locator("tbody tr").count() == 2
    desk.fill("#search", "never")
    assert desk.locator("tbody tr:visible td:first-child").all_inner_texts() == ["near"]
    desk.fill("#search", "")
    assert is_wide_enough(desk)
    screenshot(desk, "home")
    desk.click("td >> text=good")
    desk.wait_for_url("**/sites/good.html")
    assert desk.locator("h1").inner_text() == "good: ok"
    assert desk.locator(f'a[href^="{HOST}"]').count() >= 10
    assert is_wide_enough(desk)
    screenshot(desk, "site")
    desk.click("text=all sites")
    desk.wait_for_url(f"{address}/")


def test_dark_and_without_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(
        java_script_enabled=False, color_scheme="dark", viewport={"width": 1200, "height": 900}
    )
    shown = context.new_page()
    shown.goto(address)
    shown.click("summary")
    shown.fill("#html", HURT)
    shown.click("text=Read >> nth=-1")
    shown.wait_for_selector(".blocks")
    assert shown.locator("li.block.main").count() == 4
    screenshot(shown, "dark")
    context.close()
