"""When an article was published: what its page shows, else what it says for machines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from learner.bylines.byline import Byline
from learner.page.dates import read_machine_date, url_date
from learner.page.extent import Extent
from learner.page.shown_dates import ShownDate, read_block
from learner.page.tree import LayoutTree, TreeBlock

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


def find_publication(
    tree: LayoutTree, byline: Byline, title: TreeBlock | None, extent: Extent
) -> Publication | None:
    """The date of publication: at a place that the pattern has learned, else from JSON-LD, `meta`,
    a `time` element near the title, the URL, or a date alone near the title; what follows the main
    container (`extent`) is no longer near, for the footer of a page of two lines would be."""
    reading = byline.read_date(tree)
    found = _publication(reading, byline, "pattern") if reading else None
    return found or next(_elsewhere(tree, byline, title, extent), None)


def _elsewhere(
    tree: LayoutTree, byline: Byline, title: TreeBlock | None, extent: Extent
) -> Iterator[Publication]:
    metadata = tree.metadata
    said = (metadata.json_published, "json-ld"), (metadata.meta_published, "meta")
    for text, source in said:
        if text not in byline.template_dates:
            yield from _machine(text, source)
    middle = title.index if title else 0
    near = range(middle - AROUND_TITLE, middle + AROUND_TITLE + 1)
    for index, moment in tree.times:
        if index in near:
            yield from _machine(moment, "time")
    url = url_date(tree.url)
    if url and url[1]:
        yield Publication(moment=_midnight(url[0]), raw=url[2], source="url")
    for block in tree.blocks[max(0, near.start) : min(near.stop, extent.container_end)]:
        if block is not title and len(block.text) <= LONGEST_ALONE:
            for reading in read_block(tree, block, byline.names):
                found = _publication(reading, byline, "text")
                if found and reading.found and reading.found.whole:
                    yield found


def _publication(reading: ShownDate, byline: Byline, source: str) -> Publication | None:
    if reading.found is None:
        return next(_machine(reading.raw, source, reading.block), None)
    day = reading.day(byline.order)
    if day is None:
        return None
    moment = _midnight(day)
    if reading.found.clock:
        hour, minute, second = reading.found.clock
        moment = moment.replace(hour=hour, minute=minute, second=second)
    return Publication(moment=moment, raw=reading.raw, source=source, block=reading.block)


def _machine(text: str, source: str, block: TreeBlock | None = None) -> Iterator[Publication]:
    read = read_machine_date(text) if text else None
    if read:
        yield Publication(moment=read[0], raw=text, source=source, block=block)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
