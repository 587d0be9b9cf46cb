"""Which blocks of a page repeat what it says for machines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from learner.ensembles.trees import Floats
from learner.page.said.metadata import Metadata
from learner.page.words import word_letters

COMPARED = 40
"""Letters that a block and a text must have in common. Origin: guess; a description is cut off."""

LEAST_COMPARED = 12
"""Letters of a block that repeats a text. Origin: guess; what is shorter stands in many."""

LONGEST_SAID = 50_000
"""Letters of a text that are looked at. Origin: guess, for time."""

KINDS = ("body", "about", "replies", "summary")
"""What is repeated: an article, what is said of a thing, what readers said, a description."""


def repeated(texts: Sequence[str], said: Metadata) -> Floats:
    """For each block and each of `KINDS` whether it begins with what the page says for machines: 1
    or 0, and -1 where the page says nothing of the kind.

    >>> repeated(["Rain in the valley", "Home"], Metadata(json_body="Rain in the valley.")).tolist()
    [[1.0, -1.0, -1.0, -1.0], [0.0, -1.0, -1.0, -1.0]]
    """
    found = np.full((len(texts), len(KINDS)), -1, np.float32)
    wholes = (said.json_body, said.json_about, said.json_replies, said.meta_description)
    letters = [word_letters(whole[:LONGEST_SAID]) for whole in wholes]
    if any(letters):
        starts = [word_letters(text[: 2 * COMPARED])[:COMPARED] for text in texts]
        for kind, whole in enumerate(letters):
            if whole:
                found[:, kind] = [len(s) >= LEAST_COMPARED and s in whole for s in starts]
    return found
