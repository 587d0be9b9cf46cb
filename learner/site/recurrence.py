"""What recurs on the pages of a cluster is the site's, not the author's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from learner.page.wording import is_label

COMMON_PAGES = 10
"""Pages from which on a pattern is common: it replaces that of a single page which differs from it
in names only, and pages with several containers are lists, if no page of it has. Origin: measured,
see docs/decisions.md."""

BOILERPLATE_SHARE = 0.1
"""A text that recurs on at least this share of the cluster's pages (and on two) is boilerplate.
Origin: measured, see docs/decisions.md."""

LABEL_SHARE = 0.5
"""The same for a label with its links ("Tags: a, b"). Origin: guess, see docs/decisions.md."""

TEMPLATE_SHARE = 0.3
"""Share of the pages from which on what they say for machines is written in their template, if
others say something else. Origin: guess; a site of three layouts says one of three days on all
pages."""

SAME_SHARE = 0.9
"""... if no page shows a date of its own, so that nothing contradicts them. Origin: guess; a
newspaper's pages of one day may be a third of those known."""

LEAST_TEMPLATE = 3
"""... and so many. Origin: guess."""


def recurring_texts(
    pages: Sequence[Iterable[str]], share: float = BOILERPLATE_SHARE, least: int = 2
) -> frozenset[str]:
    """The texts that stand on a share of the pages of a cluster, and on `least` of them, given each
    page's.

    >>> recurring_texts([["Menu", "Text 1"], ["Menu", "Text 2"], ["Text 3"]])
    frozenset({'Menu'})
    """
    counts: Counter[str] = Counter()
    for texts in pages:
        counts.update(set(texts))
    n_pages = max(least, share * len(pages))
    n_labels = max(n_pages, LABEL_SHARE * len(pages))
    return frozenset(
        text
        for text, count in counts.items()
        if count >= n_pages and (count >= n_labels or not is_label(text))
    )


def find_template_facts(
    said: Sequence[Iterable[str]], share: float = TEMPLATE_SHARE
) -> frozenset[str]:
    """What so many pages say that their template must have it, given what each says.

    >>> find_template_facts([("2022-02-15",), ("2022-02-15", "2011-05-03"), ("2022-02-15",)])
    frozenset({'2022-02-15'})
    """
    pages = Counter(text for texts in said for text in set(texts))
    least = max(LEAST_TEMPLATE, share * len(said))
    return frozenset(text for text, n in pages.items() if n >= least)
