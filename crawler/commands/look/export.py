"""`scrapy export SITE`: articles and pages for other programs, or in Webstemmer's formats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from scrapy.exceptions import UsageError

from crawler.command import (
    SiteCommand,
    add_dates,
    chosen_dates,
    fail,
    is_terminal,
    print_json,
    text_encoding,
)
from crawler.commands.look.articles import status_argument
from crawler.config.sites import Config, SiteConfig
from crawler.storage.outfile import whole_file
from crawler.storage.parquet import StorageError
from crawler.storage.partitions import Storage
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    import pyarrow as pa

    from crawler.exchange.rows import Choice

OF_ARTICLES = ("jsonl", "csv", "markdown", "parquet", "delta")
OF_A_SITE = ("warc", "zip", "pat", "text")
KINDS = (*OF_ARTICLES, "by_date", *OF_A_SITE)
"""The kinds of files, as their options are called."""


class Command(SiteCommand):
    """The tables in, one file out."""

    takes_all = True
    all_takes_sites = True
    examples = """\
  scrapy export demo --jsonl -          the articles on stdout, a JSON object a line
  scrapy export --all --csv all.csv --language ja --tag rain
  scrapy export demo --markdown notes   a Markdown file for each article
  scrapy export demo --warc demo.warc.gz    the stored pages
  scrapy export demo --zip demo.zip     the stored pages, with linkinfo
  scrapy export demo --pat demo.pat     the current patterns (of the preset webstemmer)
  scrapy export demo --text -           the texts of the stored articles, on stdout
  scrapy export demo --text demo.txt --since 2026-11-01 --encoding euc-jp
"""

    def short_desc(self) -> str:
        return "Write articles as JSON lines, CSV, Markdown or Parquet, pages as WARC"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument("--jsonl", metavar="FILE", help="articles as JSON lines (- is stdout)")
        parser.add_argument("--csv", metavar="FILE", help="articles as CSV (- is stdout)")
        parser.add_argument(
            "--markdown", metavar="FOLDER", help="a Markdown file for each article, below FOLDER"
        )
        parser.add_argument("--parquet", metavar="FILE", help="articles in one file")
        parser.add_argument("--delta", metavar="FOLDER", help="articles as a Delta table")
        parser.add_argument(
            "--by-date", type=Path, metavar="FOLDER",
            help="articles in a folder a day, in files of 64-256 MB; with --all",
        )  # fmt: skip
        parser.add_argument("--warc", metavar="FILE", help="the stored pages, gzipped")
        parser.add_argument("--zip", metavar="FILE", help="pages and anchor texts, for Webstemmer")
        parser.add_argument(
            "--pat", metavar="FILE", help="the current patterns, for Webstemmer (- is stdout)"
        )
        parser.add_argument(
            "--text", metavar="FILE", help="texts of articles, as Webstemmer's (- is stdout)"
        )
        parser.add_argument("--language", metavar="CODE", help="only articles in it, such as ja")
        parser.add_argument("--tag", metavar="TAG", help="only articles that have it")
        parser.add_argument(
            "--status", type=status_argument,
            help="only articles that a pattern read (ok) or that are guessed; or pages that are "
            "none, such as list, without texts",
        )  # fmt: skip
        parser.add_argument("--all", action="store_true", help="all sites, or those named")
        parser.add_argument(
            "--json", action="store_true", help="with --by-date: print the summary as JSON"
        )
        parser.add_argument(
            "--encoding", type=text_encoding, default="utf-8", help="of the texts (default: utf-8)"
        )

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        kind = _chosen_kind(opts, (*OF_ARTICLES, *OF_A_SITE))
        storage = Storage(config.storage)
        since, until = chosen_dates(opts)
        if kind in OF_ARTICLES:
            return _export_articles(storage, [site.name], opts)
        if opts.warc:
            return _export_warc(storage, site.name, Path(opts.warc), since, until)
        if opts.zip:
            return self._export_zip(storage, site, Path(opts.zip), since, until)
        if opts.pat:
            return self._export_patterns(storage, site, opts)
        return self._export_texts(storage, site, opts, since, until)

    def work_on_all(self, config: Config, opts: argparse.Namespace) -> int:
        _chosen_kind(opts, (*OF_ARTICLES, "by_date"))
        storage, names = Storage(config.storage), [site.name for site in config.sites]
        if opts.by_date:
            return export_by_date(storage, opts.by_date, *chosen_dates(opts), as_json=opts.json)
        return _export_articles(storage, names, opts)

    def _export_zip(
        self, storage: Storage, site: SiteConfig, path: Path, since: date | None, until: date | None
    ) -> int:
        from crawler.exchange.exporting import write_crawl_zip

        if not write_crawl_zip(storage, site.name, path, since, until):
            return fail(f"{site.name}: no page is stored of these days", EXIT_NOTHING)
        return EXIT_OK

    def _export_patterns(self, storage: Storage, site: SiteConfig, opts: argparse.Namespace) -> int:
        from learner.patterns.stored import current_patterns
        from learner.webstemmer.pat_file import PatExportError, write_pat

        patterns = current_patterns(storage, site.name)
        if not len(patterns):
            advice = f"`scrapy learn {site.name} --preset webstemmer`"
            return fail(f"{site.name}: no pattern is stored; {advice}", EXIT_NOTHING)
        learned = max((each.learned_at for each in patterns if each.learned_at), default=None)
        timestamp = f"{learned or datetime.now(UTC):%Y%m%d%H%M}"
        comments = {"site": site.name, "patterns": len(patterns)}
        try:
            with _output(opts.pat, "ascii") as file:
                write_pat(patterns, file, timestamp, comments)
        except PatExportError as problem:
            return fail(f"{site.name}: {problem}", EXIT_FAILED)
        return EXIT_OK

    def _export_texts(
        self,
        storage: Storage,
        site: SiteConfig,
        opts: argparse.Namespace,
        since: date | None,
        until: date | None,
    ) -> int:
        texts = _texts(storage, site.name, since, until)
        first = next(texts, None)
        if first is None:
            advice = f"`scrapy extract {site.name}`"
            return fail(f"{site.name}: no article is stored of these days; {advice}", EXIT_NOTHING)
        with _output(opts.text, opts.encoding) as file:
            file.write(first)
            file.writelines(texts)
        return EXIT_OK


def _chosen_kind(opts: argparse.Namespace, kinds: tuple[str, ...]) -> str:
    """The kind of file that is asked for; UsageError unless it is one of these, and no other."""
    from crawler.exchange.rows import ARTICLE_STATUSES

    wanted = [kind for kind in KINDS if getattr(opts, kind)]
    if len(wanted) != 1 or wanted[0] not in kinds:
        options = ", ".join(f"--{kind.replace('_', '-')}" for kind in kinds)
        raise UsageError(f"expected one of {options}", print_help=False)
    filters = {"--language": opts.language, "--tag": opts.tag, "--status": opts.status}
    for name in (name for name, value in filters.items() if value):
        if wanted[0] not in OF_ARTICLES:
            raise UsageError(
                f"{name} is for --jsonl, --csv, --markdown, --parquet and --delta", print_help=False
            )
    if opts.status not in (None, *ARTICLE_STATUSES) and (opts.markdown or opts.tag):
        raise UsageError("--status: pages that are no articles have no texts or tags")
    return wanted[0]


def _export_articles(storage: Storage, names: list[str], opts: argparse.Namespace) -> int:
    """Write the articles of sites as one stream; the exit code."""
    from crawler.exchange import rows

    since, until = chosen_dates(opts)
    chosen = rows.Choice(
        sites=tuple(names),
        since=since,
        until=until,
        language=opts.language,
        tag=opts.tag,
        status=opts.status,
    ).stored(storage)
    schema = chosen.schema(storage)
    if schema is None:
        return fail("no such article is stored; `scrapy articles SITE` tells more", EXIT_NOTHING)
    if not _write(storage, chosen, schema, opts):
        return fail("no article is like that: of this language, tag and status", EXIT_NOTHING)
    return EXIT_OK


def _write(storage: Storage, chosen: Choice, schema: pa.Schema, opts: argparse.Namespace) -> int:
    """Write the rows as they are asked for; how many."""
    from crawler.exchange import rows
    from crawler.exchange.markdown_files import write_markdown_files

    batches = rows.all_batches(storage, chosen, schema)
    if opts.markdown:
        return write_markdown_files(batches, _outside(storage, "--markdown", opts.markdown))
    if opts.parquet:
        return rows.write_parquet(batches, schema, Path(opts.parquet))
    if opts.delta:
        folder = _outside(storage, "--delta", opts.delta)
        try:
            return rows.write_delta(batches, schema, folder)
        except ImportError:
            raise UsageError("--delta: pip install 'webstem[delta]'", print_help=False) from None
    write, name = (rows.write_jsonl, opts.jsonl) if opts.jsonl else (rows.write_csv, opts.csv)
    if name != "-":
        return rows.write_lines(storage, chosen, schema, write, name)
    with _output(name, "utf-8") as file:
        if opts.csv:
            rows.write_csv_head(schema, file)
        return write(batches, file)


def _outside(storage: Storage, option: str, folder: str | Path) -> Path:
    """A folder for results; UsageError if it is one of the tables'."""
    if storage.holds(Path(folder)):
        raise UsageError(
            f"{option}: expected a folder outside of the tables in {storage.root}, "
            f"got {str(folder)!r}: their readers would see each article twice",
            print_help=False,
        )
    return Path(folder)


def _export_warc(
    storage: Storage, site: str, path: Path, since: date | None, until: date | None
) -> int:
    from crawler.exchange.warc import write_warc

    if not write_warc(storage, site, path, since, until):
        return fail(f"{site}: no page is stored of these days", EXIT_NOTHING)
    return EXIT_OK


def export_by_date(
    storage: Storage, folder: Path, since: date | None, until: date | None, *, as_json: bool
) -> int:
    """Write FOLDER/date=<day>/articles-<n>.parquet with the articles of all sites, sorted by site
    and url_key, a day after the other; a day that is exported again is replaced. The exit code."""
    from crawler.exchange.analytics import export_day, export_days

    _outside(storage, "--by-date", folder)
    rows: list[dict[str, Any]] = []
    for day in export_days(storage, since, until):
        try:
            rows.append({"date": day, "articles": export_day(storage, day, folder)})
        except StorageError as problem:  # the other days can be read
            rows.append({"date": day, "articles": 0, "failed": str(problem)})
    if as_json:
        print_json(rows)
    if not rows:
        return fail("no articles are stored for these days", EXIT_NOTHING)
    failed = [row for row in rows if "failed" in row]
    for row in failed:
        fail(f"{row['date']}: {row['failed']}", EXIT_FAILED)
    if is_terminal():
        total = sum(row["articles"] for row in rows)
        fail(f"{total} articles, {len(rows) - len(failed)} days", EXIT_OK)
    return EXIT_FAILED if failed else EXIT_OK


def _texts(storage: Storage, site: str, since: date | None, until: date | None) -> Iterator[str]:
    """The text of each article, and the name of each page that is none, as the original gives
    them."""
    from crawler.exchange.archives import entry_name
    from crawler.exchange.exporting import run_timestamps
    from crawler.exchange.rows import ARTICLE_STATUSES
    from extractor.records.articles import articles_from_batches
    from extractor.webstemmer.webstemmer_text import format_article

    timestamps = run_timestamps(storage, "outcomes", site, since, until)
    names = dict(_pattern_names(storage, site))
    articles = storage.read("articles", site, since, until)
    others = storage.read(
        "outcomes", site, since, until, filters=[("status", "not in", ARTICLE_STATUSES)]
    )
    for record in articles_from_batches(chain(articles, others)):
        timestamp = timestamps.get(record.run_id, "000000000000")
        pattern = names.get(record.pattern_id or "", record.pattern_id or "")
        yield format_article(record, entry_name(record.url, timestamp), pattern)


def _pattern_names(storage: Storage, site: str) -> Iterator[tuple[str, str]]:
    for batch in storage.read("patterns", site, columns=["pattern_id", "name"]):
        for row in batch.to_pylist():
            yield row["pattern_id"], row["name"] or row["pattern_id"]


@contextmanager
def _output(name: str, encoding: str) -> Iterator[TextIO]:
    if name == "-":
        sys.stdout.reconfigure(encoding=encoding, errors="replace")  # type: ignore[union-attr]
        yield sys.stdout
        return
    with whole_file(name) as hidden, hidden.open("w", encoding=encoding, errors="replace") as file:
        yield file
