"""The page model, which reads a page that nobody has learned: `python -m benchmarks.dom`.

Three teachers side by side, sites left out: gold, learned patterns only, both. The sites are dealt
into folds; a model that has learned from the others reads the gold articles of each fold, and so do
trafilatura and readability-lxml in the same run. `--gold FILE` adds pages of a Parquet file to the
lessons of gold, and measures them apart.

`--pages FILE` applies the shipped model (or `--model`) to the pages of a Parquet file, trafilatura
beside it, for each type of page. `--write-gold FILE` writes the pages of the sites that teach as
such a file, for `webstem train dom --gold`. `--original` has domextract's features and forest
beside the page model, both taught by gold. Needs the extras `bench` and `train`, and `original` for
that.

Body F1 is that of bags of words (`score.py`), a mean over pages. CPU time is that of text, title,
date and authors from the bytes of a page, for both tools.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.material.corpus import (
    GoldPage,
    gold_page,
    group_of,
    pages_to_learn,
    read_halves,
    sites_parser,
    sites_to_measure,
)
from benchmarks.material.gold import scorer
from benchmarks.measures.details import author_names, read_shown_date
from benchmarks.measures.figures import report
from benchmarks.measures.original import compare_original
from benchmarks.peers import LIST_CHARACTERS, Readability
from extractor.batch.lessons import pattern_lessons
from extractor.webstemmer.plain_text import page_text
from learner.dom.characters import letters_of
from learner.dom.model import DomModel, load_model, shipped_model
from learner.dom.reading import Reading, read_page
from learner.dom.teaching.gold import SCHEMA, lesson_of, read_gold
from learner.dom.teaching.training import Lesson, fold_of, study, train
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.site.sampling import evenly_spaced

FOLDS = 5
"""Parts that sites are dealt into; each is read by a model of the others."""

FOLD_SALT = "benchmark"
"""So that they are other parts than those within training."""

ARTICLES, LISTS, OTHERS = 10, 4, 3
"""Pages of each site. More teach no more: see docs/page-model.md."""

Row = Mapping[str, Any]
Scores = dict[str, float]


class Trafilatura:
    """trafilatura with what the page model gives, too: title, date and authors."""

    def __init__(self) -> None:
        import trafilatura

        logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
        self._extract: Callable[..., Any] = trafilatura.bare_extraction

    def read(self, html: bytes) -> tuple[str, str]:
        """Text and title; empty where it gives none."""
        try:
            found = self._extract(html, include_comments=False, with_metadata=True)
        except Exception:  # what a tool cannot read it gives nothing for
            return "", ""
        return (found.text or "", found.title or "") if found else ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One page, read."""

    kind: str
    scores: Scores


def measure_page(row: Row, reading: Reading, seconds: float, peer: Trafilatura | None) -> Measured:
    """What the model, and trafilatura if it is there, made of a page with gold."""
    lesson = lesson_of(row)
    body, language = lesson.body, _language(row)
    scores: Scores = {"cpu_seconds": seconds}
    if body:
        scores["body_f1"] = scorer().body_scores(reading.text, body, language)[2]
        title = reading.title.value if reading.title else ""
        if lesson.title:
            scores["title_exact"] = scorer().title_scores(title, lesson.title, language)[0]
        if lesson.published:
            scores["date_right"] = float(reading.published == lesson.published)
        if lesson.authors:
            own = [letters_of(each.value) for each in reading.authors]
            gold = [letters_of(name) for name in lesson.authors]
            is_right = set(own) == set(gold) or "".join(own) == "".join(gold)
            scores["author_right"] = float(is_right)
    if lesson.type:
        scores["type_accuracy"] = float(reading.type == lesson.type)
    if lesson.type == "list":
        scores["list_as_article"] = float(reading.type == "article")
    if peer is not None:
        scores |= _peer_scores(row, lesson, language, peer)
    return Measured(kind=row["page_type"] or "unknown", scores=scores)


def _peer_scores(row: Row, lesson: Lesson, language: str, peer: Trafilatura) -> Scores:
    start = time.process_time()
    text, title = peer.read(row["html"])
    scores = {"trafilatura_cpu_seconds": time.process_time() - start}
    if lesson.body:
        scores["trafilatura_body_f1"] = scorer().body_scores(text, lesson.body, language)[2]
        if lesson.title:
            exact = scorer().title_scores(title, lesson.title, language)[0]
            scores["trafilatura_title_exact"] = exact
    if lesson.type == "list":
        scores["trafilatura_list_as_article"] = float(len(text) >= LIST_CHARACTERS)
    return scores


def _language(row: Row) -> str:
    """What decides whether texts are compared by words or by pairs of characters."""
    return row["language"] or scorer().guess_lang([row["body"] or ""])


def summarise(measured: Sequence[Measured]) -> Scores:
    """Means over the pages that have a figure; times in milliseconds, and their ratio."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for each in measured:
        for name, score in each.scores.items():
            found[name].append(score)
    means = {name: fmean(scores) for name, scores in found.items()}
    own, other = means.pop("cpu_seconds", 0.0), means.pop("trafilatura_cpu_seconds", 0.0)
    means["cpu_ms"] = 1000 * own
    if other:
        means |= {"trafilatura_cpu_ms": 1000 * other, "cpu_vs_trafilatura": own / other}
    return {"pages": float(len(measured)), **means}


def measure_file(path: Path, model: DomModel) -> dict[str, Scores]:
    """The figures of all pages of a file, under `all`, and of each type of page."""
    peer, measured = Trafilatura(), []
    is_warm = False
    for row in read_gold(path):
        if not is_warm:  # what is loaded once is not the page's cost
            peer.read(row["html"])
            _read(row, model)
            is_warm = True
        reading, seconds = _read(row, model)
        measured.append(measure_page(row, reading, seconds, peer))
    kinds = sorted({each.kind for each in measured})
    by_kind = {kind: summarise([e for e in measured if e.kind == kind]) for kind in kinds}
    return {"all": summarise(measured), **by_kind}


def _read(row: Row, model: DomModel) -> tuple[Reading, float]:
    start = time.process_time()
    reading = read_page(Page(url=row["url"], html=row["html"]), model)
    return reading, time.process_time() - start


def site_rows(source: Path) -> list[Row]:
    """Some pages of a real site, as rows of a gold file. What is an article there is none to be
    told by type if the site is no blog or newspaper."""
    halves = read_halves(source)
    pages = (*halves.train, *halves.test)
    articles = [page for page in pages if page.is_article]
    lists = [page for page in pages if not page.is_article]
    kind = None if group_of(source) == "others" else "article"
    chosen = [(page, kind) for page in evenly_spaced(articles, ARTICLES)]
    chosen += [(page, "list") for page in evenly_spaced(lists, LISTS)]
    rows = [_row(halves.name, halves.language, page, kind) for page, kind in chosen]
    return [*rows, *_other_rows(source)]


def _other_rows(source: Path) -> Iterator[Row]:
    """Some products, and pages that are neither articles nor lists; nobody says what is on them."""
    site = scorer().load_site(str(source))
    others = [page for page in site.pages if page.kind == "other"]
    products = [page for page in others if page.gold.get("product")]
    rest = [p for p in others if not p.gold.get("product") and not p.gold.get("article_like")]
    for kind, pages in ("product", products), ("other", rest):
        for page in evenly_spaced(pages, OTHERS):
            told = gold_page(page, site.meta.get("base_url", ""))
            unsaid = replace(told, title="", body="", date=None, author=None)
            yield _row(site.id, site.lang, unsaid, kind)


def _row(site: str, language: str, page: GoldPage, kind: str | None) -> Row:
    shown, is_month = read_shown_date(page.date, language) if page.date else (None, False)
    return {
        "id": page.key,
        "url": page.url,
        "site": site,
        "page_type": kind,
        "language": language,
        "title": page.title or None,
        "body": page.body or None,
        "authors": author_names(page.author) if page.author else None,
        "date": shown.isoformat() if shown and not is_month else None,
        "html": page.html(),
    }


def taught_by_patterns(source: Path, rows: Iterable[Row]) -> list[Lesson]:
    """The lessons that the patterns of a site, learned from its train half, give of some pages."""
    halves = read_halves(source)
    patterns = learn_patterns(pages_to_learn(halves.train))
    pages = [Page(url=row["url"], html=row["html"]) for row in rows]
    return list(pattern_lessons(halves.name, pages, patterns))


TEACHERS = ("gold", "patterns", "both")


def compare_teachers(sources: Sequence[Path], others: Sequence[Row]) -> dict[str, Scores]:
    """For each teacher the figures of the gold articles of sites that it has not seen, and those of
    the tools that know one page only; `others` are taught from by gold."""
    rows = {source.stem: site_rows(source) for source in sources}
    by_gold = study([lesson_of(row) for row in [*chain.from_iterable(rows.values()), *others]])
    _tell("gold studied")
    by_patterns = study(
        [e for source in sources for e in taught_by_patterns(source, rows[source.stem])]
    )
    _tell("patterns studied")
    lessons = {"gold": by_gold, "patterns": by_patterns, "both": [*by_gold, *by_patterns]}
    measured: defaultdict[str, list[Measured]] = defaultdict(list)
    for fold in range(FOLDS):
        to_read = [row for row in chain.from_iterable(rows.values()) if _fold(row["site"]) == fold]
        for teacher in TEACHERS:
            taught = [e for e in lessons[teacher] if _fold(e.lesson.site) != fold]
            model = train(taught)
            for row in to_read:
                measured[teacher].append(measure_page(row, *_read(row, model), None))
            _tell(f"fold {fold}: {teacher}")
            if teacher == "gold":
                for row in others:
                    if _fold(row["site"]) == fold:
                        each = measure_page(row, *_read(row, model), None)
                        measured[f"gold, {row['page_type']} of files"].append(each)
    figures = {teacher: summarise(pages) for teacher, pages in measured.items()}
    return figures | peer_figures([*chain.from_iterable(rows.values())])


def _fold(site: str) -> int:
    return fold_of(site, FOLDS, FOLD_SALT)


def peer_figures(rows: Sequence[Row]) -> dict[str, Scores]:
    """The body F1 of trafilatura and readability-lxml on the articles among some pages."""
    trafilatura, readability = Trafilatura(), Readability()
    found: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        if not row["body"]:
            continue
        text, _ = trafilatura.read(row["html"])
        try:
            summary = readability._document(row["html"]).summary(html_partial=True)
            other = page_text(summary.encode(), "utf-8")
        except Exception:  # as above
            other = ""
        for name, said in (("trafilatura", text), ("readability-lxml", other)):
            found[name].append(scorer().body_scores(said, row["body"], _language(row))[2])
    return {name: {"pages": len(f1), "body_f1": fmean(f1)} for name, f1 in found.items()}


def write_gold(path: Path, sources: Sequence[Path]) -> None:
    """The pages of the sites that teach, as a gold file."""
    rows = [dict(row) for source in sources for row in site_rows(source)]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), path)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command line, read."""
    parser = sites_parser(
        "Measure the page model on sites that it has not seen, or on the pages of a file.",
        epilog="example: python -m benchmarks.dom --pages ../shared/pages/news.parquet",
    )
    parser.add_argument("--pages", type=Path, metavar="FILE", help="read the pages of this file")
    parser.add_argument("--model", type=Path, metavar="FILE", help="with this model")
    parser.add_argument(
        "--original", action="store_true", help="domextract's forest beside the page model"
    )
    parser.add_argument("--write-gold", type=Path, metavar="FILE", help="write the sites' pages")
    parser.add_argument(
        "--gold", type=Path, action="append", default=[], metavar="FILE", help="more lessons"
    )
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a file, a site, the scorer or a tool is missing."""
    options = parse_arguments(arguments)
    try:
        if options.pages:
            model = load_model(options.model) if options.model else shipped_model()
            _report(measure_file(options.pages, model), "all", options.json)
            return 0
        sources = sites_to_measure(options.sites)
        if options.write_gold:
            write_gold(options.write_gold, sources)
            return 0
        others = [row for path in options.gold for row in read_gold(path)]
        if options.original:
            of_sites = chain.from_iterable(map(site_rows, sources))
            _report(compare_original([*of_sites, *others], _tell), "original", options.json)
            return 0
        _report(compare_teachers(sources, others), "gold", options.json)
    except ImportError as error:
        print(f"{error}; `pip install -e '.[bench,train]'` brings it", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _report(figures: Mapping[str, Scores], first: str, path: Path | None) -> None:
    """Print each group of figures; the JSON file has those of `first` under `figures`, all under
    `by_group`."""
    for name, scores in figures.items():
        print(f"# {name}")
        report(scores, None)
    if path:
        content = {"figures": figures[first], "by_group": figures}
        path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
