"""What is measured of each leaf block once all were judged: what those around are thought to be."""

from __future__ import annotations

import numpy as np

from learner.dom.context import add_neighbours
from learner.dom.elements import sums
from learner.dom.features import Columns, sure_extent
from learner.vision.blocknet.measures.features import FAR
from learner.vision.blocknet.measures.scene import LEVELS, Floats, Scene

BEST_SHARE = 0.9
"""Share of what is thought to be content that a block must hold. Origin: as of the page model."""


def context_features(scene: Scene, content: Floats) -> tuple[list[str], Floats]:
    """Names and values of these features of each leaf; `content` has the probability of each to be
    content."""
    columns = Columns()
    weight = np.maximum(scene.leaves.weight, 1)
    columns.add("p", content)
    _add_levels(scene, content, weight, columns)
    _add_alike(scene, content, weight, columns)
    add_neighbours(content, weight, columns)
    _add_extent(scene, content, weight, columns)
    return columns.names, columns.matrix()


def _add_levels(scene: Scene, content: Floats, weight: Floats, columns: Columns) -> None:
    mass = content * weight
    inside, weighs = scene.held(mass), scene.held(weight)
    total, around = max(float(mass.sum()), 1e-6), scene.around
    measured = np.stack([inside / np.maximum(weighs, 1), inside / total], axis=1)
    columns.add_all(
        [f"p{k}_{name}" for k in range(LEVELS) for name in ("mean", "share")], measured[around]
    )
    rest = weighs[around] - weight[:, None]
    others = (inside[around] - mass[:, None]) / np.maximum(rest, 1)
    columns.add_all([f"p{k}_others" for k in range(LEVELS)], others)


def _add_alike(scene: Scene, content: Floats, weight: Floats, columns: Columns) -> None:
    mass = content * weight
    total = max(float(mass.sum()), 1e-6)
    for name, which in (("look", scene.column), ("place", scene.standings.place)):
        inside, weighs = np.bincount(which, mass)[which], np.bincount(which, weight)[which]
        columns.add(f"{name}_p", inside / weighs)
        columns.add(f"{name}_others", (inside - mass) / np.maximum(weighs - weight, 1))
        columns.add(f"{name}_p_share", inside / total)


def _add_extent(scene: Scene, content: Floats, weight: Floats, columns: Columns) -> None:
    """Where a leaf stands in what is thought to be content."""
    n = len(content)
    mass, index, far = sums(content * weight), np.arange(n), np.full(n, FAR)
    total = max(float(mass[-1]), 1e-6)
    columns.add("p_mass_before", mass[:-1] / total)
    columns.add("p_page", np.full(n, total / max(float(weight.sum()), 1)))
    sure = sure_extent(content)
    columns.add("from_first", index - sure[0] if sure else far)
    columns.add("from_last", index - sure[1] if sure else far)
    inside, size = scene.held(content * weight), scene.held(weight)
    fits = np.flatnonzero(inside >= BEST_SHARE * total)[::-1]
    box = scene.leaves.box
    around = scene.cut.box[fits[size[fits].argmin()]] if len(fits) else np.zeros(4, np.float32)
    middle = box[:, [0, 2]].mean(axis=1)
    columns.add("in_best", (middle > around[0]) & (middle < around[2]) & (box[:, 1] >= around[1]))
    columns.add("best_place", (box[:, 1] - around[1]) / max(float(around[3] - around[1]), 1))
