"""How alike two pages of 2005 are: the share of their weight in the same places."""

from __future__ import annotations

from learner.patterns.sequences import Matcher
from learner.webstemmer.alignment import align_layouts
from learner.webstemmer.blocks import Layout


def similarity(first: Layout, second: Layout, matcher: Matcher) -> float:
    """Sim: share of both pages' weight that lies on their common path sequence, 0 to 1.

    `Sim(A,B) = sum of Weight(e) over e in MCS(A,B), both sides / (sum of Weight(e) in A + sum in
    B)` (Shinyama 2005). 1 of a page with itself; 0 when both are empty.

    >>> from lxml import html
    >>> from learner.webstemmer.blocks import build_layout
    >>> from learner.patterns.sequences import lcs_runs
    >>> one = build_layout(html.document_fromstring("<h1>12345</h1><p>12345</p>"))
    >>> other = build_layout(html.document_fromstring("<h1>12345</h1><pre>12345</pre>"))
    >>> similarity(one, other, lcs_runs)
    0.5
    """
    shared = sum(column.weight for column in align_layouts([first, second], matcher))
    return shared / max(first.weight + second.weight, 1)
