"""`scrapy urldb SITE`: look at, expire and forget what is known of a site's URLs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command import SiteCommand, count, days, fail, open_url_database, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.frontier.scope import MEDIA_FILE, Scope, is_media
from crawler.frontier.urldb import TOO_DEEP, UrlDatabase, UrlInfo
from crawler.reading.urls import url_key
from crawler.storage.locks import SiteLock
from crawler.usage.exitcodes import EXIT_NOTHING, EXIT_OK

_UNSEEN = "in scope, but no link to it was seen"


class Command(SiteCommand):
    """The URL database of a site, for people."""

    examples = """\
  scrapy urldb demo                                   the URLs seen last
  scrapy urldb demo --state skipped --limit 100       what robots.txt forbids, or lies too deep
  scrapy urldb demo --why http://127.0.0.1:8123/a     what is known of one URL
  scrapy urldb demo --forget '*/2025/*'               fetch these again as if new
  scrapy urldb demo --expire 90                       remove URLs not seen for 90 days
"""

    def short_desc(self) -> str:
        return "Show, expire or forget the URLs known of a site"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--state", choices=("pending", "done", "skipped"), help="only URLs in this state"
        )
        parser.add_argument("--match", metavar="GLOB", help="only URLs like this")
        parser.add_argument("--limit", type=count, default=50, metavar="N", help="at most N URLs")
        parser.add_argument("--why", metavar="URL", help="why a URL is or is not fetched")
        parser.add_argument("--forget", metavar="URL|GLOB", help="fetch these URLs again as new")
        parser.add_argument(
            "--expire", type=days, metavar="DAYS", help="remove URLs not seen for so long"
        )
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        if sum(each is not None for each in (opts.why, opts.forget, opts.expire)) > 1:
            raise UsageError("--why, --forget and --expire exclude each other", print_help=False)
        path = Path(config.state, f"{site.name}.sqlite")
        if not path.exists():
            return fail(f"{site.name}: no URL is known yet ({path}); crawl first", EXIT_NOTHING)
        with open_url_database(config.state, site.name) as database:
            if opts.why:
                return _explain(database, site, opts.why, opts.json)
            if opts.forget is not None or opts.expire is not None:
                with SiteLock(config.state, site.name, "urldb"):
                    return _remove(database, site, opts)
            return _show(database, opts)


def _explain(database: UrlDatabase, site: SiteConfig, url: str, as_json: bool) -> int:
    info = database.find(url_key(url, site.index_name))
    refusal = Scope.of_site(site).refusal(url)
    if refusal is None and is_media(url):
        refusal = database.endings.refusal(url)
    if as_json:
        print_json([{"url": url, "refusal": refusal, "known": asdict(info) if info else None}])
        return EXIT_OK
    print(f"{url}: {_answer(info, refusal, site)}")
    return EXIT_OK


def _answer(info: UrlInfo | None, refusal: str | None, site: SiteConfig) -> str:
    if info is None:
        advice = "; an `allow` rule fetches it" if refusal == MEDIA_FILE else ""
        return f"not fetched: {refusal}{advice}" if refusal else _UNSEEN
    if info.state == "done" and info.reason is None:
        due = info.due_at or "at the next run"
        return f"fetched at {info.visited_at}, stored at {info.stored_at}; due {due}"
    if info.state == "done":
        return f"tried at {info.visited_at}: {info.reason}; tried again after {info.due_at}"
    if info.state == "skipped" and info.reason == TOO_DEEP:
        return (
            f"not fetched: linked only from pages of depth {info.depth - 1}, and depth is "
            f"{site.depth} (first seen on {info.referrer or 'a page that is forgotten'})"
        )
    if info.state == "skipped":
        return f"skipped: {info.reason}"
    return f"waits to be fetched, {info.depth} links from a seed"


def _remove(database: UrlDatabase, site: SiteConfig, opts: argparse.Namespace) -> int:
    if opts.expire is not None:
        forgotten = database.expire(datetime.now(UTC) - timedelta(days=opts.expire))
    else:
        forgotten = _forget(database, site, opts.forget)
    if opts.json:
        print_json([{"site": site.name, "forgotten": forgotten}])
    else:
        print(f"{site.name}: {forgotten} URLs forgotten")
    return EXIT_OK


def _forget(database: UrlDatabase, site: SiteConfig, target: str) -> int:
    """Forget the URL or the URLs that match the glob; how many.

    Those that the site's rules refuse by now are removed: they would not be fetched if new.
    """
    scope = Scope.of_site(site)
    known = {each.url_key: each.url for each in _known(database, site, target)}
    refused = {key for key, url in known.items() if scope.refusal(url)}
    database.forget(known.keys() - refused)
    database.remove(refused)
    return len(known)


def _known(database: UrlDatabase, site: SiteConfig, target: str) -> Iterator[UrlInfo]:
    """The URLs that match a glob, or the one of this name: `?` stands in both."""
    is_glob = any(sign in target for sign in "*?[")
    found = database.list_urls(pattern=target) if is_glob else iter(())
    first = next(found, None) or database.find(url_key(target, site.index_name))
    if first:
        yield first
    yield from found


def _show(database: UrlDatabase, opts: argparse.Namespace) -> int:
    urls = database.list_urls(state=opts.state, pattern=opts.match, limit=opts.limit)
    if opts.json:
        print_json(asdict(each) for each in urls)
        return EXIT_OK
    is_watched = sys.stdout.isatty()
    if is_watched:
        print(", ".join(f"{number} {state}" for state, number in database.counts().items()))
    for each in urls:
        print(_terminal_line(each) if is_watched else "\t".join((*_facts(each), each.url)))
    return EXIT_OK


def _facts(known: UrlInfo) -> tuple[str, ...]:
    """When it was seen last, depth, state, status, and why it is in that state."""
    from extractor.report.article_lines import on_one_line

    return (
        f"{known.last_seen:%Y-%m-%d %H:%M}",
        str(known.depth),
        known.state,
        str(known.status or ""),
        on_one_line(known.reason or ""),
    )


def _terminal_line(known: UrlInfo) -> str:
    """A URL, uncut, after what is known of it."""
    seen, depth, state, status, reason = _facts(known)
    said = f"{seen} {depth:>3} {state:8} {status:>3} {known.url}"
    return f"{said}  ({reason})" if reason else said
