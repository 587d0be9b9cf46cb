"""The versions of one article: which of the texts that its page ever had are told."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple


class Version(NamedTuple):
    """A text that an article had from one fetch of its page on."""

    fetched_at: datetime
    text_sha256: str


def observed(
    history: Iterable[Version], fetched_at: datetime, text_sha256: str | None
) -> list[Version]:
    """The history once the page of one fetch is known to say this; None if it is no article.

    What was known of that fetch is forgotten. A text that is the one before it is no version: the
    page changed around it.

    >>> monday, tuesday, friday = (datetime(2026, 11, day) for day in (23, 24, 27))
    >>> history = observed(observed([], monday, "a"), friday, "b")
    >>> [version.text_sha256 for version in observed(history, tuesday, "a")]
    ['a', 'b']
    >>> [version.text_sha256 for version in observed(history, friday, "a")]
    ['a']
    """
    known = [version for version in history if version.fetched_at != fetched_at]
    if text_sha256 is not None:
        known.append(Version(fetched_at, text_sha256))
    told: list[Version] = []
    for version in sorted(known):
        if not told or told[-1].text_sha256 != version.text_sha256:
            told.append(version)
    return told
