"""Who may have written a page: names that it says for machines, and texts where bylines stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from urllib.parse import urlsplit

import numpy as np

from learner.dom.candidates.anchors import Anchors
from learner.dom.characters import letters_of
from learner.dom.features import FAR, PageBlocks, sure_extent
from learner.ensembles.trees import Floats
from learner.page.dates import find_dates
from learner.page.hints import leads_to_author, names_author
from learner.page.lines import Piece
from learner.page.months import month_names
from learner.page.said.metadata import Metadata
from learner.page.tree import TreeBlock
from learner.page.words import clean_text

LONGEST_BYLINE = 160
"""Characters of a block in which a name is looked for. Origin: guess."""

LONGEST_NAME = 60
"""Characters of a name. Origin: guess."""

MOST_CANDIDATES = 60
"""Names of a page that are looked at. Origin: guess."""

AROUND_TITLE, AROUND_END = (-6, 14), (-3, 8)
"""Blocks before and behind the title, and the end of the text, among which bylines are looked for
but for those that the page declares. Origin: guess."""

MOST_PARTS = 6
"""Parts of a block that are looked at. Origin: guess."""

MOST_LED = 12
"""Words of a block among which one is looked for that leads to a name. Origin: guess."""

MOST_WORDS = 4
"""Words of such a name. Origin: guess."""

NEAR = 4
"""Blocks around the title in which any short text may be a name. Origin: guess."""

SOURCES = ("json", "meta", "card", "rel", "label", "lead", "near", "date", "link")

_EDGE = re.compile(r"^[\W_]+|[^\w.)]+$")
_PAIR = re.compile(r"(\S+(?: \S+)+) [^\W\d_A-Z]{1,3} (\S+(?: \S+)+)")
_JOINED = re.compile(r"\s*[,;&|/、，·•]\s*|\s+[-–—]+\s+")


@dataclass(slots=True)
class AuthorCandidate:
    """One text that may be a name, and where it stands."""

    name: str
    sources: set[str] = field(default_factory=set)
    blocks: list[int] = field(default_factory=list)


def author_candidates(page: PageBlocks, main: Floats) -> list[AuthorCandidate]:
    """The texts of a page that may be names of its authors, each once. `main` has the probability
    of each block to be main text."""
    found = _Candidates()
    said = page.tree.metadata
    for source, names in (("json", said.json_authors), ("meta", said.meta_authors)):
        for name in names:
            for text in dict.fromkeys([name, *_JOINED.split(name), *_paired(name)]):
                found.add(text, {source})
    for block, sources in _bylines(page, main):
        for text, more in _names_in(block):
            found.add(text, sources | more, block.index)
    return list(found.values())


class _Candidates(dict[str, AuthorCandidate]):
    """Name without capitals -> the candidate."""

    def add(self, text: str, sources: set[str], block: int | None = None) -> None:
        """One more place that shows a text, if that can be a name."""
        name = _EDGE.sub("", clean_text(text))
        key = name.casefold()
        is_full = key not in self and len(self) >= MOST_CANDIDATES
        if is_full or not 2 <= len(name) <= LONGEST_NAME:
            return
        each = self.setdefault(key, AuthorCandidate(name))
        each.sources |= sources
        if block is not None:
            each.blocks.append(block)


def _byline_places(page: PageBlocks, main: Floats) -> list[int]:
    """The blocks that stand where bylines do, and those that are declared to be one."""
    tree, n = page.tree, len(page)
    first, last = sure_extent(main) or (0, 0)
    title = first if page.title is None else page.title
    places = {title + by for by in range(*AROUND_TITLE)}
    places |= {first + by for by in range(*AROUND_END)} | {last + by for by in range(*AROUND_END)}
    for element in sorted(tree.authored)[:MOST_CANDIDATES]:
        places.update(range(tree.starts[element], tree.ends[element])[:NEAR])
    return sorted(place for place in places if 0 <= place < n)


def _bylines(page: PageBlocks, main: Floats) -> Iterator[tuple[TreeBlock, set[str]]]:
    """Blocks in which names may stand, with what speaks for it."""
    tree, title = page.tree, page.title
    authored = tree.authored
    for block in [tree.blocks[place] for place in _byline_places(page, main)]:
        if len(block.text) > LONGEST_BYLINE:
            continue
        sources = set()
        around = list(tree.ancestors(block.element))[:4]
        if any(element in authored for element in around):
            sources.add("card")
        if any(names_author(name) for element in around for name in tree.tokens[element]):
            sources.add("label")
        first, _, _ = block.text.partition(" ")
        if leads_to_author(first.strip(":：")):
            sources.add("lead")
        markup = block.line.markup
        if "author" in markup:
            sources.add("rel")
        if title is not None and -NEAR <= block.index - title <= NEAR and block.index != title:
            sources.add("near")
        if sources:
            yield block, sources


def _names_in(block: TreeBlock) -> Iterator[tuple[str, set[str]]]:
    """The texts of a block that may be names: it, what follows a word that leads to a name, its
    parts without dates, and its inline parts."""
    text = without_dates(block.text)
    beside = {"date"} if text != block.text else set()
    yield text, beside
    for led in _led_names(text.split()):
        for name in [led, *_paired(led)]:
            yield name, beside | {"lead"}
    parts = _JOINED.split(text)
    for part in parts[:MOST_PARTS] if len(parts) > 1 else ():
        yield part, beside
    for name in _paired(text):
        yield name, beside
    for piece in block.pieces:
        if piece.text.strip() and piece.text.strip() != text:
            yield piece.text, beside | _said_of(piece)


def without_dates(text: str) -> str:
    """A text with a sign for each date, so that it parts what stands around it.

    >>> without_dates("3 May 2021 by Ann"), without_dates("Ann")
    ('| by Ann', 'Ann')
    """
    for found in reversed(find_dates(text, month_names())):
        text = f"{text[: found.start]}|{text[found.end :]}"
    return text


def _led_names(words: Sequence[str]) -> Iterator[str]:
    """What follows a word that leads to a name: all of it, and its first words with capitals, or
    its first word.

    >>> list(_led_names("Posted by Ann Lee in Air".split()))
    ['Ann Lee in Air', 'Ann Lee']
    """
    for place, word in enumerate(words[:MOST_LED]):
        if leads_to_author(word.strip(":：,.")) and place + 1 < len(words):
            rest = words[place + 1 :]
            yield " ".join(rest)
            names = list(takewhile(lambda each: not each[0].islower(), rest[:MOST_WORDS]))
            yield " ".join(names or rest[:1])


def _paired(text: str) -> list[str]:
    """The two names that a word without a capital parts, each of two words at least; none if there
    are no such names.

    >>> _paired("Ann Lee und Bob Ray"), _paired("Ludwig van Beethoven")
    (['Ann Lee', 'Bob Ray'], [])
    """
    found = _PAIR.fullmatch(text.strip())
    return list(found.groups()) if found and text.count(" ") < 3 * MOST_WORDS else []


def _said_of(piece: Piece) -> set[str]:
    """What the inline element of a text says of it."""
    sources = {"link"} if piece.href else set()
    if piece.label.endswith("@author") or names_author(piece.label):
        sources.add("rel")
    if piece.href and names_author(piece.href):
        sources.add("card")
    return sources


def author_features(
    page: PageBlocks,
    main: Floats,
    types: Floats,
    candidates: Sequence[AuthorCandidate],
    dated: frozenset[int],
) -> Floats:
    """A row for each candidate; `types` has the probabilities of the page to be of each type,
    `dated` the blocks that show its date."""
    anchors, host = Anchors.of(page, main), letters_of(urlsplit(page.tree.url).netloc)
    rows = [
        [
            *_said_row(each, page.tree.metadata, host),
            *_shown_row(page, main, anchors, each, dated),
            float(len(candidates)),
            *types.tolist(),
        ]
        for each in candidates
    ]
    return np.array(rows, np.float32)


def _said_row(each: AuthorCandidate, said: Metadata, host: str) -> list[float]:
    """What speaks for a name, and what it is like."""
    name, key, words = each.name, each.name.casefold(), each.name.split()
    letters = letters_of(name)
    machine = {author.casefold() for author in said.authors}
    return [
        *[float(source in each.sources) for source in SOURCES],
        float(len(each.sources)),
        float(key in machine),
        float(len(machine)),
        float(key == (said.meta_site_name or said.json_site_name).casefold()),
        float(key in {each.casefold() for each in said.json_organizations}),
        float(key in said.title.casefold()),
        len(letters) / max(len(host), 1) if letters in host else 0.0,
        float(len(words)),
        float(len(name)),
        float(sum(word[0].isupper() for word in words)) / len(words),
        float(sum(map(str.isdigit, name))),
        float(sum(not (sign.isalnum() or sign in " .-'’") for sign in name)),
        float(len(each.blocks)),
    ]


def _shown_row(
    page: PageBlocks,
    main: Floats,
    anchors: Anchors,
    each: AuthorCandidate,
    dated: frozenset[int],
) -> list[float]:
    """Where the page shows a name."""
    near = anchors.nearest(each.blocks)
    if near is None:
        return [*anchors.distances(None), FAR, *[-1.0] * 5, *[0.0] * 4, -1.0]
    element = int(page.element[near])
    return [
        *anchors.distances(near),
        float(min((abs(near - other) for other in dated), default=FAR)),
        float(main[near]),
        float(page.characters[near]),
        float(page.characters[near] - len(each.name)),
        float(page.plain[near]),
        float(page.level[near]),
        *page.elements.evidence[element, :4].tolist(),
        float(page.elements.alike[element]),
    ]
