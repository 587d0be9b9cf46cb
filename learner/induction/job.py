"""Learning as a batch job: page and link rows in, the patterns table out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from crawler.config.sites import SiteConfig
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from learner.induction.steps import learn_patterns
from learner.kinds.kind import Kind
from learner.page.pages import Page
from learner.patterns.acceptance import accept
from learner.patterns.causes import Finding, find_cause
from learner.patterns.lineage import retire, take_over
from learner.patterns.pattern import PatternSet, code_version
from learner.patterns.stored import current_patterns, patterns_of
from learner.site.inlinks import Inlinks, inlinks_of_pages, read_inlinks
from learner.site.sampling import draw_keys

_PAGE_COLUMNS = ("url", "final_url", "url_key", "fetched_at", "charset", "run_id", "html")

_NEW_BODY = [("unchanged", "==", False)]


class TooFewPagesError(ValueError):
    """A site has fewer pages than learning needs; `got` and `needed` are numbers of pages."""

    def __init__(self, site: str, got: int, needed: int, dates: str) -> None:
        super().__init__(
            f"{site}: expected at least {needed} pages to learn from, got {got}{dates}; "
            f"crawl more of the site (`scrapy crawl {site}`), or choose more days"
        )
        self.site = site
        self.got = got
        self.needed = needed


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSummary:
    """What came of learning one site."""

    site: str
    n_pages: int
    """Pages learned from."""
    patterns: PatternSet
    is_new: bool
    """False if nothing was written: the stored patterns say the same, or none was found."""
    path: str | None
    """The file that was written."""
    finding: Finding | None = None
    """Why the pages taught no pattern of articles; None if they did."""
    refused: str = ""
    """Why the patterns of before stay though others were learned; empty if they do not."""
    kept: int = 0
    """Patterns of before that go on beside the new ones, for pages still have their layout."""

    def to_row(self) -> dict[str, Any]:
        """The summary without the patterns themselves."""
        kinds = Counter(str(pattern.kind) for pattern in self.patterns)
        return {
            "site": self.site,
            "pages": self.n_pages,
            "patterns": len(self.patterns),
            "kinds": dict(sorted(kinds.items())),
            "is_new": self.is_new,
            "path": self.path,
        }


def learn_site(
    storage: Storage,
    site: SiteConfig,
    since: date | None = None,
    until: date | None = None,
    now: datetime | None = None,
) -> LearnSummary:
    """Learn a site's patterns from the pages of these days and store them under today's date.

    The latest version of each page counts, and of a large site a sample. TooFewPagesError if there
    are too few pages.
    """
    versions = latest_versions(storage, site.name, since, until)
    if len(versions) < site.learn.least_pages:
        days = f" of {since or 'the first day'} to {until or 'today'}" if since or until else ""
        raise TooFewPagesError(site.name, len(versions), site.learn.least_pages, days)
    size = site.learn.sample_pages
    drawn = draw_keys(versions, size)
    versions = {key: moment for key, moment in versions.items() if key in drawn}
    has_links = bool(storage.files("links", site.name, since, until))
    find_inlinks = read_inlinks if has_links else inlinks_of_pages
    inlinks = find_inlinks(storage, site, versions.keys(), since, until)
    pages = stored_pages(storage, site.name, versions, inlinks, since, until)
    patterns = learn_patterns(pages, site.learn)
    finding = None
    if all(pattern.kind is Kind.LIST for pattern in patterns):
        pages = stored_pages(storage, site.name, versions, inlinks, since, until)
        finding = find_cause(pages, patterns)
    n_pages = min(len(versions), size or len(versions))
    pages = stored_pages(storage, site.name, versions, inlinks, since, until)
    verdict = accept(patterns, _known_patterns(storage, site.name), pages)
    if verdict.refused:
        return LearnSummary(
            site=site.name,
            n_pages=n_pages,
            patterns=verdict.patterns,
            is_new=False,
            path=None,
            finding=finding,
            refused=verdict.refused,
        )
    accepted, fetched = verdict.patterns, _days(versions)
    summary = store_patterns(storage, site.name, accepted, n_pages, fetched, now, gone=verdict.gone)
    return replace(summary, finding=finding, kept=verdict.kept)


def _known_patterns(storage: Storage, site: str) -> PatternSet:
    """The patterns in force; none if they are damaged: to learn anew is the remedy."""
    try:
        return current_patterns(storage, site)
    except StorageError:
        return PatternSet()


def learn_task(
    root: str, site: SiteConfig, since: date | None, until: date | None, now: datetime
) -> dict[str, Any]:
    """`learn_site` as a task of an engine: a storage root in, a small summary out."""
    row: dict[str, Any] = {"site": site.name, "pages": 0, "patterns": 0}
    try:
        summary = learn_site(Storage(root), site, since, until, now)
    except TooFewPagesError as problem:
        return {**row, "pages": problem.got, "nothing": str(problem)}
    result = {**row, **summary.to_row()}
    if summary.refused:
        result["note"] = f"{site.name}: the patterns of before stay: {summary.refused}"
    if summary.finding:
        result["finding"] = str(summary.finding.cause)
        result["note" if len(summary.patterns) else "nothing"] = f"{site.name}: {summary.finding}"
    return result


def latest_versions(
    storage: Storage, site: str, since: date | None = None, until: date | None = None
) -> dict[str, datetime]:
    """`url_key` -> when the latest stored version of the page was fetched."""
    versions: dict[str, datetime] = {}
    columns = ("url_key", "fetched_at", "error")
    for batch in storage.read("pages", site, since, until, columns, _NEW_BODY):
        good = batch.filter(pc.is_null(batch["error"]))
        keys, times = (good[name].to_pylist() for name in columns[:2])
        for key, fetched_at in zip(keys, times, strict=True):
            if key not in versions or fetched_at > versions[key]:
                versions[key] = fetched_at
    return versions


def stored_pages(
    storage: Storage,
    site: str,
    versions: dict[str, datetime],
    inlinks: Inlinks,
    since: date | None = None,
    until: date | None = None,
) -> Iterator[Page]:
    """The bodies of these versions with their inlink anchor texts, streamed."""
    wanted = pa.array(versions, pa.string())
    for batch in storage.read("pages", site, since, until, _PAGE_COLUMNS, _NEW_BODY):
        # Before the rows become Python objects: of a large site few are wanted.
        for row in batch.filter(pc.is_in(batch["url_key"], wanted)).to_pylist():
            if versions.get(row["url_key"]) == row["fetched_at"]:
                yield Page(
                    url=row["final_url"],
                    html=row["html"],
                    charset=row["charset"],
                    anchor_texts=inlinks.texts(row["url_key"]),
                    url_key=row["url_key"],
                    fetched_at=row["fetched_at"],
                    run_id=row["run_id"],
                )


def _days(versions: dict[str, datetime]) -> tuple[date, ...]:
    return tuple(sorted({moment.date() for moment in versions.values()}))


def store_patterns(
    storage: Storage,
    site: str,
    patterns: PatternSet,
    n_pages: int,
    dates: tuple[date, ...],
    now: datetime | None = None,
    gone: Collection[str] = (),
) -> LearnSummary:
    """Write the patterns unless those in force say the same, or none was found.

    They are learned `now`, which is this moment or that of the run; of those `gone` that they
    replace, no page has the layout any more.
    """
    now = now or datetime.now(UTC)
    try:
        before = current_patterns(storage, site)
        replaced_today = [
            each for each in patterns_of(storage, site, now.date()) if each.valid_until is not None
        ]
    except StorageError:
        before, replaced_today = PatternSet(), []  # damaged: to learn anew is the remedy
    stamped = patterns.with_patterns(
        replace(
            each,
            train_dates=each.train_dates or dates,
            code_version=each.code_version or code_version(),
        )
        for each in patterns
    )
    result = take_over(stamped, before, now)
    if not result or result == before:
        return LearnSummary(site=site, n_pages=n_pages, patterns=result, is_new=False, path=None)
    rows = result.with_patterns([*result, *replaced_today, *retire(before, result, now, gone)])
    path = storage.replace("patterns", site, now.date(), rows.to_table())
    return LearnSummary(site=site, n_pages=n_pages, patterns=result, is_new=True, path=path)
