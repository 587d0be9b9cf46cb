"""`/v1/sites` and `/health`: how the sites are, and the server."""

from __future__ import annotations

from datetime import date, datetime
from importlib.metadata import version
from typing import Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from extractor.serve.operations import Call, Operation, to_json


class SiteRow(TypedDict):
    """How a site is, as `scrapy report --json` has it."""

    site: str
    state: str
    cause: str | None
    since: date | None
    said: str | None
    advice: str | None
    last_crawl: datetime | None
    last_exit_code: int | None
    last_new_article: date | None
    new_articles: list[int]
    guessed: int
    match_rates: list[float | None]


class SitesAnswer(TypedDict):
    """All sites, the worst first."""

    sites: list[SiteRow]


async def _sites(call: Call) -> bytes:
    shown = await call.service.sites.overviews()
    return to_json({"sites": [each.to_row() for each in shown]})


SITES = Operation(
    path="/v1/sites",
    summary="How each site of pipelines.yaml is, the worst first; judged once a minute at most.",
    answer=TypeAdapter(SitesAnswer).json_schema(mode="serialization"),
    do=_sites,
)


class HealthAnswer(TypedDict):
    """That the server answers, and how busy it is."""

    status: Literal["ok"]
    version: str
    requests: int
    """Those that are being worked on, or wait."""
    most_requests: int
    """Above so many others are refused for now."""


async def _health(call: Call) -> bytes:
    return to_json(
        HealthAnswer(
            status="ok",
            version=version("webstem"),
            requests=call.service.taken,
            most_requests=call.service.most,
        )
    )


HEALTH = Operation(
    path="/health",
    summary="Whether the server answers, and how busy it is. Needs no token.",
    is_work=False,
    answer=TypeAdapter(HealthAnswer).json_schema(mode="serialization"),
    do=_health,
)
