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

from benchmarks.corpus import sites_parser, sites_to_measure
from benchmarks.figures import report
from benchmarks.gold import GoldMissing, scorer
from benchmarks.rendered import RenderedPage, draw_archive, read_rendered
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

PAGES = 8
"""Pages of a site that are drawn, where none are."""


def pages_of(source: Path, rendered: Path) -> Iterator[tuple[RenderedPage, DrawnLesson]]:
    """The styled articles of a site, drawn now if none of it are."""
    folder = rendered / source.stem
    pages = read_rendered(folder) or draw_archive(source, rendered, PAGES)
    texts = {page.path: page.body for page in scorer().load_site(str(source)).of("article")}
    for page in pages:
        if page.styled and texts.get(page.path):
            picture = page.picture_file(folder)
            yield (
                page,
                DrawnLesson(
                    site=source.stem,
                    url=page.url,
                    body=texts[page.path],
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site or the scorer is missing, or no page of it teaches."""
    parser = sites_parser("Measure the choice of the element that holds a page's text.")
    parser.add_argument("--rendered", type=Path, metavar="DIR", help="drawn pages, kept there")
    parser.add_argument("--shipped", action="store_true", help="the model of the project")
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
    examples = examples_of(lessons)
    if not teaching(examples):
        print("expected drawn articles with style sheets and an element of 500 x 500 pixels")
        return 2
    report(figures(examples, options.shipped), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
