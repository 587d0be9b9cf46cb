"""The main container: the element that holds the varying, unlinked text and little else.

Instead of the one block with the largest MainScore (Webstemmer), the element with the best balance
is taken: of all varying text outside links on the page, how much is inside (recall); of all text
inside, how much is such (precision; other text counts half, for most of it is left out later);
their F-measure, averaged over the pages of the cluster, so that pages with three hundred comments
count as much as pages with none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from learner.bodies.asides import aside_blocks
from learner.page.tree import LayoutTree
from learner.site.cluster_page import ClusterPage, standing_once
from learner.site.recurrence import recurring_texts
from learner.site.signatures import Signatures

OTHER_SHARE = 0.5
"""How much text that recurs or stands in links counts in the precision, if an element with a name
holds it: most of it is left out of the container later. Origin: measured, see docs/decisions.md."""

SLOT_LOSS = 0.02
"""Balance by which a box that only its slot among its siblings tells from them must be better than
one that is known by its place alone, for what stands in another slot is lost. Origin: guess."""


@dataclass(frozen=True, slots=True)
class Container:
    """Where the main content of a cluster's pages stands."""

    signature: int
    balance: float
    """Mean F-measure over all pages of the cluster, 0 to 1."""
    elements: dict[LayoutTree, int]
    """For each page that has it once the element; the other pages are left out."""


def find_container(
    members: Sequence[ClusterPage], signatures: Signatures, asides: frozenset[int]
) -> Container | None:
    """The element with the best balance; of equal ones the deepest. None if no text varies.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<body><p>Menu</p><div><main>Some text, {}</main></div></body>"
    >>> trees = [build_tree(parse(html.format(word))) for word in ("short", "long")]
    >>> signatures = Signatures(trees)
    >>> found = find_container([ClusterPage(tree, None) for tree in trees], signatures, frozenset())
    >>> str(signatures.locator(found.signature)), found.balance
    ('body/div/main', 1.0)
    """
    recurring = recurring_texts([m.wording.stamps(m.tree.blocks) for m in members])
    if len(members) == 1:
        recurring = frozenset()
    balances: dict[int, list[tuple[float, LayoutTree, int]]] = defaultdict(list)
    in_slots: set[int] = set()
    for member in members:
        tree, plain = member.tree, signatures.of[member.tree]
        slotted = signatures.slotted(tree)
        in_page = page_balances(member, recurring, aside_blocks(tree, plain, asides))
        for element in standing_once(plain):
            if in_page[element]:
                balances[plain[element]].append((in_page[element], tree, element))
        for element in standing_once(slotted):
            if in_page[element] and slotted[element] != plain[element]:
                in_slots.add(slotted[element])
                balances[slotted[element]].append((in_page[element] - SLOT_LOSS, tree, element))
    best: Container | None = None
    deepest = 0
    for signature, found in sorted(balances.items()):
        balance = sum(b for b, _, _ in found) / len(members)
        depth = sum(1 for _ in found[0][1].ancestors(found[0][2]))
        better = best is None or balance > best.balance + 1e-9
        same = best is not None and abs(balance - best.balance) <= 1e-9
        if better or (same and depth > deepest):
            elements = {tree: element for _, tree, element in found}
            best, deepest = Container(signature, balance, elements), depth
    if best is None or best.signature in in_slots:
        return best
    return _widened(best, signatures)


def _widened(container: Container, signatures: Signatures) -> Container:
    """The outermost named element that holds the same blocks on all of the pages: on others the
    text may go on in it ("read more")."""
    while (outer := _outer(container, signatures)) is not None:
        container = outer
    return container


def _outer(container: Container, signatures: Signatures) -> Container | None:
    """What is around it, if that is named, has a place of its own, and holds the same blocks on all
    of the pages."""
    above = {tree: tree.parents[element] for tree, element in container.elements.items()}
    if min(above.values()) < 0:
        return None
    place, *others = {signatures.of[tree][parent] for tree, parent in above.items()}
    same = all(
        (tree.starts[outer], tree.ends[outer]) == (tree.starts[inner], tree.ends[inner])
        for (tree, inner), outer in zip(container.elements.items(), above.values(), strict=True)
    )
    if others or not same or not signatures.named(place):
        return None
    if any(signatures.of[tree].count(place) > 1 for tree in above):
        return None
    return Container(place, container.balance, above)


def page_balances(
    member: ClusterPage, recurring: frozenset[str], left_out: set[int]
) -> list[float]:
    """The F-measure of each element of a page; 0 where no text of the page's own is.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><p class=top>Menu</p><div>Some text</div></body>"))
    >>> found = page_balances(ClusterPage(tree, None), frozenset({"Menu"}), set())
    >>> dict(zip(tree.tags, (round(each, 2) for each in found)))  # of body 8 / (8 + 4 / 2)
    {'body': 0.89, 'p': 0.0, 'div': 1.0}
    """
    tree = member.tree
    may_go = _in_named(tree)
    varying, weight = [0], [0.0]
    for block in tree.blocks:
        counts = block is not member.title and block.index not in left_out
        own = (
            block.unlinked_weight if counts and member.wording.stamp(block) not in recurring else 0
        )
        others = block.weight - own if counts else 0
        varying.append(varying[-1] + own)
        share = OTHER_SHARE if may_go[block.element] else 1.0
        weight.append(weight[-1] + own + share * others)
    total = varying[-1]
    found = []
    for start, end in zip(tree.starts, tree.ends, strict=True):
        inside = varying[end] - varying[start]
        # 2PR / (P + R) with P = inside / weight and R = inside / total.
        found.append(2 * inside / (weight[end] - weight[start] + total) if inside else 0.0)
    return found


def _in_named(tree: LayoutTree) -> list[bool]:
    """Whether each element is or stands in one with a name, below `body`: hardly any other is left
    out of a container for what it holds (`learner.bodies.trimming`)."""
    in_named = [False] * len(tree.tags)
    for element, parent in enumerate(tree.parents):
        if parent >= 0:
            in_named[element] = bool(tree.tokens[element]) or in_named[parent]
    return in_named
