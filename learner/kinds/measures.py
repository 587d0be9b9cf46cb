"""Is it an article or a list? Evidence of one page, measured against the other pages of its site.

A list (home page, archive, category, tag) and an article can look alike, and what tells them apart
on one site does not on another: one site says `og:type` article on every page, another has long
texts on its lists. So every measure is compared with its mean over the site, and the evidence of a
page is averaged over the pages of its cluster (`learner.kinds.page_kinds`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean, median

from learner.page.addresses import slug
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import LONG_TEXT, TEXT_WEIGHT
from learner.site.cluster_page import ClusterPage
from learner.site.link_counts import LinkCounts, Standing

MANY_LINKS = 0.15
"""Share of the text in links to other pages of the site above which it speaks for a list. Links
that are a part of their line count too: a member of a class stands beside its signature."""

LINK_EVIDENCE = 4.0
"""How much each part of that share counts. Measured with both on 104 sites, 35 of them those of the
other measurements: of 128 lists given out 24 fewer, of 4,690 articles one more refused; 21 and one
with 5 and .2, 25 and three with 5 and .15, 10 and one with 3 and .15."""

FEW_LINKS = 20
"""Blocks that are links to other pages of the site ..."""

SMALL_SHARE = 0.06
"""... and share of the text in them, below both of which a long text speaks for an article."""

TEXT_EVIDENCE = 1.0
"""How much that counts. Measured on 35 sites, each learned from five halves: 30 of 10,490 articles
are taken for lists and 170 of 5,094 lists given out; with .8 36 and 165, with 1.2 26 and 183."""

USUAL_MARGIN = 0.7
"""By how much the standing of a page (`learner.site.link_counts`), weighed with the coefficients
below, may be above that of the usual article of its pattern ..."""

STANDING_EVIDENCE = 2.0
"""... and how much each part of the rest counts. Measured on 35 sites and 29 others, each learned
from three halves: of 719 lists that fit an article pattern 119 are given out instead of 179, and of
8,518 articles 43 are refused instead of 34; with 1 and no margin 122 and 60, with 1 and .5 131 and
42."""

LINK_PAGES = 0.5
"""Mean share of the text in such links from which on a pattern is one of lists, whatever the rest
of the site is like. Origin: guess; of 2,100 articles of 35 sites two have as much."""

LEAST_PART = 0.05
"""Share of what the pages say beyond the frame of their site below which the text of a pattern, if
it is short too, is none: the entries of lists stand on other lists too, so that nothing varies but
the heading. Origin: the archives of a common blog theme, which have .01; the articles of 35 sites
have .23 or more."""

LEAST_LIKENESS = 3.0
"""What is found on the pages of a site is articles if the mean likeness of the texts (`likeness`)
is at least this. Measured on 35 sites: 4.2 or more, 3.8 if ten pages were learned; learned from its
lists alone, a site had less, or no pattern of articles at all, in 19 of 34 cases. Articles of one
line have about 3.1."""

CARD_BLOCKS = 8
"""Blocks up to which what holds one heading is a card: an empty link in it is one of the heading.
Origin: guess; a link on a picture above the text leads to the contents of a manual."""

HEADING_LIKENESS = 4.0
"""What linked headings take from the likeness. Origin: the measurement above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What is measured on one page. Field names are also the names of the coefficients."""

    linked_headings: float
    """Share of its headings that link to another page of the site, 0 to 1."""
    longest_block: float
    """ln(1 + weight outside links of its longest block)."""
    declared_article: float
    """1 if `og:type` is article or `article:published_time` is given, else 0."""
    declared_list: float
    """1 if JSON-LD calls it a page of a collection, of search results or of a person, else 0."""
    depth: float
    """Segments of its path."""
    directory: float
    """1 if its address ends in a slash where two thirds are those of files: an index of these."""
    titles_of_others: float
    """ln(1 + blocks that are the title of another page)."""
    listed: float
    """ln(1 + pages on which a block that says this page's title links to it)."""
    linked_text: float
    """Share of its text's weight in blocks that link to other pages of the site, 0 to 1."""
    slug_length: float
    """ln(1 + characters of what the page is called in its address)."""
    inlinks: float
    """That of its standing (`learner.site.link_counts`), as are the next two."""
    pages_below: float
    rare_links: float


COEFFICIENTS = Measures(
    linked_headings=2.3,
    longest_block=-0.69,
    declared_article=-2.6,
    declared_list=2.6,
    depth=-0.49,
    directory=1.95,
    titles_of_others=0.62,
    listed=-0.47,
    linked_text=2.3,
    slug_length=-0.8,
    inlinks=0.28,
    pages_below=0.48,
    rare_links=0.62,
)
"""Weight of each measure, once the site's mean is taken from it; positive speaks for a list.
Origin: logistic regression on 35 real sites and 28 more, rebuilt from the HTML of public
repositories (`python -m benchmarks.fit_kinds`); left out of the fit, one of the 35 has 1 % of its
articles and 4 % of its lists on the wrong side, one of the 28, which were chosen for lists that
look like articles, 1 % and 11 %. None of them says that a page is one of a collection: that has the
weight of `og:type`."""

INTERCEPT = -0.61
"""Evidence of a page that is like the mean of its site: articles are in the majority."""


def measure_pages(
    trees: Sequence[LayoutTree],
    names: Sequence[Sequence[str]],
    frame: frozenset[str],
    link_counts: LinkCounts,
) -> list[Measures]:
    """The measures of each page of a site; `names` are what each is called, best first."""
    titles = {tree.key: called[0] for tree, called in zip(trees, names, strict=True) if called}
    others = {title for title in titles.values() if len(title) >= 4}
    n_files = sum("." in tree.address.rpartition("/")[2] for tree in trees)
    has_files = 3 * n_files >= 2 * len(trees)
    own_blocks = [[b for b in tree.blocks if b.text not in frame] for tree in trees]
    listed: Counter[str] = Counter()
    for tree, blocks in zip(trees, own_blocks, strict=True):
        listed.update(listed_pages(tree, blocks, titles))
    measures = []
    for tree, called, blocks in zip(trees, names, own_blocks, strict=True):
        standing = link_counts.standing(tree, (line for _, line in tree.linked))
        told = {b.text for b in blocks if b.text in others and b.text not in called}
        measures.append(
            Measures(
                linked_headings=_linked_headings(tree, blocks),
                longest_block=_longest(blocks),
                declared_article=float(tree.metadata.type == "article"),
                declared_list=float(tree.metadata.is_list),
                depth=float(sum(1 for part in tree.key.split("/")[1:] if part)),
                directory=float(has_files and tree.address.endswith("/")),
                titles_of_others=math.log1p(len(told)),
                listed=math.log1p(listed[tree.key]),
                linked_text=linked_share(tree, blocks),
                slug_length=math.log1p(len(slug(tree.key))),
                inlinks=standing.inlinks,
                pages_below=standing.pages_below,
                rare_links=standing.rare_links,
            )
        )
    return measures


def listed_pages(
    tree: LayoutTree, blocks: Iterable[TreeBlock], titles: Mapping[str, str]
) -> set[str]:
    """The other pages of the site, by their keys, whose titles are blocks that link to them.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<p><a href=/x>Rain</a><p><a href=/y>on</a>"), "https://a.example/")
    >>> listed_pages(tree, tree.blocks, {"a.example/x": "Rain", "a.example/y": "Sun"})
    {'a.example/x'}
    """
    linked = ((tree.target(block.href), block.text) for block in blocks)
    return {key for key, text in linked if key and titles.get(key) == text}


def list_evidence(measures: Sequence[Measures]) -> list[float]:
    """For each page of a site how much speaks for a list (above 0) or an article (below 0).

    >>> page = Measures(**{field.name: 0.0 for field in fields(Measures)})
    >>> list_evidence([page, page]) == [INTERCEPT, INTERCEPT]  # they are like their mean
    True
    """
    evidence = [INTERCEPT] * len(measures)
    for field in fields(Measures):
        values = [getattr(m, field.name) for m in measures]
        mean = sum(values) / max(1, len(values))
        coefficient = getattr(COEFFICIENTS, field.name)
        evidence = [e + coefficient * (v - mean) for e, v in zip(evidence, values, strict=True)]
    return evidence


def likeness(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """How much a text is like an article, whatever the rest of the site is: a long block, headings
    that lead nowhere else; or a long block above all that do, which belong to boxes in the text.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<h2><a href=/x>Rain</a></h2><p>Rain it is</p>"), "https://a.example/")
    >>> likeness(tree, tree.blocks) == math.log1p(8) - HEADING_LIKENESS
    True
    """
    declared = tree.metadata.type == "article"
    above = _longest(_above_linked(tree, body))
    if above >= math.log1p(LONG_TEXT):
        return above + declared
    return _longest(body) - HEADING_LIKENESS * _linked_headings(tree, body) + declared


def are_articles(found: Sequence[tuple[int, float]]) -> bool:
    """Whether the texts that were found on the pages of a site are articles: a site of lists alone
    has none, though some of its lists are more like articles than the others. Given for each
    pattern how many pages taught it, and the likeness of their texts.

    >>> are_articles([(10, 5.0), (1, 0.0)]), are_articles([(10, 2.0)]), are_articles([])
    (True, False, True)
    """
    n_pages = sum(pages for pages, _ in found)
    mean = sum(pages * alike for pages, alike in found) / max(1, n_pages)
    return not found or mean >= LEAST_LIKENESS


def are_lists(
    members: Sequence[ClusterPage], bodies: Sequence[Sequence[TreeBlock]], frame: frozenset[str]
) -> bool:
    """Whether the texts of some pages are links, or short and next to nothing of what the pages
    say."""
    pairs = list(zip(members, bodies, strict=True))
    if fmean(linked_share(member.tree, body) for member, body in pairs) >= LINK_PAGES:
        return True
    if median(sum(block.unlinked_weight for block in body) for body in bodies) >= TEXT_WEIGHT:
        return False
    return median(_part(member, body, frame) for member, body in pairs) < LEAST_PART


def _part(member: ClusterPage, body: Sequence[TreeBlock], frame: frozenset[str]) -> float:
    """The text's share, by weight, of what a page says beyond the frame and its title."""
    blocks = (block for block in member.tree.blocks if block is not member.title)
    said = sum(block.weight for block in blocks if block.text not in frame)
    return sum(block.weight for block in body) / max(1, said)


def linked_share(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """Share of a text's weight in blocks that are links to other pages of the site, 0 to 1.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<body><p>three</p><p><a href=/x>words</a></p></body>"
    >>> tree = build_tree(parse(html), "https://a.example/")
    >>> linked_share(tree, tree.blocks)
    0.5
    """
    return _share(linked_blocks(tree, body), body)


def share_in_links(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """Share of a text's weight in links to other pages of the site, 0 to 1; those inside lines
    count, too.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><p>from <a href=/x>here</a> on"), "https://a.example/")
    >>> share_in_links(tree, tree.blocks), linked_share(tree, tree.blocks)
    (0.4, 0.0)
    """
    weight = sum(block.weight for block in body)
    return sum(map(tree.linked_weight, body)) / max(1, weight)


def linked_blocks(tree: LayoutTree, body: Sequence[TreeBlock]) -> list[TreeBlock]:
    """The blocks of a text that are links to other pages of the site."""
    return [block for block in body if tree.target(block.href)]


def _share(linked: Sequence[TreeBlock], body: Sequence[TreeBlock]) -> float:
    if not linked:
        return 0.0
    return sum(block.weight for block in linked) / max(1, sum(block.weight for block in body))


def body_evidence(tree: LayoutTree, body: Sequence[TreeBlock]) -> float:
    """What the text itself adds to the evidence: an article is text, a list is links to the site's
    other pages.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<p>three</p><p><a href=/x>words</a></p>"
    >>> tree = build_tree(parse(html), "https://a.example/")
    >>> body_evidence(tree, tree.blocks) == LINK_EVIDENCE * (0.5 - MANY_LINKS)
    True
    """
    is_long = any(b.unlinked_weight >= LONG_TEXT for b in body if len(b.text) >= LONG_TEXT)
    linked = [block for block in body if block.line.has_links]
    in_links = sum(map(tree.linked_weight, linked))
    if not in_links:  # as most texts: there is nothing to weigh
        return -TEXT_EVIDENCE * is_long
    links = linked_blocks(tree, linked)
    is_text = is_long and len(links) < FEW_LINKS and _share(links, body) < SMALL_SHARE
    return LINK_EVIDENCE * _beyond_many(in_links, body) - TEXT_EVIDENCE * is_text


def standing_evidence(standing: Standing, usual: Standing) -> float:
    """What the standing of a page adds to the evidence, given that of the usual article of its
    pattern: never that it is an article.

    >>> usual = Standing(inlinks=0.0, pages_below=0.0, rare_links=1.0)
    >>> round(standing_evidence(Standing(inlinks=4.0, pages_below=1.0, rare_links=1.0), usual), 2)
    1.8
    """
    more = COEFFICIENTS.inlinks * (standing.inlinks - usual.inlinks)
    more += COEFFICIENTS.pages_below * (standing.pages_below - usual.pages_below)
    more += COEFFICIENTS.rare_links * (standing.rare_links - usual.rare_links)
    return STANDING_EVIDENCE * max(0.0, more - USUAL_MARGIN)


def _beyond_many(in_links: int, body: Sequence[TreeBlock]) -> float:
    """By how much the share of a text in links is more than `MANY_LINKS`; of most texts the first
    blocks tell that it is less."""
    weight = 0
    for block in body:
        weight += block.weight
        if in_links <= MANY_LINKS * weight:
            return 0.0
    return in_links / weight - MANY_LINKS


def _longest(blocks: Sequence[TreeBlock]) -> float:
    return math.log1p(max((block.unlinked_weight for block in blocks), default=0))


def _linked_headings(tree: LayoutTree, blocks: Sequence[TreeBlock]) -> float:
    headings = _headings(tree, blocks)
    return len(_linked(tree, headings)) / len(headings) if headings else 0.0


def _above_linked(tree: LayoutTree, body: Sequence[TreeBlock]) -> Sequence[TreeBlock]:
    """What of a text stands above the first heading that links to another page."""
    linked = _linked(tree, _headings(tree, body))
    return [block for block in body if block.index < linked[0].index] if linked else body


def _headings(tree: LayoutTree, blocks: Sequence[TreeBlock]) -> list[TreeBlock]:
    """Each heading among some blocks by one of its own: the first that links to another page of
    the site, or else the first of all (a date may stand in a box of its own inside)."""
    found: dict[int, TreeBlock] = {}
    for block in blocks:
        element = tree.heading(block)
        if element is None:
            continue
        first = found.setdefault(element, block)
        if first is not block and not tree.target(first.href) and tree.target(block.href):
            found[element] = block
    return list(found.values())


def _linked(tree: LayoutTree, headings: Sequence[TreeBlock]) -> list[TreeBlock]:
    """Those of the headings that link to another page of the site, or the card around them does."""
    places = [heading.index for heading in headings]
    return [
        heading
        for heading in headings
        if tree.target(heading.href)
        or any(tree.target(tree.overlays.get(e)) for e in _card(tree, heading, places))
    ]


def _card(tree: LayoutTree, heading: TreeBlock, headings: Sequence[int]) -> Iterator[int]:
    """A heading and what is around it without other headings (given by their blocks) and small."""
    for element in tree.ancestors(heading.element):
        start, end = tree.starts[element], tree.ends[element]
        alone = bisect_left(headings, end) - bisect_left(headings, start) == 1
        if element != heading.element and (not alone or end - start > CARD_BLOCKS):
            return
        yield element
