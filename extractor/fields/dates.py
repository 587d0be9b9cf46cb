"""When an article was published: what its page shows, else what it says for machines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from learner.page.calendars.shown import ShownDate
from learner.page.dates import read_machine_date, url_date
from learner.page.tree import LayoutTree, TreeBlock
from learner.patterns.matching import Match
from learner.patterns.rules import Rules

AROUND_TITLE = 3
"""Blocks before and after the title that are searched where nothing else tells. Origin: guess."""

LONGEST_ALONE = 60
"""Characters of a block there that may be little else than a date. Origin: guess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A date of publication and where it comes from."""

    moment: datetime
    """Aware UTC; midnight where only a day is given, and the clock as shown where no zone is."""
    raw: str
    """The text that was read."""
    source: str
    """pattern, json-ld, meta, time, url or text."""
    block: TreeBlock | None = None
    """The block that shows it; None if none does."""


def find_publication(tree: LayoutTree, match: Match) -> Publication | None:
    """The date of publication: at a place that the pattern has learned, else from JSON-LD, `meta`,
    a `time` element near the title, the URL, or a date alone near the title, if it is not the same
    on all pages; what follows the main container is no longer near, for the footer of a page of two
    lines would be."""
    dates = match.rules.dates
    shown = dates.read(tree)
    found = _publication(shown, match.rules, "pattern") if shown else None
    others = (each for each in _elsewhere(tree, match) if each.raw not in dates.template_dates)
    return found or next(others, None)


def _elsewhere(tree: LayoutTree, match: Match) -> Iterator[Publication]:
    metadata, rules, title = tree.metadata, match.rules, match.title_block
    said = (metadata.json_published, "json-ld"), (metadata.meta_published, "meta")
    for text, source in said:
        yield from _machine(text, source)
    middle = title.index if title else 0
    near = range(middle - AROUND_TITLE, middle + AROUND_TITLE + 1)
    for index, moment in tree.times:
        if index in near:
            yield from _machine(moment, "time")
    url = url_date(tree.url)
    if url and url[1]:
        yield Publication(moment=_midnight(url[0]), raw=url[2], source="url")
    end = match.extent(tree).container_end
    for block in tree.blocks[max(0, near.start) : min(near.stop, end)]:
        if block is not title and len(block.text) <= LONGEST_ALONE:
            for shown in rules.dates.in_block(tree, block):
                found = _publication(shown, rules, "text")
                if found and shown.found and shown.found.whole:
                    yield found


def _publication(shown: ShownDate, rules: Rules, source: str) -> Publication | None:
    if shown.found is None:
        return next(_machine(shown.raw, source, shown.block), None)
    day = rules.dates.day(shown)
    if day is None:
        return None
    moment = _midnight(day)
    if shown.found.clock:
        hour, minute, second = shown.found.clock
        moment = moment.replace(hour=hour, minute=minute, second=second)
    return Publication(moment=moment, raw=shown.raw, source=source, block=shown.block)


def _machine(text: str, source: str, block: TreeBlock | None = None) -> Iterator[Publication]:
    read = read_machine_date(text) if text else None
    if read:
        yield Publication(moment=read[0], raw=text, source=source, block=block)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
