"""A site's health as its tables tell it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from crawler.config.sites import Config, SiteConfig
from crawler.storage.partitions import Storage, is_site_name
from extractor.health.crawls import find_crawl_trouble, is_telling
from extractor.health.habits import find_pause
from extractor.health.history import latest_health
from extractor.health.pages import find_page_trouble, pages_of
from extractor.health.state import Cause, Health, Trouble
from extractor.health.window import Window
from learner.patterns.stored import current_patterns

OF_PAGES = (Cause.SHELL, Cause.WALL, Cause.LAYOUT, Cause.CUT, Cause.FIELDS)
"""Troubles of which pages that are as they were say nothing."""

DOUBTFUL_SHARE = 0.1
"""Share of the pages that taught patterns of articles from which on one that failed its own check
is told. Origin: guess; smaller ones are odd pages."""

FOUND = {"shells": Cause.SHELL, "one_text": Cause.WALL, "lists": Cause.LISTS}
"""What a learning that found no article says of a site."""


def judge_health(storage: Storage, site: SiteConfig, today: date) -> Health:
    """How a site is on a UTC day, by what is stored of it."""
    return judge_window(Window(storage, site.name, today), site)


def judge_window(window: Window, site: SiteConfig) -> Health:
    """How a site is on the last day of a window.

    What keeps pages from coming is told before what is wrong with them, and that before what is
    missing; a trouble that nothing new is known of lasts.
    """
    of_crawls = find_crawl_trouble(window.crawls, len(site.start_urls))
    is_vague = of_crawls is not None and of_crawls.cause is Cause.FAILED
    trouble = (
        (None if is_vague else of_crawls)
        or _page_trouble(window)
        or of_crawls
        or _learning_trouble(window)
        or _pause(window)
        or _doubt(window.storage, site.name)
    )
    return Health(site=site.name, day=window.today, trouble=trouble)


def judge_wrong_entries(config: Config, today: date) -> Iterator[Health]:
    """How the sites are whose entries in pipelines.yaml are left out, of those with a name of their
    own."""
    names = {site.name for site in config.sites}
    for wrong in config.wrong_sites:
        if wrong.name is not None and is_site_name(wrong.name) and wrong.name not in names:
            said = "; ".join(map(str, wrong.problems))
            trouble = Trouble(cause=Cause.WRONG_ENTRY, since=today, said=said)
            yield Health(site=wrong.name, day=today, trouble=trouble)


def _page_trouble(window: Window) -> Trouble | None:
    days = [day for day in window.stats if pages_of(day)]
    if days:
        return find_page_trouble(days)
    # Pages that are all as they were say nothing: what was known of them holds.
    known = latest_health(window.storage, window.site)
    lasts = known is not None and known.trouble is not None and known.trouble.cause in OF_PAGES
    return known.trouble if known is not None and lasts else None


def _learning_trouble(window: Window) -> Trouble | None:
    storage, site = window.storage, window.site
    days = storage.dates("pages", site)
    if not days:
        return Trouble(cause=Cause.NEVER_CRAWLED, since=window.today, said="no page is stored")
    patterns = current_patterns(storage, site)
    if not len(patterns):
        tried = [run for run in window.runs if run.command == "learn" and is_telling(run)]
        last = tried[-1] if tried else None
        cause = FOUND.get(last.finding or "", Cause.UNLEARNED) if last else Cause.UNLEARNED
        said = last.cause if last and last.cause else "pages are stored, and no pattern"
        # What to do about it follows on what was found.
        found = said.removeprefix(f"{site}: ").partition("; ")[0]
        return Trouble(cause=cause, since=days[0], said=found)
    if all(pattern.kind == "list" for pattern in patterns):
        said = f"{len(patterns)} patterns of lists, none of articles"
        since = storage.dates("patterns", site)[-1]
        return Trouble(cause=Cause.LISTS, since=since, said=said)
    return None


def _doubt(storage: Storage, site: str) -> Trouble | None:
    """The largest pattern that failed the check that learning made of it."""
    patterns = current_patterns(storage, site).articles
    least = DOUBTFUL_SHARE * sum(each.n_pages for each in patterns)
    for each in sorted(patterns, key=lambda pattern: -pattern.n_pages):
        if each.n_pages >= least and each.check and each.check.problem:
            said = f"pattern {each.pattern_id[:8]} of {each.n_pages} pages: {each.check.problem}"
            return Trouble(
                cause=Cause.DOUBTFUL, since=storage.dates("patterns", site)[-1], said=said
            )
    return None


def _pause(window: Window) -> Trouble | None:
    days = sorted({run.started_at.date() for run in window.runs if run.articles_new})
    return find_pause(days, window.crawls[-1].started_at.date()) if window.crawls else None
