"""The scores of sections and patterns: DiffScore, MainScore, PatternScore (Shinyama 2005)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from learner.patterns.sequences import Matcher, indel_distance


def diff_score(texts: Sequence[str], matcher: Matcher) -> float:
    """DiffScore: how much a section's text varies over the pages; 0 = static, 1 = nothing in
    common.

    `sum over page pairs of [W(s1)+W(s2)-2*|MCS(s1,s2)|] / sum over page pairs of [W(s1)+W(s2)]`
    (Shinyama 2005), over the pages where the section has text. Equal texts are compared once and
    counted as often as they occur.

    >>> from learner.patterns.sequences import lcs_runs
    >>> diff_score(["abcd", "abcx", "abcx"], lcs_runs)  # (2 + 2 + 0) / (8 + 8 + 8)
    0.16666666666666666
    """
    counts = Counter(text for text in texts if text)
    distance = total = 0
    for text, count in counts.items():
        total += 2 * len(text) * math.comb(count, 2)
    # The longest stays the first of its pairs: difflib indexes the second, and keeps its index
    # between pairs.
    distinct = sorted(counts, key=lambda text: (len(text), text))
    for second, first in combinations(distinct, 2):
        pairs = counts[first] * counts[second]
        distance += pairs * indel_distance(first, second, matcher)
        total += pairs * (len(first) + len(second))
    return distance / max(total, 1)


def main_score(diff_score: float, unlinked_weights: Sequence[int]) -> float:
    """MainScore: DiffScore times the section's mean weight outside links (Shinyama 2005).

    >>> main_score(0.5, [100, 300])
    100.0
    """
    return diff_score * (sum(unlinked_weights) / len(unlinked_weights))


def pattern_score(n_pages: int, main_scores: Iterable[float]) -> float:
    """PatternScore: `ln(pages) * sum of MainScore`; 0 for one page (Shinyama 2005).

    >>> round(pattern_score(3, [100.0, 50.0]), 2)
    164.79
    """
    return math.log(n_pages) * sum(main_scores)
