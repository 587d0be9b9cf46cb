"""What kept a page, a feed or a sitemap from coming, in stable first words."""

from __future__ import annotations

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)

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
