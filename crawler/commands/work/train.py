"""`scrapy train dom|vision|products`: teach a model of one page, from pages that are known."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from scrapy.exceptions import UsageError

from crawler.command import SitesCommand, fail, is_terminal
from crawler.config.sites import Config
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from learner.dom.model import DomModel
    from learner.dom.original.forest import Forest
    from learner.dom.teaching.training import Lesson
    from learner.vision.candidates.lessons import DrawnLesson
    from learner.vision.candidates.sight.sight import Sight

T = TypeVar("T")

OUT = {"dom": "dom.npz", "vision": "vision.npz", "products": "products.json"}
"""What can be taught, and where it goes if nothing else is said."""

TAUGHT = "dom, vision or products"


class Command(SitesCommand):
    """Pages with gold and pages of learned sites in, a model out."""

    examples = """\
  scrapy train dom my_blog --gold pages.parquet --out dom.npz
"""

    def syntax(self) -> str:
        return "dom|vision [site ...] [options] | products --gold FILE [options]"

    def short_desc(self) -> str:
        return (
            "Teach the page model, the choice of a drawn page's element, or the model of products"
        )

    def long_desc(self) -> str:
        return (
            "`dom` and `vision` learn from pages with gold (--gold), and from the pages of learned "
            "sites (those named, or --sites for all) wherever their patterns and the pages "
            "themselves agree; of `vision` those that `scrapy render` has drawn. They need the "
            "extra `train`: pip install 'webstem[train]'. `products` learns from files that "
            "`scrapy labels import` writes."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--gold",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="Parquet file of pages with gold; may be given several times",
        )
        parser.add_argument("--sites", action="store_true", help="all learned sites teach")
        parser.add_argument(
            "--per-site", type=int, default=20, metavar="N", help="pages of each site (default 20)"
        )
        parser.add_argument(
            "--out", type=Path, metavar="FILE",
            help=f"the model (default {' or '.join(OUT.values())})",
        )  # fmt: skip
        parser.add_argument(
            "--original", action="store_true",
            help="teach domextract's forest instead, for comparison (extra `original`)",
        )  # fmt: skip

    def work_on(self, names: list[str], opts: argparse.Namespace) -> int:
        if not names or names[0] not in OUT:
            raise UsageError(
                f"expected {TAUGHT} to be trained, got {names[:1]!r}", print_help=False
            )
        if opts.original and names[0] != "dom":
            raise UsageError("--original is a way of `dom`", print_help=False)
        self._model = names[0]
        opts.out = opts.out or Path(OUT[self._model])
        if self._model == "products":
            return _train_products(names[1:], opts)
        if not names[1:] and not opts.sites and not opts.gold:
            raise UsageError("expected --gold, --sites or names of sites", print_help=False)
        library, extra = ("sklearn", "original") if opts.original else ("lightgbm", "train")
        if find_spec(library) is None:
            return fail(f"training needs {library}: pip install 'webstem[{extra}]'", EXIT_FAILED)
        if names[1:] or opts.sites:
            return super().work_on(names[1:], opts)
        return self._train_vision([], opts) if self._model == "vision" else self._train([], opts)

    def work(self, config: Config, opts: argparse.Namespace) -> int:
        from crawler.storage.partitions import Storage
        from extractor.batch.drawn_lessons import drawn_lessons
        from extractor.batch.lessons import site_lessons

        storage = Storage(config.storage)
        if self._model == "vision":
            drawn = [
                (site.name, list(drawn_lessons(storage, site.name, opts.per_site)))
                for site in config.sites
            ]
            return self._train_vision(drawn, opts)
        taught = [
            (site.name, list(site_lessons(storage, site, opts.per_site))) for site in config.sites
        ]
        return self._train(taught, opts)

    def _train(self, taught: list[tuple[str, list[Lesson]]], opts: argparse.Namespace) -> int:
        from learner.dom.teaching.gold import GoldError, gold_lessons
        from learner.dom.teaching.original import train_forest
        from learner.dom.teaching.training import TrainingError, study, train_with_card

        try:
            lessons, data = _gathered(taught, opts.gold, gold_lessons)
            model: DomModel | Forest
            if opts.original:
                model = train_forest(lessons)
            else:
                tell = print if is_terminal() else _tell_nothing
                model = train_with_card(study(lessons), data, tell)
        except (GoldError, TrainingError) as problem:
            return fail(problem, EXIT_NOTHING)
        model.save(opts.out)
        kind = "forest" if opts.original else "page model"
        print(f"{opts.out}: a {kind} of {len(lessons)} pages")
        return EXIT_OK

    def _train_vision(
        self, taught: list[tuple[str, list[DrawnLesson]]], opts: argparse.Namespace
    ) -> int:
        from learner.vision.candidates.lessons import LessonsError, read_lessons
        from learner.vision.candidates.training import TooFewError, train

        try:
            lessons, data = _gathered(taught, opts.gold, read_lessons)
            model = train(lessons, data)
            tell = print if is_terminal() else _tell_nothing
            if sight := _taught_sight(lessons, tell):
                model = replace(model, sight=sight)
        except (LessonsError, TooFewError) as problem:
            return fail(problem, EXIT_NOTHING)
        model.save(opts.out)
        print(f"{opts.out}: a model of candidates of {len(lessons)} pages")
        return EXIT_OK


def _taught_sight(lessons: list[DrawnLesson], tell: Callable[[str], None]) -> Sight | None:
    """The choice by pictures; None if there are none, or nothing that teaches it."""
    if not any(lesson.picture for lesson in lessons):
        fail("the choice by pictures is left out: no page has one", EXIT_OK)
        return None
    if find_spec("torch") is None:
        advice = "PyTorch teaches it: pip install 'webstem[vision]'"
        fail(f"the choice by pictures is left out; {advice}", EXIT_OK)
        return None
    from learner.vision.candidates.sight.training import seen_pages, train_sight

    return train_sight(seen_pages(lessons), tell=tell)


def _train_products(sites: list[str], opts: argparse.Namespace) -> int:
    """Fit the model of products to labelled pages, and write it; the exit code."""
    from learner.labels.label_file import LabelFileError, product_lessons
    from learner.vision.products.teaching import examples_of, fit_weights, write_weights

    if sites or opts.sites or not opts.gold:
        expected = "expected `products --gold FILE`, of `webstem labels import`, and no more"
        raise UsageError(expected, print_help=False)
    try:
        lessons, data = _gathered([], opts.gold, product_lessons)
        weights = fit_weights(examples_of(lessons))
    except LabelFileError as problem:
        return fail(problem, EXIT_NOTHING)
    except ValueError as problem:
        return fail(f"{problem}; label some (`webstem labels export`)", EXIT_NOTHING)
    write_weights(opts.out, weights, {"data": data, "pages": len(lessons)})
    print(f"{opts.out}: a model of products of {len(lessons)} pages")
    return EXIT_OK


def _gathered(
    taught: list[tuple[str, list[T]]], gold: list[Path], read: Callable[[Path], Iterable[T]]
) -> tuple[list[T], dict[str, str]]:
    """The lessons of sites and files, and where they come from, as a model card has it."""
    from learner.dom.teaching.gold import file_hash

    lessons = [lesson for _, own in taught for lesson in own]
    data = {f"site {name}": f"{len(own)} pages" for name, own in taught}
    for path in gold:
        lessons += read(path)
        data[path.name] = f"sha256 {file_hash(path)}"
    return lessons, data


def _tell_nothing(_: str) -> None:
    """Nobody watches."""
