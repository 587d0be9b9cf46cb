"""`scrapy schedule`: the daemon that does each site's night at its own time."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.command import SitesCommand, fail
from crawler.config.sites import Config, find_config, load_config
from crawler.config.yamlfile import ConfigError
from crawler.usage.exitcodes import EXIT_CONFIG, EXIT_OK

if TYPE_CHECKING:
    from extractor.night.site_night import SiteReport


class Command(SitesCommand):
    """Runs until it is ended by a signal."""

    examples = """\
  scrapy schedule
"""

    def short_desc(self) -> str:
        return "Do each site's night at its own time, until ended"

    def long_desc(self) -> str:
        return (
            "Looks which sites are due, as `every` of each says, and does of them what "
            "`scrapy night` does. Changes of pipelines.yaml hold at once. What was missed is "
            "done once, what is under way is not begun again. Ctrl-C and SIGTERM end it: crawls "
            "store what they have, and the next start goes on."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)

    def work_on(self, names: list[str], opts: argparse.Namespace) -> int:
        from extractor.night.daemon import Daemon

        read = _reader(names)
        daemon = Daemon(read, lambda report: _tell(read(), report), _measure)
        for kind in (signal.SIGINT, signal.SIGTERM):
            signal.signal(kind, lambda *_: daemon.stop())
        daemon.run()
        return EXIT_OK


def _reader(names: list[str]) -> Callable[[], Config]:
    """Reads pipelines.yaml; once it was read, one that is wrong by now is told, and what was read
    before holds."""
    known: list[Config] = []
    told: list[str] = []

    def read() -> Config:
        try:
            config = load_config(find_config(), leave_out=True)
            known[:] = [config.of_sites(names) if names else config]
            wrong = [str(ConfigError(each.problems)) for each in config.wrong_sites]
        except ConfigError as problem:
            if not known:
                raise
            wrong = [str(problem)]
        for line in set(wrong).difference(told):
            fail(line, EXIT_CONFIG)
        told[:] = wrong
        return known[0]

    return read


def _tell(config: Config, report: SiteReport) -> None:
    from extractor.night.telling import progress_line, tell_others

    now = datetime.now(UTC)
    print(f"{now:%Y-%m-%d %H:%M} UTC, {progress_line(report)}", flush=True)
    if report.health.trouble:
        fail(report.health, EXIT_OK)
    for line in tell_others(config, [report]):
        fail(line, EXIT_OK)


def _measure(config: Config) -> None:
    from extractor.night.telling import mark_copies, measure

    for line in (*mark_copies(config), *measure(config)):
        fail(line, EXIT_OK)
