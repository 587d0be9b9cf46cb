"""Addresses that a run comes upon and does not ask for: how many, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from crawler.storage.runs import ranked

MOST_REMEMBERED = 50_000
"""Addresses remembered, so that each is counted once; then it begins anew. Origin: 10 MB."""


def kind_of(refusal: str) -> str:
    """The kind of a scope's refusal, or of another reason.

    >>> kind_of("other host: example.org"), kind_of("denied by rule '/tag/'")
    ('other host', 'denied by rule')
    """
    return refusal.partition(":")[0].partition(" '")[0]


@dataclass(slots=True)
class LeftOut:
    """They are counted by kind, each about once."""

    counts: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    """The first address of each kind."""
    _seen: set[str] = field(default_factory=set)

    def add(self, refusal: str, url: str) -> None:
        """One address, if it was not counted before."""
        if url in self._seen:
            return
        if len(self._seen) >= MOST_REMEMBERED:
            self._seen.clear()
        self._seen.add(url)
        self.add_many(kind_of(refusal), url, 1)

    def add_many(self, reason: str, where: str, count: int) -> None:
        """So many that nobody looks at one by one."""
        self.counts[reason] += count
        self.examples.setdefault(reason, where)


def told(counts: Mapping[str, int], most: int) -> str:
    """The most frequent reasons, for people.

    >>> told({"other host": 7, "media file": 1, "trap": 2}, 2)
    'other host (7), trap (2)'
    """
    return ", ".join(f"{reason} ({count})" for reason, count in ranked(counts)[:most])
