"""How right the labels are that a person is given to correct: `python -m benchmarks.labels
[SITE.zip|SHOP.zip ...] --rendered DIR`.

Drawn pages go through all that is done for a person: they are written into a folder for labelImg
with what is proposed, and read back as if all of it were right. What the labels then say is
compared with the gold: of articles body and title, once by the patterns learned from the other half
of their site and once by the page model, which knows these sites; of products name, price and image
by the model of products, which knows these shops. Pages are drawn as `benchmarks.rendered` does, if
they are not in DIR; those without their style sheets, and those that do not show the text of their
gold, are left out.

body_f1           mean over pages
title_exact       share of the pages that have a title
body_boxes        boxes of body and boilerplate that tell a text, in the median
in_ten_boxes      share of the pages with at most ten of them
name, price, image  share of the products; image of those alone whose picture was drawn
unlabelled        share of the pages for which nothing was proposed that should have labels
cpu_ms            out and back, for a page, by patterns and by the model
folder_kb         a page's files in the folder, without its picture
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

from benchmarks.material.corpus import GoldPage, default_sites, pages_to_learn, read_halves
from benchmarks.material.gold import scorer
from benchmarks.measures.figures import report
from benchmarks.products import SHOPS, read_shop
from benchmarks.rendered import RenderedPage, draw_archive, read_rendered
from crawler.fetching.browser.launch import BrowserMissingError
from extractor.batch.labelling.proposals import propose
from learner.induction.steps import learn_patterns
from learner.labels.coming_back import read_page
from learner.labels.files import pages_of
from learner.labels.going_out import DrawnPage, prepare, write_page
from learner.labels.jpeg import picture_size
from learner.labels.labelled_page import read_labelled
from learner.labels.names import Proposal
from learner.labels.values import Values
from learner.patterns.pattern import PatternSet
from learner.vision.element_tree import ElementTree
from learner.vision.products.candidates import picture_address
from learner.vision.products.measures import file_of
from learner.vision.products.teaching import ProductLesson, amount_of

PAGES = 8
"""Pages of an archive that are drawn if none is."""

Scores = defaultdict[str, list[float]]
NOTHING = PatternSet()


@dataclass(frozen=True, slots=True)
class Labelled:
    """What came back of a page."""

    values: Values
    n_boxes: int
    """By how many its body is told."""
    n_bytes: int
    """Of its files, without the picture."""


def labelled(page: RenderedPage, folder: Path, patterns: PatternSet) -> Labelled:
    """What the proposals for a page say once they have been out and back."""
    snapshot, picture = page.snapshot(folder), page.picture_file(folder).read_bytes()
    tree = ElementTree(snapshot)
    html = page.html_file(folder).read_bytes()
    found = propose(tree, page.url, patterns, html)
    proposals = [
        Proposal(label=each.label, node=node, value=each.value)
        for each in found.elements
        if (node := tree.node(each.element)) is not None
    ]
    drawn = DrawnPage(
        site=folder.name, url=page.url, url_key=page.url, run_id="", rendered_at="",
        html=html, picture=picture,
        snapshot=page.snapshot_file(folder).read_bytes(),
    )  # fmt: skip
    with TemporaryDirectory() as out:
        prepare(Path(out))
        write_page(Path(out), drawn, snapshot, picture_size(picture), found.page_type, proposals)
        (files,) = pages_of(Path(out))
        back = read_labelled(files)
        assert back
        labels, values = read_page(back)
        n_bytes = sum(each.stat().st_size for each in Path(out).glob("pages/*"))
    n_boxes = sum(each.name in ("body", "boilerplate") for each in labels)
    return Labelled(values, n_boxes, n_bytes)


def measure_article(
    page: RenderedPage, folder: Path, gold: GoldPage, language: str, patterns: PatternSet
) -> Iterator[tuple[str, float]]:
    """Name and figure of each thing that is measured of an article."""
    for way, known in (("pattern", patterns), ("model", NOTHING)):
        start = time.process_time()
        back = labelled(page, folder, known)
        values, n_boxes = back.values, back.n_boxes
        yield f"{way}_cpu_ms", 1000 * (time.process_time() - start)
        yield f"{way}_unlabelled", float(n_boxes == 0)
        yield f"{way}_body_f1", scorer().body_scores(values.body or "", gold.body, language)[2]
        yield (
            f"{way}_title_exact",
            scorer().title_scores(values.title or "", gold.title, language)[0],
        )
        yield "folder_kb", back.n_bytes / 1000
        if n_boxes:
            yield f"{way}_body_boxes", float(n_boxes)
            yield f"{way}_in_ten_boxes", float(n_boxes <= 10)


def measure_product(
    page: RenderedPage, folder: Path, gold: ProductLesson
) -> Iterator[tuple[str, float]]:
    """The same of a product."""
    values = labelled(page, folder, NOTHING).values
    is_same = (values.product_name or "").casefold() == " ".join(gold.name.split()).casefold()
    yield "product_unlabelled", float(values.page_type != "product")
    yield "name", float(is_same)
    if gold.amount is not None:
        yield "price", float(amount_of(values.price or "") == gold.amount)
    if gold.picture is not None and shows_picture(page, folder, gold.picture):
        yield "image", float(file_of(values.image or "") == file_of(gold.picture))


def shows_picture(page: RenderedPage, folder: Path, address: str) -> bool:
    """Whether a picture is to be seen on a drawn page: archives have few, and a page without them
    may keep their places transparent."""
    tree = ElementTree(page.snapshot(folder))
    shown = (
        picture_address(image, page.url) for image in filter(tree.is_seen, tree.root.iter("img"))
    )
    return file_of(address) in {file_of(each) for each in shown if each}


LEAST_SHOWN = 0.9
"""Share of the gold text that a drawn page must show: some hide a part by scripts or styles."""


def is_shown(gold: GoldPage, page: RenderedPage, folder: Path, language: str) -> bool:
    """Whether the drawn page shows the text of its gold."""
    text = page.snapshot(folder).visible_text(0)
    return scorer().body_scores(text, gold.body, language)[1] >= LEAST_SHOWN


def measure_site(source: Path, folder: Path, pages: Sequence[RenderedPage], scores: Scores) -> None:
    """Add the figures of the articles of one site that are not learned from."""
    halves = read_halves(source)
    gold = {page.url: page for page in halves.test if page.is_article}
    mine = [
        page
        for page in pages
        if page.url in gold and is_shown(gold[page.url], page, folder, halves.language)
    ]
    if not mine:
        return
    patterns = learn_patterns(pages_to_learn(halves.train))
    for page in mine:
        for name, value in measure_article(page, folder, gold[page.url], halves.language, patterns):
            scores[name].append(value)


def measure_shop(source: Path, folder: Path, pages: Sequence[RenderedPage], scores: Scores) -> None:
    """Add the figures of the products of one shop."""
    gold = {lesson.url: lesson for lesson in read_shop(source)}
    for page in pages:
        lesson = gold.get(page.url) or gold.get(page.path)
        if lesson is not None:
            for name, value in measure_product(page, folder, lesson):
                scores[name].append(value)


def counts_of(scores: Scores) -> dict[str, int]:
    """How many articles and products were measured."""
    return {
        "articles": len(scores.get("model_body_f1", ())),
        "products": len(scores.get("name", ())),
    }


def told(counts: Mapping[str, int]) -> str:
    """Counts in a line."""
    return ", ".join(f"{number} {what}" for what, number in counts.items())


def is_shop(source: Path) -> bool:
    """Whether an archive stands among the shops."""
    return source.resolve().parent == SHOPS.resolve()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 without a browser where pages are to be drawn."""
    parser = argparse.ArgumentParser(description="Measure the labels that are proposed.")
    parser.add_argument("sources", type=Path, nargs="*", help="zips; default: all sites and shops")
    parser.add_argument("--rendered", type=Path, required=True, metavar="DIR", help="drawn pages")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    options = parser.parse_args(arguments)
    scores: Scores = defaultdict(list)
    for source in options.sources or [*default_sites(), *sorted(SHOPS.glob("*.zip"))]:
        folder = options.rendered / source.stem
        try:
            pages = read_rendered(folder) or draw_archive(source, options.rendered, PAGES)
        except BrowserMissingError as problem:
            print(problem, file=sys.stderr)
            return 1
        measure: Callable[[Path, Path, Sequence[RenderedPage], Scores], None]
        measure = measure_shop if is_shop(source) else measure_site
        measure(source, folder, [page for page in pages if page.styled], scores)
        print(f"{source.stem}: {told(counts_of(scores))} so far", file=sys.stderr, flush=True)
    figures = {
        name: median(found) if name.endswith("_boxes") else fmean(found)
        for name, found in sorted(scores.items())
    }
    report({**counts_of(scores), **figures}, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
