"""The text of a page that stands on it twice: for wide and for narrow screens, of which a reader
sees one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

LONG_LINE = 100
"""Characters of markup of a line that is hardly written twice by chance, unless it begins with a
link: menus are often there twice. Origin: guess."""

LEAST_LINES = 2
"""Such lines one after the other that a copy has at least. Origin: guess; a text may repeat its
first paragraph."""

LEAST_COPY = 0.4
"""Share of the long lines of a page that the copy has at least. Origin: guess; who answers quotes a
part."""


def copied_lines(markups: Sequence[str]) -> frozenset[int]:
    """The indices of the lines that are the second copy of a page's text.

    >>> first, second = "It rains. " * 10, "It snows. " * 10
    >>> sorted(copied_lines(["Home", "Rain", first, second, "Rain", first, second, "Imprint"]))
    [4, 5, 6]
    """
    long = [n for n, markup in enumerate(markups) if _is_long(markup)]
    distances = _distances(markups, long)
    if not distances:
        return frozenset()
    ((distance, _),) = distances.most_common(1)
    copied: set[int] = set()
    n_long = 0
    for run in _runs(markups, distance):
        in_run = sum(_is_long(markups[n]) for n in run)
        if in_run >= LEAST_LINES:
            copied.update(run)
            n_long += in_run
    return frozenset(copied) if n_long >= LEAST_COPY * len(long) else frozenset()


def _is_long(markup: str) -> bool:
    return len(markup) >= LONG_LINE and not markup.lstrip().startswith("<a ")


def _distances(markups: Sequence[str], long: Sequence[int]) -> Counter[int]:
    """How far each long line stands behind the last one that is written alike."""
    last: dict[str, int] = {}
    distances: Counter[int] = Counter()
    for n in long:
        if markups[n] in last:
            distances[n - last[markups[n]]] += 1
        last[markups[n]] = n
    return distances


def _runs(markups: Sequence[str], distance: int) -> Iterator[range]:
    """The lines one after the other that are written like those so far before them."""
    start = distance
    for n in range(distance, len(markups) + 1):
        if n == len(markups) or markups[n] != markups[n - distance]:
            yield range(start, n)
            start = n + 1
