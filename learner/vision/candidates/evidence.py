"""What the element that was chosen on a drawn page says of its blocks of text."""

from __future__ import annotations

from collections.abc import Sequence

from learner.dom.teaching.labels import label_blocks
from learner.vision.candidates.model import CandidateModel, shipped_model
from learner.vision.snapshot import Bools, Snapshot


def held_blocks(
    texts: Sequence[str], snapshot: Snapshot, model: CandidateModel | None = None
) -> Bools | None:
    """(n,) Whether the element that holds the text of a page holds each of these texts, the blocks
    of the same document in its order; None if the page has no candidate. They are compared by their
    letters, for HTML that is written and parsed again may have another tree."""
    node = (model or shipped_model()).pick(snapshot)
    if node is None:
        return None
    return label_blocks(texts, snapshot.visible_text(node))
