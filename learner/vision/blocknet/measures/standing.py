"""What the document says of where blocks stand: roles and names of the elements around."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.dom.elements import said_of
from learner.dom.names import NameEvidence, words_of
from learner.vision.blocknet.cutting import Cut
from learner.vision.snapshots.snapshot import Snapshot

_TOLD = ("role", "itemprop", "aria-hidden")

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


class Standings:
    """Roles and names around the blocks of a page: of each leaf those of the element that it stands
    in, of a block that holds others those of its own element."""

    def __init__(self, cut: Cut) -> None:
        page = cut.page
        self._above = page.parent.tolist()
        self._names: dict[int, tuple[str, ...]] = {}
        bits, path = [0] * len(page), [0] * len(page)
        for node in _holding(cut):
            attributes = page.attributes(node)
            self._names[node] = _names(attributes)
            parent = self._above[node]
            bits[node] = bits[parent] | said_of(_written(page.tags[node], attributes))
            path[node] = hash((path[parent], page.tags[node], self._names[node]))
        first = cut.atom[cut.low[: cut.n_leaves]]
        self._nodes = [*page.parent[first].tolist(), *cut.node[cut.n_leaves :].tolist()]
        self.bits: Ints = np.array([bits[node] for node in self._nodes], np.int64)
        """(b,) Roles, as bits."""
        paths = [path[node] for node in self._nodes[: cut.n_leaves]]
        self.place: Ints = np.unique(paths, return_inverse=True)[1].ravel()
        """(n,) One number for all leaves that stand in tags and names alike."""
        self.depth: Ints = page.depth[self._nodes].astype(np.int64)
        """(b,) Steps from the document."""

    def evidence(self, evidence: NameEvidence) -> Floats:
        """(b, 4) What the names around each block speak for: those of the nearest element that has
        any, the least of all, the most, and their sum."""
        none = (0.0, 0.0, 0.0, 0.0)
        found: dict[int, tuple[float, float, float, float]] = {}
        for node, names in self._names.items():
            near, least, most, total = found.get(self._above[node], none)
            own = evidence.of(names)[0]
            if own:
                near, least, most, total = own, min(least, own), max(most, own), total + own
            found[node] = (near, least, most, total)
        rows = [found.get(node, none) for node in self._nodes]
        return np.array(rows, dtype=np.float32).reshape(-1, 4)

    def words(self) -> list[frozenset[str]]:
        """Of each block all words of the names around it."""
        found: dict[int, frozenset[str]] = {}
        for node, names in self._names.items():
            above = found.get(self._above[node], frozenset())
            found[node] = above.union(words_of(names)) if names else above
        return [found.get(node, frozenset()) for node in self._nodes]


def _holding(cut: Cut) -> list[int]:
    """The elements that hold atoms, in order; the document is none."""
    page: Snapshot = cut.page
    is_atom = np.zeros(len(page), dtype=bool)
    is_atom[cut.atom] = True
    before = np.concatenate([[0], np.cumsum(is_atom)])
    found: list[int] = (before[page.end] > before[1:]).nonzero()[0].tolist()
    return [node for node in found if node > 0 and page.tags[node][0] not in "#:"]


def _names(attributes: dict[str, str]) -> tuple[str, ...]:
    classes = tuple(f".{each}" for each in attributes.get("class", "").lower().split())
    own = attributes.get("id", "").lower()
    return (f"#{own}", *classes) if own else classes


def _written(tag: str, attributes: dict[str, str]) -> str:
    """An element's tag with the attributes that tell its role."""
    told = [f'{name}="{attributes[name]}"' for name in _TOLD if name in attributes]
    return " ".join([tag, *told])
