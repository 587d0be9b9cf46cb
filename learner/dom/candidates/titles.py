"""What a page may be called: its headings, blocks that repeat `<title>`, and what it says for
machines; one row of features each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from rapidfuzz.distance import Indel

from learner.dom.elements import Floats
from learner.dom.features import FAR, LONGEST_NAMED, MOST_PARTS, PageBlocks
from learner.page.tree import LayoutTree
from learner.site.affixes import SEPARATOR

MOST_CANDIDATES = 30
"""Blocks that are looked at. Origin: guess."""

LEAST_ALIKE = 0.4
"""Similarity to what the page says for machines from which on a block is a candidate that is no
heading. Origin: guess."""


@dataclass(slots=True)
class TitleCandidate:
    """One text, and where it stands."""

    text: str
    blocks: list[int] = field(default_factory=list)
    """The first block of each place that shows it."""
    said: set[str] = field(default_factory=set)
    """`title`, `social`, or which part of `<title>` it is: `first`, `last`, `start`, `end`."""


def title_candidates(page: PageBlocks) -> list[TitleCandidate]:
    """The texts that a page may be called by, each once."""
    found: dict[str, TitleCandidate] = {}

    def candidate(text: str) -> TitleCandidate:
        return found.setdefault(text, TitleCandidate(text))

    for text, source in _said(page.tree):
        if text:
            candidate(text).said.add(source)
    shown = np.flatnonzero((page.level > 0) | (page.similarity >= LEAST_ALIKE))
    for index in shown[:MOST_CANDIDATES].tolist():
        block = page.tree.blocks[index]
        if len(block.text) <= LONGEST_NAMED:
            candidate(block.text).blocks.append(index)
        inside = page.tree.inside(block.element)
        if page.level[index] and 1 < len(inside) <= MOST_PARTS and inside[0] is block:
            whole = " ".join(each.text for each in inside)
            if len(whole) <= LONGEST_NAMED:
                candidate(whole).blocks.append(index)
    return list(found.values())


def _said(tree: LayoutTree) -> list[tuple[str, str]]:
    """What a page says for machines, whole and in parts."""
    title, social = tree.metadata.title[:LONGEST_NAMED], tree.metadata.social_title[:LONGEST_NAMED]
    parts = SEPARATOR.split(title)
    found = [(title, "title"), (social, "social")]
    if 3 <= len(parts) <= 2 * MOST_PARTS:
        found += [(parts[0], "first"), (parts[-1], "last")]
        found += [("".join(parts[:-2]), "start"), ("".join(parts[2:]), "end")]
    social_parts = SEPARATOR.split(social)
    if 3 <= len(social_parts) <= 2 * MOST_PARTS:
        found += [(social_parts[0], "social_first"), ("".join(social_parts[:-2]), "social_start")]
    return [(text.strip(), source) for text, source in found]


SOURCES = ("title", "social", "first", "last", "start", "end", "social_first", "social_start")


def title_features(page: PageBlocks, main: Floats, candidates: list[TitleCandidate]) -> Floats:
    """A row for each candidate. `main` has the probability of each block to be main text."""
    sure = np.flatnonzero(main >= 0.5)
    first = int(sure[0]) if len(sure) else len(main)
    said = page.tree.metadata.title, page.tree.metadata.social_title
    n_top = float((page.level == 1).sum())
    rows = [_row(page, each, first, said, n_top) for each in candidates]
    matrix = np.array(rows, np.float32).reshape(len(rows), -1 if rows else 4)
    return np.hstack([matrix, _ranks(matrix[:, :4])]) if rows else matrix


def _ranks(values: Floats) -> Floats:
    """How far each is from the greatest of its column."""
    behind: Floats = values.max(axis=0) - values
    return behind


def _row(
    page: PageBlocks, each: TitleCandidate, first: int, said: tuple[str, str], n_top: float
) -> list[float]:
    text, length = each.text.lower(), max(len(each.text), 1)
    levels = [int(page.level[index]) for index in each.blocks]
    heading = max((7 - level for level in levels if level), default=0)
    alike = [Indel.normalized_similarity(text, name.lower()) if name else 0.0 for name in said]
    contained = [float(bool(name) and text in name.lower()) for name in said]
    places = each.blocks or [-1]
    best = max(places, key=lambda index: (page.level[index] > 0, -page.level[index], -index))
    shown = best >= 0
    element = int(page.element[best]) if shown else 0
    bits = int(page.elements.bits[element]) if shown else 0
    names = page.elements.evidence[element] if shown else np.zeros(8, np.float32)
    return [
        float(heading),
        max(alike),
        float(len(each.blocks) > 0),
        float(len(each.said) > 0),
        *alike,
        *contained,
        *[float(source in each.said) for source in SOURCES],
        np.log1p(length),
        float(each.text.count(" ")),
        float(len(each.blocks)),
        float(best) if shown else FAR,
        float(best - first) if shown else FAR,
        float((page.level[:best] == page.level[best]).sum()) if shown else FAR,
        float(page.plain[best]) if shown else -1.0,
        float(page.weight[best]) / length if shown else -1.0,
        float(bits & 1),
        float((bits >> 1) & 1),
        float((bits >> 5) & 1),
        float(names[0]),
        float(names[1]),
        float(names[2]),
        n_top,
        float(len(page.names)),
        float(page.tree.heading(page.tree.blocks[best]) is not None) if shown else 0.0,
        len(each.text) / max(len(said[0]), 1),
        len(each.text) / max(len(said[1]), 1),
    ]
