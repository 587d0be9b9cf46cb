"""Locators: how a pattern finds an element again, and which names on elements can be relied on.

A locator is the tag path from `body` to an element, each step with the names that the element
bears on (nearly) all pages of the cluster: its least general generalisation over the pages.
Names that come and go (`category-news`, `sticky`, `odd`) are left out by their frequency alone.
Boxes without a name are told from their siblings by their slot: `div[2of3]`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from zlib import crc32

from learner.page.tree import LayoutTree

STABLE_NAME_SHARE = 0.9
"""A name of an element is kept if it stands on at least this share of the pages that have the
element's most frequent name. Origin: a prototype, measured on 35 sites."""

MINIMUM_NAME_SHARE = 0.02
"""... and on at least this share of all pages (and on two): `id="my-first-heading"` names nothing.
Origin: guess."""

MOST_LOCATORS = 10_000
"""Locators that are remembered once read. Origin: guess, 10 MB; a pattern has some ten."""

SLOT_TAGS = frozenset({"div", "section", "article", "main", "table", "tbody", "tr", "td"})
"""What boxes of a layout are made of; without a name they are told apart by their slots."""

MOST_SLOTS = 20
"""Siblings of one place up to which they are boxes of a layout; more are rows. Origin: guess."""

Step = tuple[str, tuple[str, ...]]
_Fits = Callable[[LayoutTree, int, Step], bool]


class Fit(Enum):
    """How much of a place an element must have to be found, the strictest first."""

    EXACT = "the tag path, and on it all names"
    LOOSE = "the tag path, and on it one name of each step, none of `body`"
    MOVED = "the tags and names at its end, from the last step with names on; wherever it stands"


_STEP = re.compile(r"([^.#[/]+)(\[\d+of\d+\]|(?:[.#][^.#/]+)*)")
_NAME = re.compile(r"[.#][^.#/]+")
_NAMES = re.compile(r"[.#][^.#/]+|\[.+\]")


@dataclass(frozen=True, slots=True)
class Locator:
    """A path of steps from `body`; written like a CSS selector without blanks."""

    steps: tuple[Step, ...]
    path: int = field(init=False, compare=False, repr=False)
    """CRC-32 of its tags, as `LayoutTree.paths` has them."""

    def __post_init__(self) -> None:
        path = 0
        for tag, _ in self.steps:
            path = crc32(tag.encode(), path)
        object.__setattr__(self, "path", path)

    def __hash__(self) -> int:
        return self.path  # the same in every process, and worked out once

    def __str__(self) -> str:
        return "/".join(tag + "".join(names) for tag, names in self.steps)

    @staticmethod
    @lru_cache(maxsize=MOST_LOCATORS)
    def parse(text: str) -> Locator:
        """The locator that `str` wrote; one object for each text.

        >>> Locator.parse("body/div#page.wide/h1").steps
        (('body', ()), ('div', ('#page', '.wide')), ('h1', ()))
        """
        steps: list[Step] = []
        for part in text.split("/"):
            found = _STEP.fullmatch(part)
            if found:
                steps.append((found[1], tuple(_NAMES.findall(found[2]))))
        return Locator(tuple(steps))

    def covers(self, other: Locator) -> bool:
        """Whether what stands at another place is found at this one, too.

        >>> Locator.parse("body/div").covers(Locator.parse("body/div.text"))
        True
        """
        if self.path != other.path or len(self.steps) != len(other.steps):
            return False
        pairs = zip(self.steps, other.steps, strict=True)
        return all(set(mine[1]) <= set(theirs[1]) for mine, theirs in pairs)

    def find(self, tree: LayoutTree, fit: Fit = Fit.EXACT) -> list[int]:
        """The elements at this place, in document order.

        An element may bear more names than the step asks for. A pattern of few pages takes names
        for stable that come and go (`LOOSE`), and a template has variants (`MOVED`).

        >>> from lxml.html import document_fromstring as parse
        >>> from learner.page.tree import build_tree
        >>> html = "<p class='a b'>x</p><p class=a>y</p><div><p class='a b'>z</p></div>"
        >>> tree, place = build_tree(parse(html)), Locator.parse("body/p.a.b")
        >>> place.find(tree), place.find(tree, Fit.LOOSE), place.find(tree, Fit.MOVED)
        ([1], [1, 2], [1, 4])
        """
        if fit is Fit.MOVED:
            return self._find_end(tree)
        fits = _fits_loosely if fit is Fit.LOOSE else _fits
        here = tree.elements_at(self.path)
        return [e for e in here if _leads_to(tree, e, self.steps, fits) == -1]

    def _find_end(self, tree: LayoutTree) -> list[int]:
        """The elements that bear the names of the last step with names, and what it leads to."""
        named = [
            n for n, (tag, names) in enumerate(self.steps)
            if names and tag != "body" and not _is_slot(names)
        ]  # fmt: skip
        if not named:
            return []
        end = self.steps[named[-1] :]
        last_tag = end[-1][0]
        alike = [e for e, tag in enumerate(tree.tags) if tag == last_tag]
        return [e for e in alike if _leads_to(tree, e, end, _fits) is not None]


def _leads_to(tree: LayoutTree, element: int, steps: Sequence[Step], fits: _Fits) -> int | None:
    """The parent of the first of these steps, if they lead to the element; -1 above the root."""
    for step in reversed(steps):
        if element < 0 or tree.tags[element] != step[0]:
            return None
        if step[1] and not fits(tree, element, step):
            return None
        element = tree.parents[element]
    return element


def _is_slot(names: tuple[str, ...]) -> bool:
    return names[0][0] == "["


def _fits(tree: LayoutTree, element: int, step: Step) -> bool:
    _, names = step
    if names[0][0] == "[":  # as `_is_slot`, for this is asked very often
        return tree.slots[element] == names[0]
    tokens = tree.tokens[element]
    return all(name in tokens for name in names)


def _fits_loosely(tree: LayoutTree, element: int, step: Step) -> bool:
    tag, names = step
    if tag == "body":
        return True
    if _is_slot(names):
        return tree.slots[element] == names[0]
    tokens = tree.tokens[element]
    return any(name in tokens for name in names)


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
            if count >= least and _NAME.fullmatch(t)
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
            and not (step[1] and _is_slot(step[1]))
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
