"""Common subsequences of strings and of path sequences: pure functions, no pages.

Two ways to find what two sequences share, with one face (`Matcher`): the true longest common
subsequence (rapidfuzz, bit-parallel) and the greedy longest-run-first matching of difflib (Ratcliff
and Obershelp 1988), which the 2005 system used. On long texts they are far apart: any two English
texts share a subsequence of half their letters, but few runs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import NamedTuple, TypeVar

from rapidfuzz.distance import LCSseq

S = TypeVar("S", bound=Hashable)
Symbols = Sequence[Hashable]


class Run(NamedTuple):
    """`size` symbols that are the same from position `a` of the one sequence and `b` of the
    other."""

    a: int
    b: int
    size: int


Matcher = Callable[[Symbols, Symbols], list[Run]]
"""What two sequences share: runs in order, none empty, none overlapping, on either side."""


def lcs_runs(first: Symbols, second: Symbols) -> list[Run]:
    """The longest common subsequence.

    >>> lcs_runs("abcd", "bxd")
    [Run(a=1, b=0, size=1), Run(a=3, b=2, size=1)]
    """
    one, other = _as_strings(first, second)
    found = LCSseq.editops(one, other).as_matching_blocks()
    return [Run(run.a, run.b, run.size) for run in found if run.size]


def _as_strings(first: Symbols, second: Symbols) -> tuple[str, str]:
    """Both sequences as strings over one alphabet.

    rapidfuzz compares other objects by their hash, and string hashes differ from process to
    process.
    """
    if isinstance(first, str) and isinstance(second, str):
        return first, second
    alphabet: dict[Hashable, str] = {}
    for symbol in (*first, *second):
        alphabet.setdefault(symbol, chr(len(alphabet)))
    return "".join(map(alphabet.__getitem__, first)), "".join(map(alphabet.__getitem__, second))


def greedy_runs(first: Symbols, second: Symbols) -> list[Run]:
    """What difflib finds: the longest common run, then the same on both sides of it.

    The shorter sequence is the one that is indexed, and of one with 200 symbols or more the popular
    ones (over 1 %) start no run: part of the 2005 scores, and what keeps this affordable.

    >>> greedy_runs("abxcd", "abcd")
    [Run(a=0, b=0, size=2), Run(a=3, b=2, size=2)]
    """
    if len(first) < len(second):
        return [Run(a, b, size) for b, a, size in greedy_runs(second, first)]
    found = SequenceMatcher(None, first, second).get_matching_blocks()
    return [Run(*run) for run in found if run.size]


def matched(runs: Iterable[Run]) -> int:
    """How many symbols the runs hold.

    >>> matched([Run(0, 0, 2), Run(3, 2, 2)])
    4
    """
    return sum(run.size for run in runs)


def dice(first: Symbols, second: Symbols, matcher: Matcher) -> float:
    """`2 * shared / (both lengths)`, 0 to 1; 1 of two empty sequences.

    With `lcs_runs` this is the normalized Indel similarity.

    >>> dice("abcd", "bxd", lcs_runs) == 4 / 7
    True
    """
    total = len(first) + len(second)
    return 2 * matched(matcher(first, second)) / total if total else 1.0


def indel_distance(first: Symbols, second: Symbols, matcher: Matcher) -> int:
    """Symbols to delete and insert to turn one sequence into the other.

    >>> indel_distance("abcd", "bxd", lcs_runs)
    3
    """
    return len(first) + len(second) - 2 * matched(matcher(first, second))


def common_sequence(sequences: Iterable[Sequence[S]], matcher: Matcher) -> list[S]:
    """What all sequences share in this order, found by one after the other.

    It can only shrink with each sequence; the order of the sequences can matter.

    >>> common_sequence(["abcd", "abd", "cad"], lcs_runs)
    ['a', 'd']
    """
    remaining = iter(sequences)
    common = list(next(remaining, ()))
    for sequence in remaining:
        runs = matcher(common, sequence)
        common = [symbol for run in runs for symbol in common[run.a : run.a + run.size]]
    return common


def assign_symbols(pattern: Symbols, sequence: Symbols) -> list[list[int]]:
    """Give positions of `sequence` to the symbols of `pattern` so that most find a place.

    Every pattern symbol gets positions that hold the same symbol, in order and without overlap;
    what lies between them stays free. This is the original's way to retrieve a pattern's sections
    from a page. Runs of equal symbols stay together. On a tie the earlier pattern symbol takes the
    run.

    >>> assign_symbols("abc", "aaxbcc")
    [[0, 1], [3], [4, 5]]
    >>> assign_symbols("aba", "baaa")
    [[], [0], [1, 2, 3]]
    >>> assign_symbols("aba", "xa")
    [[1], [], []]
    """
    known = set(pattern)
    runs = [list(group) for _, group in groupby(range(len(sequence)), key=sequence.__getitem__)]
    runs = [run for run in runs if sequence[run[0]] in known]
    gains = [(sequence[run[0]], len(run)) for run in runs]
    places: list[list[int]] = [[] for _ in pattern]
    for i, j in _best_assignment(pattern, gains):
        places[i] = runs[j] + places[i]
    return places


def _best_assignment(
    pattern: Symbols, gains: Sequence[tuple[Hashable, int]]
) -> list[tuple[int, int]]:
    """(pattern index, run index) of the heaviest assignment, last first.

    `best[i][j]` is the weight of the first j runs on the first i symbols; a symbol may take several
    runs.
    """
    symbols = [symbol for symbol, _ in gains]
    if symbols == list(pattern) and all(a != b for a, b in pairwise(symbols)):
        return [(i, i) for i in reversed(range(len(gains)))]  # the only way to place every run
    best = [[0] * (len(gains) + 1)]
    for symbol in pattern:
        above, row = best[-1], [0]
        for j, (run_symbol, weight) in enumerate(gains):
            taken = row[j] + weight if run_symbol == symbol else row[j]
            row.append(max(taken, above[j + 1]))
        best.append(row)
    chosen: list[tuple[int, int]] = []
    i, j = len(pattern), len(gains)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            j -= 1
            chosen.append((i - 1, j))
    return chosen
