"""What is measured of each block of a page: language-free, one row a block, in linear time.

The kinds of domextract's features (letters, links, signs, tags, places, what encloses a block) on
the blocks of the learner, and what it had not: distinct levels of elements, neighbours, what
recurs at one place, names by evidence.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from learner.dom.characters import (
    BLANK,
    DIGIT,
    ENDING,
    LETTER,
    PAUSE,
    SIGN,
    UNPARTED_LETTER,
    UPPER,
    count_characters,
)
from learner.dom.elements import ROLES, Elements, Ints, sums
from learner.dom.names import NameEvidence
from learner.dom.repeats.said import KINDS, repeated
from learner.ensembles.trees import Floats
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock
from learner.site.affixes import SEPARATOR

LONGEST_NAMED = 300
"""Characters of a block, or of what a page is called, that are compared. Origin: guess."""

MOST_PARTS = 6
"""Parts of a `<title>` that are looked at. Origin: guess."""

MOST_BLOCKS = 20_000
"""Blocks of a page that are looked at, so that a page made to exhaust memory takes some 50 MB.
Origin: guess; long pages have 2,000."""

LEAST_TEXT = 60
"""Letters outside links of a block that is text by itself, with the end of a sentence. Origin:
guess."""

LONGEST_DATED = 80
"""Characters of a block that may be a date and little else. Origin: guess."""

DATED_SHARE = 0.06
"""Least share of digits in it. Origin: guess."""

SURE = 0.5
"""Probability from which on a block is thought to be main text. Origin: as likely as not."""

FAR = 999.0
"""Stands for a distance from what is not there."""

UNPARTED_WEIGHT = 3
"""Letters of an alphabet that one of a script without blanks tells as much as. Origin: guess."""


def page_names(tree: LayoutTree) -> list[str]:
    """What a page may be called: `<title>`, `og:title` and the longer parts of the first.

    >>> from learner.page.said.metadata import Metadata
    >>> page_names(LayoutTree("", Metadata(title="Rain again | Air", social_title="Rain again")))
    ['Rain again | Air', 'Rain again']
    """
    title = tree.metadata.title[:LONGEST_NAMED]
    parts = [part.strip() for part in SEPARATOR.split(title)[: 2 * MOST_PARTS : 2]]
    long = [part for part in parts if len(part) > 2 and 4 * len(part) >= len(title)]
    names = [title, tree.metadata.social_title[:LONGEST_NAMED], *long]
    return [name for name in dict.fromkeys(names) if name]


class PageBlocks:
    """The blocks of one page, which has some, as arrays."""

    def __init__(self, tree: LayoutTree, evidence: NameEvidence) -> None:
        self.tree = tree
        self.blocks = tree.blocks[:MOST_BLOCKS]
        self.elements = Elements(tree, evidence, len(self.blocks))
        self.texts = [block.line.text or " " for block in self.blocks]
        self.element: Ints = np.array([block.element for block in self.blocks], np.int64)
        self.counts, self.ends = count_characters(self.texts)
        counts = self.counts
        self.characters: Floats = counts.sum(axis=1)
        letters = counts[:, LETTER] + counts[:, UPPER] + counts[:, DIGIT]
        self.weight: Floats = letters + UNPARTED_WEIGHT * counts[:, UNPARTED_LETTER]
        self.plain: Floats = np.array([_plain_share(b) for b in self.blocks], np.float32)
        """The share of its letters outside links."""
        self.unlinked: Floats = self.weight * self.plain
        self.names = page_names(tree)
        self.level: Floats = np.array([_level(tree, b) for b in self.blocks], np.float32)
        """Of the heading that it is; 0 for none."""
        digits = counts[:, DIGIT]
        is_short = (digits >= 2) & (self.characters <= LONGEST_DATED)
        self.is_dated = is_short & (digits / self.characters > DATED_SHARE)
        self.is_dated[[index for index in tree.moments if index < len(self.texts)]] = True
        self.is_text = (self.unlinked >= LEAST_TEXT) & (counts[:, ENDING] >= 1)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def similarity(self) -> Floats:
        """How well each block repeats what the page may be called (Indel, 0 to 1)."""
        found = np.zeros(len(self), np.float32)
        short = np.flatnonzero(self.characters <= LONGEST_NAMED)
        if self.names and len(short):
            texts = [self.texts[index].lower() for index in short.tolist()]
            names = [name.lower() for name in self.names]
            alike = cdist(texts, names, scorer=Indel.normalized_similarity, dtype=np.float32)
            found[short] = alike.max(axis=1)
        return found

    @cached_property
    def title(self) -> int | None:
        """The block that most likely says what the page is called: headings before others, links
        behind."""
        is_heading = 0.15 * (self.level > 0) + 0.15 * (self.level == 1)
        worth = self.similarity + is_heading - 0.3 * (self.plain < 0.1)
        best = int(worth.argmax())
        return best if worth[best] > 0.5 else None

    @cached_property
    def around(self) -> Ints:
        """The elements around each block (`Elements.around`)."""
        return self.elements.around(self.element)

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """For each block the number of its place: that of its tag path, and of its path with all
        names. Blocks with one number stand alike."""
        paths = np.array([self.tree.paths[e] for e in self.element.tolist()], np.int64)
        chains = self.elements.chains[self.element]
        by_path: Ints = np.unique(paths, return_inverse=True)[1]
        by_chain: Ints = np.unique(chains, return_inverse=True)[1]
        return by_path, by_chain


def _plain_share(block: TreeBlock) -> float:
    line = block.line
    if not line.has_links:
        return 1.0
    return line.unlinked_weight / line.weight if line.weight else 1.0


def _level(tree: LayoutTree, block: TreeBlock) -> int:
    tag = tree.tags[block.element]
    return int(tag[1]) if tag in HEADINGS else 0


class Columns:
    """A matrix that grows by named columns."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._values: list[Floats] = []

    def add(self, name: str, values: NDArray[np.generic]) -> None:
        """One column."""
        self.names.append(name)
        self._values.append(values[:, None].astype(np.float32))

    def add_all(self, names: list[str], values: NDArray[np.generic]) -> None:
        """Several columns; `values` has one row a block."""
        self.names += names
        self._values.append(values.reshape(len(values), -1).astype(np.float32))

    def matrix(self) -> Floats:
        """All columns side by side."""
        return np.concatenate(self._values, axis=1)


def sure_extent(main: Floats) -> tuple[int, int] | None:
    """The first and the last block that is thought to be main text."""
    sure = np.flatnonzero(main >= SURE)
    return (int(sure[0]), int(sure[-1])) if len(sure) else None


def log(values: NDArray[np.generic]) -> Floats:
    """The logarithm of one more than each."""
    found: Floats = np.log1p(np.maximum(values, 0)).astype(np.float32)
    return found


def shifted(values: NDArray[np.generic], by: int) -> NDArray[np.generic]:
    """Those of the blocks so many places on; 0 beyond the ends.

    >>> shifted(np.array([1, 2, 3]), 1).tolist(), shifted(np.array([1, 2, 3]), -2).tolist()
    ([2, 3, 0], [0, 0, 1])
    """
    out = np.zeros_like(values)
    if by > 0:
        out[:-by] = values[by:]
    else:
        out[-by:] = values[:by]
    return out


def block_features(page: PageBlocks) -> tuple[list[str], Floats]:
    """Names and values of the features of each block."""
    columns = Columns()
    _add_own(page, columns)
    _add_page(page, columns)
    _add_places(page, columns)
    _add_levels(page, columns)
    _add_neighbours(page, columns)
    return columns.names, columns.matrix()


def _add_own(page: PageBlocks, columns: Columns) -> None:
    """What a block is by itself, and what is said of the elements that it stands in."""
    counts, add, tree = page.counts, columns.add, page.tree
    n_words = counts[:, BLANK] + 1
    letters = counts[:, LETTER] + counts[:, UPPER] + counts[:, UNPARTED_LETTER]
    add("letters", log(page.weight))
    add("unlinked", log(page.unlinked))
    add("linked", 1 - page.plain)
    add("word_length", page.weight / n_words)
    add("capitals", counts[:, UPPER] / np.maximum(letters, 1))
    add("digits", counts[:, DIGIT] / page.characters)
    add("signs", counts[:, SIGN] / page.characters)
    add("endings", counts[:, ENDING])
    add("endings_share", counts[:, ENDING] / n_words)
    add("pauses", counts[:, PAUSE])
    add("ends_sentence", page.ends[:, 1] == ENDING)
    add("last_class", page.ends[:, 1])
    add("first_class", page.ends[:, 0])
    lines = [block.line for block in page.blocks]
    add("bold", np.array(["<b" in line.markup or "<st" in line.markup for line in lines]))
    add("inline", np.array([line.markup.count("<") for line in lines]))
    add("pictured", np.array([line.has_pictures for line in lines]))
    tags = [tree.tags[element] for element in page.element.tolist()]
    for tag in ("p", "li", "td", "pre"):
        add(f"is_{tag}", np.array([each == tag for each in tags]))
    add("heading", page.level)
    add("dated", page.is_dated)
    bits = page.elements.bits[page.element]
    columns.add_all([f"in_{role}" for role in ROLES], (bits[:, None] >> np.arange(len(ROLES))) & 1)
    add("depth", page.elements.depth[page.element])
    kinds = ("own", "total", "least", "most")
    names = [f"{of}_{kind}" for of in ("names", "other_names") for kind in kinds]
    columns.add_all(names, page.elements.evidence[page.element])
    columns.add_all([f"repeats_{kind}" for kind in KINDS], repeated(page.texts, tree.metadata))


def _add_page(page: PageBlocks, columns: Columns) -> None:
    """Where a block stands on the page, and what that is like."""
    n, add = len(page), columns.add
    index = np.arange(n, dtype=np.float32)
    unlinked = max(float(page.unlinked.sum()), 1.0)
    text = sums(page.unlinked)
    add("index", index)
    add("place", index / n)
    add("text_before", text[:-1] / unlinked)
    total = max(float(page.weight.sum()), 1.0)
    of_page = {
        "page_blocks": np.log1p(n),
        "page_letters": np.log1p(total),
        "page_linked": 1 - unlinked / total,
        "page_texts": np.log1p(page.is_text.sum()),
    }
    columns.add_all(list(of_page), np.tile(np.array(list(of_page.values())), (n, 1)))
    copies = Counter(page.texts)
    add("copies", np.array([copies[each] for each in page.texts]))
    add("similarity", page.similarity)
    title = page.title
    far = np.full(n, FAR)
    add("from_title", far if title is None else index - title)
    add("text_from_title", far if title is None else (text[:-1] - text[title]) / unlinked)
    heading = np.maximum.accumulate(np.where(page.level > 0, index, -1)).astype(np.int64)
    add("since_heading", np.where(heading >= 0, index - heading, FAR))
    add("heading_digits", np.where(heading >= 0, page.counts[heading, DIGIT], 0))


def _add_places(page: PageBlocks, columns: Columns) -> None:
    """What else stands where a block stands: rows of a list, paragraphs of a text."""
    unlinked = max(float(page.unlinked.sum()), 1.0)
    n_texts = max(float(page.is_text.sum()), 1.0)
    for name, place in zip(("path", "place"), page.places, strict=True):
        size = np.bincount(place)
        letters = np.bincount(place, page.unlinked)
        texts = np.bincount(place, page.is_text)
        columns.add(f"{name}_blocks", log(size)[place])
        columns.add(f"{name}_share", (letters / unlinked)[place])
        columns.add(f"{name}_mean", log(letters / size)[place])
        columns.add(f"{name}_texts", (texts / size)[place])
        columns.add(f"{name}_text_share", (texts / n_texts)[place])


def _add_levels(page: PageBlocks, columns: Columns) -> None:
    """What the elements around a block hold."""
    e, held = page.elements, page.elements.held
    size = np.maximum(e.ends - e.starts, 1)
    unlinked, weight = held(page.unlinked), held(page.weight)
    texts, total = held(page.is_text), max(float(page.unlinked.sum()), 1.0)
    measured = {
        "blocks": log(size),
        "share": unlinked / total,
        "linked": 1 - unlinked / np.maximum(weight, 1),
        "mean": log(unlinked / size),
        "texts": texts / size,
        "links": held(page.plain < 1) / size,
        "headings": held(page.level > 0) / size,
        "dated": held(page.is_dated) / size,
        "alike": log(e.alike),
        "names": e.evidence[:, 0],
        "other_names": e.evidence[:, 4],
    }
    matrix = np.stack(list(measured.values()), axis=1)
    levels = range(page.around.shape[1])
    columns.add_all([f"a{k}_{name}" for k in levels for name in measured], matrix[page.around])


def _add_neighbours(page: PageBlocks, columns: Columns) -> None:
    """What stands before and behind a block."""
    letters, names = log(page.weight), page.elements.evidence[page.element, 1]
    for by in (-2, -1, 1, 2):
        columns.add(f"n{by}_letters", shifted(letters, by))
        columns.add(f"n{by}_linked", shifted(1 - page.plain, by))
        columns.add(f"n{by}_heading", shifted(page.level, by))
        columns.add(f"n{by}_names", shifted(names, by))
    add_windows(page.weight, page.unlinked, page.is_text, columns)


def add_windows(
    weight: Floats, unlinked: Floats, is_text: NDArray[np.bool_], columns: Columns
) -> None:
    """What the blocks around each say, near and far: how much of it links, is long, is text."""
    weights, unlinkeds, texts = sums(weight), sums(unlinked), sums(is_text)
    for by in (4, 12):
        low, high = window(len(weight), by)
        plain, size = unlinkeds[high] - unlinkeds[low], high - low
        columns.add(f"w{by}_linked", 1 - plain / np.maximum(weights[high] - weights[low], 1))
        columns.add(f"w{by}_mean", log(plain / size))
        columns.add(f"w{by}_texts", (texts[high] - texts[low]) / size)


def window(n: int, by: int) -> tuple[Ints, Ints]:
    """The ends of the ranges of so many blocks before and behind each of `n`."""
    index = np.arange(n)
    return np.maximum(index - by, 0), np.minimum(index + by + 1, n)
