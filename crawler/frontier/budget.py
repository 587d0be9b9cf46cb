"""How much one crawl of a site may take: URLs, time, bytes."""

from __future__ import annotations

import time
from collections.abc import Callable

MEGABYTE = 2**20


class Budget:
    """What is left of a crawl's budget; None bounds nothing.

    >>> budget = Budget(pages=2, megabytes=1)
    >>> budget.take_page(); budget.is_spent()
    False
    >>> budget.take_bytes(2**20); budget.is_spent()
    True
    """

    def __init__(
        self,
        pages: int | None = None,
        minutes: float | None = None,
        megabytes: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pages = pages
        self._bytes = None if megabytes is None else megabytes * MEGABYTE
        self._clock = clock
        self._end = None if minutes is None else clock() + 60 * minutes

    def take_page(self) -> None:
        """A URL is asked for."""
        if self._pages is not None:
            self._pages -= 1

    def take_bytes(self, count: int) -> None:
        """A body of so many bytes came."""
        if self._bytes is not None:
            self._bytes -= count

    def is_spent(self) -> bool:
        """Whether no more URLs are to be asked for."""
        return (
            (self._pages is not None and self._pages <= 0)
            or (self._bytes is not None and self._bytes <= 0)
            or (self._end is not None and self._clock() >= self._end)
        )
