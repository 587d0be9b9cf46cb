"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["well", "watch", "wrong"]
"""Of a check: nothing to do; worth a look; keeps the site from being crawled as configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check and what came of it."""

    subject: str
    """What was looked at: "storage", "robots.txt", "start page"."""
    state: State = "well"
    said: str = ""
    """What was found, in a line."""
    advice: str = ""
    """What to do about it; empty if nothing."""
    site: str = ""
    """Whom it concerns; empty for all sites."""

    def __str__(self) -> str:
        where = f"{self.site}: " if self.site else ""
        advice = f"; {self.advice}" if self.advice else ""
        return f"{where}{self.subject}: {self.said or self.state}{advice}"
