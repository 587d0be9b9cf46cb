"""What a page may be called: its headings, blocks that repeat `<title>`, and what it says for
machines; one row of features each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from unicodedata import combining, normalize
from urllib.parse import urlsplit

import numpy as np
from rapidfuzz.distance import Indel

from learner.dom.candidates.anchors import Anchors
from learner.dom.features import FAR, LONGEST_NAMED, MOST_PARTS, PageBlocks
from learner.dom.names import WORD
from learner.ensembles.trees import Floats
from learner.page.said.metadata import Metadata
from learner.page.tree import LayoutTree
from learner.site.affixes import SEPARATOR

MOST_CANDIDATES = 60
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
    """Which of `SOURCES` say it: `title`, `social` (`og:title`) or `json` (JSON-LD), whole or in
    the part that is named."""


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
    headline = tree.metadata.json_title[:LONGEST_NAMED]
    found = [(title, "title"), (social, "social"), (headline, "json")]
    if 3 <= len(parts) <= 2 * MOST_PARTS:
        found += [(parts[0], "first"), (parts[-1], "last")]
        found += [("".join(parts[:-2]), "start"), ("".join(parts[2:]), "end")]
    social_parts = SEPARATOR.split(social)
    if 3 <= len(social_parts) <= 2 * MOST_PARTS:
        found += [(social_parts[0], "social_first"), ("".join(social_parts[:-2]), "social_start")]
    return [(text.strip(), source) for text, source in found]


SOURCES = (
    "title",
    "social",
    "first",
    "last",
    "start",
    "end",
    "social_first",
    "social_start",
    "json",
)


def title_features(
    page: PageBlocks, main: Floats, types: Floats, candidates: Sequence[TitleCandidate]
) -> Floats:
    """A row for each candidate, of which there is one at least. `main` has the probability of each
    block to be main text, `types` those of the page to be of each type."""
    anchors = Anchors.of(page, main)
    of_page = [float((page.level == 1).sum()), *types.tolist()]
    top = max(candidates, key=lambda each: (_rank(page, each), len(each.said)))
    address = _address_words(page.tree.url)
    rows = [
        [
            *_said_row(page, each),
            *_shown_row(page, anchors, each),
            *_whole_row(page, each),
            *_machine_row(page.tree.metadata, each),
            *_beside_row(each.text, top.text),
            *_address_row(each.text, address),
            *of_page,
        ]
        for each in candidates
    ]
    matrix = np.array(rows, np.float32)
    return np.hstack([matrix, _behind_best(matrix[:, :4])])


def _behind_best(values: Floats) -> Floats:
    """How far each is from the greatest of its column."""
    behind: Floats = values.max(axis=0) - values
    return behind


def _rank(page: PageBlocks, each: TitleCandidate) -> float:
    """6 for an `h1`, 1 for an `h6`, 0 for what is no heading."""
    levels = [int(page.level[index]) for index in each.blocks]
    return float(max((7 - level for level in levels if level), default=0))


def _said_row(page: PageBlocks, each: TitleCandidate) -> list[float]:
    """What speaks for a text, and how it resembles what the page says for machines."""
    said = page.tree.metadata
    text, names = each.text.lower(), (said.title.lower(), said.social_title.lower())
    alike = [Indel.normalized_similarity(text, name) if name else 0.0 for name in names]
    return [
        _rank(page, each),
        max(alike),
        float(len(each.blocks) > 0),
        float(len(each.said) > 0),
        *alike,
        *[float(bool(name) and text in name) for name in names],
        *[float(source in each.said) for source in SOURCES],
        float(np.log1p(len(each.text))),
        float(each.text.count(" ")),
        float(len(each.blocks)),
    ]


def _shown_row(page: PageBlocks, anchors: Anchors, each: TitleCandidate) -> list[float]:
    """Where the page shows a text: as the highest heading, of those the first."""
    if not each.blocks:
        return [FAR, FAR, FAR, -1.0, -1.0, *[0.0] * 6]
    level, best = page.level, _best_block(page, each.blocks)
    element = int(page.element[best])
    bits = int(page.elements.bits[element])
    return [
        float(best),
        float(best - anchors.first),
        float((level[:best] == level[best]).sum()),
        float(page.plain[best]),
        float(page.weight[best]) / len(each.text),
        float(bits & 1),
        float((bits >> 1) & 1),
        float((bits >> 5) & 1),
        *page.elements.evidence[element, :3].tolist(),
    ]


def _best_block(page: PageBlocks, blocks: Sequence[int]) -> int:
    level = page.level
    return max(blocks, key=lambda index: (level[index] > 0, -level[index], -index))


def _whole_row(page: PageBlocks, each: TitleCandidate) -> list[float]:
    """How much of what the page may be called a text is."""
    said = page.tree.metadata
    lengths = [max(len(name), 1) for name in (said.title, said.social_title)]
    best = page.tree.blocks[_best_block(page, each.blocks)] if each.blocks else None
    is_heading = best is not None and page.tree.heading(best) is not None
    return [
        float(len(page.names)),
        float(is_heading),
        *[len(each.text) / length for length in lengths],
    ]


def _machine_row(said: Metadata, each: TitleCandidate) -> list[float]:
    """How a text stands to the headline of JSON-LD, the crumbs and the name of the site."""
    text, headline = each.text.lower(), said.json_title.lower()
    site = (said.meta_site_name or said.json_site_name).lower()
    return [
        Indel.normalized_similarity(text, headline) if headline else -1.0,
        float(text in headline),
        float(bool(said.crumbs) and each.text == said.crumbs[-1]),
        float(bool(site) and site in text),
        float(text == site),
    ]


def _beside_row(text: str, top: str) -> list[float]:
    """How a text stands to the highest heading."""
    text, top = text.lower(), top.lower()
    return [Indel.normalized_similarity(text, top), float(text in top), float(top in text)]


def _address_words(url: str) -> frozenset[str]:
    """The words of the last part of an address that has any, which are often those of a title.

    >>> sorted(_address_words("https://a.example/news/rain-again-123.html"))
    ['again', 'html', 'rain']
    """
    parts = [WORD.findall(part.lower()) for part in urlsplit(url).path.split("/")]
    return frozenset(next((words for words in reversed(parts) if words), []))


def _address_row(text: str, address: frozenset[str]) -> list[float]:
    """How much a text and the words of an address have in common."""
    plain = normalize("NFKD", text[:LONGEST_NAMED].lower())
    words = frozenset(WORD.findall("".join(sign for sign in plain if not combining(sign))))
    common = len(words & address)
    return [common / max(len(words), 1), common / max(len(address), 1), float(len(address))]
