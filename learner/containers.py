"""The main container: the element that holds the varying, unlinked text and little else.

Instead of the one block with the largest MainScore (Webstemmer), the element with the best balance
is taken: of all varying text outside links on the page, how much is inside (recall); of all text
inside, how much is such (precision); their F-measure, averaged over the pages of the cluster, so
that pages with three hundred comments count as much as pages with none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, groupby

from learner.lines import MOST_LINES
from learner.locators import Signatures
from learner.stamps import Facts, is_label
from learner.tree import LayoutTree, TreeBlock

BOILERPLATE_SHARE = 0.1
"""A text that recurs on at least this share of the cluster's pages (and on two) is boilerplate.
Origin: a prototype, measured on 35 sites."""

LABEL_SHARE = 0.5
"""The same for a label with its links ("Tags: a, b"). Origin: guess; on one of 35 sites authors
wrote such tags below a third of their texts."""

RECORD_SHARE = 0.8
"""Siblings are comments if at least this share of them carry a time. Origin: guess."""

REPEATED_SHARE = 0.1
"""Least share of the pages with comments that have several. Measured on halves of 35 sites drawn by
chance: comments have a third and more; a box of the author's own, written twice on 1 page of 24
with the year of a book in it, was taken for one."""

HOLDING_PAGES = 2
"""Pages, for each with records at a place after the text, on which one element there may hold the
text itself, if the records are comments and no entries of lists. Origin: guess; with 1, the entries
of a common news system are taken for articles."""

LIKE_A_TIME = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<![\d.])\d{1,2}(?:[:/]|\.\d{1,2}\.)\d\d(?!\d|\.\d)"
)
"""A year, or numbers written as a clock or a date, whatever the language: 10:30, 5/12, 5.12.09, but
not 7.3.41.1, a section of a manual, nor 8.25, a figure of it."""

TEXT_WEIGHT = 20
"""Weight outside links from which on a block is text, not a byline. Origin: guess."""

EDGE_BLOCKS = 4
"""Blocks at the start and at the end of a comment of which one says when it was written. Origin:
guess: a number, a name, what they say of him, the time."""

_AUTHORS_OWN = frozenset({"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "td"})
"""What an author writes himself: a quotation with its date is no comment."""

LONGEST_BYLINE = 120
"""Characters of the block that says who wrote a comment and when. Origin: guess."""


@dataclass(frozen=True)
class Member:
    """One page of a cluster."""

    tree: LayoutTree
    title: TreeBlock | None
    """The block of its title; None if only `<title>` tells it."""

    @property
    def first_after_title(self) -> int:
        """Index of the first block after the title."""
        return self.title.index + 1 if self.title else 0

    @cached_property
    def text_begins(self) -> int:
        """Index of the block after the first that is long enough to be text, after the title."""
        for block in self.tree.blocks[self.first_after_title :]:
            if block.unlinked_weight >= TEXT_WEIGHT:
                return block.index + 1
        return len(self.tree.blocks)

    @cached_property
    def sums(self) -> BlockSums:
        """What its blocks say of records."""
        return BlockSums(self.tree.blocks)

    @cached_property
    def forms(self) -> set[int]:
        """The elements that are or hold a form: where comments are written looks like one."""
        forms = (element for element, tag in enumerate(self.tree.tags) if tag == "form")
        return {element for form in forms for element in self.tree.ancestors(form)}

    @cached_property
    def _facts(self) -> Facts:
        return Facts(self.tree, self.title.text if self.title else None)

    @cached_property
    def _stamps(self) -> dict[int, str]:
        return {}

    def stamp(self, block: TreeBlock) -> str:
        """The text of a block with signs for what the page says of itself (`learner.stamps`): what
        texts that recur are known by."""
        if block.index not in self._stamps:
            self._stamps[block.index] = self._facts.mask(block.line)
        return self._stamps[block.index]

    def stamps(self, blocks: Iterable[TreeBlock]) -> list[str]:
        """Those of some blocks."""
        return [self.stamp(block) for block in blocks]


def running(values: Iterable[int]) -> list[int]:
    """The sum of the first 0, 1, 2 ... values: what a run of blocks has is a difference of two.

    >>> running([3, 0, 4])
    [0, 3, 3, 7]
    """
    return list(accumulate(values, initial=0))


class BlockSums:
    """Running sums over the blocks of a page."""

    def __init__(self, blocks: Sequence[TreeBlock]) -> None:
        self.weights = running(block.weight for block in blocks)
        self.lengths = running(len(block.text) for block in blocks)
        self.timed = running(_bears_time(block.text) for block in blocks)
        """Blocks that may be the byline of a comment."""


@lru_cache(maxsize=MOST_LINES)
def _bears_time(text: str) -> bool:
    return len(text) < LONGEST_BYLINE and LIKE_A_TIME.search(text) is not None


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


def comment_signatures(members: Sequence[Member], signatures: Signatures) -> frozenset[int]:
    """The places of reader comments: of records that repeat after the text and each carry a time,
    or of what holds bylines with a time and the comments between them.

    A section of an article repeats too, but its sections bear no times of their own.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.tree import build_tree
    >>> comment = "<li><b>Ann, 10:30</b><p>I like it.</p></li>"
    >>> html = f"<body><p>A text of more than twenty letters.</p><ol>{2 * comment}</ol></body>"
    >>> tree = build_tree(parse(html))
    >>> signatures = Signatures([tree])
    >>> found = comment_signatures([Member(tree, None)], signatures)
    >>> sorted(str(signatures.locator(signature)) for signature in found)
    ['body/ol/li']
    """
    seen: Counter[int] = Counter()
    timed: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    repeated: Counter[int] = Counter()
    holders: Counter[int] = Counter()
    candidates = {place for member in members for place in _timed_places(member, signatures)}
    for member in members:
        several: dict[int, bool] = defaultdict(bool)
        for place, n_seen, n_timed, is_repeated in _records(member, signatures, candidates):
            seen[place] += n_seen
            timed[place] += n_timed
            several[place] |= is_repeated
        pages.update(several.keys())
        holders.update(_holders(member, signatures).difference(several))
        repeated.update(place for place, is_repeated in several.items() if is_repeated)
    return frozenset(
        place
        for place, n_pages in repeated.items()
        if n_pages >= REPEATED_SHARE * pages[place]
        and timed[place] >= RECORD_SHARE * seen[place]
        and holders[place] <= HOLDING_PAGES * pages[place]
    )


def _holders(member: Member, signatures: Signatures) -> set[int]:
    """The places of the elements that the text begins in: what holds the whole text on other pages
    is an entry of a list on this one, no comment."""
    tree = member.tree
    if not tree.blocks:
        return set()
    first = tree.blocks[member.text_begins - 1]
    return {signatures.of[tree][element] for element in tree.ancestors(first.element)}


def _records(
    member: Member, signatures: Signatures, candidates: set[int]
) -> Iterator[tuple[int, int, int, bool]]:
    """The siblings of a page that may be comments, and the elements that may hold some: place,
    number, how many of them carry a time, and whether they repeat."""
    tree, places = member.tree, signatures.of[member.tree]
    for parent, siblings in _siblings(member, signatures, candidates):
        elements = [element for element in siblings if element not in member.forms]
        if not elements or tree.tags[elements[0]] in _AUTHORS_OWN:
            continue
        is_repeated = len(elements) > 1
        for place, alike in groupby(sorted(elements, key=places.__getitem__), places.__getitem__):
            comments = [_is_comment(member, element) for element in alike]
            yield place, len(comments), sum(comments), is_repeated
        if tree.tags[parent] in _AUTHORS_OWN:
            continue
        are_bylines = all(_is_byline(member, element) for element in elements)
        if are_bylines and _open_or_close(member, parent, elements):
            yield places[parent], 1, 1, is_repeated


def _timed_places(member: Member, signatures: Signatures) -> set[int]:
    """The places of the elements that hold a time; others are no comments."""
    tree, timed = member.tree, member.sums.timed
    extents = zip(signatures.of[tree], tree.starts, tree.ends, strict=True)
    return {place for place, start, end in extents if timed[end] > timed[start]}


def _siblings(
    member: Member, signatures: Signatures, candidates: set[int]
) -> list[tuple[int, list[int]]]:
    """Parent and elements of the siblings of one kind, at one of these places, that begin where
    the text has begun."""
    tree, after = member.tree, member.text_begins
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for element, place in enumerate(signatures.of[tree]):
        if place in candidates and after <= tree.starts[element] < tree.ends[element]:
            groups[tree.parents[element], signatures.plain(place)].append(element)
    return [(parent, elements) for (parent, _), elements in groups.items() if parent >= 0]


def _is_comment(member: Member, element: int) -> bool:
    start, end = member.tree.starts[element], member.tree.ends[element]
    sums = member.sums
    if end - start < 2 or sums.weights[end] - sums.weights[start] < 10:
        return False
    # Who wrote it and when stands on its edge; a section of a text has numbers anywhere.
    opening, closing = min(end, start + EDGE_BLOCKS), max(start, end - EDGE_BLOCKS)
    timed = sums.timed
    return timed[opening] > timed[start] or timed[end] > timed[closing]


def _is_byline(member: Member, element: int) -> bool:
    start, end = member.tree.starts[element], member.tree.ends[element]
    sums = member.sums
    short = sums.lengths[end] - sums.lengths[start] < LONGEST_BYLINE
    return short and sums.timed[end] > sums.timed[start]


def _open_or_close(member: Member, parent: int, elements: Sequence[int]) -> bool:
    """Whether the first of some children is the first with text in their parent, or the last the
    last of one that stands after the text, and text of another place stands there too: footnotes
    with years in them stand alone."""
    tree = member.tree
    n_blocks = sum(tree.ends[element] - tree.starts[element] for element in elements)
    is_first = tree.starts[parent] == tree.starts[elements[0]]
    is_last = tree.ends[parent] == tree.ends[elements[-1]]
    is_last = is_last and tree.starts[parent] >= member.text_begins
    return (is_first or is_last) and n_blocks < tree.ends[parent] - tree.starts[parent]


def commented(tree: LayoutTree, signatures: list[int], comments: frozenset[int]) -> set[int]:
    """The indices of the blocks inside comments."""
    inside: set[int] = set()
    if comments:
        for element, signature in enumerate(signatures):
            if signature in comments:
                inside.update(range(tree.starts[element], tree.ends[element]))
    return inside


@dataclass(frozen=True, slots=True)
class Container:
    """Where the main content of a cluster's pages stands."""

    signature: int
    balance: float
    """Mean F-measure over all pages of the cluster, 0 to 1."""
    elements: dict[LayoutTree, int]
    """For each page that has it once the element; the other pages are left out."""


def find_container(
    members: Sequence[Member], signatures: Signatures, comments: frozenset[int]
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
    for member in members:
        tree = member.tree
        left_out = commented(tree, signatures.of[tree], comments)
        for element, balance in page_balances(member, signatures.of[tree], recurring, left_out):
            signature = signatures.of[tree][element]
            balances[signature].append((balance, tree, element))
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
    return _widened(best, signatures) if best else None


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


def page_balances(
    member: Member, signatures: list[int], recurring: frozenset[str], left_out: set[int]
) -> list[tuple[int, float]]:
    """The F-measure of each element that stands once on the page.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.tree import build_tree
    >>> tree = build_tree(parse("<body><p>Menu</p><div>Some text</div></body>"))
    >>> signatures = Signatures([tree]).of[tree]
    >>> found = page_balances(Member(tree, None), signatures, frozenset({"Menu"}), set())
    >>> [(tree.tags[element], round(balance, 2)) for element, balance in found]  # of body 8 / 12
    [('body', 0.8), ('div', 1.0)]
    """
    tree = member.tree
    varying, weight = [0], [0]
    for block in tree.blocks:
        is_title = block is member.title
        is_furniture = block.index in left_out or member.stamp(block) in recurring
        counts = not is_title and not is_furniture
        varying.append(varying[-1] + (block.unlinked_weight if counts else 0))
        weight.append(weight[-1] + (0 if is_title else block.weight))
    times = Counter(signatures)
    found = []
    for element, signature in enumerate(signatures):
        start, end = tree.starts[element], tree.ends[element]
        inside = varying[end] - varying[start]
        if inside and times[signature] == 1:
            precision = inside / (weight[end] - weight[start])
            recall = inside / varying[-1]
            found.append((element, 2 * precision * recall / (precision + recall)))
    return found
