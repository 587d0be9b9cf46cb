"""The elements of a cluster's pages by place, and which names on them can be relied on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from learner.page.locators import NAME, Locator, Step, is_slot
from learner.page.tree import LayoutTree

STABLE_NAME_SHARE = 0.9
"""A name of an element is kept if it stands on at least this share of the pages that have the
element's most frequent name. Origin: measured, see docs/decisions.md."""

MINIMUM_NAME_SHARE = 0.02
"""... and on at least this share of all pages (and on two): `id="my-first-heading"` names nothing.
Origin: guess."""

SLOT_TAGS = frozenset({"div", "section", "article", "main", "table", "tbody", "tr", "td"})
"""What boxes of a layout are made of; without a name they are told apart by their slots."""

MOST_SLOTS = 20
"""Siblings of one place up to which they are boxes of a layout; more are rows. Origin: guess."""


class StableNames:
    """Which names of the elements of some pages are kept, by frequency.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<body><div class='post tag-{}'>x</div></body>"
    >>> trees = [build_tree(parse(html.format(tag))) for tag in ("a", "b", "a")]
    >>> StableNames(trees).names(trees[0], 1)
    ('.post',)
    """

    def __init__(self, trees: Iterable[LayoutTree]) -> None:
        self._counts: Counter[tuple[int, str]] = Counter()
        self._n_pages = 0
        for tree in trees:
            self._n_pages += 1
            written = set(zip(tree.paths, tree.tokens, strict=True))
            self._counts.update({(path, token) for path, names in written for token in names})

    def names(self, tree: LayoutTree, element: int) -> tuple[str, ...]:
        """The names of an element that are kept, sorted."""
        tokens = tree.tokens[element]
        if not tokens:
            return ()
        path = tree.paths[element]
        counts = [self._counts[path, token] for token in tokens]
        least = max(
            min(2, self._n_pages),
            STABLE_NAME_SHARE * max(counts),
            MINIMUM_NAME_SHARE * self._n_pages,
        )
        # A name that holds a sign of the written form ("md:w-1/2", a template's leftover) is none.
        kept = {
            t
            for t, count in zip(tokens, counts, strict=True)
            if count >= least and NAME.fullmatch(t)
        }
        return tuple(sorted(kept))


class Signatures:
    """The elements of a cluster's pages by place: equal numbers mean equal locators.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><p>a</p><p>b</p><div>c</div></body>"))
    >>> Signatures([tree]).of[tree]
    [0, 1, 1, 2]
    """

    def __init__(self, trees: list[LayoutTree]) -> None:
        stable = StableNames(trees)
        self._numbers: dict[tuple[int, Step], int] = {}
        # Pages are alike: most elements are written as one before them was.
        known: dict[tuple[int, str, tuple[str, ...]], int] = {}
        self._steps: list[tuple[int, Step]] = []
        self._plain: dict[int, int] = {}
        self.of: dict[LayoutTree, list[int]] = {}
        """For each page the signature of each element."""
        for tree in trees:
            signatures: list[int] = []
            for element, parent in enumerate(tree.parents):
                above = signatures[parent] if parent >= 0 else -1
                written = (above, tree.tags[element], tree.tokens[element])
                if written not in known:
                    step = above, (tree.tags[element], stable.names(tree, element))
                    known[written] = self._number(step)
                signatures.append(known[written])
            self.of[tree] = signatures

    def slotted(self, tree: LayoutTree) -> list[int]:
        """For each element of a page its signature, but with the slots of boxes without a name that
        stand beside others of their place.

        >>> from lxml.html import document_fromstring as parse
        >>> from learner.page.tree import build_tree
        >>> tree = build_tree(parse("<body><div>a</div><div>b</div></body>"))
        >>> signatures = Signatures([tree])
        >>> [str(signatures.locator(number)) for number in signatures.slotted(tree)]
        ['body', 'body/div[1of2]', 'body/div[2of2]']
        """
        plain = self.of[tree]
        siblings = Counter(zip(tree.parents, plain, strict=True))
        slotted: list[int] = []
        for element, parent in enumerate(tree.parents):
            above, (tag, names) = self._steps[plain[element]]
            is_box = not names and tag in SLOT_TAGS
            if is_box and 1 < siblings[parent, plain[element]] <= MOST_SLOTS:
                names = (tree.slots[element],)
            elif parent < 0 or slotted[parent] == above:
                slotted.append(plain[element])
                continue
            slotted.append(self._number((slotted[parent], (tag, names))))
        return slotted

    def _number(self, step: tuple[int, Step]) -> int:
        """The signature of a step from another signature."""
        number = self._numbers.setdefault(step, len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
        return number

    def locator(self, signature: int) -> Locator:
        """The locator that a signature stands for."""
        steps: list[Step] = []
        while signature >= 0:
            signature, step = self._steps[signature]
            steps.append(step)
        return Locator(tuple(reversed(steps)))

    def apart(self, signature: int) -> list[Locator]:
        """The locators of its siblings that would be found at its place too, for they bear more
        names: `div.head` where the text is a `div`."""
        parent, (tag, names) = self._steps[signature]
        siblings = (
            n for n, (above, step) in enumerate(self._steps)
            if n != signature and above == parent and step[0] == tag and set(names) <= set(step[1])
            and not (step[1] and is_slot(step[1]))
        )  # fmt: skip
        return [self.locator(n) for n in siblings]

    def plain(self, signature: int) -> int:
        """The place of the plainest of its siblings that are told apart by a name at a time:
        `li.comment` for `li.comment.alt` and `li.comment.alt.last`; itself if there is none."""
        chain = [signature]
        while chain[-1] not in self._plain:
            plainer = self._plainer(chain[-1])
            if plainer is None:
                self._plain[chain[-1]] = chain[-1]
            else:
                chain.append(plainer)
        plainest = self._plain[chain[-1]]
        self._plain.update(dict.fromkeys(chain, plainest))
        return plainest

    def _plainer(self, signature: int) -> int | None:
        """The first of its siblings that bears all of its names but one, and at least one."""
        parent, (tag, names) = self._steps[signature]
        if len(names) < 2:
            return None
        fewer = (names[:i] + names[i + 1 :] for i in range(len(names)))
        found = (self._numbers.get((parent, (tag, those))) for those in fewer)
        return min((number for number in found if number is not None), default=None)

    def unnamed(self, signature: int) -> int:
        """The place of an element without the names that it bears itself."""
        parent, (tag, _) = self._steps[signature]
        return self._number((parent, (tag, ())))

    def named(self, signature: int) -> bool:
        """Whether the element itself, not only what encloses it, bears a stable name."""
        return bool(self._steps[signature][1][1])
