"""What can be labelled on a page."""

from __future__ import annotations

from dataclasses import dataclass

OF_TEXTS = ("title", "body", "date", "author", "boilerplate")
"""Labels of pages with a text. Several boxes of `body` are one text, several of `author` several
persons; `boilerplate` is what stands in a box of `body` and is none of it."""

OF_PRODUCTS = ("name", "price", "image")
"""Labels of pages that sell something."""

LABELS = (*OF_TEXTS, *OF_PRODUCTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A label that a pattern or a model gives, for a person to judge."""

    label: str
    """One of `LABELS`."""
    node: int
    """The node of the snapshot that bears it."""
    value: str | None = None
    """What its text means, where the text alone may not tell: of a title that without marks beside
    it, of a date the day in ISO 8601, of authors their names, one a line."""
