"""What recurs on the pages of a cluster is the site's, not the author's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from learner.page.wording import is_label

BOILERPLATE_SHARE = 0.1
"""A text that recurs on at least this share of the cluster's pages (and on two) is boilerplate.
Origin: a prototype, measured on 35 sites."""

LABEL_SHARE = 0.5
"""The same for a label with its links ("Tags: a, b"). Origin: guess; on one of 35 sites authors
wrote such tags below a third of their texts."""


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
