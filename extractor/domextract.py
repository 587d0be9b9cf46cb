"""`Extractor`: one page in, its main text out, called as domextract is (2018).

>>> html = "<title>Flood</title><ul><li><a href=/a>Home</a></ul><h1>Flood</h1><div>{}</div>"
>>> text = "The river rose by a metre in the night, and the mayor closed the old bridge. "
>>> Extractor().extract(html.format(3 * text), is_url=str) == (3 * text).strip()
True
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from crawler.engine.local import end_with_parent
from crawler.fetching.one_page import FetchError
from crawler.reading.html import parse_html
from extractor.analysis.targets import fetched
from extractor.analysis.xpaths import Xpaths
from learner.dom.model import DomModel, load_model, shipped_model
from learner.dom.original.forest import Forest, is_forest, load_forest
from learner.dom.reading import read_tree, tree_of
from learner.page.pages import Page

LOADED_AHEAD = 8
"""Pages for each process that are fetched or wait for it. Origin: guess; a process is never
without one, and few are in memory."""

FOREST_THRESHOLD = 0.35
"""Least probability of a text node where a forest reads. Origin: domextract."""

Model = DomModel | Forest
"""What reads pages."""

Target = str | bytes | os.PathLike[str]
"""An address, a file or HTML, as `IsUrl` says; bytes are HTML in any case."""

IsUrl = bool | type[str]
"""What a target is: True an address, False a file, `str` the HTML itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One block of text of a page."""

    xpath: str | None
    """The element that it stands in; several blocks may stand in one. None if it is not known."""
    text: str
    probability: float
    """How likely it is main text, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What came of one of many pages."""

    target: str
    text: str = ""
    problem: str | None = None
    """Why there is no text: the page did not come, or could not be read; None if it was read."""


class Extractor:
    """Reads the main text of single pages, whatever site they are of."""

    def __init__(self, model: Model | str | os.PathLike[str] | None = None) -> None:
        """`model` is a page model, domextract's own forest, or the file of one (`webstem train
        dom`, with `--original` of a forest); None: the shipped page model."""
        if isinstance(model, str | os.PathLike):
            path = Path(model)
            model = load_forest(path) if is_forest(path) else load_model(path)
        self._model: Model = model or shipped_model()

    def extract(
        self,
        target: Target,
        threshold: float | None = None,
        is_url: IsUrl = True,
        debug: bool = False,
        is_multiprocess: bool = False,
    ) -> str:
        """The main text of a page, a line for each block; without its title.

        `threshold` is the least probability of a block, 0 to 1; None: what the page model finds
        best for the page, bylines left out, and .35 of a forest. With `debug` each block is told on
        stderr with its probability and XPath. With `is_multiprocess` a process of its own reads the
        page, so that nothing in it can harm this one.

        FetchError (`crawler.fetching.one_page`) if an address gives no page, OSError if a file
        cannot be read.
        """
        page = _load(target, is_url)
        if debug:
            for node in self._nodes(page):
                print(f"{node.probability:.2f} {node.xpath} {node.text[:60]}", file=sys.stderr)
        if not is_multiprocess:
            return _read(self._model, page, threshold)
        with _readers(self._model, 1) as readers:
            return readers.submit(_read_beside, page, threshold).result()

    def extract_nodes(self, target: Target, is_url: IsUrl = True) -> list[Node]:
        """All blocks of a page in their order, main text or not. Raises as `extract` does."""
        return self._nodes(_load(target, is_url))

    def extract_many(
        self,
        targets: Iterable[str],
        threshold: float | None = None,
        is_url: IsUrl = True,
        processes: int | None = None,
    ) -> Iterator[Extracted]:
        """The texts of many pages in their order, as they come; `targets` may be endless.

        `processes` read at once, as many as there are cores if none is given, while others are
        fetched. One bad page ends nothing: its `problem` says what happened.
        """
        n_readers = processes or os.cpu_count() or 1
        most = n_readers * LOADED_AHEAD
        waiting: deque[Future[Extracted]] = deque()
        with ExitStack() as stack:
            readers = stack.enter_context(_readers(self._model, n_readers))
            loaders = stack.enter_context(ThreadPoolExecutor(most))
            for target in targets:
                waiting.append(loaders.submit(self._one, readers, target, threshold, is_url))
                if len(waiting) >= most:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _one(
        self, readers: ProcessPoolExecutor, target: str, threshold: float | None, is_url: IsUrl
    ) -> Extracted:
        shown = "" if is_url is str else target
        try:
            page = _load(target, is_url)
            text = readers.submit(_read_beside, page, threshold).result()
        except FetchError as problem:
            return Extracted(target=shown, problem=problem.reason)
        except Exception as problem:  # one bad page must not end what reads thousands
            return Extracted(target=shown, problem=f"{type(problem).__name__}: {problem}")
        return Extracted(target=shown, text=text)

    def _nodes(self, page: Page) -> list[Node]:
        root = parse_html(page.html, page.charset)
        xpaths = Xpaths(root)
        if isinstance(self._model, Forest):
            return [
                Node(xpath=xpaths.of(node.element), text=node.text, probability=probability)
                for node, probability in self._model.read(root)
            ]
        tree = tree_of(root, page.url)
        xpaths.read(tree)
        found = read_tree(tree, self._model).probabilities
        return [
            Node(xpath=xpaths.of_element(block.element), text=block.text, probability=probability)
            for block, probability in zip(tree.blocks, found, strict=False)
        ]


def _load(target: Target, is_url: IsUrl) -> Page:
    if isinstance(target, bytes):
        return Page(url="", html=target)
    if is_url is str:
        return Page(url="", html=str(target).encode("utf-8", "replace"), charset="utf-8")
    return fetched(str(target)) if is_url else Page(url="", html=Path(target).read_bytes())


def _read(model: Model, page: Page, threshold: float | None) -> str:
    root = parse_html(page.html, page.charset)
    if isinstance(model, Forest):
        least = FOREST_THRESHOLD if threshold is None else threshold
        return "\n".join(node.text for node, likely in model.read(root) if likely >= least)
    tree = tree_of(root, page.url)
    reading = read_tree(tree, model)
    if threshold is None:
        return reading.text
    chosen = zip(tree.blocks, reading.probabilities, strict=False)
    return tree.written(block for block, probability in chosen if probability >= threshold)


def _readers(model: Model, number: int) -> ProcessPoolExecutor:
    """Processes that read; begun anew, not forked, for this one may have threads."""
    context = get_context("spawn")
    return ProcessPoolExecutor(number, context, initializer=_begin, initargs=(model,))


_models: list[Model] = []
"""That of a process that reads."""


def _begin(model: Model) -> None:
    end_with_parent()
    _models.append(model)


def _read_beside(page: Page, threshold: float | None) -> str:
    return _read(_models[0], page, threshold)
