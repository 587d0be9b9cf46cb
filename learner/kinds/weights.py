"""The weights of what tells lists from articles: data, `weights.json` beside this file.

`python -m benchmarks.fit pages` and `... texts` write it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

SHIPPED = "weights.json"

INTERCEPT = "intercept"
"""What is there without any measure, beside the weights of measures."""


@cache
def shipped_weights(question: str) -> Mapping[str, float]:
    """Measure -> weight, and `INTERCEPT`: of "pages", what one page is by itself, or of "texts",
    what a cluster is by the texts found on it. Above 0 speaks for a list."""
    text = resources.files(__package__).joinpath(SHIPPED).read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)[question]["weights"]
    return weights
