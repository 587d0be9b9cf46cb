"""What the area of a page's atoms counts as: text, pictures, links, forms, actions."""

from __future__ import annotations

from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from crawler.reading.links import resolve
from learner.vision.snapshots.nodes import ELEMENT, TEXT
from learner.vision.snapshots.snapshot import Snapshot

TEXT_AREA, PICTURE_AREA, OWN_LINK_AREA, OTHER_LINK_AREA, FORM_AREA, ACTION_AREA = range(6)
"""What the area of an atom counts as: text outside links, pictures outside links, links within the
site, links to other sites, forms, elements with an action. Each atom counts as one."""

N_AREAS = 6

MOST_LETTERS_OF_A_CONTROL = 1024
"""Letters below a form, or an element with an action, of which it is taken to be one control: some
pages stand in a form as a whole, or listen to clicks anywhere. Origin: guess."""

PICTURES = ("img", "svg", "video", "canvas", "object", "embed", "iframe", "audio")
CONTROLS = ("input", "button", "select", "textarea", "meter", "progress")

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]


def atom_areas(page: Snapshot, atom: Ints) -> Floats:
    """(a, 6) The square pixels of each atom, in the column of what it counts as."""
    seen = page.seen[atom]
    area = (seen[:, 2] - seen[:, 0]) * (seen[:, 3] - seen[:, 1])
    lines = np.zeros(len(page))
    np.add.at(lines, page.text_node, page.text_box[:, 2] * page.text_box[:, 3])
    is_text = page.node_type[atom] == TEXT
    # A text's box spans its lines from margin to margin.
    area = np.where(is_text, np.minimum(area, lines[atom]), area)
    found = np.zeros((len(atom), N_AREAS), dtype=np.float32)
    found[np.arange(len(atom)), _counted_as(page, atom)] = area
    return found


def _counted_as(page: Snapshot, atom: Ints) -> NDArray[np.int64]:
    is_link, leads_out = _links(page)
    is_control = page.is_tag(*CONTROLS)
    small = _letters_held(page) <= MOST_LETTERS_OF_A_CONTROL
    acts = page.is_clickable & small & (page.node_type == ELEMENT)

    def within(marked: Bools) -> Bools:
        return marked[atom] | (counts_above(page, marked)[atom] > 0)

    conditions = [
        within(is_control | (page.is_tag("form") & small)),
        within(is_link & leads_out),
        within(is_link),
        within(acts),
        page.node_type[atom] != TEXT,
    ]
    columns = [FORM_AREA, OTHER_LINK_AREA, OWN_LINK_AREA, ACTION_AREA, PICTURE_AREA]
    return np.select(conditions, columns, TEXT_AREA)


def _letters_held(page: Snapshot) -> NDArray[np.int64]:
    """(n,) How many letters are drawn below each node."""
    letters = np.zeros(len(page), dtype=np.int64)
    np.add.at(letters, page.text_node, page.text_length)
    before = np.concatenate([[0], np.cumsum(letters)])
    held: NDArray[np.int64] = before[page.end] - before[:-1]
    return held


def _links(page: Snapshot) -> tuple[Bools, Bools]:
    """(n,) Whether an element is a link, and whether it leads to another site."""
    is_link, leads_out = np.zeros((2, len(page)), dtype=bool)
    own = _site(page.url)
    for node in page.is_tag("a", "area").nonzero()[0].tolist():
        href = page.attributes(node).get("href")
        if href is None:
            continue
        is_link[node] = True
        url = resolve(page.url, href)
        leads_out[node] = url is not None and _site(url) != own
    return is_link, leads_out


def _site(url: str) -> str:
    """The host that an address is of, without what names of one site begin with.

    >>> _site("https://www.example.org/a"), _site("nothing")
    ('example.org', '')
    """
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def counts_above(page: Snapshot, marked: Bools) -> Ints:
    """(n,) How many marked nodes hold each node: marks open after a node, and close at its end."""
    change = np.zeros(len(page) + 2, dtype=np.int32)
    nodes = marked.nonzero()[0]
    np.add.at(change, nodes + 1, 1)
    np.subtract.at(change, page.end[nodes], 1)
    counts: Ints = np.cumsum(change, dtype=np.int32)[: len(page)]
    return counts
