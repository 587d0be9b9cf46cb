"""Which section of a pattern is its title: each page votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from learner.patterns.sequences import Matcher, dice


def anchor_score(title: str, anchors: Iterable[str], matcher: Matcher) -> float:
    """The best dice similarity of a text with one of the page's inlink anchor texts, 0 to 1.

    >>> from learner.patterns.sequences import lcs_runs
    >>> anchor_score("abcd", ["xy", "abc"], lcs_runs) == 6 / 7
    True
    """
    return max((dice(anchor, title, matcher) for anchor in anchors), default=0.0)


def echo_score(title: str, body: str, matcher: Matcher) -> float:
    """How much a body repeats a title: the original's fallback where no anchor text tells.

    Sum of the squares of the shared run lengths, per letter of the title: over 1 only where whole
    words recur.

    >>> from learner.patterns.sequences import lcs_runs
    >>> echo_score("abxy", "ab, said xy", lcs_runs)  # (4 + 4) / 4
    2.0
    """
    return sum(run.size**2 for run in matcher(title, body)) / len(title)


ECHO_THRESHOLD = 1.0
"""Cut-off of the fallback. Origin: paper, the original."""


def vote_of_page(
    texts: Sequence[str],
    diff_scores: Sequence[float],
    main: int,
    anchors: Sequence[str],
    threshold: float,
    matcher: Matcher,
) -> int | None:
    """The section that one page takes for its title: its text on this page is `texts[i]`.

    Candidates stand before the main section. With anchor texts, the one that maximises
    `dice(anchor, text) * DiffScore` if that reaches `threshold`; else the one that the main text
    echoes most. Of equals the first.
    """
    candidates = [i for i in range(main) if texts[i]]
    scores = {i: anchor_score(texts[i], anchors, matcher) * diff_scores[i] for i in candidates}
    found = _best(scores, threshold)
    if found is None:
        echoes = {i: echo_score(texts[i], texts[main], matcher) for i in candidates}
        scores = {i: echo * diff_scores[i] for i, echo in echoes.items()}
        found = _best(scores, ECHO_THRESHOLD)
    return found


def _best(scores: Mapping[int, float], threshold: float) -> int | None:
    best = max(scores, key=scores.__getitem__, default=None)
    return best if best is not None and scores[best] >= threshold else None


def elect_title(votes: Iterable[int | None]) -> int | None:
    """The section with most votes; None when most pages found no title. The first vote wins a tie.

    >>> elect_title([None, 2, 2])
    2
    >>> elect_title([2, None])
    2
    """
    counts = Counter(votes)
    return max(counts, key=counts.__getitem__, default=None)
