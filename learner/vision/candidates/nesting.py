"""Which candidates lie in which."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from learner.vision.snapshots.arrays import Ints
from learner.vision.snapshots.snapshot import Snapshot


class Nesting:
    """The tree of the candidates of a page. All arrays have a row a candidate."""

    def __init__(self, snapshot: Snapshot, candidates: Ints, weights: NDArray[np.float64]) -> None:
        """`weights` tell which candidate in another is its inner one."""
        end = snapshot.end[candidates]
        n = len(candidates)
        self.n_below: Ints = (np.searchsorted(candidates, end) - np.arange(n) - 1).astype(np.int32)
        """How many candidates lie in it."""
        self.n_above: Ints = np.zeros(n, np.int32)
        """How many candidates it lies in."""
        self.around: Ints = np.full(n, -1, np.int32)
        """The next candidate that it lies in; -1 without."""
        self.inner: Ints = np.full(n, -1, np.int32)
        """The heaviest candidate right in it; -1 without."""
        above: list[int] = []
        for number, node in enumerate(candidates.tolist()):
            while above and end[above[-1]] <= node:
                above.pop()
            if above:
                outer = self.around[number] = above[-1]
                known = self.inner[outer]
                if known < 0 or weights[number] > weights[known]:
                    self.inner[outer] = number
            self.n_above[number] = len(above)
            above.append(number)
