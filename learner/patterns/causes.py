"""Why the pages of a site gave no articles: what a person would see on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from crawler.reading.html import parse_html
from learner.kinds.kind import Kind
from learner.kinds.texts import LINK_PAGES, share_in_links
from learner.page.pages import Page
from learner.page.tree import build_tree
from learner.page.words import TEXT_WEIGHT, without_numbers
from learner.patterns.pattern import PatternSet

MOST_SHARE = 0.5
"""Share of the pages from which on what is wrong with them is the cause. Origin: guess; fewer are
pages of their own kind on a site that has others."""

SHOWN_LETTERS = 60
"""Characters shown of a text that all pages say. Origin: guess."""


class Cause(StrEnum):
    """Why a site gave no articles."""

    SHELLS = "shells"
    """Its pages have scripts and no text: a browser would draw it."""
    EMPTY = "empty"
    """Its pages have no text, and no scripts that could bring any."""
    ONE_TEXT = "one_text"
    """Its pages all say one and the same: a wall before the site, or an error."""
    LISTS = "lists"
    """Its pages look like lists."""
    UNALIKE = "unalike"
    """No layout is shared by enough of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The cause, and how many pages show it."""

    cause: Cause
    pages: int
    of: int
    """All pages."""
    text: str = ""
    """What the pages say, if it is one and the same."""

    def __str__(self) -> str:
        """What was found and what to do, for people."""
        n = f"{self.pages} of {self.of} pages"
        return {
            Cause.SHELLS: f"{n} have no text: scripts draw it in a browser; write `render: auto` "
            "into the site's entry and crawl it again",
            Cause.EMPTY: f"{n} have no text; `scrapy text` shows what is stored of one",
            Cause.ONE_TEXT: f"{n} say one and the same, {self.text!r}: a wall stands before the "
            "site, or it is out of order; open one in a browser, then crawl again",
            Cause.LISTS: f"no article, {n} look like lists; raise `depth` in pipelines.yaml, or "
            "see what its `rules` refuse",
            Cause.UNALIKE: f"no layout is shared by enough of the {self.of} pages; crawl more "
            "pages of the same kind",
        }[self.cause]


def find_cause(pages: Iterable[Page], learned: PatternSet) -> Finding | None:
    """Why these pages taught no pattern of articles; None if they did."""
    if any(pattern.kind is not Kind.LIST for pattern in learned):
        return None
    n_pages = n_empty = n_scripted = n_linked = 0
    texts: Counter[str] = Counter()
    for page in pages:
        root = parse_html(page.html, page.charset)
        tree = build_tree(root, page.url)
        n_pages += 1
        if sum(block.weight for block in tree.blocks) < TEXT_WEIGHT:
            n_empty += 1
            n_scripted += next(root.iter("script"), None) is not None
        else:
            texts[without_numbers(block.text for block in tree.blocks)] += 1
            n_linked += share_in_links(tree, tree.blocks) >= LINK_PAGES
    least = MOST_SHARE * n_pages
    if n_empty >= least:
        cause = Cause.SHELLS if 2 * n_scripted >= n_empty else Cause.EMPTY
        return Finding(cause=cause, pages=n_empty, of=n_pages)
    text, most = texts.most_common(1)[0]
    if most > 1 and most >= least:
        return Finding(cause=Cause.ONE_TEXT, pages=most, of=n_pages, text=text[:SHOWN_LETTERS])
    if len(learned) or n_linked >= least:
        return Finding(cause=Cause.LISTS, pages=n_pages if len(learned) else n_linked, of=n_pages)
    return Finding(cause=Cause.UNALIKE, pages=n_pages, of=n_pages)
