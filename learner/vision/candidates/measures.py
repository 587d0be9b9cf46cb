"""What is measured of candidate elements: where they lie, and what stands in them.

No words, no names of classes and no addresses: the measures hold in every language and on every
site.
"""

from __future__ import annotations

import numpy as np

from learner.vision.candidates.nesting import Nesting
from learner.vision.candidates.texts import PageTexts
from learner.vision.candidates.totals import TOTALS, Table, Totals
from learner.vision.snapshots.arrays import Bools, Floats, Ints
from learner.vision.snapshots.snapshot import Snapshot

GEOMETRY = (
    "left", "top", "width", "height", "right_rest", "bottom_rest", "off_middle", "area",
    "width_pixels", "height_windows", "top_windows", "flatness",
)  # fmt: skip
"""Names of the measures of a box alone."""

PARTS = (
    "letters", "linked", "running", "main_font", "in_landmarks", "repeated", "digits", "endings",
    "pauses",
)  # fmt: skip
"""Totals that are told as shares of the letters of an element, but for the first."""

REST = (
    "letters", "linked", "running", "main_font", "in_landmarks", "repeated", "title", "headings",
)  # fmt: skip
"""What is told of the text by which two candidates differ, one the next around the other: how much
of the larger it is, what share of it is linked, running and so on, and whether the title and
headings stand there."""

CONTENT = (
    *(f"{name}_of_page" for name in TOTALS),
    *(f"{name}_of_parent" for name in PARTS[:6]),
    *(f"{name}_share" for name in PARTS[1:]),
    "log_letters", "log_running", "letters_a_block", "text_area_share", "picture_area_share",
    "agreement", "excess", "log_page_letters",
    "largest_child", "most_running_child", "running_children",
    "letters_before", "running_before", "letters_after", "below_title",
    "depth", "candidates_above", "candidates_below",
    "is_body", "is_article", "is_cell", "in_article", "font_size", "is_framed",
    *(f"{name}_around" for name in REST),
    *(f"{name}_beside_inner" for name in REST),
)  # fmt: skip
"""Names of the measures of what stands in a box. `agreement` is the F1 of its letters against the
running letters of the page."""

MEASURES = (*GEOMETRY, *CONTENT)

_COLUMN = {name: number for number, name in enumerate(TOTALS)}
_LETTERS, _RUNNING = _COLUMN["letters"], _COLUMN["running"]
_PARTS = [_COLUMN[name] for name in PARTS]
_REST = [_COLUMN[name] for name in REST]
_COUNTED = REST.index("title")


def measures_of(snapshot: Snapshot, candidates: Ints) -> Floats:
    """(n, len(MEASURES)) What is measured of each candidate."""
    columns = [*_boxes(snapshot, candidates), *_Content(snapshot, candidates).columns()]
    return np.stack([np.asarray(each, np.float32) for each in columns], axis=1)


def _boxes(snapshot: Snapshot, candidates: Ints) -> list[Floats]:
    """The columns of `GEOMETRY`: shares of the page, pixels, and heights of the window."""
    left, top, width, height = snapshot.box[candidates].T
    page_width, page_height = max(snapshot.width, 1), max(snapshot.height, 1)
    window_width, window_height = (max(side, 1) for side in snapshot.viewport)
    return [
        left / page_width, top / page_height, width / page_width, height / page_height,
        1 - (left + width) / page_width, 1 - (top + height) / page_height,
        np.abs(left + width / 2 - window_width / 2) / window_width,
        width * height / (page_width * page_height),
        width, height / window_height, top / window_height, width / np.maximum(height, 1),
    ]  # fmt: skip


class _Content:
    """What stands in the candidates of one page."""

    def __init__(self, snapshot: Snapshot, candidates: Ints) -> None:
        self._page, self._own = snapshot, candidates
        self._texts = PageTexts(snapshot)
        self._totals = Totals(self._texts)
        self._below = self._totals.below(candidates)
        self._letters = np.maximum(self._below[:, _LETTERS], 1)

    def columns(self) -> list[Floats]:
        """The columns of `CONTENT`."""
        return [
            *self._shares(), *self._sizes(), *self._children(), *self._places(), *self._nesting(),
        ]  # fmt: skip

    def _shares(self) -> Table:
        of_page = self._below / np.maximum(self._totals.of_page, 1)
        parents = self._totals.below(self._page.parent[self._own])[:, _PARTS[:6]]
        of_parent = self._below[:, _PARTS[:6]] / np.maximum(parents, 1)
        of_own = self._below[:, _PARTS[1:]] / self._letters[:, None]
        return np.concatenate([of_page, of_parent, of_own], axis=1).T

    def _sizes(self) -> list[Floats]:
        below, of_page = self._below, self._totals.of_page
        area = np.maximum(self._page.area[self._own], 1)
        precision = below[:, _RUNNING] / self._letters
        recall = below[:, _RUNNING] / max(of_page[_RUNNING], 1)
        return [
            np.log1p(below[:, _LETTERS]), np.log1p(below[:, _RUNNING]),
            below[:, _LETTERS] / np.maximum(below[:, _COLUMN["blocks"]], 1),
            below[:, _COLUMN["text_area"]] / area, below[:, _COLUMN["picture_area"]] / area,
            2 * precision * recall / np.maximum(precision + recall, 1e-9), recall - precision,
            np.full(len(area), np.log1p(of_page[_LETTERS])),
        ]  # fmt: skip

    def _children(self) -> list[Table]:
        """Share of the letters and of the running letters that one child has, and how many children
        have running text."""
        page = self._page
        children, parents = np.arange(1, len(page), dtype=np.int32), page.parent[1:]
        below = self._totals.below(children)
        letters, running, n_running = np.zeros((3, len(page)))
        np.maximum.at(letters, parents, below[:, _LETTERS])
        np.maximum.at(running, parents, below[:, _RUNNING])
        np.add.at(n_running, parents, below[:, _RUNNING] > 0)
        return [
            letters[self._own] / self._letters,
            running[self._own] / np.maximum(self._below[:, _RUNNING], 1),
            n_running[self._own],
        ]

    def _places(self) -> list[Floats]:
        of_page = np.maximum(self._totals.of_page, 1)
        before = self._totals.before(self._own) / of_page
        after = 1 - before - self._below / of_page
        title = self._texts.title
        _, top, _, height = self._page.box[title or 0]
        bottom = top + height if title is not None else 0
        return [
            before[:, _LETTERS], before[:, _RUNNING], after[:, _LETTERS],
            self._page.box[self._own, 1] - bottom,
        ]  # fmt: skip

    def _nesting(self) -> list[Floats]:
        page, own = self._page, self._own
        nesting = Nesting(page, own, self._below[:, _RUNNING])
        around, inner = nesting.around, nesting.inner
        return [
            page.depth[own], nesting.n_above, nesting.n_below,
            self._is("body"), self._is("article", "main"), self._is("td", "th"),
            self._texts.inside("article", "main")[own],
            np.nan_to_num(page.pixels("font-size")[own]), self._is_framed(),
            *_rest(self._below[around], self._below) * (around >= 0),
            *_rest(self._below, self._below[inner]) * (inner >= 0),
        ]  # fmt: skip

    def _is(self, *names: str) -> Bools:
        return np.array([self._page.tags[node] in names for node in self._own.tolist()], bool)

    def _is_framed(self) -> Bools:
        """Whether a candidate has a background or a border of its own."""
        colour = np.nan_to_num(self._page.rgba("background-color")[self._own, 3])
        border = np.nan_to_num(self._page.pixels("border-left-width")[self._own])
        found: Bools = (colour > 0) | (border > 0)
        return found


def _rest(larger: Table, smaller: Table) -> Table:
    """(len(REST), n) What the larger of two candidates has beside the smaller."""
    rest = (larger - smaller).T[_REST]
    letters = rest[0].copy()
    rest[:_COUNTED] /= np.maximum(letters, 1)
    rest[0] = letters / np.maximum(larger[:, _LETTERS], 1)
    return rest
