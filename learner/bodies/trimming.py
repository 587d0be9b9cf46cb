"""What inside the main container is not the main content.

Sections of the container are judged over all pages of the cluster: reader comments, tables of
contents, line numbers of listings, blocks of links, what recurs, and dates or names between the
title and the text. A section is a place (`Signatures`), so that what is known of it on one page
holds on the next one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from learner.bodies.asides import aside_blocks
from learner.bodies.container import Container
from learner.bodies.rule import heading_to_title
from learner.page.locators import Locator
from learner.page.tree import HEADINGS
from learner.page.wording import has_signs, is_label
from learner.page.words import TEXT_WEIGHT
from learner.site.block_sums import running
from learner.site.cluster_page import ClusterPage, on_several_titles
from learner.site.recurrence import recurring_texts
from learner.site.signatures import Signatures

LINK_SHARE = 0.6
"""A named section is boilerplate if at least this share of its weight stands in links to other
pages of the site. Origin: measured, see docs/decisions.md."""

STATIC_SHARE = 0.8
"""... or this share in such links and in texts that recur. Origin: measured, see
docs/decisions.md."""

ASIDE_SHARE = 0.7
"""A section is asides if this share of it is. Origin: guess."""

FRAGMENT_SHARE = 0.8
"""A table of contents: at least this share of its weight links into the page. Origin: guess."""

DETAIL_WEIGHT = 60
"""Median weight up to which a named section with a date before the text is a detail of the article
(date, author, tags), not its text. Origin: guess."""

ENDS_SHARE = 0.2
"""Share of the pages that a text must stand on to be left out at either end of the main content;
for whole sections `learner.site.recurrence.BOILERPLATE_SHARE` holds. Origin: measured, see
docs/decisions.md."""

ABOVE_SHARE = 0.8
"""Share of a named section that must stand above the title, without a text in it, to be a detail:
the chapter, and the titles of the pages before and after. Origin: guess, see docs/decisions.md."""

REFRAIN_SHARE = 0.9
"""Share of the pages from which on a sentence is none of the author's, wherever it stands: what a
template writes stands on all of them, what an author is used to write on many. Origin: measured,
see docs/decisions.md."""

INSERTED_SHARE = 0.3
"""... or share of the pages from which on it is none of his if it is inserted between what only one
page says: headings and labels of a manual introduce what its author writes alike. Origin: measured,
see docs/decisions.md."""

AMIDST_SHARE = 0.25
"""Share of these pages on which it must stand between such sentences. Origin: measured, see
docs/decisions.md."""

LEAST_REFRAINS = 3
"""... and so many pages. Origin: guess; two articles of four may share a preface."""

AUTHORED_SHARE = 0.8
"""Least share of the pages with a sentence that recurs on which it must stand where the paragraphs
do, to be the author's. Origin: guess."""

SENTENCE_WEIGHT = 10
"""Weight outside links from which on a text is a sentence, no label nor link. Origin: guess."""

_NEVER_TEXT = frozenset({"nav", "form"})

_LANDMARKS = frozenset({"aside", "footer", "header"})
"""Tags that say as much as a name does."""

_NO_SENTENCE = ""
"""Stands for a heading or a short label."""

_Said = tuple[int, str]
"""A text as it recurs, and the place where it stands."""


@dataclass(slots=True)
class _Section:
    """What one place holds over the pages of a cluster."""

    tag: str
    named: bool
    """Whether it bears a stable name, or its tag says what it is."""
    pages: int = 0
    weights: list[int] = field(default_factory=list)
    static: int = 0
    linked: int = 0
    fragments: int = 0
    asides: int = 0
    dated: int = 0
    told: int = 0
    """Weight of what it says beside the title."""
    repeated: int = 0
    """... and of what of that is said there on pages of other titles, too."""
    numbers: int = 0
    preceded: int = 0
    above: int = 0
    """How often it stands above the title, without a text in it."""

    @property
    def weight(self) -> int:
        return max(1, sum(self.weights))

    @property
    def once(self) -> bool:
        """Whether it stands (nearly always) once on a page."""
        return len(self.weights) <= 1.5 * self.pages


@dataclass(frozen=True, slots=True)
class Trimmed:
    """One place inside the container that is left out."""

    locator: Locator
    reason: str
    """asides, navigation, contents, numbers, static, links, details or closing."""


def trim(
    members: Sequence[ClusterPage],
    signatures: Signatures,
    container: Container,
    asides: frozenset[int],
    recurring: frozenset[str],
) -> list[Trimmed]:
    """The places that are left out, the outermost only, in a fixed order.

    `recurring` are the texts that recur inside the container.
    """
    sections: dict[int, _Section] = {}
    repeated = _repeated(members, signatures, container)
    for member in members:
        _survey(member, signatures, container, asides, recurring, repeated, sections)
    reasons = {
        place: _reason(section, len(members), place in asides)
        for place, section in sections.items()
    }
    found = []
    text_at: dict[int, list[Locator]] = defaultdict(list)
    for place, reason in reasons.items():
        locator = signatures.locator(place)
        if reason:
            found.append(Trimmed(locator, reason))
        else:
            text_at[locator.path].append(locator)
    # `div` is found at `div.text`, too.
    found = [t for t in found if not any(map(t.locator.covers, text_at[t.locator.path]))]
    found.sort(key=lambda trimmed: (len(trimmed.locator.steps), str(trimmed.locator)))
    kept: dict[Locator, Trimmed] = {}
    for trimmed in found:
        steps = trimmed.locator.steps
        if not any(Locator(steps[:i]) in kept for i in range(1, len(steps))):
            kept[trimmed.locator] = trimmed
    return list(kept.values())


def _survey(
    member: ClusterPage,
    signatures: Signatures,
    container: Container,
    asides: frozenset[int],
    recurring: frozenset[str],
    repeated: frozenset[_Said],
    sections: dict[int, _Section],
) -> None:
    tree = member.tree
    places = signatures.of[tree]
    top = container.elements[tree]
    in_asides = aside_blocks(tree, places, asides)
    first_text = next(
        (
            b.index
            for b in tree.blocks[max(tree.starts[top], member.first_after_title) : tree.ends[top]]
            if b.unlinked_weight > DETAIL_WEIGHT and member.wording.stamp(b) not in recurring
        ),
        tree.ends[top],
    )
    counts = _Counts(member, places, top, recurring, repeated, in_asides)
    here: dict[int, list[int]] = defaultdict(list)
    for element in tree.descendants(top):
        if tree.ends[element] > tree.starts[element]:
            here[places[element]].append(element)
    for place, elements in here.items():
        section = sections.get(place)
        if section is None:
            tag = tree.tags[elements[0]]
            section = _Section(tag, tag in _LANDMARKS or signatures.named(place))
            sections[place] = section
        section.pages += 1
        for element in elements:
            counts.add_to(section, tree.starts[element], tree.ends[element])
            section.preceded += tree.starts[element] > first_text


class _Counts:
    """Running sums over the blocks of an element, of what the sections inside are judged by."""

    def __init__(
        self,
        member: ClusterPage,
        places: Sequence[int],
        top: int,
        recurring: frozenset[str],
        repeated: frozenset[_Said],
        asides: set[int],
    ) -> None:
        tree, blocks = member.tree, member.tree.inside(top)
        self._first = tree.starts[top]
        self._sums = member.sums
        linked = [tree.linked_weight(block) for block in blocks]
        self._linked = running(linked)
        self._static = running(
            block.weight if member.wording.stamp(block) in recurring else weight
            for block, weight in zip(blocks, linked, strict=True)
        )
        self._fragments = running(b.weight if tree.leads_into_page(b.href) else 0 for b in blocks)
        self._asides = running(b.weight if b.index in asides else 0 for b in blocks)
        self._numbers = running(b.text.replace(" ", "").isdigit() for b in blocks)
        self._texts = running(b.unlinked_weight > DETAIL_WEIGHT for b in blocks)
        self._title = member.title.index if member.title else 0
        titles = heading_to_title(member.wording)
        told = [0 if block.index in titles else block.weight for block in blocks]
        self._told = running(told)
        self._repeated = running(
            weight if (places[block.element], member.wording.stamp(block)) in repeated else 0
            for block, weight in zip(blocks, told, strict=True)
        )

    def add_to(self, section: _Section, start: int, end: int) -> None:
        """Add the blocks from `start` to before `end`, one element's."""
        weights, dated = self._sums.weights, self._sums.dated
        section.weights.append(weights[end] - weights[start])
        section.dated += dated[end] > dated[start]
        is_above = end <= self._title
        start, end = start - self._first, end - self._first
        section.linked += self._linked[end] - self._linked[start]
        section.static += self._static[end] - self._static[start]
        section.told += self._told[end] - self._told[start]
        section.repeated += self._repeated[end] - self._repeated[start]
        section.fragments += self._fragments[end] - self._fragments[start]
        section.asides += self._asides[end] - self._asides[start]
        section.numbers += self._numbers[end] - self._numbers[start] == end - start
        section.above += is_above and self._texts[end] == self._texts[start]


def _reason(section: _Section, n_pages: int, is_aside: bool) -> str | None:
    if is_aside or section.asides >= ASIDE_SHARE * section.weight:
        return "asides"
    if section.tag in _NEVER_TEXT:
        return "navigation"
    if section.tag in HEADINGS:
        return None
    if section.fragments >= FRAGMENT_SHARE * section.weight and section.once:
        return "contents" if section.tag not in {"p", "li"} else None
    if section.pages >= 2 and section.numbers >= 0.95 * len(section.weights):
        return "numbers" if section.tag in {"td", "pre", "div"} else None
    if not section.named or section.pages < max(2, 0.1 * n_pages):
        return None
    often = section.pages >= 0.5 * n_pages and section.once
    before = often and section.preceded <= 0.2 * len(section.weights)
    dated = section.dated >= 0.5 * len(section.weights)
    if before and dated and median(section.weights) <= DETAIL_WEIGHT:
        return "details"
    if often and section.above >= ABOVE_SHARE * len(section.weights):
        return "details"
    if section.linked >= LINK_SHARE * section.weight and section.once:
        return "links"
    if section.static >= STATIC_SHARE * section.weight:
        return "static"
    is_repeated = 0 < STATIC_SHARE * section.told <= section.repeated
    return "details" if before and is_repeated else None


def _repeated(
    members: Sequence[ClusterPage], signatures: Signatures, container: Container
) -> frozenset[_Said]:
    """What is said inside the container at one place on pages of several titles."""
    return on_several_titles(
        (member, (signatures.of[member.tree][block.element], member.wording.stamp(block)))
        for member in members
        for block in member.tree.inside(container.elements[member.tree])
    )


def find_recurring(
    members: Sequence[ClusterPage],
    signatures: Signatures,
    container: Container,
) -> dict[str, int]:
    """The texts inside the container that recur, each with the number of pages it stands on, but
    for sentences that the author repeats: they stand where his paragraphs stand, and not on most of
    the pages."""
    stamped = []
    weights: Counter[int] = Counter()
    for member in members:
        tree, here = member.tree, signatures.of[member.tree]
        inside = tree.inside(container.elements[tree])
        blocks = [(here[block.element], block.unlinked_weight) for block in inside]
        for place, weight in blocks:
            weights[place] += weight
        stamped.append(dict(zip(member.wording.stamps(inside), blocks, strict=True)))
    paragraphs = max(weights, key=lambda place: (weights[place], -place), default=-1)
    pages = Counter(text for stamps in stamped for text in stamps)
    sentences = Counter(
        text
        for stamps in stamped
        for text, (place, weight) in stamps.items()
        if place == paragraphs and weight >= SENTENCE_WEIGHT
    )
    return {
        text: pages[text]
        for text in recurring_texts(stamped)
        if pages[text] >= REFRAIN_SHARE * len(members)
        or sentences[text] < AUTHORED_SHARE * pages[text]
        or has_signs(text)
    }


def recurring_at_ends(recurring: Mapping[str, int], n_pages: int) -> frozenset[str]:
    """Those of the texts that recur which are left out at the ends of the main content."""
    return frozenset(text for text, n in recurring.items() if n >= ENDS_SHARE * n_pages)


def find_refrains(members: Sequence[ClusterPage], container: Container) -> frozenset[str]:
    """The sentences inside the container that the site writes, not the author (`Member.phrase`):
    they stand on nearly all of the pages ("If you enjoyed this post, subscribe to my feed"), or on
    many and in the midst of what only one page says ("Read also: ..."), be it in turn with others
    that lead to pages of the site ("More on this: ..."); what buttons say on several ("Copy")."""
    said = [_sentences(member, container) for member in members]
    pages: Counter[str] = Counter()
    for sentences in said:
        pages.update({*sentences} - {_NO_SENTENCE})
    amidst: Counter[str] = Counter()
    for sentences in said:
        threes = zip(sentences, sentences[1:], sentences[2:], strict=False)
        amidst.update(
            {text for before, text, after in threes if pages[before] == pages[after] == 1}
        )
    most = max(LEAST_REFRAINS, REFRAIN_SHARE * len(members))
    many = max(LEAST_REFRAINS, INSERTED_SHARE * len(members))
    inserted = {
        text
        for text, count in pages.items()
        if count >= LEAST_REFRAINS and amidst[text] >= AMIDST_SHARE * count
    }
    labels = {text for text in inserted if is_label(text)}
    n_labelled = sum(not labels.isdisjoint(sentences) for sentences in said)
    in_turn = labels if n_labelled >= many else set()
    alone = {text for text, count in pages.items() if count >= most}
    inserted = {text for text in inserted if pages[text] >= many}
    return frozenset(alone | in_turn | inserted | _buttons(members, container))


def _buttons(members: Sequence[ClusterPage], container: Container) -> frozenset[str]:
    """What blocks that are buttons say on several pages. Those of headings open what they say."""
    said = [
        [
            member.wording.phrase(block)
            for block in member.tree.inside(container.elements[member.tree])
            if block.line.is_button and member.tree.tags[block.element] not in HEADINGS
        ]
        for member in members
    ]
    return recurring_texts(said, least=LEAST_REFRAINS)


def _sentences(member: ClusterPage, container: Container) -> list[str]:
    """What is said inside the container of one page, block by block; headings and short labels are
    no sentences."""
    tree = member.tree
    inside = (b for b in tree.inside(container.elements[tree]) if b is not member.title)
    return [
        member.wording.phrase(b)
        if b.weight >= TEXT_WEIGHT and tree.tags[b.element] not in HEADINGS
        else _NO_SENTENCE
        for b in inside
    ]
