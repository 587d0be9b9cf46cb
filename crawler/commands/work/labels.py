"""`webstem labels export|import|show`: drawn pages to a person with labelImg, and back."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from crawler.command import SitesCommand, add_dates, chosen_dates, count, fail
from crawler.config.sites import Config, find_config, load_config
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_NOTHING, EXIT_OK

if TYPE_CHECKING:
    from learner.labels.coming_back import Tally
    from learner.labels.going_out import DrawnPage
    from learner.patterns.pattern import PatternSet

OUT = "labels.parquet"
"""Where labels go if nothing else is said."""


class Command(SitesCommand):
    """Pages with proposed labels out, a person's labels in."""

    requires_project = False

    examples = """\
  webstem labels export my_blog --to labelling
  labelImg labelling/images labelling/classes.txt labelling/images
  webstem labels import labelling
"""

    def syntax(self) -> str:
        return "export <site> --to FOLDER | import <folder> [--out FILE] | show <folder>"

    def short_desc(self) -> str:
        return "Let a person label drawn pages in labelImg, and read the labels"

    def long_desc(self) -> str:
        return (
            "`export` writes pages of a site that `webstem render` drew, with boxes around title, "
            "body, date and author, or name, price and image of a product, as the site's patterns "
            "or the models see them; `import` reads what was saved into a Parquet file that "
            "teaches `webstem train`; `show` writes a page for a browser."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add_dates(parser)
        parser.add_argument("--to", type=Path, metavar="FOLDER", help="of export: where to")
        parser.add_argument(
            "--pages", type=count, metavar="N", help="of export: at most N pages, the last drawn"
        )
        parser.add_argument(
            "--out", type=Path, default=Path(OUT), metavar="FILE",
            help=f"of import: the labels (default {OUT})",
        )  # fmt: skip
        parser.add_argument(
            "--verified", action="store_true",
            help="of import: only pages that were verified in labelImg",
        )  # fmt: skip

    def work_on(self, names: list[str], opts: argparse.Namespace) -> int:
        works = {"export": self._export, "import": self._import, "show": self._show}
        if len(names) != 2 or names[0] not in works:
            raise UsageError(
                "expected `export SITE`, `import FOLDER` or `show FOLDER`, got "
                f"{shlex.join(names)!r}",
                print_help=False,
            )
        return works[names[0]](names[1], opts)

    # Export

    def _export(self, site: str, opts: argparse.Namespace) -> int:
        if opts.to is None:
            raise UsageError("expected --to FOLDER, where the pages go", print_help=False)
        from learner.labels.files import FolderError

        try:
            return _export(load_config(find_config(), leave_out=True), site, opts)
        except FolderError as problem:
            return fail(problem, EXIT_FAILED)

    # Back

    def _import(self, folder: str, opts: argparse.Namespace) -> int:
        from learner.labels.coming_back import Tally, rows_of_folder
        from learner.labels.files import FolderError
        from learner.labels.label_file import LabelFileError, write_labels

        tally = Tally()
        rows = rows_of_folder(Path(folder), tally, _tell, only_verified=opts.verified)
        try:
            write_labels(opts.out, rows)
        except FolderError as problem:
            return fail(problem, EXIT_NOTHING)
        except LabelFileError as problem:
            print(_said(tally))
            return fail(problem, EXIT_NOTHING)
        print(f"{opts.out}: {_said(tally)}")
        return EXIT_FAILED if tally.unread else EXIT_OK

    def _show(self, folder: str, opts: argparse.Namespace) -> int:
        from learner.labels.files import FolderError
        from learner.labels.showing import write_shown

        try:
            print(write_shown(Path(folder), _tell))
        except FolderError as problem:
            return fail(problem, EXIT_NOTHING)
        return EXIT_OK


def _export(config: Config, name: str, opts: argparse.Namespace) -> int:
    from crawler.storage.drawings import last_drawings
    from crawler.storage.partitions import Storage
    from learner.labels.going_out import has_page, prepare
    from learner.labels.stored import drawn_pages
    from learner.patterns.stored import current_patterns

    site, storage = config.site(name), Storage(config.storage)
    since, until = chosen_dates(opts)
    drawn = [each for each in last_drawings(storage, site.name, since, until) if each.styled]
    if not drawn:
        advice = f"`webstem render {name}` draws some; none is shown without its style sheets"
        return fail(f"{name}: no drawn page of these days; {advice}", EXIT_NOTHING)
    new = [each for each in drawn if not has_page(opts.to, each.url)]
    patterns = current_patterns(storage, site.name)
    prepare(opts.to)
    written: Counter[str] = Counter()
    for page in drawn_pages(storage, site.name, new[: opts.pages]):
        _export_page(opts.to, page, patterns, written)
    print(f"{opts.to}: {_said_of_export(written, len(drawn) - len(new))}")
    return EXIT_OK


def _said_of_export(written: Counter[str], n_there: int) -> str:
    """What was written, in a line."""
    from extractor.health.words import many

    pages = many(written.pop("pages", 0), "page")
    boxes = ", ".join(f"{number} {label}" for label, number in sorted(written.items()))
    are = (
        "was there already, and is left alone"
        if n_there == 1
        else ("were there already, and are left alone")
    )
    return f"{pages} with {boxes or 'no'} boxes" + (f"; {n_there} {are}" if n_there else "")


def _export_page(
    folder: Path, page: DrawnPage, patterns: PatternSet, written: Counter[str]
) -> None:
    """Write one page, and count its boxes; one that cannot be read is told."""
    from extractor.batch.labelling.proposals import propose
    from learner.labels.going_out import write_page
    from learner.labels.jpeg import picture_size
    from learner.labels.names import Proposal
    from learner.vision.element_tree import ElementTree
    from learner.vision.snapshots.reading import read_snapshot

    try:
        snapshot, size = read_snapshot(page.snapshot), picture_size(page.picture)
    except ValueError as problem:
        fail(f"{page.url}: {problem}; draw it again (`webstem render`)", EXIT_FAILED)
        return
    tree = ElementTree(snapshot)
    found = propose(tree, page.url, patterns, page.html)
    proposals = [
        Proposal(label=each.label, node=node, value=each.value)
        for each in found.elements
        if (node := tree.node(each.element)) is not None
    ]
    boxes = write_page(folder, page, snapshot, size, found.page_type, proposals)
    written["pages"] += 1
    written.update(each.label for each in boxes)


def _tell(problem: str) -> None:
    fail(problem, EXIT_OK)


def _said(tally: Tally) -> str:
    """What came back, in a line."""
    from extractor.health.words import many
    from learner.labels.elements import Found

    boxes = tally.boxes
    drawn = boxes[Found.SAME_BOX] + boxes[Found.OVERLAP]
    said = [
        f"{many(tally.pages, 'page')}, {tally.verified} verified",
        f"{boxes.total()} boxes: {boxes[Found.PROPOSED]} as proposed, {drawn} drawn by hand, "
        f"{boxes[Found.NOTHING]} of no element",
        f"{many(tally.gone, 'proposal')} removed",
    ]
    others = {"page without a file of boxes": tally.removed, "page not verified": tally.unverified}
    left_out = [f"{what}: {number} left out" for what, number in others.items() if number]
    unread = [f"{many(tally.unread, 'file')} not read"] if tally.unread else []
    return "; ".join(said + left_out + unread)
