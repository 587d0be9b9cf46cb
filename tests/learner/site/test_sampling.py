import tracemalloc
from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from crawler.config.stages import LearnConfig
from learner.page.pages import Page
from learner.site.sampling import (
    DRAWN,
    MAX_NAME_BYTES,
    MOST_NAMES,
    _without_digits,
    draw_keys,
    sample_pages,
    written_names,
)
from tests.tables import NOW


def pages(numbers):
    return [Page(url=f"https://a.example/{number}", html=b"x") for number in numbers]


@given(st.permutations(range(12)), st.integers(0, 14))
def test_order_does_not_matter(numbers, size):
    first = {page.url for page in sample_pages(pages(range(12)), size)}
    second = {page.url for page in sample_pages(iter(pages(numbers)), size)}
    assert first == second
    assert len(first) == (min(size, 12) if size else 12)


def fetched(keys, moment=NOW):
    return dict.fromkeys(map(str, keys), moment)


def test_a_sample_is_taken_from_the_keys_that_are_drawn():
    some = pages(range(100))
    drawn = draw_keys(fetched(page.url for page in some), 7)
    assert len(drawn) == 7 * DRAWN
    first = sample_pages(some, 7)
    assert list(first) == list(sample_pages([page for page in some if page.url in drawn], 7))


def written(numbers, html):
    return [replace(page, html=html) for page in pages(numbers)]


def test_a_layout_that_few_pages_have_is_in_the_sample():
    usual = written(range(990), b"<div class=post><p class=text>")
    old = written(range(1000, 1004), b"<div class='entry old'><p class=lead>")
    found = list(sample_pages([*usual, *old], 200))
    assert len(found) == 200
    assert sum(page in old for page in found) >= 3


def test_names_that_one_page_has_take_no_place():
    own = [
        replace(page, html=b"<p class=x%b>" % (b"y" * n))
        for n, page in enumerate(pages(range(400)))
    ]
    usual = written(range(400), b"<p class=text>")
    assert [p.url for p in sample_pages(own, 100)] == [p.url for p in sample_pages(usual, 100)]


def test_names_without_end_take_no_memory():
    """Such as what a script without quotes calls a class."""
    _without_digits.cache_clear()
    tracemalloc.start()
    try:
        for number in range(2 * MOST_NAMES):
            written_names(b"x.class=%d" % number + b"9a" * MAX_NAME_BYTES)
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        _without_digits.cache_clear()
    assert held_bytes < 15e6


def test_rare_names_fill_no_more_than_their_part():
    usual = written(range(900), b"<p class=text>")
    tags = [
        replace(p, html=b"<p class=tag-%b>" % (b"t" * (n % 30)))
        for n, p in enumerate(pages(range(900, 990)))
    ]
    found = list(sample_pages([*usual, *tags], 198))
    by_chance = 198 * len(tags) / 990
    assert by_chance < sum(page in tags for page in found) <= by_chance + 0.1 * 198 + 10


def test_the_last_days_have_their_part():
    old = fetched(range(1000))
    new = fetched(range(1000, 1012), NOW + timedelta(days=1))
    older = fetched(range(1012, 1500), NOW - timedelta(days=300))
    sample = draw_keys({**old, **new, **older}, 100 // DRAWN)
    assert len(sample) == 100
    assert sample >= new.keys()
    assert len(sample & older.keys()) > 20
    many = draw_keys({**new, **fetched(range(900), NOW + timedelta(days=2))}, 100 // DRAWN)
    assert len(many & new.keys()) < 5


def test_added_pages_change_little():
    before = draw_keys(fetched(range(1000)), 100 // DRAWN)
    after = draw_keys(fetched(range(1010)), 100 // DRAWN)
    assert len(before & after) >= 95


def test_each_kind_keeps_its_proportion():
    keys = [f"/news/{n}" for n in range(3000)] + [f"/tag/{n}" for n in range(1000)]
    tags = sum(key.startswith("/tag/") for key in draw_keys(fetched(keys), 400 // DRAWN))
    assert 70 <= tags <= 130


def test_the_preset_decides_where_the_site_does_not():
    assert LearnConfig().sample_pages == 120
    assert LearnConfig(preset="webstemmer").sample_pages == 0
    assert LearnConfig(preset="webstemmer", most_pages=9).sample_pages == 9
