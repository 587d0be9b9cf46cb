"""Threads: pages whose text are the posts of several people, each a record with a byline.

The posts of a forum look like readers' comments, and next to nothing stands beside them. In each
post one element holds what it says; what stands beside that, name, day, what its author is and how
often he wrote, is none of the text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from learner.bodies.asides import aside_blocks
from learner.bodies.container import OTHER_SHARE
from learner.page.locators import Locator
from learner.page.words import LONG_TEXT
from learner.site.cluster_page import ClusterPage
from learner.site.recurrence import recurring_texts
from learner.site.signatures import Signatures


def are_threads(
    cluster: Sequence[ClusterPage], signatures: Signatures, asides: frozenset[int]
) -> bool:
    """Whether what is taken for comments and teasers is nearly all that most pages say: then it is
    their text."""
    if len(cluster) < 2 or not asides:
        return False
    recurring = _recurring(cluster)
    said = sum(_says_all_aside(page, signatures, asides, recurring) for page in cluster)
    return 2 * said > len(cluster)


def _recurring(cluster: Sequence[ClusterPage]) -> frozenset[str]:
    return recurring_texts([page.wording.stamps(page.tree.blocks) for page in cluster])


def _says_all_aside(
    page: ClusterPage, signatures: Signatures, asides: frozenset[int], recurring: frozenset[str]
) -> bool:
    aside = aside_blocks(page.tree, signatures.of[page.tree], asides)
    inside = beside = 0
    for block in page.tree.blocks:
        if block.index in aside:
            inside += block.unlinked_weight
        elif block is not page.title and page.wording.stamp(block) not in recurring:
            beside += block.unlinked_weight
    return beside < LONG_TEXT <= inside


def beside_posts(
    cluster: Sequence[ClusterPage], signatures: Signatures, posts: frozenset[int]
) -> list[Locator]:
    """What in a thread is none of its text, given the places of the posts: what stands beside the
    element that holds what a post says, and beside the posts."""
    texts = _text_places(cluster, signatures, posts)
    around: set[int] = set()
    for page in cluster:
        tree, places = page.tree, signatures.of[page.tree]
        for element, place in enumerate(places):
            if place in texts:
                around.update(places[each] for each in tree.ancestors(tree.parents[element]))
    beside: set[int] = set()
    for page in cluster:
        places = signatures.of[page.tree]
        pairs = zip(places, page.tree.parents, strict=True)
        beside.update(place for place, parent in pairs if parent >= 0 and places[parent] in around)
    kept = list(map(signatures.locator, around | texts))
    found = map(signatures.locator, beside - around - texts)
    # `div` is found at `div.post`, too.
    return sorted((each for each in found if not any(map(each.covers, kept))), key=str)


def _text_places(
    cluster: Sequence[ClusterPage], signatures: Signatures, posts: frozenset[int]
) -> set[int]:
    """For each place of posts the place inside that holds best what they say: as much as it can of
    what does not recur, and little else."""
    recurring = _recurring(cluster)
    balances: defaultdict[int, defaultdict[int, float]] = defaultdict(lambda: defaultdict(float))
    for page in cluster:
        for post, place, balance in _balances(page, signatures, posts, recurring):
            balances[post][place] += balance
    return {max(found, key=lambda place: (found[place], place)) for found in balances.values()}


def _balances(
    page: ClusterPage, signatures: Signatures, posts: frozenset[int], recurring: frozenset[str]
) -> Iterator[tuple[int, int, float]]:
    """The F-measure of each element in each post of a page: place of the post, of the element."""
    tree, places = page.tree, signatures.of[page.tree]
    own: list[float] = [0.0]
    all_said = [0.0]
    for block in tree.blocks:
        told = block.unlinked_weight if page.wording.stamp(block) not in recurring else 0
        own.append(own[-1] + told)
        all_said.append(all_said[-1] + told + OTHER_SHARE * (block.weight - told))
    for post in (element for element, place in enumerate(places) if place in posts):
        total = own[tree.ends[post]] - own[tree.starts[post]]
        for element in (post, *tree.descendants(post)) if total else ():
            start, end = tree.starts[element], tree.ends[element]
            if said := own[end] - own[start]:
                balance = 2 * said / (all_said[end] - all_said[start] + total)
                yield places[post], places[element], balance
