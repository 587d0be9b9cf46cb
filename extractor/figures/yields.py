"""How many of a site's pages gave an article: the last run and all of them (Webstemmer's perf)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from crawler.storage.partitions import Storage
from extractor.articles import Status
from extractor.outcomes import TABLE as OUTCOMES

_PAGE_COLUMNS = ("run_id", "fetched_at", "error", "unchanged")
_OUTCOME_COLUMNS = ("run_id", "fetched_at", "status", "title", "body_chars")


@dataclass(slots=True)
class Yield:
    """Pages obtained and what came of them."""

    obtained: int = 0
    """Page rows with a body."""
    extracted: int = 0
    """Articles among them with both title and body."""

    @property
    def share(self) -> float | None:
        """Extracted of obtained, 0 to 1; None where nothing was obtained."""
        return self.extracted / self.obtained if self.obtained else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteYield:
    """The yield of one site."""

    site: str
    last_run: str | None
    """The run that fetched a page last and obtained any; None if there is none."""
    last_time: datetime | None
    """When it fetched its last page."""
    last: Yield
    total: Yield


def site_yield(storage: Storage, site: str) -> SiteYield:
    """Count a site's pages and articles in all partitions."""
    runs: dict[str, Yield] = {}
    times: dict[str, datetime] = {}
    for batch in storage.read("pages", site, columns=_PAGE_COLUMNS):
        got = batch.filter(pc.and_(pc.is_null(batch["error"]), pc.invert(batch["unchanged"])))
        for run, time, count in _by_run(got):
            runs.setdefault(run, Yield()).obtained += count
            times[run] = max(time, times.get(run, time))
    for batch in storage.read(OUTCOMES, site, columns=_OUTCOME_COLUMNS):
        whole = pc.and_(pc.is_valid(batch["title"]), pc.is_valid(batch["body_chars"]))
        good = batch.filter(pc.and_(pc.equal(batch["status"], Status.OK.value), whole))
        for run, _, count in _by_run(good):
            runs.setdefault(run, Yield()).extracted += count
    last = max(times, key=lambda run: (times[run], run), default=None)
    return SiteYield(
        site=site,
        last_run=last,
        last_time=times[last] if last is not None else None,
        last=runs[last] if last is not None else Yield(),
        total=Yield(
            obtained=sum(each.obtained for each in runs.values()),
            extracted=sum(each.extracted for each in runs.values()),
        ),
    )


def _by_run(batch: pa.RecordBatch) -> list[tuple[str, datetime, int]]:
    """(run, its last time, rows) for each run of a batch."""
    table = pa.Table.from_batches([batch]).group_by("run_id")
    found = table.aggregate([("fetched_at", "max"), ([], "count_all")]).to_pylist()
    return [(row["run_id"], row["fetched_at_max"], row["count_all"]) for row in found]
