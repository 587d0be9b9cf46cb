"""A pattern keeps its id when a page more or less is learned from."""

import pytest

from benchmarks.material.corpus import default_sites, pages_to_learn, read_halves
from benchmarks.measures.lasting_ids import kept_ids
from examples.site import build_site
from learner.page.pages import Page

DEMO = "https://lantern.test"
LEAST_KEPT = 0.95
SMALLEST_SITES = 6
LEFT_OUT = 5
"""Pages of each real site, one after the other; of the demo there are more."""


def test_of_the_demo():
    site = build_site(1, DEMO)
    resources = [*site.pages("article"), *site.pages("list"), *site.pages("other")]
    back, kept = kept_ids([Page(url=DEMO + r.path, html=r.body) for r in resources])
    assert back > 30
    assert kept >= LEAST_KEPT * back


@pytest.mark.usefixtures("shared")
def test_of_real_sites():
    """The smallest; `python -m benchmarks.house` looks at all."""
    sources = sorted(default_sites(), key=lambda source: source.stat().st_size)[:SMALLEST_SITES]
    found = [kept_ids(pages_to_learn(read_halves(source).train), LEFT_OUT) for source in sources]
    back, kept = (sum(numbers) for numbers in zip(*found, strict=True))
    assert back > 100
    assert kept >= LEAST_KEPT * back
