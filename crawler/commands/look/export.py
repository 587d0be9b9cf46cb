"""`scrapy export SITE`: pages, patterns and texts in Webstemmer's formats."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import TextIO

from scrapy.exceptions import UsageError

from crawler.command import SiteCommand, add_dates, chosen_dates, fail, text_encoding
from crawler.config.sites import Config, SiteConfig
from crawler.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK
from crawler.storage.outfile import whole_file
from crawler.storage.partitions import Storage


class Command(SiteCommand):
    """The tables in, one file out, which Webstemmer 0.7.1 could read."""

    examples = """\
  scrapy export demo --zip demo.zip     the stored pages, with linkinfo
  scrapy export demo --pat demo.pat     the current patterns (of the preset webstemmer)
  scrapy export demo --text -           the texts of the stored articles, on stdout
  scrapy export demo --text demo.txt --since 2026-11-01 --encoding euc-jp
"""

    def short_desc(self) -> str:
        return "Export pages, patterns or texts in Webstemmer's formats"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument("--zip", metavar="FILE", help="pages and anchor texts")
        parser.add_argument("--pat", metavar="FILE", help="the current patterns (- is stdout)")
        parser.add_argument("--text", metavar="FILE", help="texts of articles (- is stdout)")
        parser.add_argument(
            "--encoding", type=text_encoding, default="utf-8", help="of the texts (default: utf-8)"
        )

    def work(
        self, config: Config, site: SiteConfig, files: list[str], opts: argparse.Namespace
    ) -> int:
        if sum(map(bool, (opts.zip, opts.pat, opts.text))) != 1:
            raise UsageError("expected one of --zip, --pat, --text", print_help=False)
        storage = Storage(config.storage)
        since, until = chosen_dates(opts)
        if opts.zip:
            return self._export_zip(storage, site, Path(opts.zip), since, until)
        if opts.pat:
            return self._export_patterns(storage, site, opts)
        return self._export_texts(storage, site, opts, since, until)

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


def _texts(storage: Storage, site: str, since: date | None, until: date | None) -> Iterator[str]:
    """The text of each article, and the name of each page that is none, as the original gives
    them."""
    from crawler.exchange.archives import entry_name
    from crawler.exchange.exporting import run_timestamps
    from extractor.articles import articles_from_batches
    from extractor.webstemmer.webstemmer_text import format_article

    timestamps = run_timestamps(storage, "outcomes", site, since, until)
    names = dict(_pattern_names(storage, site))
    articles = storage.read("articles", site, since, until)
    others = storage.read("outcomes", site, since, until, filters=[("status", "!=", "ok")])
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
