"""How alike two texts are, told by MinHash signatures of 480 bytes.

A text's shingles are all runs of four of its words (letters, where no blanks part words). The least
of their hashes under each of many hash functions is its signature; two signatures agree at as many
places as the texts share shingles (Broder 1997).
"""

from __future__ import annotations

import re
import zlib

import numpy as np
from datasketch import MinHash
from numpy.typing import NDArray

from learner.page.words import UNPARTED

SHINGLE = 4
"""Words of a shingle. Origin: guess; Broder has ten, for longer texts."""

LEAST_SHINGLES = 30
"""Fewer are too short a text to be called a copy. Origin: guess."""

BANDS, ROWS = 20, 6
"""A signature falls into bands of rows; what shares one band is looked at. At a likeness of .8 one
in 400 is missed, at .3 one in 70 is looked at for nothing."""

NEAR = 0.7
"""Share of their shingles from which on two texts are nearly the same: of two in one article in
seven a paragraph is added or changed. Origin: guess."""

Signature = NDArray[np.uint32]

_WORD = re.compile(rf"[{UNPARTED}]|\w+")


def signature_of(text: str) -> Signature | None:
    """The signature of a text; None if it is too short.

    >>> text = " ".join(map(str, range(100)))
    >>> round(likeness(signature_of(text), signature_of(f"{text} 100")), 1)
    1.0
    >>> round(likeness(signature_of(text), signature_of(text[::-1])), 1)
    0.0
    """
    words = [word.encode("utf-8", "replace") for word in _WORD.findall(text.lower())]
    n_shingles = len(words) - SHINGLE + 1
    if n_shingles < LEAST_SHINGLES:
        return None
    hashes = MinHash(num_perm=BANDS * ROWS, hashfunc=zlib.crc32)
    hashes.update_batch([b" ".join(words[i : i + SHINGLE]) for i in range(n_shingles)])
    return np.asarray(hashes.hashvalues, np.uint32)


def likeness(one: Signature, other: Signature) -> float:
    """The share of their shingles that two texts have in common, about, 0 to 1."""
    return float(np.mean(one == other))


def bands_of(signature: Signature) -> list[int]:
    """A number for each band: equal if all of its rows are."""
    rows = signature.reshape(BANDS, ROWS)
    return [zlib.crc32(row.tobytes(), number) for number, row in enumerate(rows)]
