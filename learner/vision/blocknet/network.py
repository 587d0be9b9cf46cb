"""The network of blocks of a rendered page, and which of them are its content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from crawler.reading.links import resolve
from learner.vision.blocknet import paper
from learner.vision.blocknet.areas import N_AREAS
from learner.vision.blocknet.blocks import Block, Box, Params
from learner.vision.blocknet.cutting import Cut, cut
from learner.vision.blocknet.joining import Joined, join
from learner.vision.blocknet.measures.scene import Scene
from learner.vision.blocknet.model import BlockModel, shipped_model
from learner.vision.blocknet.neighbours import Neighbours, neighbours
from learner.vision.blocknet.output import html_of, json_of, overlay_of, text_of
from learner.vision.blocknet.template import main_part, relative, sides
from learner.vision.snapshots.snapshot import Snapshot

Scorer = Literal["learned", "paper"]

THRESHOLDS: dict[Scorer, float] = {"learned": 0.2, "paper": 0.0}
"""Score from which on a leaf is content; of the paper the sign of P. Origin: measured, see
docs/decisions.md."""

SURE_TITLE = 0.5
"""Probability from which on a leaf is a title. Origin: as likely as not."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockNet:
    """A rendered page as blocks: the page, the parts of its template, sections that titles join,
    titles and content."""

    page: Snapshot
    blocks: tuple[Block, ...]
    """By their numbers: the page first, what holds others before what it holds."""

    @property
    def root(self) -> Block:
        """The whole page."""
        return self.blocks[0]

    def as_text(self) -> str:
        """The text of what is content, a line a block."""
        return text_of(self.blocks)

    def as_html(self) -> str:
        """What is content as an HTML document of headings, paragraphs and pictures."""
        return html_of(self.blocks, self.page.title)

    def as_json(self) -> str:
        """The page and all its blocks; `docs/rendering.md` names the fields."""
        return json_of(self.page, self.blocks)

    def overlay(self, picture: bytes | None = None) -> str:
        """The blocks as SVG, over the page's picture (JPEG, PNG or WebP) if there is one;
        PictureError if it is none."""
        return overlay_of(self.page, self.blocks, picture)


def block_net(
    page: Snapshot,
    scorer: Scorer = "learned",
    *,
    threshold: float | None = None,
    weights: paper.Weights | None = None,
    model: BlockModel | None = None,
) -> BlockNet:
    """The network of blocks of a rendered page.

    `learned` judges each leaf block by boosted trees, `paper` by Block Net's formulas with
    `weights`. A leaf is content from the `threshold` on (`THRESHOLDS`); `model` None is the one
    that comes with the project. SnapshotError if the snapshot lacks a style or an attribute of it
    is damaged. Of a page that was drawn without its style sheets the answer means little.
    """
    model = model or shipped_model()
    scene = model.scene(cut(page))
    content = model.content(scene)
    net = _Net(scene, content)
    scores = (
        net.scores(relative(content)) if scorer == "learned" else net.paper_scores(model.g, weights)
    )
    return net.given_out(scores, THRESHOLDS[scorer] if threshold is None else threshold)


def leaf_scores(
    of: Cut, model: BlockModel, weights: paper.Weights | None = None
) -> tuple[dict[Scorer, Floats], Floats]:
    """Of each leaf of a page its score by both scorers, and the probability to be a title."""
    scene = model.scene(of)
    content = model.content(scene)
    net = _Net(scene, content)
    by_paper = np.zeros(len(content), np.float32)
    for leaf, score in zip(net.joined.leaf, net.paper_scores(model.g, weights), strict=True):
        if leaf >= 0:
            by_paper[leaf] = score
    return {"learned": relative(content), "paper": by_paper}, scene.titles


class _Net:
    """The joined blocks of a page, a row each."""

    def __init__(self, scene: Scene, content: Floats) -> None:
        self._scene, self._cut = scene, scene.cut
        leaves = scene.leaves
        is_title = (scene.titles >= SURE_TITLE) & (leaves.weight > 0)
        rank = zip(leaves.font.round().tolist(), (leaves.bold > 0.5).tolist(), strict=True)
        where = sides(scene, main_part(scene, content))
        self.joined: Joined = join(where, is_title, list(rank))
        self.box, self.areas = _gathered(self.joined, self._cut)
        self.neighbours = _among_siblings(self.joined, self.box)

    def scores(self, content: Floats) -> Floats:
        """Those of leaves as they are; of what holds them the mean over its letters."""
        joined = self.joined
        weight = np.maximum(self._scene.leaves.weight, 1)
        sums = np.zeros((len(joined), 2))
        for block in reversed(range(len(joined))):
            leaf = joined.leaf[block]
            if leaf >= 0:
                sums[block] = content[leaf] * weight[leaf], weight[leaf]
            if block:
                sums[joined.parent[block]] += sums[block]
        means: Floats = (sums[:, 0] / np.maximum(sums[:, 1], 1e-6)).astype(np.float32)
        return means

    def paper_scores(self, g: Floats, weights: paper.Weights | None) -> Floats:
        """P of each block."""
        return paper.judge(
            paper.Judged(self.joined, self.areas, self.box, self.neighbours), g, weights
        )

    def given_out(self, scores: Floats, threshold: float) -> BlockNet:
        """The network, with what is kept."""
        joined, kept = self.joined, self._kept(scores, threshold)
        doms = _doms(joined, self._cut)
        shares = _shares(self.areas, self.box)
        blocks = []
        for number in range(len(joined)):
            left, top, right, bottom = self.box[number].tolist()
            leaf = joined.leaf[number]
            blocks.append(
                Block(
                    number=number,
                    kind=joined.kind[number],
                    doms=doms[number],
                    box=Box(left, top, right - left, bottom - top),
                    params=Params(*shares[number].tolist()),
                    parent=joined.parent[number],
                    children=tuple(joined.children[number]),
                    above=self.neighbours.above[number],
                    below=self.neighbours.below[number],
                    left=self.neighbours.left[number],
                    right=self.neighbours.right[number],
                    text=self._cut.texts[leaf] if leaf >= 0 else "",
                    pictures=_pictures(self._cut, leaf) if leaf >= 0 else (),
                    score=float(scores[number]),
                    is_kept=kept[number],
                )
            )
        return BlockNet(page=self._cut.page, blocks=tuple(blocks))

    def _kept(self, scores: Floats, threshold: float) -> list[bool]:
        joined = self.joined
        is_leaf = np.array(joined.leaf) >= 0
        kept: list[bool] = (is_leaf & (scores >= threshold)).tolist()
        for block in reversed(range(1, len(joined))):
            kept[joined.parent[block]] |= kept[block]
        return kept


def _gathered(joined: Joined, of: Cut) -> tuple[Floats, Floats]:
    """Box and areas of each block, those of what holds others from what it holds."""
    n = len(joined)
    box = np.tile(np.array([np.inf, np.inf, -np.inf, -np.inf], np.float32), (n, 1))
    areas = np.zeros((n, N_AREAS), np.float32)
    sums = of.sums(of.areas)
    for block in reversed(range(n)):
        leaf = joined.leaf[block]
        if leaf >= 0:
            box[block], areas[block] = of.box[leaf], sums[leaf]
        if block:
            above = joined.parent[block]
            box[above, :2] = np.minimum(box[above, :2], box[block, :2])
            box[above, 2:] = np.maximum(box[above, 2:], box[block, 2:])
            areas[above] += areas[block]
    box[~np.isfinite(box).all(axis=1)] = 0  # a page that shows nothing
    return box, areas


def _shares(areas: Floats, box: Floats) -> Floats:
    """Areas as shares of the boxes; blocks may lie over one another."""
    extent = (box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])
    whole = np.maximum(np.maximum(extent, areas.sum(axis=1)), 1e-6)
    found: Floats = areas / whole[:, None]
    return found


def _among_siblings(joined: Joined, box: Floats) -> Neighbours:
    found: list[list[tuple[int, ...]]] = [[()] * len(joined) for _ in range(4)]
    for children in joined.children:
        if len(children) > 1:
            near = neighbours(box[children])
            told = (near.above, near.below, near.left, near.right)
            for own, places in zip(found, told, strict=True):
                for child, beside in zip(children, places, strict=True):
                    own[child] = tuple(children[place] for place in beside)
    return Neighbours(*found)


def _doms(joined: Joined, of: Cut) -> list[tuple[int, ...]]:
    """The nodes of each block: of what holds others those of all that it holds."""
    found: list[list[int]] = [[] for _ in range(len(joined))]
    for block in range(len(joined)):
        leaf = joined.leaf[block]
        if leaf >= 0:
            found[block] = of.doms(leaf)
            above = joined.parent[block]
            while above > 0:
                found[above] += found[block]
                above = joined.parent[above]
    found[0] = [0]
    return [tuple(each) for each in found]


def _pictures(of: Cut, leaf: int) -> tuple[str, ...]:
    page, found = of.page, []
    for atom in of.atom[of.low[leaf] : of.high[leaf]].tolist():
        if page.tags[atom] == "img":
            url = resolve(page.url, page.attributes(atom).get("src", ""))
            if url:
                found.append(url)
    return tuple(found)
