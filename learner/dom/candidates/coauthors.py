"""Who is named together with an author: in one list, or in elements that are said to be authors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from learner.dom.candidates.authors import AuthorCandidate, without_dates
from learner.dom.characters import letters_of
from learner.page.hints import names_author
from learner.page.said.names import is_full, part_names, without_label
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import clean_text

MOST_BESIDE = 10
"""Elements before and behind an author's that may name others. Origin: guess."""

MOST_PLACES = 3
"""Places where an author is named that are looked at. Origin: guess."""

_SEPARATORS = re.compile(r"\s*[;/•·]\s*")

Chosen = tuple[AuthorCandidate, float]
"""An author, with the probability to be one."""


def with_coauthors(tree: LayoutTree, chosen: Sequence[Chosen]) -> list[Chosen]:
    """The authors, each with those who are named together with him and are as likely; of a text
    with the names of several these."""
    found: list[Chosen] = []
    said: list[str] = []
    for each, probability in chosen:
        for name in _named_with(tree, each):
            letters = letters_of(name)
            if letters and not any(letters in other or other in letters for other in said):
                said.append(letters)
                own = each if name == each.name else AuthorCandidate(name, blocks=each.blocks)
                found.append((own, probability))
    return found


def _named_with(tree: LayoutTree, author: AuthorCandidate) -> list[str]:
    """The names of the list that an author stands in, or is; else his own."""
    language = tree.metadata.language
    if len(names := _names_in(author.name, language)) > 1:
        return names
    for index in author.blocks[:MOST_PLACES]:
        for names in _lists(tree, tree.blocks[index], language):
            if author.name.casefold() in {name.casefold() for name in names}:
                return [
                    author.name if name.casefold() == author.name.casefold() else name
                    for name in names
                ]
    return [author.name]


def _lists(tree: LayoutTree, block: TreeBlock, language: str) -> Iterator[list[str]]:
    """The lists of names in a block, and in it and those beside it."""
    text = without_dates(block.text)
    for part in text.split("|"):
        if len(names := _names_in(part, language)) > 1:
            yield names
    by_label: dict[str, list[str]] = {}
    for piece in block.pieces:
        if piece.label.endswith("@author") or names_author(piece.label):
            by_label.setdefault(piece.label, []).append(clean_text(piece.text))
    yield from (names for names in by_label.values() if len(names) > 1 and all(map(is_full, names)))
    if _is_authors(tree, block) and len(names := _beside(tree, block)) > 1:
        yield names


def _names_in(text: str, language: str) -> list[str]:
    """The names of a list, without the word before it.

    >>> _names_in("By Ann Lee; Bob Fry", "en"), _names_in("Ann Lee / Air", "en")
    (['Ann Lee', 'Bob Fry'], ['Ann Lee, Air'])
    """
    listed = _SEPARATORS.sub(", ", without_label(" ".join(text.split())))
    return part_names(listed, language)


def _is_authors(tree: LayoutTree, block: TreeBlock) -> bool:
    """Whether the names of a block's element, or of that around it, say that it is of authors."""
    around = list(islice(tree.ancestors(block.element), 2))
    return any(names_author(name) for element in around for name in tree.tokens[element])


def _beside(tree: LayoutTree, block: TreeBlock) -> list[str]:
    """The full names in elements like a block's, one behind the other."""
    names = [block.text]
    for step in (-1, 1):
        for index in range(block.index + step, block.index + step * (MOST_BESIDE + 1), step):
            if not 0 <= index < len(tree.blocks):
                break
            other = tree.blocks[index]
            if _likeness(tree, other) != _likeness(tree, block) or not is_full(other.text):
                break
            names.insert(0 if step < 0 else len(names), other.text)
    return names


def _likeness(tree: LayoutTree, block: TreeBlock) -> tuple[int, str, tuple[str, ...]]:
    element = block.element
    return tree.parents[element], tree.tags[element], tuple(tree.tokens[element])
