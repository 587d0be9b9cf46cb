"""What the page of one site tells beside its overview."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from crawler.reading.html import parse_html
from crawler.spiders.items import reason_of, redirect_target
from crawler.storage.partitions import Storage
from crawler.storage.runs import RunRecord, read_runs
from extractor.report.overview import SHOWN_DAYS
from learner.page.tree import build_tree
from learner.patterns.matching import match_page
from learner.patterns.pattern import Pattern, PatternSet
from learner.patterns.stored import current_patterns, patterns_of

SHOWN_ARTICLES = 20
"""Newest articles shown of a site. Origin: guess."""
SHOWN_RUNS = 60
"""Runs shown of a site. Origin: guess; a month of crawls and extractions."""
SHOWN_URLS = 5
"""Addresses shown of each reason for which pages failed. Origin: guess."""

_ARTICLE_COLUMNS = ("url", "title", "date_published", "first_seen_at", "version", "status")
_EXAMPLE_COLUMNS = ("url", "url_key", "title", "body", "pattern_id", "fetched_at")
_PAGE_COLUMNS = ("url_key", "final_url", "html", "charset")

SHOWN_LETTERS = 200
"""Characters shown of a block. Origin: guess."""


class Block(NamedTuple):
    """A block of an example page, or several that are left out one after the other."""

    role: Literal["title", "main", "left"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A pattern in force, and a page that it read."""

    pattern: Pattern
    example: dict[str, Any] | None
    """An article that it gave: url, title and body; None if none is among the newest."""
    blocks: tuple[Block, ...]
    """Its page as it is read; empty if the page is not stored."""
    changes: tuple[str, ...]
    """In which places it differs from the pattern that it replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFacts:
    """One site in detail."""

    runs: tuple[RunRecord, ...] = ()
    """The last ones first."""
    articles: tuple[dict[str, Any], ...] = ()
    """The newest ones first."""
    layouts: tuple[Layout, ...] = ()
    failures: dict[str, list[str]] = field(default_factory=dict)
    """Why pages of the last crawl failed, with the addresses of some."""


def site_facts(storage: Storage, site: str, now: datetime) -> SiteFacts:
    """Read them."""
    since = now.date() - timedelta(days=SHOWN_DAYS - 1)
    runs = tuple(reversed(read_runs(storage, site, since)))[:SHOWN_RUNS]
    return SiteFacts(
        runs=runs,
        articles=tuple(_newest(storage, site)),
        layouts=tuple(_layouts(storage, site)),
        failures=_failures(storage, site, runs),
    )


def _newest(storage: Storage, site: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for day in reversed(storage.dates("articles", site)):
        for batch in storage.read("articles", site, day, day, _ARTICLE_COLUMNS):
            found += batch.to_pylist()
        if len(found) >= SHOWN_ARTICLES:
            break
    found.sort(key=lambda row: (row["date_published"] or row["first_seen_at"], row["url"]))
    found.reverse()
    return found[:SHOWN_ARTICLES]


def _layouts(storage: Storage, site: str) -> Iterator[Layout]:
    patterns = current_patterns(storage, site)
    examples = _examples(storage, site, {each.pattern_id for each in patterns})
    history = {
        each.pattern_id: each
        for day in storage.dates("patterns", site)
        for each in patterns_of(storage, site, day)
    }
    for pattern in patterns:
        parent = history.get(pattern.parent_pattern_id or "")
        example = examples.get(pattern.pattern_id)
        yield Layout(
            pattern=pattern,
            example=example,
            blocks=tuple(_blocks(storage, site, example, patterns)) if example else (),
            changes=tuple(_changes(parent, pattern)) if parent else (),
        )


def _examples(storage: Storage, site: str, wanted: set[str]) -> dict[str, dict[str, Any]]:
    """An article of each pattern, from the newest days that have any."""
    found: dict[str, dict[str, Any]] = {}
    for day in reversed(storage.dates("articles", site)[-SHOWN_DAYS:]):
        for batch in storage.read("articles", site, day, day, _EXAMPLE_COLUMNS):
            for row in batch.to_pylist():
                found.setdefault(row["pattern_id"], row)
        if wanted <= found.keys():
            break
    return found


def _blocks(
    storage: Storage, site: str, example: dict[str, Any], patterns: PatternSet
) -> Iterator[Block]:
    """The blocks of an example's page, those that are left out in a row as one."""
    day = example["fetched_at"].date()
    wanted = [("url_key", "==", example["url_key"])]
    rows = [
        row
        for batch in storage.read("pages", site, day, day, _PAGE_COLUMNS, wanted)
        for row in batch.to_pylist()
        if row["html"] is not None
    ]
    if not rows:
        return
    tree = build_tree(parse_html(rows[-1]["html"], rows[-1]["charset"]), rows[-1]["final_url"])
    match = match_page(tree, patterns)
    title = match.title_block if match else None
    body = set(map(id, match.body)) if match else set()
    roles = (
        ("title" if block is title else "main" if id(block) in body else "left", block.text)
        for block in tree.blocks
    )
    for role, run in groupby(roles, key=itemgetter(0)):
        texts = [text for _, text in run]
        if role == "left":
            yield Block("left", _shortened(" | ".join(texts)))
        else:
            yield from (Block("title" if role == "title" else "main", _shortened(t)) for t in texts)


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]} ..."


def _changes(parent: Pattern, pattern: Pattern) -> Iterator[str]:
    for name in ("title", "main"):
        before, now = _place(parent, name), _place(pattern, name)
        if before != now:
            yield f"{name} stands at {now or 'no place'}, not at {before or 'no place'}"


def _place(pattern: Pattern, name: str) -> str | None:
    number = getattr(pattern, name)
    return None if number is None else pattern.sections[number].path


def _failures(storage: Storage, site: str, runs: tuple[RunRecord, ...]) -> dict[str, list[str]]:
    crawl = next((run for run in runs if run.command == "crawl"), None)
    if crawl is None:
        return {}
    first, last = crawl.started_at.date(), crawl.ended_at.date()
    found: dict[str, list[str]] = {}
    columns = ("url", "error", "run_id")
    for batch in storage.read("pages", site, first, last, columns, [("error", "!=", "")]):
        for row in batch.to_pylist():
            if row["run_id"] != crawl.run_id or redirect_target(row["error"]):
                continue
            urls = found.setdefault(reason_of(row["error"]), [])
            if len(urls) < SHOWN_URLS:
                urls.append(row["url"])
    return found
