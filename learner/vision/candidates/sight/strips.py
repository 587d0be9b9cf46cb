"""Pictures of pages, as small as they can be and still show what is text: colours alone do not, for
letters of a tenth of their size are a light grey; so it is kept how rough each pixel was."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

WIDTH = 128
"""Pixels of a strip across, of 1,280 of the window: a line of text is two of them high. Origin:
the pictures of 128 x 128 on which candidates were told apart before."""

MOST_ROWS = 640
"""Its rows at most; what lies further down, below 6,400 pixels of the page, is not seen. Origin:
guess, for time."""

CELL = 4
"""Pixels of a strip that a cell of a map is wide and high: 40 of the page."""

MOST_PIXELS = 1 << 26
"""Of a picture that is opened. Origin: guess; Chromium draws 1,280 x 16,384, a third of it."""

PIECES = 5
"""Pixels across and down that each pixel of a strip is made of. Origin: guess; letters of 12 pixels
are six then."""

CHANNELS = 5
"""Red, green, blue; how much light differs from one piece to the next across, and down."""

ROUGH = 4
"""What differences of light are multiplied by, to be of the size of colours. Origin: guess."""

Strip = NDArray[np.uint8]
"""(rows, WIDTH, CHANNELS); rows are whole cells."""


class PictureError(ValueError):
    """A picture that cannot be read."""


def strip_of(picture: bytes) -> Strip:
    """The picture of a page, made small; PictureError if it is none, or too large."""
    from PIL import Image

    try:
        with Image.open(BytesIO(picture), formats=("JPEG", "PNG", "WEBP")) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise PictureError(f"picture: expected at most {MOST_PIXELS} pixels")
            return _small(opened)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        if isinstance(problem, PictureError):
            raise
        raise PictureError(f"picture: expected JPEG, PNG or WebP, got {problem!r}") from problem


def _small(picture: Image.Image) -> Strip:
    from PIL import Image

    n_rows = round(picture.height / picture.width * WIDTH / CELL)
    n_rows = min(max(n_rows, 1) * CELL, MOST_ROWS)
    size = (WIDTH * PIECES, n_rows * PIECES)
    # A JPEG is read at a part of its size where that is enough.
    picture.draft("RGB", (size[0], round(picture.height / picture.width * size[0])))
    bottom = min(picture.width / WIDTH * n_rows, picture.height)
    pieces = picture.convert("RGB").resize(
        size, Image.Resampling.BOX, (0, 0, picture.width, bottom)
    )
    colours = np.asarray(pieces, dtype=np.float32)
    light = colours.mean(axis=2)
    across = np.abs(np.diff(light, axis=1, append=light[:, -1:]))
    down = np.abs(np.diff(light, axis=0, append=light[-1:]))
    rough = np.stack([across, down], axis=2) * ROUGH
    found = np.concatenate([colours, rough], axis=2)
    found = found.reshape(n_rows, PIECES, WIDTH, PIECES, CHANNELS).mean(axis=(1, 3))
    strip: Strip = np.rint(np.minimum(found, 255)).astype(np.uint8)
    return strip
