"""What is told of a site's health, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """How a site is, from well to worst."""

    OK = "ok"
    WATCH = "watch"
    """Something is odd, and may be nothing."""
    ILL = "ill"
    """Articles are lost."""
    DEAD = "dead"
    """Nothing of use has come for days."""


class Cause(StrEnum):
    """What is wrong with a site."""

    NEVER_CRAWLED = "never crawled"
    FAILED = "crawl failed"
    UNREACHABLE = "unreachable"
    ROBOTS = "blocked by robots.txt"
    START_GONE = "start page gone"
    WALL = "bot wall"
    SHELL = "script shell"
    LAYOUT = "layout changed"
    CUT = "texts cut"
    FIELDS = "fields lost"
    STOPPED = "articles stopped coming"
    LISTS = "lists only"
    UNLEARNED = "never learned"
    DOUBTFUL = "doubtful pattern"
    WRONG_ENTRY = "wrong entry"
    UNREADABLE = "unreadable"


ADVICE = {
    Cause.NEVER_CRAWLED: "crawl it: `scrapy crawl {site}`",
    Cause.FAILED: "mend what the message names, then `scrapy crawl {site}`",
    Cause.UNREACHABLE: "open the site in a browser; if it is gone for good, take it out of "
    "pipelines.yaml; `scrapy doctor {site}` tells more",
    Cause.ROBOTS: "the site does not want to be crawled: ask its owner, or take it out of "
    "pipelines.yaml",
    Cause.START_GONE: "find the site's new start page and write it into pipelines.yaml",
    Cause.WALL: "open a page in a browser; raise `delay_seconds`, or ask the site's owner to let "
    "the crawler pass",
    Cause.SHELL: "scripts draw the pages: write `render: auto` into the site's entry, or look for "
    "a feed or a sitemap with pages of another kind",
    Cause.LAYOUT: "learn the new layout: `scrapy learn {site}`, then `scrapy extract {site} "
    "--since {since}`",
    Cause.CUT: "compare a page with its article: `scrapy articles {site} --versions`; it may be a "
    "paywall",
    Cause.FIELDS: "compare a page with its article; if the page still shows it, `scrapy learn "
    "{site}`",
    Cause.STOPPED: "look whether the site has new articles; if it has, see what `rules` and "
    "`depth` keep out: `scrapy urldb {site} --why URL`",
    Cause.LISTS: "raise `depth` in pipelines.yaml, or see what its `rules` refuse; then crawl and "
    "`scrapy learn {site}`",
    Cause.UNLEARNED: "crawl more of it, and `scrapy learn {site}`",
    Cause.DOUBTFUL: "compare a page with its article: `scrapy articles {site}`; "
    "`scrapy patterns {site} --explain` tells more; crawl more of it, and `scrapy learn {site}`",
    Cause.WRONG_ENTRY: "correct it in pipelines.yaml",
    Cause.UNREADABLE: "see that the tables can be read, then run again",
}
"""What to do about each cause."""

NOTHING_COMES = (Cause.UNREACHABLE, Cause.ROBOTS, Cause.START_GONE, Cause.WALL, Cause.SHELL)
"""Causes that kill a site if they last."""
MAY_BE_NOTHING = (
    Cause.NEVER_CRAWLED,
    Cause.FIELDS,
    Cause.STOPPED,
    Cause.UNLEARNED,
    Cause.DOUBTFUL,
)
MAY_PASS = (Cause.UNREACHABLE, Cause.FAILED)
"""Causes that say little on their first night."""

DEAD_DAYS = 7
"""Days without anything of use that make a site dead. Origin: guess, a week."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """What is wrong with a site."""

    cause: Cause
    since: date
    """The first of the days in a row that show it."""
    said: str
    """The figures, in a line."""
    advice: str = ""
    """What to do, where that is known better than by the cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How a site is on a day."""

    site: str
    day: date
    trouble: Trouble | None = None
    """None if it is well."""

    @property
    def state(self) -> State:
        """How bad it is."""
        if self.trouble is None:
            return State.OK
        cause, days = self.trouble.cause, self.day - self.trouble.since
        if cause in NOTHING_COMES and days >= timedelta(days=DEAD_DAYS):
            return State.DEAD
        is_first_night = cause in MAY_PASS and not days
        return State.WATCH if cause in MAY_BE_NOTHING or is_first_night else State.ILL

    @property
    def is_bad(self) -> bool:
        """Whether articles are lost: somebody should know."""
        return self.state in (State.ILL, State.DEAD)

    def to_row(self) -> dict[str, Any]:
        """What tables and JSON tell of it."""
        told = self.trouble
        return {
            "state": str(self.state),
            "cause": str(told.cause) if told else None,
            "since": told.since if told else None,
            "said": told.said if told else None,
            "advice": self.advice or None,
        }

    @property
    def advice(self) -> str:
        """What to do; empty if nothing."""
        if self.trouble is None:
            return ""
        told = self.trouble
        return told.advice or ADVICE[told.cause].format(site=self.site, since=told.since)

    def __str__(self) -> str:
        """State, cause, since when, figures and advice in one line."""
        if self.trouble is None:
            return f"{self.site}: ok"
        told = self.trouble
        return (
            f"{self.site}: {self.state}, {told.cause} since {told.since}: {told.said}; "
            f"{self.advice}"
        )
