"""How well Block Net parts content from the rest: `python -m benchmarks.blocknet [SITE.zip ...]`.

On the articles of sites that were drawn with their style sheets. Sites are dealt into five folds;
each page is judged by a model of the other folds, `--shipped` by the one of the project. A leaf
block is content if the gold text has it. `preserve` is the share of the letters of content that is
kept, `removal` that of the other letters that is removed; the block that says the article's title,
and nothing else, counts as neither. Pages whose text is not drawn do not count. Means over pages.

A leaf block with letters is a title if it stands in a heading element, or says the gold title and
nothing else; `title_accuracy` is over all leaf blocks with letters, `title_f1` of those that are.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from benchmarks.material.corpus import sites_parser, sites_to_measure
from benchmarks.material.gold import GoldMissing, scorer
from benchmarks.measures.figures import report
from benchmarks.rendered import draw_archive, read_rendered
from crawler.fetching.browser.launch import BrowserMissingError
from learner.dom.teaching.gold import file_hash
from learner.dom.teaching.training import fold_of
from learner.vision.blocknet.lessons import BlockLesson, Studied, study
from learner.vision.blocknet.model import shipped_model
from learner.vision.blocknet.network import (
    SURE_TITLE,
    THRESHOLDS,
    Scorer,
    block_net,
    leaf_scores,
)
from learner.vision.blocknet.teaching import train, train_with_card
from learner.vision.snapshots.reading import read_snapshot

FOLDS = 5
PAGES = 8
"""Of a site that is not drawn yet."""

TABLE: Mapping[Scorer, Sequence[float]] = {
    "learned": (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7),
    "paper": (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0),
}
"""Thresholds that are shown."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One page as a model saw it."""

    studied: Studied
    scores: Mapping[Scorer, NDArray[np.float32]]
    """Of each leaf."""
    titles: NDArray[np.float32]
    """The probability of each leaf to be a title."""


@dataclass(frozen=True, slots=True)
class Article:
    """An article with gold that was drawn with its style sheets."""

    site: str
    snapshot: Path
    title: str
    body: str

    def lesson(self) -> BlockLesson:
        """What is learned from it."""
        page = read_snapshot(self.snapshot.read_bytes())
        return BlockLesson(site=self.site, page=page, title=self.title, body=self.body)


def articles_of(source: Path, rendered: Path) -> Iterator[Article]:
    """Those of a site, which is drawn into `rendered` if it is not yet there."""
    folder = rendered / source.stem
    pages = read_rendered(folder) or draw_archive(source, rendered, PAGES)
    gold = {page.gold["path"]: page for page in scorer().load_site(str(source)).pages}
    for page in pages:
        known = gold.get(page.path)
        if page.styled and page.kind == "article" and known is not None and known.body:
            file = page.snapshot_file(folder)
            yield Article(source.stem, file, known.title or "", known.body)


def judge_all(studied: Sequence[Studied], is_shipped: bool) -> list[Judged]:
    """All pages, each by a model that does not know its site unless the shipped one is asked."""
    if is_shipped:
        return [Judged(each, *leaf_scores(each.cut, shipped_model())) for each in studied]
    folds = [fold_of(each.site, FOLDS) for each in studied]
    judged = []
    for fold in sorted(set(folds)):
        parts = list(zip(studied, folds, strict=True))
        model = train([each for each, own in parts if own != fold])
        judged += [
            Judged(each, *leaf_scores(each.cut, model)) for each, own in parts if own == fold
        ]
    return judged


def preserve_and_removal(page: Judged, by: Scorer, threshold: float) -> tuple[float, float]:
    """Of one page, 0 to 1; what has nothing to be removed is clean."""
    weight, is_content = page.studied.leaves.weight, page.studied.is_content
    kept = page.scores[by] >= threshold
    other = ~is_content & ~page.studied.is_name
    preserved = weight[is_content & kept].sum() / max(float(weight[is_content].sum()), 1.0)
    left = float(weight[other].sum())
    removed = weight[other & ~kept].sum() / left if left else 1.0
    return float(preserved), float(removed)


def means(pages: Sequence[Judged], by: Scorer, threshold: float) -> tuple[float, float]:
    """Over pages."""
    found = [preserve_and_removal(page, by, threshold) for page in pages]
    return fmean(each[0] for each in found), fmean(each[1] for each in found)


def title_figures(pages: Sequence[Judged]) -> dict[str, float]:
    """How right titles are, over the blocks of all pages."""
    masks = [page.studied.has_letters for page in pages]
    true = np.concatenate([p.studied.is_title[m] for p, m in zip(pages, masks, strict=True)])
    told = np.concatenate([p.titles[m] >= SURE_TITLE for p, m in zip(pages, masks, strict=True)])
    return {
        "title_accuracy": float((true == told).mean()),
        "title_f1": 2 * float((true & told).sum()) / max(float(true.sum() + told.sum()), 1.0),
        "title_share": float(true.mean()),
    }


def figures_of(pages: Sequence[Judged]) -> dict[str, float]:
    """Those of both scorers at their thresholds, and of titles."""
    figures: dict[str, float] = {"pages": len(pages), "sites": len({p.studied.site for p in pages})}
    for by in get_args(Scorer):
        figures[f"{by}_preserve"], figures[f"{by}_removal"] = means(pages, by, THRESHOLDS[by])
    figures |= title_figures(pages)
    return figures


def cost_of(articles: Sequence[Article]) -> dict[str, float]:
    """CPU milliseconds to read the snapshot of a page and to make its network of blocks, in the
    mean, and megabytes that both need at most for the largest."""
    read, made = [], []
    files = [article.snapshot for article in articles]
    for file in files:
        begun = time.process_time()
        page = read_snapshot(file.read_bytes())
        between = time.process_time()
        block_net(page)
        read.append(between - begun)
        made.append(time.process_time() - between)
    tracemalloc.start()
    block_net(read_snapshot(max(files, key=lambda file: file.stat().st_size).read_bytes()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return {
        "read_ms": 1000 * fmean(read),
        "blocks_ms": 1000 * fmean(made),
        "largest_mb": peak / 2**20,
    }


def show(pages: Sequence[Judged]) -> None:
    """A table over thresholds."""
    for by, thresholds in TABLE.items():
        print(f"{by:>10}" + "".join(f"{each:>8}" for each in thresholds))
        pairs = [means(pages, by, each) for each in thresholds]
        for place, name in enumerate(("preserve", "removal")):
            print(f"{name:>10}" + "".join(f"{pair[place]:>8.3f}" for pair in pairs))


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 without a browser where one is needed, 2 if a site or its gold is missing."""
    parser = sites_parser("Measure how Block Net parts content from the rest.")
    parser.add_argument(
        "--rendered",
        type=Path,
        required=True,
        metavar="DIR",
        help="drawn pages; what lacks is drawn",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--shipped", action="store_true", help="the model of the project")
    which.add_argument(
        "--write", type=Path, metavar="FILE", help="learn from all pages, and write the model"
    )
    options = parser.parse_args(arguments)
    try:
        sources = sites_to_measure(options.sites)
        articles = [each for source in sources for each in articles_of(source, options.rendered)]
        studied = study([article.lesson() for article in articles])
        pages = [each for each in judge_all(studied, options.shipped) if each.studied.teaches]
    except BrowserMissingError as problem:
        print(problem, file=sys.stderr)
        return 1
    except (GoldMissing, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    if not pages:
        print(f"{options.rendered}: expected articles with their style sheets, got none")
        return 2
    show(pages)
    figures = figures_of(pages)
    report({**figures, **cost_of(articles)}, options.json)
    if options.write:
        data = {source.name: f"sha256 {file_hash(source)}" for source in sources}
        told = {name: round(value, 4) for name, value in figures.items()}
        train_with_card(studied, data, told).save(options.write)
    return 0


if __name__ == "__main__":
    sys.exit(main())
