"""What is measured of each leaf block before any was judged: how it looks, where it stands, what is
around it. All of it is one pass over arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.dom.characters import (
    BLANK,
    DIGIT,
    ENDING,
    PAUSE,
    SIGN,
    UNPARTED_LETTER,
    UPPER,
)
from learner.dom.elements import ROLES, sums
from learner.dom.features import Columns, add_windows, log, shifted
from learner.vision.blocknet.areas import N_AREAS, TEXT_AREA
from learner.vision.blocknet.measures.scene import LEVELS, Scene

EVIDENCE = ("near", "least", "most", "sum")
"""What `Standings.evidence` tells."""

FAR = 99.0
"""Stands for a distance from what is not there."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def leaf_features(scene: Scene) -> tuple[list[str], Floats]:
    """Names and values of the features of each leaf."""
    columns = Columns()
    _add_letters(scene, columns)
    _add_look(scene, columns)
    _add_standing(scene, columns)
    _add_page(scene, columns)
    _add_alike(scene, columns)
    _add_levels(scene, columns)
    _add_neighbours(scene, columns)
    return columns.names, columns.matrix()


def _add_letters(scene: Scene, columns: Columns) -> None:
    leaves, add = scene.leaves, columns.add
    counts, n_words = leaves.counts, leaves.counts[:, BLANK] + 1
    characters = np.maximum(counts.sum(axis=1), 1)
    add("letters", log(leaves.weight))
    add("unlinked", log(scene.unlinked))
    add("word_length", leaves.weight / n_words)
    add("capitals", counts[:, UPPER] / characters)
    add("digits", counts[:, DIGIT] / characters)
    add("signs", counts[:, SIGN] / characters)
    add("unparted", counts[:, UNPARTED_LETTER] / characters)
    add("endings", counts[:, ENDING])
    add("endings_share", counts[:, ENDING] / n_words)
    add("pauses", counts[:, PAUSE])
    columns.add_all(["first_class", "last_class"], leaves.ends)


def _add_look(scene: Scene, columns: Columns) -> None:
    leaves, page, add = scene.leaves, scene.leaves.page, columns.add
    box, wide = leaves.box, max(page.width, 1)
    columns.add_all([f"shows{k}" for k in range(N_AREAS)], leaves.mix)
    columns.add_all([f"param{k}" for k in range(N_AREAS)], leaves.cut.params[: len(leaves)])
    add("area", log(leaves.area.sum(axis=1)))
    add("font", leaves.font / max(leaves.text_font, 1))
    add("pixels", leaves.font)
    add("bold", leaves.bold)
    add("tint", leaves.tint)
    add("centred", leaves.centred)
    add("lines", leaves.lines)
    add("left", box[:, 0] / wide)
    add("right", box[:, 2] / wide)
    add("middle", np.abs(box[:, [0, 2]].mean(axis=1) / wide - 0.5))
    add("width", leaves.width / wide)
    add("top", box[:, 1] / max(page.height, 1))
    add("pixels_down", log(box[:, 1]))
    add("pixels_to_end", log(page.height - box[:, 3]))
    add("title", scene.titles)


def _add_standing(scene: Scene, columns: Columns) -> None:
    standing = scene.standings
    n = len(scene)
    bits = (standing.bits[:n, None] >> np.arange(len(ROLES))) & 1
    columns.add_all([f"in_{role}" for role in ROLES], bits)
    columns.add_all([f"names_{each}" for each in EVIDENCE], scene.names[:n])
    columns.add("depth", standing.depth[:n])


def _add_page(scene: Scene, columns: Columns) -> None:
    """Where a leaf stands on its page, and from what it is called."""
    leaves, n, add = scene.leaves, len(scene), columns.add
    index = np.arange(n, dtype=np.float32)
    text = sums(scene.unlinked)
    total = max(float(text[-1]), 1.0)
    add("place", index / max(n, 1))
    add("text_before", text[:-1] / total)
    of_page = {
        "page_leaves": np.log1p(n),
        "page_letters": np.log1p(leaves.weight.sum()),
        "page_linked": 1 - total / max(float(leaves.weight.sum()), 1.0),
        "page_texts": np.log1p(scene.is_text.sum()),
        "page_height": np.log1p(leaves.page.height),
    }
    columns.add_all(list(of_page), np.tile(np.array(list(of_page.values())), (n, 1)))
    alike = scene.similarity
    add("similarity", alike)
    name = int((alike + scene.titles).argmax()) if n else 0
    is_named = bool(n) and alike[name] > 0.5
    far = np.full(n, FAR)
    add("from_name", index - name if is_named else far)
    add("text_from_name", (text[:-1] - text[name]) / total if is_named else far)
    add("below_name", (leaves.box[:, 1] - leaves.box[name, 3]) / 1000 if is_named else far)
    add("beside_name", (leaves.box[:, 0] - leaves.box[name, 0]) / 100 if is_named else far)
    title = np.maximum.accumulate(np.where(scene.titles > 0.5, index, -1)).astype(np.int64)
    add("since_title", np.where(title >= 0, index - title, FAR))
    add("title_font", np.where(title >= 0, leaves.font[title] / max(leaves.text_font, 1), 0))
    add("title_left", np.where(title >= 0, leaves.box[title, 0] - leaves.box[:, 0], FAR))


def _add_alike(scene: Scene, columns: Columns) -> None:
    """What else looks so, and what else stands so: rows of a list, paragraphs of a text."""
    unlinked = max(float(scene.unlinked.sum()), 1.0)
    n_texts = max(float(scene.is_text.sum()), 1.0)
    for name, which in (("look", scene.column), ("place", scene.standings.place)):
        size = np.bincount(which)
        letters = np.bincount(which, scene.unlinked)
        texts = np.bincount(which, scene.is_text)
        columns.add(f"{name}_leaves", log(size)[which])
        columns.add(f"{name}_share", (letters / unlinked)[which])
        columns.add(f"{name}_mean", log(letters / size)[which])
        columns.add(f"{name}_texts", (texts / n_texts)[which])
    copies = np.unique(scene.leaves.texts, return_inverse=True)[1].ravel()
    columns.add("copies", np.bincount(copies)[copies])


def _add_levels(scene: Scene, columns: Columns) -> None:
    """What the blocks around a leaf hold."""
    leaves, cut = scene.leaves, scene.cut
    size = np.maximum(scene.size, 1)
    unlinked, weight = scene.held(scene.unlinked), scene.held(leaves.weight)
    texts, total = scene.held(scene.is_text), max(float(scene.unlinked.sum()), 1.0)
    wide, high = max(leaves.page.width, 1), max(leaves.page.height, 1)
    measured: dict[str, NDArray[np.floating]] = {
        "leaves": log(size),
        "share": unlinked / total,
        "linked": 1 - unlinked / np.maximum(weight, 1),
        "mean": log(unlinked / size),
        "texts": texts / size,
        "titles": scene.held(scene.titles) / size,
        "filled": cut.params[:, TEXT_AREA],
        "width": (cut.box[:, 2] - cut.box[:, 0]) / wide,
        "height": (cut.box[:, 3] - cut.box[:, 1]) / high,
        "left": cut.box[:, 0] / wide,
        "top": cut.box[:, 1] / high,
    }
    matrix = np.column_stack([*measured.values()])
    levels = range(LEVELS)
    columns.add_all([f"a{k}_{name}" for k in levels for name in measured], matrix[scene.around])


def _add_neighbours(scene: Scene, columns: Columns) -> None:
    """What stands before and behind a leaf."""
    leaves = scene.leaves
    left = leaves.box[:, 0].copy()
    letters, font = log(leaves.weight), leaves.font / max(leaves.text_font, 1)
    for by in (-2, -1, 1, 2):
        columns.add(f"n{by}_letters", shifted(letters, by))
        columns.add(f"n{by}_linked", shifted(leaves.linked, by))
        columns.add(f"n{by}_font", shifted(font, by))
        columns.add(f"n{by}_left", shifted(left, by).astype(np.float32) - left)
        columns.add(f"n{by}_alike", shifted(scene.column, by) == scene.column)
        columns.add(f"n{by}_names", shifted(scene.names[: len(scene), 1], by))
    add_windows(leaves.weight, scene.unlinked, scene.is_text, columns)
