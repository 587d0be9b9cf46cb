"""The days that a page may be of: those that it shows, and those that it says for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import numpy as np

from learner.dom.candidates.anchors import Anchors
from learner.dom.characters import DIGIT
from learner.dom.features import FAR, PageBlocks
from learner.ensembles.trees import Floats
from learner.page.calendars.day_text import Order
from learner.page.calendars.shown import ShownDate, read_block
from learner.page.dates import read_machine_date, url_date, usual_order
from learner.page.months import month_names
from learner.page.tree import LayoutTree

MOST_BLOCKS = 300
"""Blocks with digits in which dates are looked for. Origin: guess."""

LONGEST_SHOWN = 160
"""Characters of a block in which a date is looked for. Origin: guess."""

SOURCES = ("json", "meta", "json_modified", "meta_modified", "url", "time", "shown")


@dataclass(slots=True)
class DateCandidate:
    """One day, and where it stands."""

    day: date
    sources: dict[str, int] = field(default_factory=dict)
    """How often each source names it."""
    shown: list[ShownDate] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    """The blocks that show it."""
    moment: datetime | None = None
    """The moment that the page says for machines, aware UTC."""
    raw: str = ""
    """What was read first."""


def date_candidates(page: PageBlocks) -> list[DateCandidate]:
    """The days that a page names, each once."""
    found: dict[date, DateCandidate] = {}
    for day, source, moment, raw in _said(page.tree):
        each = found.setdefault(day, DateCandidate(day))
        each.sources[source] = each.sources.get(source, 0) + 1
        each.moment, each.raw = each.moment or moment, each.raw or raw
    all_shown = list(_shown(page))
    order = _order(page, all_shown, set(found))
    for shown in all_shown:
        day_shown = shown.day(order)
        if day_shown is not None:
            each = found.setdefault(day_shown, DateCandidate(day_shown))
            each.sources["shown"] = each.sources.get("shown", 0) + 1
            each.blocks.append(shown.block.index)
            each.shown.append(shown)
            each.raw = each.raw or shown.raw
    return list(found.values())


def _said(tree: LayoutTree) -> Iterator[tuple[date, str, datetime | None, str]]:
    said = tree.metadata
    written = (
        (said.json_published, "json"),
        (said.meta_published, "meta"),
        (said.json_modified, "json_modified"),
        (said.meta_modified, "meta_modified"),
        *((moment, "time") for _, moment in tree.times[:MOST_BLOCKS]),
    )
    for text, source in written:
        read = read_machine_date(text) if text else None
        if read:
            yield read[1], source, read[0], text
    in_url = url_date(tree.url)
    if in_url and in_url[1]:
        yield in_url[0], "url", None, in_url[2]


def _shown(page: PageBlocks) -> Iterator[ShownDate]:
    tree, names = page.tree, month_names((page.tree.metadata.language[:2].lower() or "en",))
    with_digits = np.flatnonzero((page.counts[:, DIGIT] >= 1) & (page.characters <= LONGEST_SHOWN))
    for index in with_digits[:MOST_BLOCKS].tolist():
        yield from read_block(tree, tree.blocks[index], names, LONGEST_SHOWN)


def _order(page: PageBlocks, found: Sequence[ShownDate], told: set[date]) -> Order:
    """The order of numeric dates: that in which some are days that the page says for machines,
    else what readers of its language expect."""
    orders: tuple[Order, ...] = ("dmy", "mdy", "ymd")
    if told:
        shown = [each for each in found if each.found and each.found.ambiguous]
        agreed = {order: sum(each.day(order) in told for each in shown) for order in orders}
        best = max(agreed, key=agreed.__getitem__)
        if agreed[best]:
            return best
    return usual_order(page.tree.metadata.language)


def date_features(
    page: PageBlocks, main: Floats, types: Floats, candidates: Sequence[DateCandidate]
) -> Floats:
    """A row for each candidate, of which there is one at least. `main` has the probability of each
    block to be main text, `types` those of the page to be of each type."""
    anchors = Anchors.of(page, main)
    days = sorted(each.day for each in candidates)
    rows = [
        [*_said_row(each, days), *_shown_row(page, main, anchors, each), *types.tolist()]
        for each in candidates
    ]
    return np.array(rows, np.float32)


def _said_row(each: DateCandidate, days: Sequence[date]) -> list[float]:
    """Who names the day, and how it stands among the others."""
    place = days.index(each.day)
    return [
        *[float(each.sources.get(source, 0)) for source in SOURCES],
        float(sum(source in each.sources for source in SOURCES)),
        float(place),
        float(len(days) - 1 - place),
        float((each.day - days[0]).days),
        float((days[-1] - each.day).days),
        float(len(days)),
    ]


def _shown_row(
    page: PageBlocks, main: Floats, anchors: Anchors, each: DateCandidate
) -> list[float]:
    """Where the page shows the day."""
    near = anchors.nearest(each.blocks)
    if near is None:
        return [FAR, *anchors.distances(None), *[-1.0] * 4, *[0.0] * 4, *[-1.0] * 3]
    element, found = int(page.element[near]), each.shown[each.blocks.index(near)].found
    bits = int(page.elements.bits[element])
    return [
        float(each.blocks[0]),
        *anchors.distances(near),
        float(main[near]),
        float(page.characters[near]),
        float(found.whole) if found else -1.0,
        float(found.start) if found else -1.0,
        *page.elements.evidence[element, :4].tolist(),
        float(page.elements.alike[element]),
        float(bits & 15),
        float((bits >> 5) & 1),
    ]
