"""What drawing is worth to a text that no pattern fits: `python -m benchmarks.drawn_texts`.

Body F1 of the styled articles of sites as `analyze` reads them: the HTML that was served, the
document after its scripts, and that with the element that was chosen as evidence
(`analyze(render=True)`). The choice is by trees that have not seen the site. The shipped page model
has learned from the given sites; `--dom` takes another, as `webstem train dom` writes it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from benchmarks.candidates import pages_of
from benchmarks.material.corpus import sites_parser, sites_to_measure
from benchmarks.material.gold import GoldMissing, scorer
from benchmarks.measures.figures import report
from learner.dom.model import DomModel, load_model, shipped_model
from learner.dom.reading import page_tree, read_tree
from learner.page.pages import Page
from learner.vision.candidates.evidence import evidence_of
from learner.vision.candidates.lessons import DrawnLesson, Example, example_of
from learner.vision.candidates.model import CandidateModel
from learner.vision.candidates.training import fit_trees
from learner.vision.snapshots.reading import read_snapshot

NOTABLE = 0.01
"""F1 by which a text must differ to count as better or worse."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article, as it was served and as it was drawn."""

    lesson: DrawnLesson
    language: str
    served: bytes
    drawn: bytes
    """UTF-8."""


def articles_of(source: Path, rendered: Path) -> list[Article]:
    """The styled articles of a site, drawn now if none of it are."""
    site = scorer().load_site(str(source))
    served = {page.path: Path(page.file) for page in site.of("article")}
    folder = rendered / source.stem
    return [
        Article(
            lesson, site.lang, served[page.path].read_bytes(), page.html_file(folder).read_bytes()
        )
        for page, lesson in pages_of(source, rendered)
        if lesson.body
    ]


def measure(article: Article, dom: DomModel, choice: CandidateModel) -> tuple[float, float, float]:
    """Body F1 of the served page, of the drawn one, and of that with the choice as evidence."""
    url = article.lesson.url
    served = page_tree(Page(url=url, html=article.served))
    drawn = page_tree(Page(url=url, html=article.drawn, charset="utf-8"))
    texts = [block.text for block in drawn.blocks]
    evidence = evidence_of(texts, read_snapshot(article.lesson.snapshot), choice)
    first, second, third = (
        scorer().body_scores(reading.text, article.lesson.body, article.language)[2]
        for reading in (
            read_tree(served, dom), read_tree(drawn, dom), read_tree(drawn, dom, evidence),
        )
    )  # fmt: skip
    return first, second, third


def figures(sites: Mapping[str, Sequence[Article]], dom: DomModel) -> dict[str, float]:
    """Means over all pages."""
    examples: dict[str, list[Example]] = {
        name: [found for each in articles if (found := example_of(each.lesson))]
        for name, articles in sites.items()
    }
    rows = []
    for name, articles in sites.items():
        others = [each for other, own in examples.items() if other != name for each in own]
        choice = CandidateModel(trees=fit_trees(others))
        rows += [measure(article, dom, choice) for article in articles]
    served, drawn, chosen = zip(*rows, strict=True)
    gains = [after - before for before, after in zip(drawn, chosen, strict=True)]
    return {
        "pages": float(len(rows)),
        "served_body_f1": fmean(served),
        "drawn_body_f1": fmean(drawn),
        "drawn_with_element_body_f1": fmean(chosen),
        "better": float(sum(gain > NOTABLE for gain in gains)),
        "worse": float(sum(gain < -NOTABLE for gain in gains)),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if sites, the scorer or the page model are missing, or too few are drawn."""
    parser = sites_parser("Measure texts of drawn pages with and without the chosen element.")
    parser.add_argument("--rendered", type=Path, metavar="DIR", help="drawn pages, kept there")
    parser.add_argument("--dom", type=Path, metavar="FILE", help="page model; default: shipped")
    options = parser.parse_args(arguments)
    with nullcontext(options.rendered) if options.rendered else TemporaryDirectory() as rendered:
        try:
            dom = load_model(options.dom) if options.dom else shipped_model()
            sources = sites_to_measure(options.sites)
        except (GoldMissing, ValueError) as problem:
            print(problem, file=sys.stderr)
            return 2
        sites = {each.stem: articles_of(each, Path(rendered)) for each in sources}
    drawn = {name: articles for name, articles in sites.items() if articles}
    if len(drawn) < 2:
        print("expected drawn articles with style sheets of two sites or more", file=sys.stderr)
        return 2
    report(figures(drawn, dom), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
