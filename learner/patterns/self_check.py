"""What a pattern is worth, as learning found out itself: its rules learned once more without some
pages, and tried on these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LEAST_SHARE = 0.5
"""Share of the pages below which something is wrong with a pattern. Origin: guess."""

LEAST_KEPT = 0.3
"""Share of the text that varies below which a pattern keeps a scrap. Origin: guess, see
docs/decisions.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfCheck:
    """Figures of one article pattern. Shares are from 0 to 1, and None where no page tells."""

    pages: int
    """Pages that were tried."""
    are_left_out: bool
    """Whether rules were tried that were learned without them; else the pattern is of so few pages
    that it was tried on those that taught it."""
    matched: float
    """Share of them on which a text was found."""
    kept: float | None
    """How much of the text that differs from page to page, comments left out, was found on one of
    these, by weight outside links, in the mean."""
    titled: float | None
    """Share of these, of those that `<title>` or links name, that are called so."""
    as_articles: float | None
    """Share of these that were taken for articles."""
    first_evidence: float
    """Share of all pages of the pattern that were articles before any text was looked at."""

    @property
    def problem(self) -> str:
        """What is wrong with the pattern, in words; empty if nothing."""
        return "; ".join(self._problems())

    def _problems(self) -> Iterator[str]:
        if self.matched < LEAST_SHARE:
            yield f"it finds a text on {self.matched:.0%} of the pages of its layout"
        if self.kept is not None and self.kept < LEAST_KEPT:
            yield f"it keeps {self.kept:.0%} of what differs from page to page"
        if self.titled is not None and self.titled < LEAST_SHARE:
            yield f"it calls {self.titled:.0%} of the pages as <title> or links do"
        if self.as_articles is not None and self.as_articles < LEAST_SHARE:
            yield f"it takes {self.as_articles:.0%} of the pages for articles when they come alone"
        if self.first_evidence < LEAST_SHARE:
            yield f"links and headings call {self.first_evidence:.0%} of its pages articles"

    def __str__(self) -> str:
        """All figures, for people."""
        tried = "left out while learning" if self.are_left_out else "that taught it"
        shares = (
            ("text found on", self.matched),
            ("kept of what differs", self.kept),
            ("called as <title> or links do", self.titled),
            ("articles when they come alone", self.as_articles),
            ("articles by their links and headings", self.first_evidence),
        )
        told = (f"{name} {share:.0%}" for name, share in shares if share is not None)
        return f"{self.pages} pages {tried}: {', '.join(told)}"
