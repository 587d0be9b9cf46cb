"""A folder that came back from a person: its pages as rows, and what became of each box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from learner.labels.boxes import LEAST_OVERLAP
from learner.labels.elements import Found, Label, labels_of
from learner.labels.files import FolderError, PageFiles, pages_of, strange_files
from learner.labels.label_file import row_of
from learner.labels.labelled_page import LabelledPage, read_labelled
from learner.labels.names import LABELS
from learner.labels.values import Values, read_values
from learner.labels.voc import VocError


@dataclass(slots=True)
class Tally:
    """What came back, counted."""

    pages: int = 0
    verified: int = 0
    """Of them those that a person marked so."""
    unverified: int = 0
    """Those that were left out for they were not, where that was asked for."""
    removed: int = 0
    """Pages whose annotation is gone."""
    unread: int = 0
    """Files that could not be read."""
    boxes: Counter[Found] = field(default_factory=Counter)
    """How the elements of the boxes were found."""
    gone: int = 0
    """Proposals that are not there any more."""


def rows_of_folder(
    folder: Path, tally: Tally, tell: Callable[[str], None], *, only_verified: bool = False
) -> Iterator[dict[str, Any]]:
    """A row for each page that came back; what cannot be used is counted and told.

    FolderError if it is no such folder.
    """
    all_files = pages_of(folder)
    for strange in strange_files(folder, all_files):
        tally.unread += 1
        tell(f"{strange}: no page of this folder has this name; rename it as the picture is")
    for files in all_files:
        page = _read(files, tally, tell)
        if page is None:
            continue
        if only_verified and not page.annotation.verified:
            tally.unverified += 1
            continue
        labels, values = read_page(page)
        try:
            row = row_of(page, labels, values)
        except FolderError as problem:
            tally.unread += 1
            tell(str(problem))
            continue
        _count(page, labels, tally)
        for said in (*problems_of(labels), *values.problems):
            tell(f"{files.name}: {said}")
        yield row


def read_page(page: LabelledPage) -> tuple[list[Label], Values]:
    """The labels of a page, and what they say."""
    labels = labels_of(page)
    side = page.sidecar
    return labels, read_values(page.snapshot, labels, side.page_type, side.url)


def _read(files: PageFiles, tally: Tally, tell: Callable[[str], None]) -> LabelledPage | None:
    try:
        page = read_labelled(files)
    except (FolderError, VocError) as problem:
        tally.unread += 1
        tell(str(problem))
        return None
    if page is None:
        tally.removed += 1
    return page


def _count(page: LabelledPage, labels: list[Label], tally: Tally) -> None:
    tally.pages += 1
    tally.verified += page.annotation.verified
    tally.boxes.update(each.found for each in labels)
    kept = sum(each.found is Found.PROPOSED for each in labels)
    tally.gone += len(page.sidecar.proposals) - kept


def problems_of(labels: list[Label]) -> Iterator[str]:
    """Each box that is of no element, and what to do about it."""
    for each in labels:
        if each.found is not Found.NOTHING:
            continue
        left, top, right, bottom = each.box
        where = f"{each.name!r} at {left}, {top}, {right}, {bottom}"
        if each.name not in LABELS:
            yield f"{where}: no such label; name it one of {', '.join(LABELS)}"
        else:
            yield (
                f"{where}: no element has such a box (the most like it overlaps by "
                f"{each.overlap:.2f}, {LEAST_OVERLAP} is needed); draw it along the edges of one"
            )
