"""Which element holds the text of a drawn page: `python -m benchmarks.candidates [SITE.zip ...]`.

Articles of sites whose style sheets were there. The candidates of a page are its elements of at
least 500 x 500 pixels. Right is the one whose visible text has the best F1 of pairs of characters
with the gold text, and those within .01 of it; pages whose best has less than .5 have no right one,
and are counted apart. A tool is right on a page if all candidates that it scores best are: ties
count against it. Each site is read by what was fitted to the others; `fitted` stands for what has
seen all of them. `--shipped` measures the model of the project instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.material.corpus import sites_parser, sites_to_measure
from benchmarks.material.gold import GoldMissing, scorer
from benchmarks.measures.figures import report
from benchmarks.rendered import RenderedPage, draw_archive, read_rendered
from learner.dom.teaching.training import fold_of
from learner.vision.candidates.checking import Choice, choices, text_f1, top1
from learner.vision.candidates.lessons import (
    DrawnLesson,
    Example,
    examples_of,
    teaching,
    write_lessons,
)
from learner.vision.candidates.measures import GEOMETRY, MEASURES
from learner.vision.candidates.model import shipped_model
from learner.vision.candidates.training import by_trees, fit_trees
from learner.vision.snapshots.arrays import Floats

SIGHT_FOLDS = 3
"""Parts that sites are dealt into, to be left out of what eyes learn; each costs minutes."""

PAGES = 8
"""Pages of a site that are drawn, where none are."""


def pages_of(source: Path, rendered: Path) -> Iterator[tuple[RenderedPage, DrawnLesson]]:
    """The styled pages of a site, drawn now if none of it are; those that are no articles have an
    empty text."""
    folder = rendered / source.stem
    pages = read_rendered(folder) or draw_archive(source, rendered, PAGES)
    texts = {page.path: page.body for page in scorer().load_site(str(source)).of("article")}
    for page in pages:
        if page.styled:
            picture = page.picture_file(folder)
            yield (
                page,
                DrawnLesson(
                    site=source.stem,
                    url=page.url,
                    body=texts.get(page.path) or "",
                    snapshot=page.snapshot_file(folder).read_bytes(),
                    picture=picture.read_bytes() if picture.exists() else None,
                ),
            )


def left_out(pages: Sequence[Example], names: Sequence[str]) -> list[Choice]:
    """What is chosen by trees that have not seen the site of a page."""
    found = []
    for site in sorted({page.site for page in pages}):
        trees = fit_trees([page for page in pages if page.site != site], names)
        found += choices([page for page in pages if page.site == site], by_trees(trees, names))
    return found


def figures_of(name: str, found: Sequence[Choice]) -> dict[str, float]:
    """Top-1 accuracy, and mean F1 of the text of what was chosen."""
    return {f"{name}_top1": top1(found), f"{name}_text_f1": text_f1(found)}


def figures(examples: Sequence[Example], shipped: bool) -> dict[str, float]:
    """All that is measured."""
    pages = teaching(examples)
    known = {
        "sites": float(len({page.site for page in pages})),
        "pages": float(len(pages)),
        "pages_without_right": float(len(examples) - len(pages)),
        "candidates_a_page": fmean(len(page.likeness) for page in pages),
        "best_text_f1": fmean(float(page.likeness.max()) for page in pages),
        "random_top1": fmean(float(page.right.mean()) for page in pages),
    }
    if shipped:
        model = shipped_model()
        found = choices(pages, lambda page: model.scores(page.measures))
        return known | figures_of("shipped", found)
    return (
        known
        | figures_of("geometry", left_out(pages, GEOMETRY))
        | figures_of("trees", left_out(pages, MEASURES))
        | figures_of("trees_fitted", choices(pages, by_trees(fit_trees(pages), MEASURES)))
    )


def sight_figures(lessons: Sequence[DrawnLesson]) -> dict[str, float]:
    """The choice by pictures on sites left out, counted as the others and as the network was whose
    task this is: that way, a dead network is right everywhere."""
    from learner.vision.candidates.sight.training import seen_pages, train_sight

    seen = seen_pages(lessons)
    found: list[Choice] = []
    of_five: list[bool] = []
    for fold in range(SIGHT_FOLDS):
        sight = train_sight([page for page in seen if fold_of(page.site, SIGHT_FOLDS) != fold])
        for page in seen:
            example = page.example
            if fold_of(page.site, SIGHT_FOLDS) == fold and example and example.right.any():
                scores = sight.scores(page.strip, example.boxes, example.window)
                found += choices([example], lambda _, scores=scores: scores)  # type: ignore[misc]
                of_five.append(is_first_of_five(example, scores))
    return figures_of("sight", found) | {
        "sight_source_top1": fmean(of_five),
        "dead_source_top1": fmean(
            is_first_of_five(page, np.zeros(len(page.likeness), np.float32))
            for page in (each.example for each in seen)
            if page and page.right.any()
        ),
    }


def is_first_of_five(page: Example, scores: Floats) -> bool:
    """Whether the best candidate comes first among itself and four wrong ones, drawn by chance; it
    stands at the front, and of ties the first counts."""
    wrong = np.flatnonzero(~page.right)
    drawn = np.random.default_rng(len(wrong)).permutation(wrong)[:4]
    return int(scores[[int(page.likeness.argmax()), *drawn]].argmax()) == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site or the scorer is missing, or no page of it teaches."""
    parser = sites_parser("Measure the choice of the element that holds a page's text.")
    parser.add_argument("--rendered", type=Path, metavar="DIR", help="drawn pages, kept there")
    parser.add_argument("--shipped", action="store_true", help="the model of the project")
    parser.add_argument(
        "--sight", action="store_true", help="the choice by pictures, too (extra `vision`; minutes)"
    )
    parser.add_argument(
        "--lessons", type=Path, metavar="FILE", help="write what `webstem train vision` reads"
    )
    options = parser.parse_args(arguments)
    with nullcontext(options.rendered) if options.rendered else TemporaryDirectory() as rendered:
        try:
            sources = sites_to_measure(options.sites)
        except (GoldMissing, ValueError) as problem:
            print(problem, file=sys.stderr)
            return 2
        lessons = [each for site in sources for _, each in pages_of(site, Path(rendered))]
    if options.lessons:
        write_lessons(options.lessons, lessons)
    examples = examples_of(each for each in lessons if each.body)
    if not teaching(examples):
        print("expected drawn articles with style sheets and an element of 500 x 500 pixels")
        return 2
    found = figures(examples, options.shipped)
    if options.sight:
        found |= sight_figures(lessons)
    report(found, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
