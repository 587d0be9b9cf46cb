"""`scrapy patterns SITE`: look at what was learned."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from crawler.command import SiteCommand, fail, print_json
from crawler.config import Config, SiteConfig
from crawler.exitcodes import EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from learner.patterns import Pattern

EXAMPLES = 3
"""Example URLs shown of a pattern."""


class Command(SiteCommand):
    """The current patterns of a site as a table; one of them section by section."""

    examples = """\
  scrapy patterns demo                a line for each pattern
  scrapy patterns demo --explain 3f   the pattern whose id begins with 3f, section by section
  scrapy patterns demo --json         all of it
"""

    def short_desc(self) -> str:
        return "Show the layout patterns learned of a site"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--explain", metavar="ID", help="show one pattern's sections")
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.partitions import Storage
        from learner.job import current_patterns
        from learner.patterns import PatternSet

        patterns = list(current_patterns(Storage(config.storage), site.name))
        if not patterns:
            return fail(
                f"{site.name}: nothing learned yet; run `scrapy learn {site.name}`", EXIT_NOTHING
            )
        if opts.explain is not None:
            patterns = [each for each in patterns if each.pattern_id.startswith(opts.explain)]
            if len(patterns) != 1:
                return fail(
                    f"--explain: expected the start of one pattern's id, got {opts.explain!r}, "
                    f"which fits {len(patterns)}; `scrapy patterns {site.name}` lists them",
                    EXIT_NOTHING,
                )
        if opts.json:
            print_json(PatternSet(patterns).to_table().to_pylist())
        elif opts.explain is not None:
            _explain(patterns[0])
        else:
            _list(site.name, patterns)
        return EXIT_OK


def _list(site: str, patterns: list[Pattern]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"patterns of {site}", show_lines=True)
    for name in ("id", "kind"):
        table.add_column(name, no_wrap=True)
    for name in ("pages", "score"):
        table.add_column(name, justify="right")
    for name in ("title path", "main path", "example URLs"):
        table.add_column(name, overflow="fold")
    for each in patterns:
        table.add_row(
            each.pattern_id[:8],
            str(each.kind),
            str(each.n_pages),
            f"{each.score:.0f}",
            _path(each, each.title),
            _path(each, each.main),
            "\n".join(each.example_urls[:EXAMPLES]),
        )
    Console().print(table)


def _explain(pattern: Pattern) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=f"pattern {pattern.pattern_id}: {pattern.kind}, {pattern.n_pages} pages")
    for name in ("#", "role", "DiffScore", "MainScore", "support"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("path", overflow="fold")
    table.add_column("sample", overflow="fold")
    for index, section in enumerate(pattern.sections):
        table.add_row(
            str(index),
            str(section.role),
            f"{section.diff_score:.2f}",
            f"{section.main_score:.0f}",
            f"{section.support:.2f}",
            escape(section.path),
            escape(section.sample),
        )
    console = Console()
    console.print(table)
    facts: dict[str, Any] = {
        "PatternScore": f"{pattern.score:.0f}",
        "preset": pattern.preset,
        "title": _path(pattern, pattern.title),
        "main": _path(pattern, pattern.main),
        "learned": pattern.learned_at,
        "valid from": pattern.valid_from,
        "train dates": ", ".join(map(str, pattern.train_dates)),
        "settings": pattern.params,
        "learned from": "\n  ".join(pattern.example_urls),
    }
    for name, value in facts.items():
        console.print(f"{name}: {value}", markup=False, highlight=False)


def _path(pattern: Pattern, index: int | None) -> str:
    from rich.markup import escape

    return "" if index is None else escape(pattern.sections[index].path)
