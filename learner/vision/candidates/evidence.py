"""What the element that was chosen on a drawn page says of its blocks of text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learner.dom.repeats.taken import label_blocks
from learner.vision.candidates.model import CandidateModel, shipped_model
from learner.vision.snapshots.arrays import Floats
from learner.vision.snapshots.snapshot import Snapshot

HELD, NOT_HELD = 1.0, 4.0
"""What a sure choice adds to the log odds of a block that it holds, and takes from those of the
others. Origin: measured, see docs/decisions.md."""


def evidence_of(
    texts: Sequence[str], snapshot: Snapshot, model: CandidateModel | None = None
) -> Floats:
    """(n,) What is added to the log odds that each of some texts, the blocks of the same document
    in its order, is of the page's text: `HELD` or minus `NOT_HELD` times how sure the choice of the
    element is. Zeros if the page has no candidate.

    Blocks and element are compared by their letters: a document that was written as HTML and parsed
    again may have another tree.
    """
    pick = (model or shipped_model()).pick(snapshot)
    if pick is None:
        return np.zeros(len(texts), np.float32)
    is_held = label_blocks(texts, snapshot.visible_text(pick.node))
    found: Floats = np.where(is_held, HELD, -NOT_HELD).astype(np.float32) * pick.probability
    return found
