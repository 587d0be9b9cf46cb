"""Learning where the pages of a cluster show when they were published.

A date's place is a short block whose text reads as a date on (nearly) all pages and differs from
page to page, near the title or right after the body rather than in a side column. Where pages name
their date for machines too (JSON-LD, `meta`, the URL), the place that agrees with it wins. No words
of any language are needed: months come from `learner.page.dates`, everything else is position,
recurrence and agreement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import date, timedelta
from itertools import filterfalse
from statistics import fmean

from learner.bylines.authorship import in_card
from learner.bylines.rule import DatePlace, DateRule
from learner.page.calendars.day_text import DateText, Order
from learner.page.calendars.shown import MOST_SPLIT, ShownDate, read_block, read_split
from learner.page.dates import (
    learn_order,
    read_machine_date,
    url_date,
    usual_order,
)
from learner.page.locators import FoundPlaces
from learner.page.months import month_names
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.cluster_page import ClusterPage
from learner.site.recurrence import SAME_SHARE, find_template_facts
from learner.site.signatures import Signatures

WINDOW = 40
"""Blocks that are searched before and after each of: the title, the start and the end of the main
container. Origin: guess; bounds the time for pages of thousands of blocks."""

TRIED_PLACES = 12
"""Places that are tried on all pages, those that stand on most pages first. Origin: guess."""

DATE_SCORE = 0.2
"""Least score of a date's place, 0 to 1; see `_score`. Origin: guess."""

CARD_LOSS = 0.8
"""Of the score of dates in the cards of other articles, several on a page. Origin: guess."""

SAME_DAY = timedelta(days=1)
"""A day shown may differ by this from one in UTC."""


def search_dates(page: ClusterPage, left_out: set[int]) -> None:
    """Note on a page the dates near its title and its text, but not in some blocks."""
    extent, names = page.extent, month_names(page.languages)
    middles = (*extent.ends, extent.start, page.title_index)
    near = {i for m in middles for i in range(m - WINDOW, m + WINDOW)} - left_out
    page.searched, page.shown = frozenset(near), {}
    for index in sorted(near & set(range(len(page.tree.blocks)))):
        readings = list(read_block(page.tree, page.tree.blocks[index], names))
        if readings:
            page.shown[index] = readings


def learn_dates(
    pages: Sequence[ClusterPage], signatures: Signatures, template_dates: frozenset[str]
) -> DateRule:
    """The rule of some pages that were searched for dates, which learn which of them is theirs.
    `template_dates` are no dates of their own, if pages show others, though they say so for
    machines; those that are the same on all of them are none in any case."""
    names = month_names(pages[0].languages)
    said = [list(_machine_days(page.tree, template_dates)) for page in pages]
    found = [FoundPlaces(page.tree) for page in pages]
    order = _order(pages, said)
    candidates = _candidates(pages, signatures, names)
    trials = [_Trial(place, pages, found, said, names, order) for place in candidates]
    places = tuple(_choose(trials))
    for page, here in zip(pages, found, strict=True):
        readings = (place.choose(_readings(page, here, place, names)) for place in places)
        page.date = next(filter(None, readings), None)
        day = page.date.day(order) if page.date else None
        page.weekday = day.weekday() if day else None
    return DateRule(
        places=places,
        languages=pages[0].languages,
        order=order,
        template_dates=_same_dates(pages) | (template_dates if places else frozenset()),
    )


def _same_dates(pages: Sequence[ClusterPage]) -> frozenset[str]:
    """The dates that nearly all pages say, for machines or near their titles."""
    said = []
    for page in pages:
        shown = (reading.raw for readings in page.shown.values() for reading in readings)
        moments = (moment for _, moment in page.tree.times)
        url = url_date(page.tree.url)
        said.append({*machine_dates(page.tree), *shown, *moments, *((url[2],) if url else ())})
    return find_template_facts(said, SAME_SHARE)


def machine_dates(tree: LayoutTree) -> tuple[str, ...]:
    """The dates of publication that a page says for machines, as written."""
    said = tree.metadata.json_published, tree.metadata.meta_published
    return tuple(filter(None, said))


def _machine_days(tree: LayoutTree, template_dates: frozenset[str]) -> Iterator[date]:
    """The days of publication that a page names for machines."""
    said = filterfalse(template_dates.__contains__, machine_dates(tree))
    for machine in filter(None, map(read_machine_date, said)):
        yield machine[1]
    url = url_date(tree.url)
    if url and url[1]:
        yield url[0]


def _readings(
    page: ClusterPage, found: FoundPlaces, place: DatePlace, names: Mapping[str, int]
) -> list[ShownDate]:
    """The dates of a page at a place."""
    elements = found.at(place.locator)
    if place.split:
        split = (read_split(page.tree, element, names) for element in elements)
        return [reading for reading in split if reading]
    here, blocks = set(elements), page.tree.blocks
    return [r for i, rs in page.shown.items() if blocks[i].element in here for r in rs]


def _nearness(page: ClusterPage, block: TreeBlock) -> float:
    """How likely a byline stands there: 1 beside the title, less after the text, elsewhere."""
    distance = abs(block.index - page.title_index)
    if distance <= 3:
        return 1.0
    if distance <= 8:
        return 0.9
    return 0.8 if any(end - 6 <= block.index < end + 8 for end in page.extent.ends) else 0.4


def _candidates(
    pages: Sequence[ClusterPage], signatures: Signatures, names: Mapping[str, int]
) -> list[DatePlace]:
    """Places with dates, those on most pages first."""
    counts: Counter[tuple[int, int, str | None, bool]] = Counter()
    for page in pages:
        counts.update(set(_keys(page, names)))
    ranked = sorted(
        counts, key=lambda key: (-counts[key], key[3], key[2] or "", key[1] < 0, key[1], key[0])
    )
    least = max(1, 0.03 * len(pages))
    return [
        DatePlace(locator=signatures.locator(signature), nth=nth, lead=lead, split=split)
        for signature, nth, lead, split in ranked
        if counts[signature, nth, lead, split] >= least
    ][:TRIED_PLACES]


def _keys(
    page: ClusterPage, names: Mapping[str, int]
) -> Iterator[tuple[int, int, str | None, bool]]:
    tree = page.tree
    seen: Counter[int] = Counter()
    for index, readings in page.shown.items():
        signature = page.places[tree.blocks[index].element]
        for reading in readings:
            if seen[signature] < 2:
                yield signature, seen[signature], None, False
            yield signature, -1, None, False
            if len(reading.lead) > 2:
                yield signature, 0, reading.lead, False
            seen[signature] += 1
    for element in range(1, len(tree.tags)):
        start, end = tree.starts[element], tree.ends[element]
        if start not in page.searched or not 1 < end - start <= MOST_SPLIT:
            continue
        dated = any(index in page.shown for index in range(start, end))
        if not dated and read_split(tree, element, names):
            yield page.places[element], 0, None, True


def _order(pages: Sequence[ClusterPage], said: Sequence[Sequence[date]]) -> Order:
    """The order of numeric dates, from all dates that may be a byline's."""
    found: list[DateText] = []
    known: list[date | None] = []
    for page, days in zip(pages, said, strict=True):
        for readings in page.shown.values():
            ambiguous = [r.found for r in readings if r.found and r.found.ambiguous]
            found += ambiguous
            known += [days[0] if days else None] * len(ambiguous)
    declared = Counter(page.tree.metadata.language for page in pages).most_common(1)
    return learn_order(found, known) or usual_order(declared[0][0] if declared else "")


class _Trial:
    """A place tried on all pages."""

    def __init__(
        self,
        place: DatePlace,
        pages: Sequence[ClusterPage],
        found: Sequence[FoundPlaces],
        said: Sequence[Sequence[date]],
        names: Mapping[str, int],
        order: Order,
    ) -> None:
        """`found` are the places of the pages, `said` the days that they name for machines."""
        self.place = place
        self.n_pages = len(pages)
        self.days: dict[int, date] = {}
        self.blocks: dict[int, int] = {}
        self._nearness: list[float] = []
        self._agreed: list[bool] = []
        self._many: list[int] = []
        self._linked = self._whole = self._carded = 0
        articles = {page.tree.key for page in pages}
        for index, page in enumerate(pages):
            readings = _readings(page, found[index], place, names)
            reading = place.choose(readings)
            day = reading.day(order) if reading else None
            if reading is None or day is None:
                continue
            self.days[index] = day
            self.blocks[index] = reading.block.index
            self._many.append(len({each.block.index for each in readings}))
            self._nearness.append(_nearness(page, reading.block))
            self._linked += page.tree.target(reading.block.href) is not None
            self._carded += self._many[-1] > 1 and _is_of_other(page, reading.block, articles)
            self._whole += reading.found is None or reading.found.whole
            if said[index]:
                self._agreed.append(any(abs(day - other) <= SAME_DAY for other in said[index]))

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
        score *= 1 - CARD_LOSS * self._carded / len(self.days)
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


def _is_of_other(page: ClusterPage, block: TreeBlock, articles: Set[str]) -> bool:
    """Whether a date stands beside a link to another article, or in its card."""
    tree = page.tree
    links = (tree.target(href) for _, href in block.line.linked_texts)
    others = articles - {tree.key}
    if any(target in others for target in links):
        return True
    return in_card(page, block, others.__contains__)


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
