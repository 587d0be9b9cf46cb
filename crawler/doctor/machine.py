"""Checks of what the sites share on this machine, and of what is kept here of one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from crawler.command import UrlDatabaseError, open_url_database
from crawler.config.sites import Config
from crawler.doctor.finding import Finding
from crawler.fetching.browser.launch import installed_chromium, start_problem
from crawler.storage.locks import SiteLock, SiteLockedError
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage

LEAST_FREE_BYTES = 2**30
"""Free bytes below which a disk is told. Origin: guess; a night of a large site takes 300 MB."""


def machine_findings(config: Config) -> Iterator[Finding]:
    """Storage, state folder, disks, and the browser if a site needs it."""
    yield _storage_finding(config.storage)
    yield _state_finding(config.state)
    folders = [config.state] if "://" in config.storage else [config.storage, config.state]
    disks = {_existing(folder).stat().st_dev: folder for folder in reversed(folders)}
    for folder in disks.values():
        yield disk_finding(folder, shutil.disk_usage(_existing(folder)).free)
    if drawn := [site.name for site in config.sites if site.render != "never"]:
        yield browser_finding(drawn)


def browser_finding(names: Sequence[str]) -> Finding:
    """Whether there is the browser that draws the pages of these sites."""
    if problem := start_problem():
        said = f"{problem}; without it {', '.join(names)} are crawled as they are served"
        return Finding(subject="browser", state="wrong", said=said)
    return Finding(subject="browser", said=installed_chromium() or "Playwright's own Chromium")


def site_findings(config: Config, site: str) -> Iterator[Finding]:
    """What is kept here of a site: its lock, URL database and stored days."""
    yield _lock_finding(config.state, site)
    if Path(config.state, f"{site}.sqlite").exists():
        yield _urls_finding(config.state, site)
    yield _days_finding(config.storage, site)


def disk_finding(folder: str, free: int) -> Finding:
    """Whether the disk of a folder has space for a night.

    >>> print(disk_finding("/srv/data", 5 * 2**20))
    disk: 0.00 GiB free for /srv/data; free some: a night of a large site takes .3 GiB
    """
    said = f"{free / 2**30:.2f} GiB free for {folder}"
    if free >= LEAST_FREE_BYTES:
        return Finding(subject="disk", said=said)
    advice = "free some: a night of a large site takes .3 GiB"
    return Finding(subject="disk", state="wrong", said=said, advice=advice)


def _storage_finding(root: str) -> Finding:
    try:
        Storage(root).check_writable()
    except StorageError as problem:
        return Finding(subject="storage", state="wrong", said=str(problem))
    return Finding(subject="storage", said=f"{root} can be written")


def _state_finding(folder: str) -> Finding:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            pass
    except OSError as problem:
        said = f"{folder}: {problem.strerror}"
        advice = "give the user of the crawls the right to write there, or mend `state`"
        return Finding(subject="state folder", state="wrong", said=said, advice=advice)
    return Finding(subject="state folder", said=f"{folder} can be written")


def _existing(folder: str) -> Path:
    """The folder, or the nearest one above it that there is."""
    path = Path(folder).absolute()
    return next(each for each in (path, *path.parents) if each.exists())


def _lock_finding(state: str, site: str) -> Finding:
    path = Path(state, f"{site}.lock")
    if not path.exists():
        return Finding(subject="lock", said="free", site=site)
    try:
        with SiteLock(state, site, "doctor"):
            return Finding(subject="lock", said="free", site=site)
    except SiteLockedError as problem:
        since = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return Finding(
            subject="lock",
            state="watch",
            said=f"held by {problem.owner or 'another process'} since {since:%Y-%m-%d %H:%M} UTC",
            advice="if it hangs, end that process: the lock is free then",
            site=site,
        )
    except OSError as problem:
        said = f"{path}: {problem.strerror}"
        return Finding(subject="lock", state="wrong", said=said, advice="mend it", site=site)


def _urls_finding(state: str, site: str) -> Finding:
    try:
        with open_url_database(state, site) as database:
            said = f"{database.pending_count()} URLs wait"
    except UrlDatabaseError as problem:
        return Finding(subject="URL database", state="wrong", said=str(problem), site=site)
    return Finding(subject="URL database", said=said, site=site)


def _days_finding(storage: str, site: str) -> Finding:
    """Days are named by the clock: a stored one that is to come shows that it went wrong."""
    try:
        days = Storage(storage).dates("pages", site)
    except OSError as problem:
        return Finding(subject="stored days", state="wrong", said=str(problem), site=site)
    if not days:
        return Finding(subject="stored days", said="none yet", site=site)
    said = f"{len(days)}, the last {days[-1]}"
    if days[-1] <= datetime.now(UTC).date():
        return Finding(subject="stored days", said=said, site=site)
    advice = (
        "check the clocks of the machines that crawl, and remove the partitions of days to come"
    )
    return Finding(subject="stored days", state="wrong", said=said, advice=advice, site=site)
