"""A page is cut into leaf blocks, and what each shows is told by areas."""

from __future__ import annotations

import numpy as np
import pytest

from learner.vision.blocknet.cutting import cut
from tests.learner.vision.blocknet.made_pages import MadePage


def test_a_run_of_text_in_one_block_is_a_leaf() -> None:
    page = MadePage()
    first = page.element(page.body, "div", 0, 0, 600, 100)
    page.text(first, "It ", 0, 0, 20, 20)
    bold = page.element(first, "b", 20, 0, 50, 20, display="inline")
    page.text(bold, "rained ", 20, 0, 50, 20, display="inline")
    inner = page.paragraph(first, "All day.", 0, 30, 100, 20)
    page.text(first, "Then not.", 0, 60, 90, 20)
    found = cut(page.read())
    assert found.texts == ["It rained", "All day.", "Then not."]
    assert found.doms(0) == [first + 1, bold] and found.doms(1) == [inner]
    assert found.box[0].tolist() == [0, 0, 70, 20]
    # The body holds nothing else than the div: one block stands for both.
    assert found.n_leaves == 3 and found.parent.tolist() == [3, 3, 3, -1]


def test_two_line_breaks_part_what_one_does_not() -> None:
    page = MadePage()
    div = page.element(page.body, "div", 0, 0, 600, 200)
    for number, breaks in enumerate((0, 1, 2)):
        for _ in range(breaks):
            page.element(div, "br")
        page.text(div, f"Line {number}. ", 0, 20 * number, 100, 20)
    assert cut(page.read()).texts == ["Line 0. Line 1.", "Line 2."]


@pytest.mark.parametrize(
    ("href", "share"),
    [
        ("/about", "own"),
        ("https://air.example/", "own"),
        ("https://other.example/", "other"),
        ("#top", "own"),
        ("http://[", "own"),
        (None, "text"),
    ],
)
def test_links_are_told_apart_by_their_site(href: str | None, share: str) -> None:
    page = MadePage()
    attributes = {} if href is None else {"href": href}
    node = page.element(page.body, "a", 0, 0, 100, 20, attributes=attributes)
    page.text(node, "About us", 0, 0, 100, 20)
    column = {"text": 0, "own": 2, "other": 3}[share]
    assert cut(page.read()).params[0].tolist() == np.eye(6)[column].tolist()


def test_forms_actions_and_pictures_have_their_shares() -> None:
    page = MadePage()
    row = page.element(page.body, "div", 0, 0, 500, 100)
    page.text(row, "Words here", 0, 0, 100, 100)
    page.element(row, "img", 100, 0, 100, 100, display="inline")
    form = page.element(row, "form", 200, 0, 100, 100, display="inline")
    page.text(form, "Search", 200, 0, 100, 100)
    button = page.element(row, "span", 300, 0, 100, 100, display="inline", acts=True)
    page.text(button, "Like", 300, 0, 100, 100)
    shares = cut(page.read()).params[-1]
    assert shares.tolist() == pytest.approx([0.25, 0.25, 0, 0, 0.25, 0.25])


def test_a_form_around_the_whole_page_is_none() -> None:
    page = MadePage()
    form = page.element(page.body, "form", 0, 0, 600, 900)
    for number in range(3):
        page.paragraph(form, "It rained all day. " * 30, 0, 300 * number, 600, 300)
    assert cut(page.read()).params[-1].tolist() == pytest.approx([1, 0, 0, 0, 0, 0])


def test_what_lies_over_one_another_is_at_most_the_whole() -> None:
    page = MadePage()
    div = page.element(page.body, "div", 0, 0, 100, 100)
    for _ in range(3):
        page.element(div, "img", 0, 0, 100, 100, display="inline")
        page.text(div, "Over it", 0, 0, 100, 100)
    found = cut(page.read())
    assert found.params.sum(axis=1).tolist() == pytest.approx([1.0])


def test_what_overflows_counts_as_far_as_it_is_seen() -> None:
    page = MadePage()
    clip = {"overflow_x": "hidden", "overflow_y": "hidden"}
    frame = page.element(page.body, "div", 0, 0, 200, 50, **clip)
    page.text(frame, "A line much longer than its frame", 0, 0, 900, 20)
    page.paragraph(frame, "Below the frame", 0, 60, 100, 20)
    outside = page.paragraph(page.body, "Out of the window", 1200, 100, 500, 20)
    found = cut(page.read())
    assert found.texts == ["A line much longer than its frame", "Out of the window"]
    assert found.box[0].tolist() == [0, 0, 200, 20]
    assert found.box[1].tolist() == [1200, 100, 1280, 120] and found.doms(1) == [outside]


def test_what_has_no_area_is_no_block() -> None:
    page = MadePage()
    page.paragraph(page.body, "Hidden", 0, 0, 0, 20)
    page.paragraph(page.body, "Seen", 0, 20, 100, 20)
    page.paragraph(page.body, "Clear", 0, 40, 100, 20, opacity="0")
    assert cut(page.read()).texts == ["Seen"]


def test_a_page_that_shows_nothing_has_no_blocks() -> None:
    found = cut(MadePage().read())
    assert len(found) == 0 and found.params.shape == (0, 6) and found.texts == []


def test_an_inline_element_across_paragraphs_cuts_none() -> None:
    page = MadePage()
    div = page.element(page.body, "div", 0, 0, 600, 200)
    page.text(div, "First ", 0, 0, 50, 20)
    bold = page.element(div, "b", 50, 0, 100, 60, display="inline")
    page.text(bold, "still first", 50, 0, 100, 20)
    page.element(bold, "br")
    page.element(bold, "br")
    page.text(bold, "Second ", 0, 40, 60, 20)
    page.text(div, "still second", 60, 40, 100, 20)
    found = cut(page.read())
    assert found.texts == ["First still first", "Second still second"]
    assert found.parent.tolist() == [2, 2, -1]
    assert found.doms(1) == [bold + 4, bold + 5]


def test_holders_and_sums_agree_with_a_slow_count() -> None:
    page = MadePage()
    for section in range(4):
        holder = page.element(page.body, "section", 0, 100 * section, 600, 100)
        wrapper = page.element(holder, "div", 0, 100 * section, 600, 100)
        for part in range(section + 1):
            page.paragraph(wrapper, f"Part {part}.", 0, 100 * section + 20 * part, 90, 20)
    found = cut(page.read())
    for block in range(len(found)):
        top, end = int(found.node[block]), int(found.page.end[int(found.node[block])])
        atoms = [atom for atom in found.atom.tolist() if top <= atom < end]
        assert (found.high[block] - found.low[block]) == len(atoms)
        assert found.sums(found.areas)[block].sum() == 1800 * len(atoms)
    assert len(found) == 10 + 4
