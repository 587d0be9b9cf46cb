"""One site's night: what it is due for, step by step."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from crawler.config.sites import Config, SiteConfig
from crawler.engine.steps import StepResult, Steps
from crawler.storage.merging import OLD_DAYS, PART_TABLES
from crawler.storage.partitions import Storage
from crawler.storage.runs import RunRecord, read_runs
from crawler.usage.exitcodes import EXIT_LOCKED, EXIT_NOTHING, EXIT_OK
from extractor.health.history import write_health
from extractor.health.judging import judge_health
from extractor.health.state import Cause, Health, Trouble
from extractor.health.window import WINDOW_DAYS
from extractor.night.due import is_learning_due, next_crawl, pages_came
from extractor.records.outcomes import TABLE as OUTCOMES
from learner.patterns.stored import current_patterns

LEARNED_AT_ONCE = (Cause.LAYOUT, Cause.FIELDS, Cause.LISTS, Cause.UNLEARNED)
"""Troubles that learning may mend."""

LAYOUT_CAUSES = (Cause.LAYOUT, Cause.FIELDS)


@dataclass(slots=True, kw_only=True)
class SiteReport:
    """What a night did on a site, and how the site is."""

    site: str
    health: Health
    steps: list[StepResult] = field(default_factory=list)
    articles_new: int = 0
    articles_edited: int = 0
    mended: Trouble | None = None
    """What was wrong, until the site was learned anew."""
    problem: str = ""
    """Why the night could not go on with the site; empty if it could."""

    @property
    def failed(self) -> StepResult | None:
        """The last step that did not end well; None if all did."""
        bad = [each for each in self.steps if each.exit_code not in (EXIT_OK, EXIT_NOTHING)]
        return bad[-1] if bad else None

    @property
    def is_in_use(self) -> bool:
        """Whether another run works on the site."""
        return self.failed is not None and self.failed.exit_code == EXIT_LOCKED


class SiteNight:
    """The steps of one site: crawl, judge, learn and extract if due, merge, judge."""

    def __init__(self, config: Config, site: SiteConfig, steps: Steps) -> None:
        self._storage = Storage(config.storage)
        self._settings = config.night
        self._site = site
        self._steps = steps
        self._began = datetime.now(UTC)
        self._known_runs: list[RunRecord] | None = None
        """The site's runs, until a step adds one."""
        self._found: Trouble | None = None
        """What was wrong once the site was crawled."""
        self.report = SiteReport(site=site.name, health=Health(site=site.name, day=_today()))

    def live(self) -> float | None:
        """Do what the site is due for; seconds after which its crawl, which failed, is tried again,
        or None. What goes wrong ends the night of no other site: the report tells it."""
        try:
            again = self._run()
        except Exception as problem:
            self.report.problem = str(problem) or type(problem).__name__
            again = False
        return 60 * self._settings.retry_minutes if again else None

    def _run(self) -> bool:
        """Whether the site is due again when it is done."""
        self._known_runs = None
        name, is_stuck = self._site.name, False
        if self._is_due():
            crawl = self._step("crawl", name, "--no-learn")
            if crawl.exit_code == EXIT_LOCKED:
                self.report.health = judge_health(self._storage, self._site, _today())
                return False
            is_stuck = crawl.is_ended
        self._learn_and_extract()
        if self._has_old_parts():
            self._step("compact", name)
        self._tell_health()
        return not is_stuck and self._is_due()

    def next_crawl(self, now: datetime) -> datetime:
        """When the site is to be crawled next; not after `now` if it is due."""
        return next_crawl(self._site, self._runs(), now, self._settings.retries)

    def _is_due(self) -> bool:
        now = datetime.now(UTC)
        return self.next_crawl(now) <= now

    def _learn_and_extract(self) -> None:
        name, health = self._site.name, judge_health(self._storage, self._site, _today())
        if not self._storage.dates("pages", name):
            return
        cause = health.trouble.cause if health.trouble else None
        self._found = health.trouble
        is_needed = cause in LEARNED_AT_ONCE
        if is_learning_due(self._site, self._runs(), datetime.now(UTC), is_needed=is_needed):
            self._step("learn", name)
        if self._must_extract():
            self._step("extract", "--all", name)

    def _must_extract(self) -> bool:
        """Whether patterns were learned that no extraction had; of a site without any, whether
        pages came that could be guessed: beside a crawl they are not."""
        patterns = current_patterns(self._storage, self._site.name)
        if not len(patterns):
            return self._site.gives_guesses and self._has_unread_pages()
        learned = max((each.learned_at for each in patterns if each.learned_at), default=None)
        if learned is None:
            return not self._storage.dates(OUTCOMES, self._site.name)
        extracted = [r for r in self._runs() if r.command == "extract" and not r.exit_code]
        return not extracted or extracted[-1].started_at < learned

    def _has_unread_pages(self) -> bool:
        """Whether pages came since the last extraction."""
        runs = self._runs()
        extracted = [run.started_at for run in runs if run.command == "extract"]
        return not extracted or any(
            pages_came(run) for run in runs if run.started_at > extracted[-1]
        )

    def _has_old_parts(self) -> bool:
        name, last = self._site.name, _today() - timedelta(days=OLD_DAYS)
        return any(
            len(self._storage.files(table, name, day, day)) > 1
            for table in PART_TABLES
            for day in self._storage.dates(table, name)
            if day <= last
        )

    def _tell_health(self) -> None:
        now = datetime.now(UTC)
        self.report.health = judge_health(self._storage, self._site, now.date())
        if self.report.health.trouble is None and (found := self._found):
            self.report.mended = found if found.cause in LAYOUT_CAUSES else None
        write_health(self._storage, self.report.health, now)
        runs = [run for run in self._runs() if run.started_at >= self._began]
        self.report.articles_new = sum(run.articles_new or 0 for run in runs)
        self.report.articles_edited = sum(run.articles_edited or 0 for run in runs)

    def _step(self, command: str, *arguments: str) -> StepResult:
        done = self._steps.run(self._site.name, command, *arguments)
        self._known_runs = None
        self.report.steps.append(done)
        return done

    def _runs(self) -> list[RunRecord]:
        if self._known_runs is None:
            since = _today() - timedelta(days=WINDOW_DAYS)
            self._known_runs = read_runs(self._storage, self._site.name, since)
        return self._known_runs


def _today() -> date:
    return datetime.now(UTC).date()
