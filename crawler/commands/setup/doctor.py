"""`scrapy doctor [SITE ...]`: what would keep the next night from working."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from crawler.command import ProjectCommand, fail, print_json, reported, tell_wrong_sites
from crawler.config.sites import Config, find_config, load_config
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from crawler.doctor.finding import Finding

AT_ONCE = 4
"""Sites that are visited at once, each by a process. Origin: guess; most of it is waiting."""


class Command(ProjectCommand):
    """Each site is visited by a process of its own: one crawl's guards are not another's."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    examples = """\
  scrapy doctor demo
"""

    def syntax(self) -> str:
        return "[site ...] [options]"

    def short_desc(self) -> str:
        return "Check what sites need to be crawled, on this machine and at theirs"

    def long_desc(self) -> str:
        return (
            "Checks pipelines.yaml, storage, state folder and disks, and of each site (all, if "
            "none is named) its lock, URL database, stored days, robots.txt, start pages, feeds, "
            "sitemaps, certificate and clock. Asks for each address once and stores nothing. Exit "
            "code 1 if something is wrong."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print all checks as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        self.exitcode = reported(lambda: self._examine(args, opts))

    def _examine(self, args: list[str], opts: argparse.Namespace) -> int:
        from crawler.doctor.machine import machine_findings

        config = load_config(find_config(), leave_out=True)
        names = [config.site(name).name for name in args] or [s.name for s in config.sites]
        findings = list(machine_findings(config))
        if len(names) == 1:
            findings += self._site_findings(config, names[0])
        else:
            with ThreadPoolExecutor(AT_ONCE) as pool:
                for found in pool.map(partial(_findings_of_process, settings=opts.set), names):
                    findings += found
        if opts.json:
            print_json(map(asdict, findings))
        else:
            _print(findings, len(names))
        wrong = EXIT_OK if args else tell_wrong_sites(config)
        return EXIT_FAILED if any(each.state == "wrong" for each in findings) else wrong

    def _site_findings(self, config: Config, name: str) -> Iterator[Finding]:
        from crawler.doctor.finding import Finding
        from crawler.doctor.machine import site_findings
        from crawler.doctor.visit import make_visitor

        yield from site_findings(config, name)
        visitor = make_visitor(config.site(name))
        assert self.crawler_process is not None
        self.crawler_process.crawl(visitor)
        self.crawler_process.start()
        yield from visitor.findings
        if not visitor.findings:
            said = "nothing was asked for; `scrapy crawl` says why"
            yield Finding(subject="visit", state="wrong", said=said, site=name)


def _findings_of_process(site: str, settings: Sequence[str]) -> list[Finding]:
    """What `scrapy doctor SITE` finds of the site alone."""
    from crawler.doctor.finding import Finding

    options = [part for setting in settings for part in ("-s", setting)]
    command = [sys.executable, "-m", "scrapy", "doctor", site, "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found = [Finding(**row) for row in json.loads(done.stdout)]
    except ValueError:
        last = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        said = f"not checked: {last}"
        return [Finding(subject="doctor", state="wrong", said=said, site=site)]
    return [each for each in found if each.site]


def _print(findings: Sequence[Finding], n_sites: int) -> None:
    """What is not well, then the sums; of one site all."""
    for state in ("wrong", "watch"):
        for each in findings:
            if each.state == state:
                print(f"{state}  {each}")
    if n_sites == 1:
        for each in findings:
            if each.state == "well":
                print(f"well   {each}")
    n_well = sum(each.state == "well" for each in findings)
    counted = f"{n_sites} site{'s' * (n_sites != 1)}: {n_well} of {len(findings)} checks are well"
    fail(counted, EXIT_OK)
