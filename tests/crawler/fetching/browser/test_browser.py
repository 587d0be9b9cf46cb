"""What a real Chromium makes of pages, and what it does not let them do."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.fetching.browser.answers import (
    Answer,
    Answers,
    Asked,
    address_of_file,
    folder_answers,
    html_type,
    stored_answers,
)
from crawler.fetching.browser.drawing import Browser, Rendered, render_all
from crawler.fetching.browser.launch import start_problem
from crawler.fetching.browser.tab import Limits, RenderingError
from learner.vision.snapshots.reading import read_snapshot

pytestmark = pytest.mark.skipif(start_problem() is not None, reason=start_problem() or "")

URL = "http://site.example/"

PAGE = b"""<!DOCTYPE html><title>Rain</title><link rel=stylesheet href=/style.css>
<body><h1>Rain today</h1><p>It <b>rains</b> &#128512;.</p><div class=late></div>"""

STYLE = b"""body { margin: 0 } h1 { position: absolute; left: 100px; top: 50px; width: 300px;
height: 40px; margin: 0; color: #f00 }
.late { position: absolute; top: 4000px; width: 9px; height: 9px }"""

HOSTILE = b"""<p id=p><script>
const told = (name, promise) => promise.then(() => p.append(name + " "), () => 0);
told("private", fetch("http://127.0.0.1:22/"));
told("posted", fetch("/form", {method: "POST", body: "a"}));
told("worker", new Promise((done, failed) => {
  const code = "fetch('http://127.0.0.1:8/').then(() => postMessage(1), () => postMessage(0))";
  const worker = new Worker(URL.createObjectURL(new Blob([code])));
  worker.onmessage = said => said.data ? done() : failed();
}));
told("socket", new Promise((done, failed) => {
  const socket = new WebSocket("ws://127.0.0.1:9/");
  socket.onmessage = done; socket.onclose = socket.onerror = failed;
}));
told("window", new Promise((done, failed) => window.open("/other") ? done() : failed()));
told("dialog", new Promise((done, failed) => confirm("?") ? done() : failed()));
document.body.insertAdjacentHTML("beforeend", '<iframe src="http://other.example/"></iframe>');
const link = document.createElement("a");
link.href = "/file"; link.download = "file"; link.click();
location.href = "/elsewhere";
p.append("still here ");
</script>"""


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def browser(runner: asyncio.Runner) -> Iterator[Browser]:
    """One that waits for scripts, and gives a page four seconds."""
    browser = Browser(settles=True, limits=Limits(seconds=15, max_bytes=10_000, max_requests=20))
    runner.run(browser.__aenter__())
    yield browser
    runner.run(browser.__aexit__(None, None, None))


def document(body: bytes, asked_for: list[Asked] | None = None) -> Answers:
    """Answers with a document alone, noting what else is asked for."""

    async def answer(asked: Asked) -> Answer | None:
        if asked.url == URL:
            return Answer(body=body, content_type="text/html; charset=utf-8")
        if asked_for is not None:
            asked_for.append(asked)
        return None

    return answer


def test_boxes_stand_where_the_style_sheet_puts_them() -> None:
    answers = stored_answers({URL: PAGE, f"{URL}style.css": STYLE}.get)
    drawn, missing = render_all([URL, f"{URL}missing"], answers)
    assert isinstance(drawn, Rendered) and isinstance(missing, RenderingError)
    assert drawn.styled and drawn.picture is not None and drawn.picture[:2] == b"\xff\xd8"
    page = read_snapshot(drawn.snapshot)
    (title,) = page.is_tag("h1").nonzero()[0].tolist()
    assert page.box[title].tolist() == [100, 50, 300, 40]
    assert page.rgba("color")[title].tolist() == [1, 0, 0, 1]
    assert page.visible_text(0).splitlines() == ["Rain today", "It rains 😀."]
    assert (page.title, page.viewport, page.height) == ("Rain", (1280.0, 1024.0), 4009.0)


def test_without_its_style_sheet_a_page_is_not_styled() -> None:
    (drawn,) = render_all([URL], stored_answers({URL: PAGE}.get), pictures=False)
    assert isinstance(drawn, Rendered)
    assert (drawn.styled, drawn.refused, drawn.picture) == (False, {"stylesheet": 1}, None)


RAIN = {
    "big5hkscs": "今天下雨",
    "cp1251": "дождь",
    "cp874": "ฝนตก",
    "cp932": "今日は雨",
    "cp949": "오늘은 비",
    "euc_jp": "今日は雨",
    "euc_kr": "오늘은 비",
    "gb18030": "今天下雨",
    "iso2022_jp": "今日は雨",
    "iso8859-2": "déšť",
    "koi8-r": "дождь",
    "mac-cyrillic": "дождь",
    "mac-roman": "pluie d’été",
    "utf-16-le": "雨",
}
"""Codec of Python -> what is said in it."""


@pytest.mark.parametrize("codec", RAIN)
def test_browsers_know_the_charset_of_a_document(
    runner: asyncio.Runner, browser: Browser, codec: str
) -> None:
    async def answer(asked: Asked) -> Answer | None:
        return Answer(body=RAIN[codec].encode(codec), content_type=html_type(codec))

    assert RAIN[codec] in runner.run(browser.load(URL, answer))


def test_an_archived_page_that_declares_no_charset_is_drawn_in_its_own() -> None:
    text = "昨夜から雨が降り続いています。今日の午後には晴れるでしょう。"
    body = f"<title>雨</title><p>{text}</p>".encode("euc_jp")
    (drawn,) = render_all([URL], stored_answers({URL: body}.get), pictures=False)
    assert isinstance(drawn, Rendered)
    assert read_snapshot(drawn.snapshot).visible_text(0) == text


def test_a_hostile_page_gets_nowhere(runner: asyncio.Runner, browser: Browser) -> None:
    asked: list[Asked] = []
    html = runner.run(browser.load(URL, document(HOSTILE, asked)))
    assert html.partition("</script>")[2].startswith("still here </p>")
    # All that it tried to load came to us, and was refused.
    assert {each.url for each in asked} == {
        "http://127.0.0.1:22/",
        f"{URL}form",
        "http://127.0.0.1:8/",
        "http://other.example/",
    }


def test_a_page_that_never_ends_is_given_up(runner: asyncio.Runner) -> None:
    async def both() -> str:
        async with Browser(limits=Limits(seconds=3)) as browser:
            with pytest.raises(RenderingError, match="took over 3 s"):
                await browser.load(URL, document(b"<script>while (true) {}</script>"))
            return await browser.load(URL, document(b"<p>next"))

    assert "<p>next</p>" in runner.run(both())


@pytest.mark.parametrize(
    "body",
    [
        b"<script src=/1.js></script>" + b"x" * 10_000,
        b"\x00\x01" * 3 + b"<p>",
    ],
    ids=["too large", "binary"],
)
def test_limits_hold(runner: asyncio.Runner, browser: Browser, body: bytes) -> None:
    kind = "application/zip" if body[0] == 0 else "text/html"

    async def answer(asked: Asked) -> Answer | None:
        return Answer(body=body, content_type=kind)

    with pytest.raises(RenderingError):
        runner.run(browser.load(URL, answer))


def test_scripts_of_a_drawn_page_do_not_run_again(runner: asyncio.Runner, browser: Browser) -> None:
    async def answer(asked: Asked) -> Answer | None:
        body = b"<p>here<script>document.body.append('again')</script>"
        return Answer(body=body, content_type="text/html", has_scripts=False)

    assert "again" not in runner.run(browser.load(URL, answer)).partition("</script>")[2]


def test_files_get_what_lies_beside_them_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    (tmp_path / "outside.css").write_text("p { width: 20px }")
    (folder / "in.css").write_text("p { height: 30px }")
    (folder / "link.css").symlink_to(tmp_path / "outside.css")
    sheets = ("in.css", "link.css", "../outside.css", "%2e%2e/outside.css")
    links = "".join(f'<link rel="stylesheet" href="{each}">' for each in sheets)
    (folder / "page.html").write_text(f"<!DOCTYPE html>{links}<p>")
    address = address_of_file(folder / "page.html")
    (drawn,) = render_all([address], folder_answers(folder), pictures=False)
    assert isinstance(drawn, Rendered)
    page = read_snapshot(drawn.snapshot)
    assert page.box[page.is_tag("p")][0][2:].tolist() == [1264, 30]
