"""The network of pages of known geometry, and what it is given out as."""

from __future__ import annotations

import json

import pytest
from lxml import etree

from learner.vision.blocknet.blocks import Kind
from learner.vision.blocknet.network import BlockNet, block_net
from learner.vision.blocknet.output import PictureError
from learner.vision.snapshots.snapshot import Snapshot
from tests.learner.vision.blocknet.checks import assert_sound, holds
from tests.learner.vision.blocknet.made_pages import SENTENCE, MadePage, article


@pytest.fixture(scope="module")
def net() -> BlockNet:
    return block_net(article().read())


def test_the_parts_of_a_template_stand_where_they_are(net: BlockNet) -> None:
    assert [net.blocks[part].kind for part in net.root.children] == [
        "header", "left", "main", "footer",
    ]  # fmt: skip
    assert holds(net, Kind.LEFT) == [f"Story {place}" for place in range(8)]
    assert holds(net, Kind.FOOTER) == ["About us", "A friend"]
    assert holds(net, Kind.HEADER)[:3] == ["News", "Sport", "Weather"]
    _, left, main, footer = net.root.children
    assert main in net.blocks[left].right and footer in net.blocks[main].below
    assert_sound(net)


def test_from_right_to_left_the_menu_stands_on_the_right() -> None:
    net = block_net(article(column=100, side=1000).read())
    assert holds(net, Kind.RIGHT) == [f"Story {place}" for place in range(8)]
    assert_sound(net)


def test_titles_join_what_stands_below_them(net: BlockNet) -> None:
    title = next(block for block in net.blocks if block.text == "What comes next")
    assert title.kind == "title"
    section = net.blocks[title.parent]
    assert section.kind == "content" and section.children[0] == title.number
    assert [net.blocks[child].kind for child in section.children] == ["title", "content"]
    assert section.doms == (title.doms[0], title.doms[0] + 2)


@pytest.mark.parametrize("scorer", ["learned", "paper"])
def test_the_article_is_kept_and_the_rest_removed(scorer: str) -> None:
    found = block_net(article().read(), scorer).as_text()  # type: ignore[arg-type]
    assert found.count("It rained all day") == 17
    assert "Story" not in found and "About us" not in found


def test_a_sticky_header_is_none_of_the_article() -> None:
    page = article()
    bar = page.element(page.body, "div", 0, 0, 1280, 60, position="fixed")
    page.link(bar, "Log in", "/login", 1100, 20, 80, 20)
    net = block_net(page.read())
    assert "Log in" in holds(net, Kind.HEADER)
    assert_sound(net)


def test_thresholds_and_weights_are_parameters() -> None:
    page = article().read()
    assert block_net(page, threshold=2.0).as_text() == ""
    everything = block_net(page, threshold=0.0).as_text()
    assert "Story 3" in everything and "About us" in everything


def test_a_page_that_shows_nothing_is_one_empty_block() -> None:
    net = block_net(MadePage().read())
    assert len(net.blocks) == 1 and not net.root.is_kept and net.as_text() == ""
    assert sum(net.root.params) == 0
    assert etree.fromstring(net.overlay()).tag.endswith("svg")


def test_a_page_of_one_text_is_its_content() -> None:
    page = MadePage()
    page.paragraph(page.body, SENTENCE, 0, 0, 500, 20)
    assert block_net(page.read()).as_text() == SENTENCE.strip()


def test_json_has_what_the_blocks_have(net: BlockNet) -> None:
    told = json.loads(net.as_json())
    assert told["url"] == "https://www.air.example/2024/rain" and told["width"] == 1280
    assert len(told["blocks"]) == len(net.blocks)
    first = told["blocks"][0]
    assert first["kind"] == "page" and first["parent"] == -1
    assert list(first["params"]) == [
        "text", "pictures", "own_links", "other_links", "forms", "actions",
    ]  # fmt: skip


def test_a_score_of_minus_infinity_is_null() -> None:
    told = json.loads(block_net(article().read(), "paper").as_json())
    assert None in [block["score"] for block in told["blocks"]]


HOSTILE = '</title><script>alert("1")</script>\x01 & ]]>'


def hostile() -> Snapshot:
    page = MadePage(title=HOSTILE)
    div = page.element(page.body, "div", 0, 0, 700, 400)
    page.paragraph(div, f"{SENTENCE}{HOSTILE} {4 * SENTENCE}", 0, 0, 700, 100)
    picture = page.element(div, "p", 0, 120, 700, 100)
    for source in ('/a.png?"onerror="x', "javascript:alert(1)", "data:image/png;base64,AA"):
        page.element(picture, "img", 0, 120, 50, 50, display="inline", attributes={"src": source})
    page.paragraph(div, 6 * SENTENCE, 0, 240, 700, 100)
    return page.read()


def test_what_comes_from_the_page_is_escaped() -> None:
    net = block_net(hostile(), threshold=0.0)
    html = etree.HTML(net.as_html())
    assert not html.xpath("//script") and html.findtext(".//title").startswith("</title>")
    assert len(html.xpath("//p")) == 3 and len(html.xpath("//@*")) == 3
    (picture,) = html.xpath("//img/@src")
    assert picture.startswith("https://www.air.example/a.png")
    drawn = etree.fromstring(net.overlay())
    assert {each.tag.partition("}")[2] for each in drawn.iter()} == {"svg", "rect", "title"}


def test_an_overlay_has_the_picture_of_the_page(net: BlockNet) -> None:
    drawn = etree.fromstring(net.overlay(b"\xff\xd8\xff\xe0 a JPEG"))
    (image,) = drawn.findall("{*}image")
    assert image.get("href").startswith("data:image/jpeg;base64,")
    with pytest.raises(PictureError, match="JPEG, PNG or WebP"):
        net.overlay(b"<svg onload='alert(1)'>")


def test_damaged_blocks_do_not_last_long() -> None:
    """Thousands of blocks in one another's way take no square of time."""
    page = MadePage(30_000)
    for place in range(4000):
        page.paragraph(page.body, f"Line {place}.", place % 7, 5 * place, 900, 30)
    assert_sound(block_net(page.read()))
