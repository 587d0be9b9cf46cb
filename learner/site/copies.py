"""Copies: pages of a site that say the same under several addresses, which count once.

A server that ignores what follows a number in an address, a parameter that prints, an old address
that answers as well: each gives one article many addresses. Counted each for itself, copies make an
article's text one that recurs, and its page one of those that show others' texts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b

from learner.page.page_keys import page_key
from learner.page.pages import Page
from learner.page.tree import LayoutTree
from learner.site.inlinks import MAX_TEXTS

SAME_SHARE = 0.9
"""Least share of what both pages say that two of one canonical address must have in common: some
sites name their front page on all pages. Origin: guess."""

LEAST_TEXTS = 3
"""Different pages of a site from which on some may be copies. Origin: guess; the front page of a
site with a wall may be open."""

ReadPage = tuple[Page, LayoutTree]
"""A page, and its layout."""


def group_copies(pages: Sequence[ReadPage]) -> list[list[ReadPage]]:
    """The pages by what they say, most alone, in their order; of several that one comes first which
    is at its canonical address, or at the shortest. Where nearly all pages say the same each stands
    alone: that is no article, but a wall before the site."""
    groups = sorted(_copies(pages), key=min)
    if len(groups) < LEAST_TEXTS:
        return [[page] for page in pages]
    return [sorted((pages[n] for n in numbers), key=_rank) for numbers in groups]


def as_one(copies: Sequence[ReadPage]) -> ReadPage:
    """The first of some copies, with what links call any of them.

    >>> from learner.page.tree import build_tree
    >>> from lxml.html import document_fromstring as parse
    >>> tree = build_tree(parse("<body><h1>Rain</h1><p>It rains in the north.</p></body>"))
    >>> urls = ("https://a.example/rain", "https://a.example/rain?print=1")
    >>> page, _ = as_one([(Page(url=u, html=b"", anchor_texts=(u[-1],)), tree) for u in urls])
    >>> page.url, page.anchor_texts
    ('https://a.example/rain', ('n', '1'))
    """
    page, tree = copies[0]
    texts = dict.fromkeys(text for each, _ in copies for text in each.anchor_texts)
    return replace(page, anchor_texts=tuple(texts)[:MAX_TEXTS]), tree


def _rank(read: ReadPage) -> tuple[bool, int, str]:
    page, tree = read
    return page_key(tree.metadata.canonical) != tree.key, len(page.url), page.url


def _copies(pages: Sequence[ReadPage]) -> Iterator[list[int]]:
    """The pages by what they say, by their indices; most are alone."""
    saying: defaultdict[bytes, list[int]] = defaultdict(list)
    for number, (_, tree) in enumerate(pages):
        saying[_said(tree)].append(number)
    named: defaultdict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for numbers in saying.values():
        tree = pages[numbers[0]][1]
        address = tree.metadata.canonical
        groups = named[address, tree.metadata.title]
        same = _first_alike(tree, groups, pages) if address else None
        if same is None:
            groups.append(list(numbers))
        else:
            same += numbers
    yield from (group for groups in named.values() for group in groups)


def _first_alike(
    tree: LayoutTree, groups: Iterable[list[int]], pages: Sequence[ReadPage]
) -> list[int] | None:
    """The first group whose first page says nearly the same, of those of one name that give one
    address as theirs: there are few."""
    firsts = ((group, pages[group[0]][1]) for group in groups)
    return next((group for group, first in firsts if _are_alike(tree, first)), None)


def _said(tree: LayoutTree) -> bytes:
    """A digest of the name and the texts of a page; of one without text of its address."""
    texts = [block.text for block in tree.blocks] or [tree.url]
    return blake2b("\n".join([tree.metadata.title, *texts]).encode(), digest_size=16).digest()


def _are_alike(one: LayoutTree, other: LayoutTree) -> bool:
    said = [Counter({block.text: block.weight for block in tree.blocks}) for tree in (one, other)]
    common = (said[0] & said[1]).total()
    return common >= SAME_SHARE * max(each.total() for each in said)
