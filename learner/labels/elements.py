"""Which elements a person's boxes are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from learner.labels.boxes import Box, match_box
from learner.labels.labelled_page import LabelledPage
from learner.labels.names import LABELS
from learner.labels.sidecar import Proposed
from learner.labels.voc import VocObject


class Found(StrEnum):
    """How the element of a box was found."""

    PROPOSED = "proposed"
    """It had the label before a person came."""
    SAME_BOX = "same_box"
    """It has the box, off by a pixel at most."""
    OVERLAP = "overlap"
    """Its box is the one most like it."""
    NOTHING = "nothing"
    """There is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A box as a person left it, and its element."""

    name: str
    """As it was saved; one of `learner.labels.names.LABELS`, or none of them."""
    box: Box
    node: int | None
    """Of the snapshot; None if no element has such a box, or the name is no label."""
    found: Found
    overlap: float
    """Of the box with that of the element most like it: intersection over union, 0 to 1."""
    difficult: bool
    value: str | None = None
    """What was proposed of its meaning (`Proposal.value`)."""


def labels_of(page: LabelledPage) -> list[Label]:
    """The boxes of a page with their elements, as they were saved; one that was drawn twice
    once."""
    finder = _Finder(page)
    labels: dict[tuple[str, int | Box], Label] = {}
    for each in page.annotation.objects:
        label = finder.label(each)
        labels.setdefault((label.name, each.box if label.node is None else label.node), label)
    return list(labels.values())


class _Finder:
    """Finds the elements of one page by their boxes."""

    def __init__(self, page: LabelledPage) -> None:
        self._page = page
        self._boxes = [each.box for each in page.sidecar.boxes]
        self._proposed: dict[tuple[str, Box], Proposed] = {
            (each.label, each.box): each for each in page.sidecar.proposals
        }

    def label(self, saved: VocObject) -> Label:
        """What a saved box is."""
        node, found, value = None, Found.NOTHING, None
        matched = match_box(saved.box, self._boxes)
        if matched and matched.is_sure and saved.name in LABELS:
            proposed = self._proposed.get((saved.name, self._boxes[matched.place]))
            if proposed and matched.is_same:
                node, found, value = proposed.node, Found.PROPOSED, proposed.value
            else:
                node = self._node_behind(matched.place, saved.name)
                found = Found.SAME_BOX if matched.is_same else Found.OVERLAP
        return Label(
            name=saved.name,
            box=saved.box,
            node=node,
            found=found,
            overlap=matched.overlap if matched else 0.0,
            difficult=saved.difficult,
            value=value,
        )

    def _node_behind(self, place: int, name: str) -> int:
        """The innermost of the elements behind a box; of a picture the picture."""
        nodes = self._page.sidecar.boxes[place].nodes
        tags = self._page.snapshot.tags
        pictures = (node for node in nodes if name == "image" and tags[node] == "img")
        return next(pictures, nodes[-1])
