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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import sites_parser, sites_to_measure
from benchmarks.figures import report
from benchmarks.gold import GoldMissing, scorer
from benchmarks.rendered import RenderedPage, draw_archive, read_rendered
from crawler.fetching.browser.launch import BrowserMissingError
from learner.dom.teaching.gold import file_hash
from learner.dom.training import fold_of
from learner.vision.blocknet.model import BlockModel, shipped_model
from learner.vision.blocknet.network import SURE_TITLE, THRESHOLDS, Scorer, leaf_scores
from learner.vision.blocknet.teaching import BlockLesson, Studied, study, train, train_with_card

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
    seconds: float
    """That cutting, measuring and judging by trees took."""


def lessons_of(source: Path, pages: Sequence[RenderedPage], folder: Path) -> Iterator[BlockLesson]:
    """The articles of a site that were drawn with their style sheets."""
    gold = {page.gold["path"]: page for page in scorer().load_site(str(source)).pages}
    for each in pages:
        known = gold.get(each.path)
        if each.styled and each.kind == "article" and known is not None and known.body:
            yield BlockLesson(
                site=source.stem,
                page=each.snapshot(folder),
                title=known.title or "",
                body=known.body,
            )


def judge(each: Studied, model: BlockModel) -> Judged:
    """A page by a model."""
    begun = time.perf_counter()
    scores, titles = leaf_scores(each.cut, model)
    return Judged(each, scores, titles, time.perf_counter() - begun)


def judge_all(studied: Sequence[Studied], is_shipped: bool) -> list[Judged]:
    """All pages, each by a model that does not know its site unless the shipped one is asked."""
    if is_shipped:
        return [judge(each, shipped_model()) for each in studied]
    folds = [fold_of(each.site, FOLDS) for each in studied]
    judged = []
    for fold in sorted(set(folds)):
        parts = list(zip(studied, folds, strict=True))
        model = train([each for each, own in parts if own != fold])
        judged += [judge(each, model) for each, own in parts if own == fold]
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
    figures["ms_a_page"] = 1000 * fmean(page.seconds for page in pages)
    return figures


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
    parser.add_argument("--shipped", action="store_true", help="the model of the project")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="learn from all pages, and write the model"
    )
    options = parser.parse_args(arguments)
    try:
        sources = sites_to_measure(options.sites)
        lessons = [each for source in sources for each in _drawn(source, options.rendered)]
        pages = [
            each for each in judge_all(study(lessons), options.shipped) if each.studied.teaches
        ]
    except BrowserMissingError as problem:
        print(problem, file=sys.stderr)
        return 1
    except (GoldMissing, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    show(pages)
    figures = figures_of(pages)
    report(figures, options.json)
    if options.write:
        data = {source.name: f"sha256 {file_hash(source)}" for source in sources}
        told = {name: round(value, 4) for name, value in figures.items() if name != "ms_a_page"}
        train_with_card([each.studied for each in pages], data, told).save(options.write)
    return 0


def _drawn(source: Path, folder: Path) -> Iterator[BlockLesson]:
    own = folder / source.stem
    pages = read_rendered(own) or draw_archive(source, folder, PAGES)
    return lessons_of(source, pages, own)


if __name__ == "__main__":
    sys.exit(main())
