"""`scrapy patterns SITE`: look at what was learned."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from crawler.command import SiteCommand, fail, print_json
from crawler.config.sites import Config, SiteConfig
from crawler.usage.exitcodes import EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from rich.console import Console

    from crawler.storage.partitions import Storage
    from learner.page.pages import Page
    from learner.patterns.pattern import Pattern
    from learner.patterns.rules import Rules
    from learner.site.model import SiteModel

EXAMPLES = 3
"""Pages of each pattern that say what witnesses stand for."""

TAUGHT = 5
"""Pages named that taught a pattern; all stand in the table."""

IDS = 8 + 1 + 7 + 1 + 5 + 1
"""Cells of id, kind and number of pages."""

FIGURES = 3 + 1 + 11 + 1 + 9 + 1 + 9 + 1 + 7 + 1
"""Cells of the figures of a section."""

WITNESSES = 16
"""Witnesses shown, the strongest."""


class Command(SiteCommand):
    """The current patterns of a site as a table, or section by section."""

    examples = """\
  scrapy patterns demo                a line for each pattern
  scrapy patterns demo --explain      each article pattern section by section
  scrapy patterns demo --explain 3f   the pattern whose id begins with 3f
  scrapy patterns demo --json         all of it
"""

    def short_desc(self) -> str:
        return "Show the layout patterns learned of a site"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--explain",
            metavar="ID",
            nargs="?",
            const="",
            help="show the sections of the pattern whose id begins so; without ID of all that "
            "are of articles",
        )
        parser.add_argument("--json", action="store_true", help="print as JSON")

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        from crawler.storage.partitions import Storage
        from learner.patterns.explanation import name_features
        from learner.patterns.stored import current_patterns

        storage = Storage(config.storage)
        known = current_patterns(storage, site.name)
        patterns = list(known)
        if not patterns:
            return fail(
                f"{site.name}: nothing learned yet; run `scrapy learn {site.name}`", EXIT_NOTHING
            )
        if opts.explain == "":
            patterns = [each for each in known if each.kind == "article"] or patterns
        elif opts.explain is not None:
            patterns = [each for each in known if each.pattern_id.startswith(opts.explain)]
            if len(patterns) != 1:
                return fail(
                    f"--explain: expected the start of one pattern's id, got {opts.explain!r}, "
                    f"which fits {len(patterns)}; `scrapy patterns {site.name}` lists them",
                    EXIT_NOTHING,
                )
        if opts.json:
            print_json(known.with_patterns(patterns).to_table().to_pylist())
        elif opts.explain is not None:
            names = name_features(_example_pages(storage, site.name, known))
            for pattern in patterns:
                _explain(pattern, known.site, names)
        else:
            _list(site.name, patterns)
        return EXIT_OK


def _list(site: str, patterns: list[Pattern]) -> None:
    """A line for each: short paths and one example on a terminal, elsewhere tabs and all of it."""
    from extractor.report.article_lines import fit, on_one_line

    if not sys.stdout.isatty():
        for each in patterns:
            paths = (_path(each, each.title), _path(each, each.main))
            facts = (each.pattern_id, each.kind, each.n_pages, *paths, each.name, _problem(each))
            print("\t".join(on_one_line(str(fact)) for fact in facts))
    else:
        print(f"patterns of {site}")
        width = (shutil.get_terminal_size().columns - IDS) // 3
        for each in patterns:
            places = [short_path(_path(each, i), width - 1) for i in (each.title, each.main)]
            example = fit(decoded_path(each.name), width - 1).rstrip()
            cells = (each.pattern_id[:8], fit(str(each.kind), 7), f"{each.n_pages:>5}")
            print(*cells, *(fit(place, width - 1) for place in places), example)
            if problem := _problem(each):
                print(" " * 8, problem)
    if all(each.kind == "list" for each in patterns):
        print("no article pattern: all pages look like lists", file=sys.stderr)


def _problem(pattern: Pattern) -> str:
    """What is wrong with a pattern by its own check; empty if nothing is known."""
    return pattern.check.problem if pattern.check else ""


def short_path(path: str, most: int) -> str:
    """The last two elements of a path, which tell most, or the last where two are too long.

    >>> short_path("body/main/article.story/h1.title", 40), short_path("body/main/h1.title", 10)
    ('article.story/h1.title', 'h1.title')
    """
    two = "/".join(path.split("/")[-2:])
    return two if len(two) <= most else two.rpartition("/")[2]


def decoded_path(url: str) -> str:
    """The path of a URL as a reader sees it.

    >>> decoded_path("http://e/%E7%9F%B3/")
    '/石/'
    """
    parts = urlsplit(url)
    return unquote(parts.path) + (f"?{parts.query}" if parts.query else "")


def _explain(pattern: Pattern, site: SiteModel, feature_names: Mapping[int, str]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console()
    title = f"{pattern.kind}, {pattern.n_pages} pages, PatternScore {pattern.score:.0f}"
    console.print(f"[bold]pattern {pattern.pattern_id}[/bold]: {escape(title)}", highlight=False)
    print(*_sections(pattern), sep="\n")
    if pattern.rules:
        _explain_rules(pattern.rules, site, feature_names, console)
    else:
        _say(console, "settings", pattern.params)
    if pattern.check:
        _say(console, "checked on", pattern.check)
        if problem := pattern.check.problem:
            _say(console, "something is wrong", problem)
    _say(console, "preset", pattern.preset)
    moment = f"{pattern.learned_at:%Y-%m-%d %H:%M} UTC" if pattern.learned_at else "?"
    _say(console, "learned", f"{moment}, from pages of {', '.join(map(str, pattern.train_dates))}")
    _say(console, "valid from", f"{pattern.valid_from:%Y-%m-%d}" if pattern.valid_from else "ever")
    more = len(pattern.example_urls) - TAUGHT
    shown = [*pattern.example_urls[:TAUGHT], *([f"... and {more} more"] if more > 0 else [])]
    _say(console, "taught by", "\n  ".join(["", *shown]))


def _sections(pattern: Pattern) -> Iterator[str]:
    """A line for each section: on a terminal cut by width, elsewhere whole, tabs between; paths
    inside the main container written from there on."""
    from extractor.report.article_lines import fit, on_one_line
    from learner.patterns.explanation import relative_path

    main = _path(pattern, pattern.main)
    is_narrow = sys.stdout.isatty()
    width = (shutil.get_terminal_size().columns - FIGURES) // 2
    heads = ("#", "role", "DiffScore", "MainScore", "support")
    yield (_figures(*heads) if is_narrow else "\t".join((*heads, "path", "sample")))
    for index, section in enumerate(pattern.sections):
        path = section.path if index == pattern.title else relative_path(section.path, main)
        figures = (
            str(index),
            str(section.role),
            f"{section.diff_score:.2f}",
            f"{section.main_score:.0f}",
            f"{section.support:.2f}",
        )
        sample = on_one_line(section.sample)
        if is_narrow:
            places = fit(short_path(path, width - 1), width - 1), fit(sample, width - 1).rstrip()
            yield " ".join((_figures(*figures), *places)).rstrip()
        else:
            yield "\t".join((*figures, path, sample))


def _figures(number: str, role: str, diff: str, main: str, support: str) -> str:
    """The figures of a section in columns."""
    return f"{number:>3} {role:11} {diff:>9} {main:>9} {support:>7}"


def _explain_rules(
    rules: Rules, site: SiteModel, names: Mapping[int, str], console: Console
) -> None:
    from learner.patterns.explanation import describe, name_witnesses

    for name, value in describe(rules, site):
        _say(console, name, value)
    for witness in name_witnesses(site, names)[:WITNESSES]:
        speaks = "list" if witness.weight > 0 else "article"
        _say(console, f"  {witness.weight:+.2f} {speaks:7}", witness.name)


def _say(console: Console, name: str, value: object) -> None:
    console.print(f"{name}: {value}", markup=False, highlight=False, soft_wrap=True)


def _example_pages(storage: Storage, site: str, patterns: Iterable[Pattern]) -> Iterator[Page]:
    """Stored pages that taught these patterns, some of each; none that is no longer stored."""
    from learner.page.pages import Page

    urls, days = set[str](), set[date]()
    for pattern in patterns:
        urls.update(pattern.example_urls[:EXAMPLES])
        days.update(pattern.train_dates)
    columns, wanted = ["final_url", "html", "charset"], [("final_url", "in", sorted(urls))]
    if urls and days:
        for batch in storage.read("pages", site, min(days), max(days), columns, wanted):
            for row in batch.to_pylist():
                if row["html"] is not None:
                    yield Page(url=row["final_url"], html=row["html"], charset=row["charset"])


def _path(pattern: Pattern, index: int | None) -> str:
    return "" if index is None else pattern.sections[index].path
