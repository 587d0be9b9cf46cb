"""The picture of the README is drawn from a real result."""

import re
from pathlib import Path

from lxml import etree

from examples.picture import BASE_URL, COLOURS, draw_blocks, learned_patterns, picture
from examples.site import build_site
from extractor.extraction import extract_article
from learner.page.pages import Page

ROOT = Path(__file__).resolve().parents[2]


def test_it_colours_what_the_extractor_took() -> None:
    site = build_site(2, BASE_URL)
    story = next(story for story in site.stories if story.slug == "kite-day")
    html = site.resources[story.path].body
    patterns = learned_patterns(build_site(1, BASE_URL))
    record = extract_article(Page(url=BASE_URL + story.path, html=html), patterns)
    blocks = draw_blocks(html, record)
    assert [block.text for block in blocks if block.colour == "title"] == [story.title]
    assert [block.text for block in blocks if block.colour == "main"] == story.body.splitlines()
    assert len([block for block in blocks if block.colour == "left"]) > 20
    root = etree.fromstring(picture(blocks, record, 80).encode())
    assert story.title in "".join(root.itertext())


def test_the_picture_of_the_readme_was_drawn_by_it() -> None:
    assert "docs/result.svg" in (ROOT / "README.md").read_text()
    colours = set(re.findall(r'width="5" height="15" fill="(#\w+)"', _committed()))
    assert colours == set(COLOURS.values())


def _committed() -> str:
    return (ROOT / "docs" / "result.svg").read_text(encoding="utf-8")
