"""Do patterns keep their names when a site is learned again from other pages?

Used by `benchmarks.house` and by the tests.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from learner.induction.steps import learn_patterns
from learner.page.locators import Locator
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet

LEFT_OUT = 10
"""Pages that are left out, one after the other."""

_Places = tuple[Locator | None, Locator]


def kept_ids(pages: Sequence[Page], left_out: int = LEFT_OUT) -> tuple[int, int]:
    """How many patterns come back with the places of title and container that they had, each time
    a page of a site is left out, and how many of these keep their id."""
    before = _ids_by_places(learn_patterns(pages))
    back = kept = 0
    chosen = random.Random(1).sample(range(len(pages)), min(left_out, len(pages)))
    for index in chosen:
        again = _ids_by_places(learn_patterns([*pages[:index], *pages[index + 1 :]]))
        for places in before.keys() & again.keys():
            back += len(again[places])
            kept += len(again[places] & before[places])
    return back, kept


def _ids_by_places(patterns: PatternSet) -> dict[_Places, set[str]]:
    found: dict[_Places, set[str]] = {}
    for pattern in patterns:
        if pattern.rules:
            found.setdefault(pattern.rules.places, set()).add(pattern.pattern_id)
    return found
