"""What is measured of each block once all blocks were judged: what those around it are thought to
be, and what the page is."""

from __future__ import annotations

import numpy as np

from learner.dom.elements import sums
from learner.dom.features import FAR, Columns, PageBlocks, shifted, sure_extent, window
from learner.ensembles.trees import Floats

BEST_SHARES = (0.6, 0.9)
"""Shares of what is thought to be main text that an element must hold. Origin: guess."""


def context_features(page: PageBlocks, main: Floats, types: Floats) -> tuple[list[str], Floats]:
    """Names and values of these features of each block. `main` has the probability of each block
    to be main text, `types` those of the page to be of each type."""
    columns = Columns()
    columns.add("p", main)
    columns.add_all([f"type{n}" for n in range(len(types))], np.tile(types, (len(page), 1)))
    weight = np.maximum(page.weight, 1)
    _add_levels(page, main, weight, columns)
    _add_places(page, main, weight, columns)
    add_neighbours(main, weight, columns)
    _add_extent(page, main, weight, columns)
    return columns.names, columns.matrix()


def _add_levels(page: PageBlocks, main: Floats, weight: Floats, columns: Columns) -> None:
    e, mass = page.elements, main * weight
    size = np.maximum(e.ends - e.starts, 1)
    inside, weighs, total = e.held(mass), e.held(weight), max(float(mass.sum()), 1e-6)
    measured = {
        "main": inside / np.maximum(weighs, 1),
        "mean": e.held(main) / size,
        "share": inside / total,
    }
    around = page.around
    matrix = np.stack(list(measured.values()), axis=1)
    levels = range(around.shape[1])
    columns.add_all([f"p{k}_{name}" for k in levels for name in measured], matrix[around])
    rest = weighs[around] - weight[:, None]
    others = (inside[around] - mass[:, None]) / np.maximum(rest, 1)
    columns.add_all([f"p{k}_others" for k in levels], others)


def _add_places(page: PageBlocks, main: Floats, weight: Floats, columns: Columns) -> None:
    mass = main * weight
    total = max(float(mass.sum()), 1e-6)
    for name, place in zip(("path", "place"), page.places, strict=True):
        inside, weighs = np.bincount(place, mass)[place], np.bincount(place, weight)[place]
        columns.add(f"{name}_main", inside / weighs)
        columns.add(f"{name}_others", (inside - mass) / np.maximum(weighs - weight, 1))
        columns.add(f"{name}_main_share", inside / total)


def add_neighbours(main: Floats, weight: Floats, columns: Columns) -> None:
    """What the blocks before and behind each are thought to be, by themselves and together."""
    for by in (-3, -2, -1, 1, 2, 3):
        columns.add(f"p_n{by}", shifted(main, by))
    mass, weighs = sums(main * weight), sums(weight)
    index = np.arange(len(main))
    for by in (3, 8, 20):
        low, high = window(len(main), by)
        columns.add(f"p_w{by}", (mass[high] - mass[low]) / (weighs[high] - weighs[low]))
    low, high = window(len(main), 10)
    before = (mass[index] - mass[low]) / np.maximum(weighs[index] - weighs[low], 1)
    after = (mass[high] - mass[index + 1]) / np.maximum(weighs[high] - weighs[index + 1], 1)
    columns.add("p_before", before)
    columns.add("p_after", after)


def _add_extent(page: PageBlocks, main: Floats, weight: Floats, columns: Columns) -> None:
    """Where a block stands in what is thought to be the text."""
    mass, weighs, index = sums(main * weight), sums(weight), np.arange(len(main))
    total = max(float(mass[-1]), 1e-6)
    columns.add("p_mass_before", mass[:-1] / total)
    columns.add("p_page", np.full(len(main), total / weighs[-1]))
    sure, far = sure_extent(main), np.full(len(main), FAR)
    columns.add("from_first", index - sure[0] if sure else far)
    columns.add("from_last", index - sure[1] if sure else far)
    e = page.elements
    inside, size = e.held(main * weight), e.held(weight)
    for share in BEST_SHARES:
        # The innermost of the smallest: the last in the order of the page.
        fits = np.flatnonzero(inside >= share * total)[::-1]
        best = fits[size[fits].argmin()] if len(fits) else 0
        start, end = e.starts[best], e.ends[best]
        columns.add(f"in_best{share}", (index >= start) & (index < end))
        columns.add(f"best{share}_place", (index - start) / max(end - start, 1))
