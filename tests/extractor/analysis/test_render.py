"""Pages are read as a browser draws them, where one is there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawler.config.sites import SiteConfig
from crawler.fetching.browser.launch import BrowserMissingError, start_problem
from crawler.fetching.one_drawing import draw_page
from extractor.analysis.analyze import analyze
from extractor.analysis.targets import drawn, page_of
from learner.vision.snapshots.reading import read_snapshot
from tests.scripted import ScriptedSite

drawing = pytest.mark.skipif(start_problem() is not None, reason=start_problem() or "")

TEXT = "The river rose by a metre in the night, and the mayor closed the old bridge. " * 8
SCRIPTED = """<meta charset=utf-8><title>Flood</title><link rel=stylesheet href=style.css>
<div class=menu><a href=/>Home</a></div><div id=text></div><script src=draw.js></script>
<script>document.getElementById("text").innerHTML = "<h1>Flood</h1>" + words</script>"""


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "style.css").write_text(".menu { float: left } #text { min-height: 600px }")
    (tmp_path / "draw.js").write_text(f"const words = {json.dumps(f'<p>{TEXT}</p>')}")
    path = tmp_path / "page.html"
    path.write_text(SCRIPTED)
    return path


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedSite]:
    with ScriptedSite() as site:
        yield site


@drawing
def test_what_scripts_draw_is_read_with_what_lies_beside_a_file(saved: Path) -> None:
    assert "river" not in (analyze(saved).text or "")
    analysis = analyze(saved, url="https://a.example/flood", render=True)
    assert analysis.remarks == ()
    assert analysis.url == "https://a.example/flood"
    assert "The river rose" in (analysis.text or "")


@drawing
def test_html_is_drawn_alone(saved: Path) -> None:
    html = "<title>Café</title><p id=a>x<script>a.textContent = 'Cr\u00e8me 雨'</script>"
    found = drawn(html.encode("utf-8"), page_of(html.encode("utf-8")))
    assert "Crème 雨" in found.page.html.decode("utf-8") and "Café" in found.page.html.decode(
        "utf-8"
    )
    assert found.snapshot is not None
    assert "Crème 雨" in read_snapshot(found.snapshot).visible_text(0)
    # A text is no file: nothing beside it is read.
    analysis = analyze(SCRIPTED, url=saved.as_uri(), render=True)
    assert analysis.remarks == ("drawn without its style sheets",)
    assert "river" not in (analysis.text or "")


@drawing
def test_an_address_is_drawn_with_what_its_site_serves(server: ScriptedSite) -> None:
    site = SiteConfig(
        name="here", start_urls=(f"{server.url}/",), private_hosts=("127.0.0.1",),
        delay_seconds=0.0, max_delay_seconds=0.0,
    )  # fmt: skip
    address = f"{server.url}/"
    served, seen = (analyze(address, site=site, render=render) for render in (False, True))
    assert "href" not in (served.html or "") and "not drawn" not in str(seen.remarks)
    found = drawn(address, page_of(address, site=site), site).page.html
    assert len(found) > 2 * len(page_of(address, site=site).html)


@drawing
def test_what_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = "<title>Flood</title><p>" + TEXT + "<script>while (true) {}</script>"
    monkeypatch.setattr("extractor.analysis.targets.SECONDS_TO_DRAW", 4.0)
    analysis = analyze(endless, render=True)
    assert analysis.remarks == ("not drawn: took over 4 s",)
    assert analysis.text and "The river rose" in analysis.text


def test_a_missing_browser_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = "rendering needs Chromium"
    monkeypatch.setattr("crawler.fetching.one_drawing.start_problem", lambda: problem)
    with pytest.raises(BrowserMissingError, match=problem):
        draw_page("http://a.example/", "<p>Words", seconds=9)
    with pytest.raises(BrowserMissingError, match=problem):
        analyze("<p>Words", render=True)


def test_who_renders_nothing_loads_nothing_of_it() -> None:
    program = """import sys
from extractor.analysis.analyze import analyze
analyze("<p>It rains.</p>")
rendering = "crawler.fetching.browser", "learner.vision.candidates", "PIL"
print([name for name in sys.modules if name.startswith(rendering)])"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
