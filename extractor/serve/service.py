"""How much the server takes on at once, and what its answers are made with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from os import cpu_count

import anyio
from anyio import CapacityLimiter

from extractor.analysis.analyze import LARGEST_PAGE
from extractor.serve.requests.problems import Problem
from extractor.serve.sites import Sites
from extractor.serve.workers import Workers

SOON = {"Retry-After": "2"}
"""When to ask again where all places are taken: seconds. Origin: guess, some pages later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a request may take."""

    workers: int = field(default_factory=lambda: cpu_count() or 1)
    """Processes that read pages and tables, each one at a time."""
    waiting: int = 48
    """Requests that wait for one of them, for a page from elsewhere, or for their own body. Origin:
    guess; each may hold a page of `body_bytes`."""
    body_bytes: int = LARGEST_PAGE
    """Of what is sent. Origin: the page that is read whole."""
    seconds: float = 60.0
    """From the head of a request to its answer. Origin: what the fetch of a page may take."""
    page_seconds: float = 20.0
    """For the work on one page. Origin: guess; of 1,485 real pages the longest takes .6 s."""
    memory_bytes: int = 2**30
    """Of each process. Origin: guess; one that reads real pages takes a fifth."""


class Service:
    """What all requests share."""

    def __init__(self, limits: Limits, sites: Sites, workers: Workers) -> None:
        self.limits = limits
        self.sites = sites
        self.workers = workers
        self.most = limits.workers + limits.waiting
        """Requests that are worked on at once, those included that wait."""
        self.threads = CapacityLimiter(self.most)
        """Those that wait for pages from elsewhere."""
        self.taken = 0
        """... that are worked on now."""

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Room for one request, for as long as it may take. Problem (503) if all places are taken,
        Problem (504) if it takes longer."""
        if self.taken >= self.most:
            detail = f"{self.most} requests are being answered; ask again"
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, SOON)
        self.taken += 1
        try:
            with anyio.fail_after(self.limits.seconds):
                yield
        except TimeoutError:
            detail = f"no answer within {self.limits.seconds:g} s"
            raise Problem(HTTPStatus.GATEWAY_TIMEOUT, detail) from None
        finally:
            self.taken -= 1
