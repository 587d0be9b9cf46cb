"""What is told of a night: lines for sites that are not well, a paragraph for all, an exit code."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from crawler.config.sites import Config
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_ILL, EXIT_LOCKED, EXIT_OK
from extractor.health.judging import judge_wrong_entries
from extractor.health.state import State
from extractor.health.words import many
from extractor.night.notify.channels import tell_changes
from extractor.night.notify.metrics import write_metrics
from extractor.night.site_night import SiteReport
from extractor.report.overview import overviews

WRONG = "wrong entry"


def progress_line(report: SiteReport) -> str:
    """What a night did on a site."""
    if report.problem:
        return f"{report.site}: failed: {report.problem}"
    if report.is_in_use:
        return f"{report.site}: in use by another run"
    done = ", ".join(each.name for each in report.steps) or "nothing was due"
    return f"{report.site}: {report.health.state}; {done}; {_articles([report])}"


def troubles(reports: Sequence[SiteReport]) -> Iterator[str]:
    """A line for each site that is not well, or not done."""
    for report in reports:
        if report.problem:
            yield f"{report.site}: the night could not go on: {report.problem}"
        elif report.is_in_use:
            yield f"{report.site}: in use by another run; the next night takes it up"
        elif report.health.trouble:
            yield str(report.health)
        elif failed := report.failed:
            ended = "took too long and was ended" if failed.is_ended else failed.said
            yield f"{report.site}: scrapy {failed.name} {ended or f'ended with {failed.exit_code}'}"


def summary(reports: Sequence[SiteReport], n_wrong: int, began: datetime) -> str:
    """All sites in a paragraph; of `n_wrong` the entry in pipelines.yaml is left out."""
    counted = Counter(_word(report) for report in reports)
    counted[WRONG] = n_wrong
    words = [*map(str, State), "in use", "failed", WRONG]
    states = ", ".join(f"{counted[word]} {word}" for word in words if counted[word])
    idle = sum(not report.steps and not report.problem for report in reports)
    took = timedelta(seconds=round((datetime.now(UTC) - began).total_seconds()))
    return (
        f"{began:%Y-%m-%d %H:%M} UTC, {many(len(reports) + n_wrong, 'site')}: {states}; "
        f"{_articles(reports)}; {idle} had nothing due; {took}"
    )


def has_news(reports: Sequence[SiteReport]) -> bool:
    """Whether a night did something, or has to tell something."""
    return any(each.steps or each.problem or each.health.trouble for each in reports)


def relearned(reports: Sequence[SiteReport]) -> Iterator[str]:
    """A line for each site whose layout had changed, and is known now."""
    for report in reports:
        if report.mended is not None:
            yield f"{report.site}: {report.mended.cause}, learned anew: {report.mended.said}"


def tell_others(config: Config, reports: Sequence[SiteReport]) -> Iterator[str]:
    """Tell those whom `notify` names what changed; a line for each that could not be told."""
    judged = [r.health for r in reports if not r.problem and not r.is_in_use]
    judged += judge_wrong_entries(config, datetime.now(UTC).date())
    yield from tell_changes(config.notify, config.state, judged)


def mark_copies(config: Config) -> Iterator[str]:
    """Tell near copies among the articles, unless there is one site and only others count; a line
    if that fails."""
    if config.copies == "none" or (config.copies == "other_sites" and len(config.sites) < 2):
        return
    from extractor.versions.copies.job import find_copies  # it takes half a second to load

    try:
        find_copies(config)
    except (OSError, StorageError, sqlite3.Error) as problem:
        yield f"copies: not told: {problem}"


def measure(config: Config) -> Iterator[str]:
    """Write the metrics of all sites, if they are wanted; a line if that fails."""
    if config.metrics_file is not None:
        storage, now = Storage(config.storage), datetime.now(UTC)
        try:
            write_metrics(config.metrics_file, overviews(storage, config, now))
        except OSError as problem:
            yield f"metrics_file: not written: {problem}"


def exit_code_of(reports: Sequence[SiteReport]) -> int:
    """One code for the night: that of what is worst."""
    words = {_word(report) for report in reports}
    if "failed" in words:
        return EXIT_FAILED
    if words & {State.ILL, State.DEAD}:
        return EXIT_ILL
    if "in use" in words:
        return EXIT_LOCKED
    is_unended = any(r.failed for r in reports if r.health.trouble is None)
    return EXIT_FAILED if is_unended else EXIT_OK


def report_row(report: SiteReport) -> dict[str, Any]:
    """What JSON shows of a site."""
    return {
        "site": report.site,
        **report.health.to_row(),
        "articles_new": report.articles_new,
        "articles_edited": report.articles_edited,
        "problem": report.problem or None,
        "steps": [
            {
                "name": step.name,
                "exit_code": step.exit_code,
                "seconds": round(step.seconds, 1),
                "said": step.said or None,
            }
            for step in report.steps
        ],
    }


def _word(report: SiteReport) -> str:
    if report.problem:
        return "failed"
    return "in use" if report.is_in_use else str(report.health.state)


def _articles(reports: Sequence[SiteReport]) -> str:
    new, edited = (
        sum(getattr(report, f"articles_{kind}") for report in reports) for kind in ("new", "edited")
    )
    return f"{many(new, 'new article')}, {edited} edited"
