"""Values of computed styles as numbers."""

from __future__ import annotations

import re

_COLOR = re.compile(r"rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)")
_PIXELS = re.compile(r"-?\d+(?:\.\d+)?(?=px$|$)")


def pixels_of(value: str) -> float:
    """The length or number of a value; NaN for words.

    >>> pixels_of("16.5px"), pixels_of("400"), pixels_of("normal")
    (16.5, 400.0, nan)
    """
    number = _PIXELS.match(value)
    return float(number[0]) if number else float("nan")


def rgba_of(value: str) -> tuple[float, float, float, float]:
    """Red, green, blue and opacity from 0 to 1; NaN for other ways to tell a colour.

    >>> rgba_of("rgb(255, 0, 51)"), rgba_of("rgba(0, 0, 0, 0.5)")
    ((1.0, 0.0, 0.2, 1.0), (0.0, 0.0, 0.0, 0.5))
    """
    parts = _COLOR.match(value)
    if not parts:
        return (float("nan"),) * 4
    red, green, blue = (int(part) / 255 for part in parts.groups()[:3])
    return red, green, blue, float(parts[4] or 1)
