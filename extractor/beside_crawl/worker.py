"""The extraction process beside a crawl: `python -m extractor.beside_crawl.worker`.

It reads an `Order`, then a `Job` a line, from stdin, and gives an `Answer` a line to each job. It
ends with its input, so it never outlives the crawl that started it, however that ends. The crawl
itself stays free of the learner's code and memory.
"""

from __future__ import annotations

import os
import sys
from datetime import date
from functools import cached_property
from pathlib import Path

from crawler.storage.partitions import Storage
from extractor.batch.job import DayWork, ExtractSummary, open_articles
from extractor.batch.page_rows import spool_file
from extractor.batch.record_sort import Spool
from extractor.beside_crawl.messages import Answer, Job, Order
from extractor.health.drift import judge_days
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns

NICENESS = 5
"""By how much the worker steps back. Origin: guess; the crawl goes first where cores are few."""


class Worker:
    """Serves the jobs of one crawl with the patterns that were current at its start."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._storage = Storage(order.storage_root)

    def serve(self, job: Job) -> Answer:
        """Do a job, or say why it cannot be done."""
        try:
            if not len(self._patterns):
                return Answer()
            return self._extract_part(job.part) if job.part else self._finish_day(job.day or "")
        except OSError as problem:
            return Answer(problem=str(problem))

    @cached_property
    def _patterns(self) -> PatternSet:
        return current_patterns(self._storage, self._order.site.name)

    def _extract_part(self, path: str) -> Answer:
        spool = self._spool(Path(path).parent.name.removeprefix("date="))
        config = self._order.site.extract
        return Answer(
            statuses=dict(spool_file(self._storage, path, (self._patterns,), config, spool))
        )

    def _finish_day(self, day: str) -> Answer:
        """Write a day's articles and judge it, by the functions that `scrapy extract` uses."""
        site, fetched = self._order.site, date.fromisoformat(day)
        summary = ExtractSummary(site=site.name)
        work = DayWork(self._storage, site, fetched, self._spool(day), summary)
        work.read_pages((self._patterns,))
        work.finish(open_articles(self._storage, site, summary))
        drift = judge_days(self._storage, site.name, [fetched])
        return Answer(
            statuses=dict(summary.statuses),
            articles_new=summary.articles.new,
            articles_edited=summary.articles.edited,
            drift=str(drift or ""),
            flags=[fall.name for fall in drift.falls] if drift else [],
        )

    def _spool(self, day: str) -> Spool:
        return Spool(Path(self._order.spool_folder, day))


def main() -> None:
    """Serve stdin until it ends."""
    os.nice(NICENESS)
    worker = Worker(Order.from_json(sys.stdin.readline()))
    for line in sys.stdin:
        print(worker.serve(Job.from_json(line)).to_json(), flush=True)


if __name__ == "__main__":
    main()
