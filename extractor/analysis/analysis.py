"""`Analysis`: the answer to the question what a page is and what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from extractor.analysis.breadcrumbs import Crumb
from extractor.analysis.product import Product
from extractor.structure.pictures import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing that a page says."""

    value: Any
    """As in `Analysis`: a text, a moment, or a tuple of texts."""
    source: str
    """Who says so: `pattern` (what was learned of the site), `jsonld`, `microdata`, `opengraph`,
    `meta`, `title` (the element), `html` (its `lang`), `link` (`canonical`), `url`, `time` (the
    element), `navigation`, `text` (its letters, its pictures) or `model` (a block of the page that
    the page model has chosen)."""
    probability: float
    """How likely it is right, 0 to 1."""
    xpath: str | None = None
    """The element that shows it; None if none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What one page is and says. What it does not say is None or empty."""

    url: str
    """Where it stands; empty of a page from nowhere."""
    canonical_url: str | None = None
    """What it names as its address."""
    type: str
    """article, list, forum, product, documentation, service, collection or other."""
    types: Mapping[str, float]
    """The probability of each type by the page model; they sum to 1."""
    title: str | None = None
    text: str | None = None
    """The main text, a line for each paragraph."""
    html: str | None = None
    """The same with headings, lists, tables, code, links and pictures, safe to be shown."""
    markdown: str | None = None
    """The same as CommonMark."""
    authors: tuple[str, ...] = ()
    date: datetime | None = None
    """Of publication, aware UTC; midnight where only the day is known."""
    language: str | None = None
    """Two letters."""
    image: str | None = None
    """The address of the picture that stands for the page."""
    images: tuple[Picture, ...] = ()
    """The pictures of the text."""
    description: str | None = None
    tags: tuple[str, ...] = ()
    site_name: str | None = None
    product: Product | None = None
    """What it sells, if it says so for machines."""
    breadcrumbs: tuple[Crumb, ...] = ()
    """The pages above it, the outermost first, and mostly itself."""
    fields: Mapping[str, Field] = field(default_factory=dict)
    """Each of the above that is known, with its source, place and probability; of the product
    `product.name`, `product.price` and so on, those of its first offer."""
    remarks: tuple[str, ...] = ()
    """What kept it from being read whole; empty if nothing did."""

    def as_dict(self) -> dict[str, Any]:
        """The same in values of JSON: moments in ISO 8601, tuples as lists."""
        found: dict[str, Any] = _plain(asdict(self))
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, datetime) else value
