"""Records among the paragraphs of a text: letters of readers, entries with a name and a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from learner.page.words import LONG_TEXT
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures

MOST_SHARE = 0.5
"""Share of what stands beside and in such records that they must hold. Origin: guess; what readers
say below a text is mostly less than the text, and in a box of its own."""

PAGES_SHARE = 0.8
"""Least share of the pages with several such records on which they must stand so. Origin: guess."""

LARGEST_SHARE = 0.5
"""Share of all pages up to which there may be such. Origin: guess; posts of forums stand on all."""


def places_among_paragraphs(
    members: Sequence[ClusterPage], signatures: Signatures, places: Iterable[int]
) -> frozenset[int]:
    """Of the places of records those that are the text of some pages: right below a paragraph and
    beside it they stand, and hold most of what is said there."""
    pages: Counter[int] = Counter()
    among: Counter[int] = Counter()
    wanted = frozenset(places)
    for member in members if wanted else ():
        for place, is_among in _records(member, signatures.of[member.tree], wanted):
            pages[place] += 1
            among[place] += is_among
    return frozenset(
        place
        for place, n_pages in pages.items()
        if n_pages <= LARGEST_SHARE * len(members) and among[place] >= PAGES_SHARE * n_pages
    )


def _records(
    member: ClusterPage, here: Sequence[int], wanted: frozenset[int]
) -> Iterable[tuple[int, bool]]:
    """The places of several records on a page, and whether they stand so."""
    tree, weights = member.tree, member.sums.weights
    found: dict[int, list[int]] = {}
    for element, place in enumerate(here):
        if place in wanted and member.text_begins <= tree.starts[element] < tree.ends[element]:
            found.setdefault(place, []).append(element)
    for place, records in found.items():
        if len(records) < 2:
            continue
        parent, above = tree.parents[records[0]], tree.blocks[tree.starts[records[0]] - 1]
        are_beside = (
            above.unlinked_weight >= LONG_TEXT
            and tree.parents[above.element] == parent
            and all(tree.parents[each] == parent for each in records)
        )
        inside = sum(weights[tree.ends[each]] - weights[tree.starts[each]] for each in records)
        around = weights[tree.ends[parent]] - weights[tree.starts[parent]]
        yield place, are_beside and inside >= MOST_SHARE * around
