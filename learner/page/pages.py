"""A page as the learner and the extractor take it: no Scrapy, no files."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page to learn from or to extract."""

    url: str
    """Where the page came from."""
    html: bytes
    """The raw body."""
    charset: str | None = None
    """Name of its encoding; None: found from the body."""
    anchor_texts: tuple[str, ...] = ()
    """Texts of the links that point to this page; empty if none is known."""
    url_key: str = ""
    """Canonical URL, for identity only; empty: `url` serves."""
    fetched_at: datetime | None = None
    """When it was fetched, aware UTC; None if unknown."""
    run_id: str = ""
    """The run that fetched it; empty if none did."""

    def __post_init__(self) -> None:
        given: object = self.html  # not all callers are checked for types
        if isinstance(given, str):
            raise TypeError(f"html of {self.url}: expected bytes as they were sent, got text")
