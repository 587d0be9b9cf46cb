"""What kept a page, a feed or a sitemap from coming, in stable first words."""

from __future__ import annotations

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)

TOO_MANY_REQUESTS, SERVER_ERROR = 429, 500

GIVEN = frozenset({200, 203})
"""Statuses of an answer that is what was asked for, 203 if a proxy has altered it (RFC 9110,
15.3.4)."""

_OF_THE_PAGE = ("too large", "private address", "max redirections")
"""How reasons begin for which there is no response, and will be none."""

_INFLATES_TOO_FAR = "exceeded DOWNLOAD_MAXSIZE"
"""In the text of Scrapy's HttpCompressionMiddleware, whose error has no type of its own."""


def failure_reason(problem: BaseException | None) -> str:
    """What kept a page from coming.

    >>> failure_reason(DownloadTimeoutError())
    'timeout'
    """
    if isinstance(problem, DownloadTimeoutError):
        return "timeout"
    if isinstance(problem, DownloadCancelledError):
        return f"too large: {problem}"
    if isinstance(problem, DownloadConnectionRefusedError):
        return "connection refused"
    if isinstance(problem, CannotResolveHostError):
        return f"host not found: {problem}"
    if isinstance(problem, IgnoreRequest):
        said = str(problem)
        return f"too large: {said}" if _INFLATES_TOO_FAR in said else said
    return f"{type(problem).__name__}: {problem}"[:500]


def is_outage(status: int | None, error: str | None) -> bool:
    """Whether the server or the network failed, not the page: the next crawl may well get it.

    >>> is_outage(503, "http 503"), is_outage(404, "http 404"), is_outage(None, "timeout")
    (True, False, True)
    """
    if status is not None:
        return status == TOO_MANY_REQUESTS or status >= SERVER_ERROR
    return error is not None and not error.startswith(_OF_THE_PAGE)
