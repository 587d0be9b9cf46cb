"""Bylines: where the pages of a cluster say when they were published, and by whom.

A date's place is a short block whose text reads as a date on (nearly) all pages and differs from
page to page, near the title or right after the body rather than in a side column. Where pages name
their date for machines too (JSON-LD, `meta`, the URL), the place that agrees with it wins. No words
of any language are needed: months come from `learner.page.dates`, everything else is position,
recurrence and agreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import filterfalse
from statistics import fmean

from learner.bodies.asides import aside_blocks
from learner.bodies.container import Container
from learner.bylines.authors import find_author_places
from learner.bylines.authorship import AuthorSample
from learner.bylines.rule import AuthorRule, DatePlace, DateRule, byline_blocks
from learner.page.dates import (
    DateText,
    Order,
    learn_order,
    read_machine_date,
    url_date,
    usual_order,
)
from learner.page.extent import Extent
from learner.page.locators import Locator
from learner.page.months import month_names
from learner.page.shown_dates import (
    MOST_SPLIT,
    ShownDate,
    read_block,
    read_split,
)
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.cluster_page import Member
from learner.site.sampling import evenly_spaced
from learner.site.signatures import Signatures

BYLINE_PAGES = 40
"""Pages of a cluster that bylines are learned from, evenly spread. Measured on 124 sites: the same
as with 60; with 30 one manual, few of whose pages have dates, loses half of them."""

OWNER_SHARE = 0.9
"""Share of the pages that name the site's owner for machines, at least. Origin: guess; an author of
nine posts of ten is one too."""

BESIDE_OWNER = 0.2
"""Share of the pages with another name beside the owner's, at least. Origin: guess; he may have
written most of the posts himself, but one who was helped on a few is their author."""

TEMPLATE_SHARE = 0.3
"""Share of the pages from which on a date that they say for machines is written in their template,
if they show others. Origin: guess; a site of three layouts says one of three days on all pages."""

LEAST_TEMPLATE = 3
"""... and so many. Origin: guess."""

WINDOW = 40
"""Blocks that are searched before and after each of: the title, the start and the end of the main
container. Origin: guess; bounds the time for pages of thousands of blocks."""

TRIED_PLACES = 12
"""Places that are tried on all pages, those that stand on most pages first. Origin: guess."""

DATE_SCORE = 0.2
"""Least score of a date's place, 0 to 1; see `_score`. Origin: guess."""

SAME_DAY = timedelta(days=1)
"""A day shown may differ by this from one in UTC."""


@dataclass(slots=True)
class _Sample:
    """One page that the byline is learned from."""

    member: Member
    places: list[int]
    """Signature of each element."""
    extent: Extent
    """Where its text is."""
    template_dates: frozenset[str]
    """What is no date of its own, though it says so for machines."""
    dated: dict[int, list[ShownDate]] = field(default_factory=dict)
    """The dates of the blocks that may be a byline, by index, in document order."""

    found: dict[Locator, list[int]] = field(default_factory=dict)
    """The elements at the places that were looked for."""
    near: set[int] = field(default_factory=set)
    """The indices of the blocks that were searched."""

    @property
    def tree(self) -> LayoutTree:
        return self.member.tree

    def read_dates(self, names: Mapping[str, int], left_out: set[int]) -> None:
        """Fill `dated`, leaving out the blocks of asides."""
        tree, title, extent = self.tree, self.member.title, self.extent
        middles = (*extent.ends, extent.start, title.index if title else extent.start)
        self.near = {i for m in middles for i in range(m - WINDOW, m + WINDOW)} - left_out
        for index in sorted(self.near & set(range(len(tree.blocks)))):
            readings = list(read_block(tree, tree.blocks[index], names))
            if readings:
                self.dated[index] = readings

    def readings(self, place: DatePlace, names: Mapping[str, int]) -> list[ShownDate]:
        """The dates at a place."""
        elements = self.found.get(place.locator)
        if elements is None:
            elements = self.found[place.locator] = place.locator.find(self.tree)
        if place.split:
            found = (read_split(self.tree, element, names) for element in elements)
            return [reading for reading in found if reading]
        here = set(elements)
        dated = self.dated.items()
        return [r for i, rs in dated if self.tree.blocks[i].element in here for r in rs]

    def machine_days(self) -> list[date]:
        """The days of publication that the page names for machines."""
        said = filterfalse(self.template_dates.__contains__, _machine_dates(self.tree))
        read = map(read_machine_date, said)
        days = [machine[1] for machine in read if machine]
        url = url_date(self.tree.url)
        return [*days, url[0]] if url and url[1] else days

    def nearness(self, block: TreeBlock) -> float:
        """How likely a byline stands there: 1 beside the title, less after the text, elsewhere."""
        extent = self.extent
        title = self.member.title.index if self.member.title else extent.start
        distance = abs(block.index - title)
        if distance <= 3:
            return 1.0
        if distance <= 8:
            return 0.9
        return 0.8 if any(end - 6 <= block.index < end + 8 for end in extent.ends) else 0.4


def find_byline(
    members: Sequence[Member],
    signatures: Signatures,
    container: Container,
    asides: frozenset[int],
    body_of: Callable[[Member], Sequence[TreeBlock]],
) -> tuple[DateRule, AuthorRule]:
    """Where the pages of a cluster show dates and authors; `body_of` gives the text of one."""
    samples = []
    template_dates = find_template_dates([_machine_dates(member.tree) for member in members])
    for member in evenly_spaced(members, BYLINE_PAGES):
        tree = member.tree
        extent = Extent.of(tree, container.elements[tree], body_of(member))
        samples.append(_Sample(member, signatures.of[tree], extent, template_dates))
    languages = members[0].languages
    names = month_names(languages)
    for sample in samples:
        sample.read_dates(names, aside_blocks(sample.tree, sample.places, asides))
    candidates = list(_candidates(samples, signatures, names))
    order = _order(samples)
    dates = tuple(_choose([_Trial(place, samples, names, order) for place in candidates]))
    named = [_author_sample(sample, dates, names, order) for sample in samples]
    present = {s.places[block.element] for s in named for block in s.near}
    authors = find_author_places(named, {place: signatures.locator(place) for place in present})
    date_rule = DateRule(
        places=dates,
        languages=languages,
        order=order,
        template_dates=template_dates if dates else frozenset(),
    )
    owners = find_owners([member.tree.metadata.authors for member in members])
    return date_rule, AuthorRule(places=tuple(authors), owners=owners)


def are_bylines(
    trees: Sequence[LayoutTree], bodies: Sequence[Sequence[TreeBlock]], dates: DateRule
) -> bool:
    """Whether what was found as the texts of some pages is one short block with a date, on most of
    them: all that is left of lists of whole posts.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<p>Posted on May 1, 2001 in News</p><p>It rains.</p>"))
    >>> [are_bylines([tree], [body], DateRule()) for body in (tree.blocks[:1], tree.blocks)]
    [True, False]
    """
    alone = sum(
        len(body) == 1 and any(dates.in_block(tree, body[0]))
        for tree, body in zip(trees, bodies, strict=True)
    )
    return 2 * alone > len(trees)


def find_owners(said: Sequence[tuple[str, ...]]) -> frozenset[str]:
    """The names on nearly all pages, given those that each says for machines, if others stand
    beside them on some: themes name the owner of the site on all pages, and who wrote the post.

    >>> find_owners([("Ann",), ("Bob", "Ann"), ("Cid", "Ann")])
    frozenset({'Ann'})
    >>> find_owners([("Ann", "Bob"), ("Ann", "Bob"), ("Ann", "Bob")])
    frozenset()
    """
    pages = Counter(name for names in said for name in set(names))
    owners = {name for name, n in pages.items() if n >= OWNER_SHARE * len(said)}
    beside = sum(not owners.issuperset(names) for names in said)
    return frozenset(owners) if beside >= BESIDE_OWNER * len(said) else frozenset()


def find_template_dates(said: Sequence[Iterable[str]]) -> frozenset[str]:
    """The dates on so many pages that their template must have them, given those that each says for
    machines.

    >>> find_template_dates([("2022-02-15",), ("2022-02-15", "2011-05-03"), ("2022-02-15",)])
    frozenset({'2022-02-15'})
    """
    pages = Counter(text for texts in said for text in set(texts))
    least = max(LEAST_TEMPLATE, TEMPLATE_SHARE * len(said))
    return frozenset(text for text, n in pages.items() if n >= least)


def _machine_dates(tree: LayoutTree) -> tuple[str, ...]:
    """The dates of publication that a page says for machines, as written."""
    said = tree.metadata.json_published, tree.metadata.meta_published
    return tuple(filter(None, said))


def _author_sample(
    sample: _Sample, places: Sequence[DatePlace], names: Mapping[str, int], order: Order
) -> AuthorSample:
    tree = sample.tree
    readings = (place.choose(sample.readings(place, names)) for place in places)
    reading = next(filter(None, readings), None)
    shown = reading.block if reading else None
    day = reading.day(order) if reading else None
    dates = {i: [reading.raw for reading in readings] for i, readings in sample.dated.items()}
    if reading and reading.n_blocks > 1:
        parts = tree.blocks[reading.block.index :][: reading.n_blocks]
        dates |= {block.index: [block.text] for block in parts}
    blocks = byline_blocks(tree, sample.member.title, shown, sample.extent)
    return AuthorSample(
        tree=tree,
        places=sample.places,
        near=[block for block in blocks if block.index in sample.near],
        dates=dates,
        date_block=shown.index if shown else None,
        title=sample.member.title.index if sample.member.title else sample.extent.start,
        extent=sample.extent,
        weekday=day.weekday() if day else None,
    )


def _candidates(
    samples: Sequence[_Sample], signatures: Signatures, names: Mapping[str, int]
) -> list[DatePlace]:
    """Places with dates, those on most pages first."""
    counts: Counter[tuple[int, int, str | None, bool]] = Counter()
    for sample in samples:
        counts.update(set(_keys(sample, names)))
    ranked = sorted(
        counts, key=lambda key: (-counts[key], key[3], key[2] or "", key[1] < 0, key[1], key[0])
    )
    least = max(1, 0.03 * len(samples))
    return [
        DatePlace(locator=signatures.locator(signature), nth=nth, lead=lead, split=split)
        for signature, nth, lead, split in ranked
        if counts[signature, nth, lead, split] >= least
    ][:TRIED_PLACES]


def _keys(sample: _Sample, names: Mapping[str, int]) -> Iterator[tuple[int, int, str | None, bool]]:
    tree = sample.tree
    seen: Counter[int] = Counter()
    for index, readings in sample.dated.items():
        signature = sample.places[tree.blocks[index].element]
        for reading in readings:
            if seen[signature] < 2:
                yield signature, seen[signature], None, False
            yield signature, -1, None, False
            if len(reading.lead) > 2:
                yield signature, 0, reading.lead, False
            seen[signature] += 1
    for element in range(1, len(tree.tags)):
        start, end = tree.starts[element], tree.ends[element]
        if start not in sample.near or not 1 < end - start <= MOST_SPLIT:
            continue
        dated = any(index in sample.dated for index in range(start, end))
        if not dated and read_split(tree, element, names):
            yield sample.places[element], 0, None, True


def _order(samples: Sequence[_Sample]) -> Order:
    """The order of numeric dates, from all dates that may be a byline's."""
    found: list[DateText] = []
    known: list[date | None] = []
    for sample in samples:
        days = sample.machine_days()
        for readings in sample.dated.values():
            ambiguous = [r.found for r in readings if r.found and r.found.ambiguous]
            found += ambiguous
            known += [days[0] if days else None] * len(ambiguous)
    declared = Counter(s.tree.metadata.language for s in samples).most_common(1)
    return learn_order(found, known) or usual_order(declared[0][0] if declared else "")


class _Trial:
    """A place tried on all pages."""

    def __init__(
        self,
        place: DatePlace,
        samples: Sequence[_Sample],
        names: Mapping[str, int],
        order: Order,
    ) -> None:
        self.place = place
        self.n_pages = len(samples)
        self.days: dict[int, date] = {}
        self.blocks: dict[int, int] = {}
        self._nearness: list[float] = []
        self._agreed: list[bool] = []
        self._many: list[int] = []
        self._linked = self._whole = 0
        for index, sample in enumerate(samples):
            readings = sample.readings(place, names)
            reading = place.choose(readings)
            day = reading.day(order) if reading else None
            if reading is None or day is None:
                continue
            self.days[index] = day
            self.blocks[index] = reading.block.index
            self._many.append(len({each.block.index for each in readings}))
            self._nearness.append(sample.nearness(reading.block))
            self._linked += sample.tree.target(reading.block.href) is not None
            self._whole += reading.found is None or reading.found.whole
            machine = sample.machine_days()
            if machine:
                self._agreed.append(any(abs(day - other) <= SAME_DAY for other in machine))

    @property
    def agreement(self) -> float | None:
        """Share of its pages on which it agrees with a date for machines; None if few have one."""
        if len(self._agreed) < max(1, 0.3 * len(self.days)):
            return None
        return fmean(self._agreed)

    def score(self, pages: set[int] | None = None) -> float:
        """How surely this is the date of publication on these pages (None: on all), 0 to 1."""
        here = self.days if pages is None else self.days.keys() & pages
        if not here:
            return 0.0
        coverage = len(here) / (self.n_pages if pages is None else len(pages))
        distinct = len({self.days[page] for page in here})
        agreement = self.agreement
        score = coverage * fmean(self._nearness) * fmean(self._many) ** -0.5
        score *= 0.7 if agreement is None else 0.05 + 0.95 * agreement
        if distinct < len(here) and (agreement or 0) < 0.8:
            score *= {1: 0.2, 2: 0.8}.get(distinct, 1.0)
        score *= 1 - 0.4 * self._linked / len(self.days)
        return float(score * (0.7 + 0.3 * self._whole / len(self.days)))

    def precedes(self, other: _Trial) -> bool:
        """Whether it stands beside another place and its days are never later, often earlier: the
        other one is when the page was changed."""
        both = self.days.keys() & other.days.keys()
        if len(both) < 0.8 * len(other.days) or not both:
            return False
        if any(abs(self.blocks[page] - other.blocks[page]) > 3 for page in both):
            return False
        earlier = sum(self.days[page] < other.days[page] for page in both)
        later = sum(self.days[page] > other.days[page] for page in both)
        return later <= 0.02 * len(both) and earlier >= max(1, 0.05 * len(both))


def _choose(trials: Sequence[_Trial]) -> Iterator[DatePlace]:
    """The best place, then the best one for the pages that it leaves out, and so on."""
    if not trials:
        return
    n_pages = trials[0].n_pages
    left: set[int] | None = None
    while left is None or len(left) >= max(2, 0.05 * n_pages):
        best = max(trials, key=lambda trial: trial.score(left))
        if best.score(left) < DATE_SCORE:
            return
        for other in trials:
            agrees = (other.agreement or 0) >= (best.agreement or 0)
            if agrees and other.precedes(best) and other.score(left) >= 0.5 * best.score(left):
                best = other
        yield best.place
        left = (set(range(n_pages)) if left is None else left) - best.days.keys()
