"""Blocks of pages that a real Chromium has drawn."""

from __future__ import annotations

import pytest

from crawler.fetching.browser.answers import stored_answers
from crawler.fetching.browser.drawing import Rendered, render_all
from crawler.fetching.browser.launch import start_problem
from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.cutting import cut
from learner.vision.blocknet.neighbours import neighbours
from learner.vision.blocknet.network import block_net
from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot
from tests.learner.vision.blocknet.checks import assert_sound, holds

pytestmark = pytest.mark.skipif(start_problem() is not None, reason=start_problem() or "")

URL = "http://site.example/story"

TEXT = "It rained all day in the valley, and the river rose by a metre. " * 8

STORY = f"""<h1>Rain in the valley</h1><p>{TEXT}</p><p>{TEXT}</p><h2>What comes next</h2>
<p>{TEXT}</p>"""

LINKS = "".join(f'<li><a href="/{n}">Story number {n}</a></li>' for n in range(9))

PAGES = {
    "columns": f"""<style>body {{ margin: 0; direction: DIR }} .row {{ display: flex; gap: 20px }}
nav {{ width: 250px }} main {{ flex: 1 }}</style><header><a href="/">Air</a></header>
<div class=row><nav><ul>{LINKS}</ul></nav><main>{STORY}</main></div>
<footer><a href="/about">About us</a></footer>""",
    "sticky": f"""<style>#bar {{ position: sticky; top: 0; background: #fff }}</style>
<div id=bar><a href="/">Air</a> <a href="/login">Log in</a></div><div>{STORY}</div>""",
    "grid": """<style>.grid { display: grid; grid-template-columns: repeat(3, 200px); gap: 30px }
.grid div { height: 60px }</style><div class=grid>"""
    + "".join(f"<div>Cell {n}</div>" for n in range(9))
    + "</div>",
}


def drawn(name: str, direction: str = "ltr") -> Snapshot:
    html = f"<!DOCTYPE html><title>Rain in the valley - Air</title>{PAGES[name]}"
    body = html.replace("DIR", direction).encode()
    (page,) = render_all([URL], stored_answers({URL: body}.get), pictures=False)
    assert isinstance(page, Rendered)
    return read_snapshot(page.snapshot)


@pytest.mark.parametrize(("direction", "side"), [("ltr", Kind.LEFT), ("rtl", Kind.RIGHT)])
def test_columns(direction: str, side: Kind) -> None:
    net = block_net(drawn("columns", direction))
    assert holds(net, side)[0] == "Story number 0"
    assert holds(net, Kind.FOOTER) == ["About us"]
    assert net.as_text().count("It rained") == 24 and "Story number" not in net.as_text()
    assert_sound(net)


def test_a_sticky_header() -> None:
    net = block_net(drawn("sticky"))
    assert "Air" in " ".join(holds(net, Kind.HEADER))
    assert net.as_text().count("It rained") == 24 and "Log in" not in net.as_text()
    assert_sound(net)


def test_a_grid() -> None:
    page = drawn("grid")
    found = cut(page)
    assert found.texts == [f"Cell {n}" for n in range(9)]
    near = neighbours(found.box[:9])
    assert (near.above[4], near.below[4], near.left[4], near.right[4]) == ((1,), (7,), (3,), (5,))
    assert_sound(block_net(page))
