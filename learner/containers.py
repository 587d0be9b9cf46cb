"""The main container: the element that holds the varying, unlinked text and little else.

Instead of the one block with the largest MainScore (Webstemmer), the element with the best balance
is taken: of all varying text outside links on the page, how much is inside (recall); of all text
inside, how much is such (precision); their F-measure, averaged over the pages of the cluster, so
that pages with three hundred comments count as much as pages with none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from learner.asides import aside_blocks
from learner.locators import Signatures
from learner.members import Member
from learner.stamps import recurring_texts
from learner.tree import LayoutTree

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
    members: Sequence[Member], signatures: Signatures, asides: frozenset[int]
) -> Container | None:
    """The element with the best balance; of equal ones the deepest. None if no text varies.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.tree import build_tree
    >>> html = "<body><p>Menu</p><div><main>Some text, {}</main></div></body>"
    >>> trees = [build_tree(parse(html.format(word))) for word in ("short", "long")]
    >>> signatures = Signatures(trees)
    >>> found = find_container([Member(tree, None) for tree in trees], signatures, frozenset())
    >>> str(signatures.locator(found.signature)), found.balance
    ('body/div/main', 1.0)
    """
    recurring = recurring_texts([m.stamps(m.tree.blocks) for m in members])
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
    above = {tree: tree.parents[element] for tree, element in container.elements.items()}
    if min(above.values()) < 0:
        return container
    place, *others = {signatures.of[tree][parent] for tree, parent in above.items()}
    same = all(
        (tree.starts[outer], tree.ends[outer]) == (tree.starts[inner], tree.ends[inner])
        for (tree, inner), outer in zip(container.elements.items(), above.values(), strict=True)
    )
    if others or not same or not signatures.named(place):
        return container
    return _widened(Container(place, container.balance, above), signatures)


def page_balances(member: Member, recurring: frozenset[str], left_out: set[int]) -> list[float]:
    """The F-measure of each element of a page; 0 where no text of the page's own is.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.tree import build_tree
    >>> tree = build_tree(parse("<body><p>Menu</p><div>Some text</div></body>"))
    >>> found = page_balances(Member(tree, None), frozenset({"Menu"}), set())
    >>> dict(zip(tree.tags, (round(each, 2) for each in found)))  # of body 8 / 12
    {'body': 0.8, 'p': 0.0, 'div': 1.0}
    """
    tree = member.tree
    varying, weight = [0], [0]
    for block in tree.blocks:
        is_title = block is member.title
        is_furniture = block.index in left_out or member.stamp(block) in recurring
        counts = not is_title and not is_furniture
        varying.append(varying[-1] + (block.unlinked_weight if counts else 0))
        weight.append(weight[-1] + (0 if is_title or block.index in left_out else block.weight))
    total = varying[-1]
    found = []
    for start, end in zip(tree.starts, tree.ends, strict=True):
        inside = varying[end] - varying[start]
        # 2PR / (P + R) with P = inside / weight and R = inside / total.
        found.append(2 * inside / (weight[end] - weight[start] + total) if inside else 0.0)
    return found


def standing_once(signatures: Sequence[int]) -> Iterator[int]:
    """The elements of a page whose place no other element of it has."""
    times = Counter(signatures)
    return (element for element, place in enumerate(signatures) if times[place] == 1)
