"""A page as it was read: its blocks, what became of each, and the record beside them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from extractor.analysis.analysis import Analysis
from extractor.analysis.analyze import Seen, examine
from extractor.serve.sources import Source
from learner.page.tree import TreeBlock

MOST_BLOCKS = 1000
"""Blocks that are shown. Origin: guess; a page of a newspaper has some 300."""

BLOCK_LETTERS, FIELD_LETTERS, TEXT_LETTERS = 400, 300, 20_000
"""Characters that are shown of a block, of a field and of the text. Origin: guess."""

Role = Literal["title", "main", "date", "author", "left"]
"""What became of a block."""

BYLINE: dict[str, Role] = {"title": "title", "date": "date", "authors": "author"}
"""Fields that are shown by a block each, and the role of that."""

TEXTS = ("text", "html", "markdown")
"""Fields that say the text: it is shown once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBlock:
    """One block of the page."""

    role: Role
    text: str
    probability: float | None
    """That it is main text, by the page model; None where that did not look."""
    xpath: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownField:
    """One line of the record."""

    name: str
    value: str
    source: str
    probability: float
    xpath: str | None
    block: int | None
    """The number of the block that shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPage:
    """All of it, cut to what a browser shows at ease."""

    url: str
    type: str
    probability: float
    """Of the type, by the page model."""
    blocks: tuple[ShownBlock, ...]
    n_blocks: int
    """How many the page has, those included that are not shown."""
    fields: tuple[ShownField, ...]
    text: str
    remarks: tuple[str, ...]


def shown_page(source: Source) -> ShownPage:
    """A page with what became of its blocks."""
    found, seen = examine(source.page, source.patterns())
    blocks = tuple(_blocks(seen, found)) if seen and found.fields else ()
    shown = blocks[:MOST_BLOCKS]
    return ShownPage(
        url=found.url,
        type=found.type,
        probability=found.types[found.type],
        blocks=shown,
        n_blocks=len(blocks),
        fields=tuple(_fields(found, shown)),
        text=_shortened(found.text or "", TEXT_LETTERS),
        remarks=found.remarks,
    )


def _blocks(seen: Seen, found: Analysis) -> Iterator[ShownBlock]:
    body = {block.index for block in _body(seen, found)}
    said, probabilities = found.fields, seen.reading.probabilities
    roles = {said[name].xpath: role for name, role in BYLINE.items() if name in said}
    for block in seen.tree.blocks:
        xpath = seen.xpaths.of_element(block.element)
        known = block.index < len(probabilities)
        yield ShownBlock(
            role=_role(block, body, roles.get(xpath) if xpath else None),
            text=_shortened(block.text, BLOCK_LETTERS),
            probability=probabilities[block.index] if known else None,
            xpath=xpath,
        )


def _body(seen: Seen, found: Analysis) -> tuple[TreeBlock, ...]:
    """The blocks of the text, by whoever has given it."""
    if "text" in found.fields and found.fields["text"].source == "pattern":
        return seen.match.body if seen.match else ()
    return seen.reading.body if "text" in found.fields else ()


def _role(block: TreeBlock, body: Set[int], byline: Role | None) -> Role:
    """A date or a name may stand in the text itself: what it is then is text."""
    if byline == "title" or block.index not in body:
        return byline or "left"
    return "main"


def _fields(found: Analysis, blocks: tuple[ShownBlock, ...]) -> Iterator[ShownField]:
    numbers: dict[str, int] = {}
    for number, block in enumerate(blocks):
        if block.xpath:
            numbers.setdefault(block.xpath, number)
    for name, field in found.fields.items():
        if name not in TEXTS and name != "type":
            yield ShownField(
                name=name,
                value=_shortened(_said(field.value), FIELD_LETTERS),
                source=field.source,
                probability=field.probability,
                xpath=field.xpath,
                block=numbers.get(field.xpath or ""),
            )


def _said(value: Any) -> str:
    """A value as a line; of pictures their addresses, of pages above their names."""
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes")
    if isinstance(value, tuple):
        return ", ".join(map(_said, value))
    return str(getattr(value, "name", None) or getattr(value, "url", None) or value)


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[:letters]} ..."
