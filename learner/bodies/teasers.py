"""Teasers: boxes below or beside a text that lead to other articles and quote their beginnings.

Their links are known for the site's, but the quotations vary like the text of the article. What
gives them away is that the pages that they lead to say the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from learner.bodies.comments import text_holders
from learner.page.tree import LayoutTree
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures

QUOTED_SHARE = 0.5
"""A place is one of teasers if at least this share of those that lead to pages among the learned
quote them. Origin: guess; summaries of an editor's own quote nothing."""

LEAST_QUOTED = 3
"""... and so many do. Origin: guess."""

FIRST_BLOCKS = 3
"""Blocks at the start of a teaser of which one is the link: a date or a category may come first.
Origin: guess."""

QUOTE_WEIGHT = 10
"""Weight outside links from which on a block may be a quotation. Origin: guess."""

QUOTE_LENGTH = 25
"""Characters of a quotation that are looked for, without spaces; its end may be cut off. Origin:
guess."""

LINKED_SHARE = 0.5
"""Least share of the elements at such a place that must begin with a link to a page of the site.
Origin: guess; of the descriptions of inherited methods some begin with one and repeat elsewhere,
teasers all do."""

MOST_TEASERS = 100
"""Elements of a page that are compared with the pages that they lead to. Origin: guess; a hostile
page may have ten thousand."""

_END = re.compile(r"[\s\[(]*(?:…|\.\.+)?[\s\])]*$")


def teaser_signatures(members: Sequence[ClusterPage], signatures: Signatures) -> frozenset[int]:
    """The places of teasers: of elements that begin with a link to another of these pages and go on
    with words of its text.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> teaser = "<li><a href='/{0}'>Title {0}</a><p>The text of article {0} ...</p></li>"
    >>> html = "<body><p>The text of article {} is about something.</p><ul>{}</ul></body>"
    >>> trees = []
    >>> for number, others in (("one", ["two", "six"]), ("two", ["six"]), ("six", ["one"])):
    ...     page = html.format(number, "".join(map(teaser.format, others)))
    ...     trees.append(build_tree(parse(page), f"https://a.example/{number}"))
    >>> signatures = Signatures(trees)
    >>> found = teaser_signatures([ClusterPage(tree, None) for tree in trees], signatures)
    >>> sorted(str(signatures.locator(signature)) for signature in found)
    ['body/ul', 'body/ul/li']
    """
    pages = {member.tree.key: member.tree for member in members}
    known: Counter[int] = Counter()
    quoting: Counter[int] = Counter()
    holding: Counter[int] = Counter()
    for member in members:
        places = signatures.of[member.tree]
        for element, teased in islice(_leading(member.tree, pages), MOST_TEASERS):
            known[places[element]] += 1
            quoting[places[element]] += _quotes(member.tree, element, teased, signatures)
        holding.update(text_holders(member, signatures))
    quoted = {
        place
        for place, count in quoting.items()
        if count >= max(LEAST_QUOTED, QUOTED_SHARE * known[place], holding[place])
    }
    return frozenset(quoted & _mostly_links(members, signatures)) if quoted else frozenset()


def _mostly_links(members: Sequence[ClusterPage], signatures: Signatures) -> set[int]:
    """The places of elements of several blocks most of which begin with a link to a page of the
    site."""
    seen: Counter[int] = Counter()
    leading: Counter[int] = Counter()
    for member in members:
        tree, places = member.tree, signatures.of[member.tree]
        extents = zip(places, tree.starts, tree.ends, strict=True)
        seen.update(place for place, start, end in extents if end - start > 1)
        leading.update(places[element] for element in {each for each, _ in _beginnings(tree)})
    return {place for place, count in leading.items() if count >= LINKED_SHARE * seen[place]}


def _leading(tree: LayoutTree, pages: Mapping[str, LayoutTree]) -> Iterator[tuple[int, LayoutTree]]:
    """The elements of several blocks that begin with a link to another of these pages, and it."""
    met: set[int] = set()
    for element, target in _beginnings(tree):
        if target in pages and element not in met:
            met.add(element)
            yield element, pages[target]


def _beginnings(tree: LayoutTree) -> Iterator[tuple[int, str]]:
    """The elements of several blocks that begin with links to other pages of the site, each with
    the key of that page."""
    for block in tree.blocks:
        target = tree.target(block.href)
        if target is None:
            continue
        for element in tree.ancestors(block.element):
            start, end = tree.starts[element], tree.ends[element]
            if start <= block.index - FIRST_BLOCKS:
                break
            if end - start > 1:
                yield element, target


def _quotes(tree: LayoutTree, element: int, teased: LayoutTree, signatures: Signatures) -> bool:
    """Whether the longest text of an element begins with what the other page says at another place,
    in one block or in several: at the same one stands what the site says on all pages."""
    longest = max(tree.inside(element), key=lambda block: block.unlinked_weight)
    if longest.unlinked_weight < QUOTE_WEIGHT:
        return False
    begins = _END.sub("", longest.text[: 2 * QUOTE_LENGTH]).replace(" ", "")[:QUOTE_LENGTH]
    place, places = signatures.of[tree][longest.element], signatures.of[teased]
    said = "".join(block.text for block in teased.blocks if places[block.element] != place)
    return begins in said.replace(" ", "")
