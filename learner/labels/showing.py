"""One HTML page with each picture and a person's boxes over it; it needs no server and no script.

All that it shows was crawled or saved by somebody: it is escaped, and pictures are named by the
list of the folder's own pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from crawler.storage.outfile import whole_file
from learner.labels.coming_back import problems_of, read_page
from learner.labels.elements import Found, Label
from learner.labels.files import IMAGES, FolderError, check_plain, pages_of
from learner.labels.labelled_page import LabelledPage, read_labelled
from learner.labels.names import LABELS
from learner.labels.values import Values
from learner.labels.voc import VocError

INDEX = "index.html"
"""The page, in the folder itself."""

LONGEST_TEXT = 300
"""Characters of a text that are shown. Origin: guess."""

_HOW = {
    Found.PROPOSED: "as proposed",
    Found.SAME_BOX: "by hand",
    Found.OVERLAP: "by hand",
    Found.NOTHING: "of no element",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownBox:
    """A box over the picture."""

    label: str
    """For people."""
    kind: str
    """One of the labels, or `other`."""
    left: float
    """Per cent of the picture's width, as `width`; `top` and `height` of its height."""
    top: float
    width: float
    height: float
    how: str
    is_lost: bool
    """Whether it is of no element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPage:
    """A page with its picture."""

    name: str
    url: str
    is_web: bool
    page_type: str
    verified: bool
    picture: str
    """Its address beside this page."""
    size: tuple[int, int]
    boxes: tuple[ShownBox, ...]
    values: tuple[tuple[str, str], ...]
    """What its labels say: label and text."""
    problems: tuple[str, ...]


def write_shown(folder: Path, tell: Callable[[str], None]) -> Path:
    """Write the page into a folder of labels; its path. What cannot be read is told, and left out.

    FolderError if it is no such folder, or a link stands where the page goes.
    """
    pages = list(_shown_pages(folder, tell))
    template = Environment(
        loader=PackageLoader("learner.labels"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("labels.html")
    path = folder / INDEX
    check_plain(folder, path)
    with whole_file(path) as hidden:
        text = template.render(pages=pages, labels=LABELS, folder=folder.resolve().name)
        hidden.write_text(text, encoding="utf-8", errors="replace")
    return path


def _shown_pages(folder: Path, tell: Callable[[str], None]) -> Iterator[ShownPage]:
    for files in pages_of(folder):
        try:
            page = read_labelled(files)
        except (FolderError, VocError) as problem:
            tell(str(problem))
            continue
        if page is not None:
            yield _shown(page)


def _shown(page: LabelledPage) -> ShownPage:
    labels, values = read_page(page)
    side = page.sidecar
    return ShownPage(
        name=page.files.name,
        url=side.url,
        is_web=side.url.startswith(("http://", "https://")),
        page_type=values.page_type or "nothing said",
        verified=page.annotation.verified,
        picture=f"{IMAGES}/{page.files.picture.name}",
        size=side.size,
        boxes=tuple(_box(each, side.size) for each in sorted(labels, key=_area, reverse=True)),
        values=tuple(_said(values)),
        problems=(*problems_of(labels), *values.problems),
    )


def _area(label: Label) -> int:
    left, top, right, bottom = label.box
    return (right - left) * (bottom - top)


def _box(label: Label, size: tuple[int, int]) -> ShownBox:
    width, height = max(1, size[0]), max(1, size[1])
    left, top = min(label.box[0], width), min(label.box[1], height)
    right, bottom = min(label.box[2], width), min(label.box[3], height)
    return ShownBox(
        label=label.name,
        kind=label.name if label.name in LABELS else "other",
        left=round(100 * left / width, 3),
        top=round(100 * top / height, 3),
        width=round(100 * (right - left) / width, 3),
        height=round(100 * (bottom - top) / height, 3),
        how=_HOW[label.found],
        is_lost=label.found is Found.NOTHING,
    )


def _said(values: Values) -> Iterator[tuple[str, str]]:
    day = values.day.isoformat() if values.day else None
    said = {
        "title": values.title, "date": day, "author": ", ".join(values.authors),
        "name": values.product_name, "price": values.price, "image": values.image,
        "body": values.body,
    }  # fmt: skip
    for label, text in said.items():
        if text:
            is_long = len(text) > LONGEST_TEXT
            cut = f"{text[:LONGEST_TEXT]} ... ({len(text)} characters)" if is_long else text
            yield label, cut
