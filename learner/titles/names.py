"""Title evidence: which block of a page says what the page is called.

What a page is called is known from outside the body: `<title>` without the part that the site adds
to each (its affix), `og:title`, and the anchor texts of the links that lead to the page. The block
that repeats one of them is the title; the place where such blocks stand on many pages is the
title's place on all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rapidfuzz.distance import Indel

from learner.page.calendars.clock import CLOCK
from learner.page.dates import find_dates
from learner.page.months import month_names
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import word_letters
from learner.site.affixes import SEPARATOR, Affixes

AGREEMENT_THRESHOLD = 0.6
"""Least agreement of a block with what the page is called, inclusive. Origin: paper, see
docs/decisions.md."""

SAME_TITLE = 0.8
"""Agreement from which on a block says the same as a name, inclusive. Origin: guess."""

COMMON_SHARE = 0.3
"""A `<title>` that stands on at least this share of the pages (and on three) names none of them.
Origin: guess, as that of the site's frame (`learner.kinds.measures`)."""

SHARED_PAGES = 3
"""... or on so many, if none of them says it. Origin: guess."""

LONGEST_TITLE = 300
"""Characters; a longer block is no title. Origin: guess."""

DATED_SHARE = 0.8
"""Least share of the titles of a layout before which a day must stand to be none of theirs. Origin:
guess, see docs/decisions.md."""

LEAST_DATED = 3
"""... and so many. Origin: guess."""

LONGEST_DAY = 40
"""Characters at the start of a title in which that day is looked for. Origin: guess."""

_CLOCK_BEFORE = re.compile(
    rf"[,\s]*{CLOCK.pattern}(?:\s[^\W\d_]{{1,3}}\.?(?=\s*[:：|｜–—-]))?", re.IGNORECASE
)
"""With the short word by which some languages say that it is one: "07:15 h - "."""

_BEHIND_DAY = re.compile(r"(?:\s*[:：|｜–—-]+\s*|\s+)(?=[^\W\d])")


def page_names(tree: LayoutTree, affixes: Affixes, anchor_texts: Sequence[str]) -> list[str]:
    """What a page is called from outside its body, the most trusted first, without repeats."""
    said = tree.metadata.title, tree.metadata.social_title
    names = [*map(affixes.strip, said), *(t for t in anchor_texts if len(t) <= LONGEST_TITLE)]
    return [name for name in dict.fromkeys(names) if name]


def common_titles(titles: Sequence[str]) -> frozenset[str]:
    """What stands in the `<title>` of so many pages that it names none of them.

    >>> common_titles(["Site", "Site", "Site", "One"])
    frozenset({'Site'})
    """
    least = max(3, COMMON_SHARE * len(titles))
    return frozenset(title for title, count in Counter(titles).items() if count >= least)


def section_titles(
    trees: Sequence[LayoutTree], titles: Sequence[str], affixes: Affixes
) -> frozenset[str]:
    """The `<title>`s of several pages none of which says it: they name a section of the site. That
    of the site itself, which others have for an affix, is what its front pages are called.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> trees = [build_tree(parse(f"<h1>{name}</h1>")) for name in ("Rain", "Sun", "Fog", "News")]
    >>> none = Affixes(frozenset(), frozenset())
    >>> section_titles(trees[:3], ["News"] * 3, none), section_titles(trees[1:], ["News"] * 3, none)
    (frozenset({'News'}), frozenset())
    """
    pages = Counter(titles)
    shared = {title for title, count in pages.items() if count >= SHARED_PAGES}
    said = {
        title
        for tree, title in zip(trees, titles, strict=True)
        if title in shared and any(block.text == title for block in tree.blocks)
    }
    sites = {part for each in affixes.all for part in SEPARATOR.split(each)}
    return frozenset(shared - said - sites)


def agreement(text: str, names: Iterable[str]) -> float:
    """How well a block repeats one of the page's names, 0 to 1.

    Indel similarity (twice the LCS over both lengths: the dice of Webstemmer); one that contains
    the other counts by the share it makes up, at least one half. Capitals are as good as small
    letters: headings may be printed in them.

    >>> agreement("The news", ["The news"]), agreement("Chapter mod_alias", ["mod_alias"])
    (1.0, 0.7647058823529411)
    """
    best = 0.0
    for name in names:
        printed = name.upper() if text.isupper() else name
        similarity = Indel.normalized_similarity(text, printed)
        shorter, longer = sorted((text, name), key=len)
        if similarity < 1 and len(shorter) >= 3 and shorter in longer:
            similarity = max(similarity, 0.5 + 0.5 * len(shorter) / len(longer))
        best = max(best, similarity)
    return best


def says_same(text: str, name: str) -> bool:
    """Whether a block says what the page is called, give or take an affix; never where the page is
    called nothing.

    >>> says_same("git-add(1) Manual Page", "git-add(1)")
    True
    """
    if not name:
        return False
    return name in text or text in name or agreement(text, [name]) >= SAME_TITLE


def are_dated(titles: Sequence[str]) -> bool:
    """Whether the titles of a layout bear a day or a clock before them, as those of a diary do.

    >>> are_dated(["3 May 2021: Rain", "4 May 2021: Sun"] * 2), are_dated(["3 May 2021", "Sun"] * 2)
    (True, False)
    """
    n_dated = sum(without_day(title) != title for title in titles)
    return n_dated >= max(LEAST_DATED, DATED_SHARE * len(titles))


def without_day(title: str) -> str:
    """A title without the day or the clock before it and the signs between them; never empty.

    >>> without_day("2021/05/03: Rain"), without_day("3 May 2021"), without_day("May 2021: Rain")
    ('Rain', '3 May 2021', 'May 2021: Rain')
    >>> without_day("07:15 h - Rain"), without_day("3 May 2021, 7:15: Rain"), without_day("7:15")
    ('Rain', 'Rain', '7:15')
    """
    found = find_dates(title[:LONGEST_DAY], month_names())
    is_first = bool(found) and found[0].whole and found[0].start == 0
    day = found[0].end if is_first else 0
    clock = _CLOCK_BEFORE.match(title, day)
    end = clock.end() if clock else day
    signs = _BEHIND_DAY.match(title, end) if end else None
    return title[signs.end() :] if signs else title


def n_title_lines(tree: LayoutTree, title: TreeBlock, name: str) -> int:
    """How many blocks of its element the title is broken into (`<br>`): those that only together
    say what the page is called; else 1.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><h1>Rain in<br>the south</h1><p>It rains.</p>"))
    >>> [n_title_lines(tree, tree.blocks[0], name) for name in ("Rain in the South", "Rain in")]
    [2, 1]
    """
    wanted, said = word_letters(name), ""
    for n, block in enumerate(tree.blocks[title.index :], 1):
        said += word_letters(block.text)
        if block.element != title.element or not wanted.startswith(said):
            return 1
        if said == wanted:
            return n
    return 1
