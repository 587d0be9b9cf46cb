from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from crawler.config import LearnConfig
from learner.pages import Page
from learner.sampling import sample_keys, sample_pages
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


def test_keys_and_pages_are_drawn_alike():
    some = pages(range(40))
    drawn = {page.url for page in sample_pages(some, 7)}
    assert drawn == sample_keys(fetched(page.url for page in some), 7)


def test_the_last_days_have_their_part():
    old = fetched(range(1000))
    new = fetched(range(1000, 1012), NOW + timedelta(days=1))
    older = fetched(range(1012, 1500), NOW - timedelta(days=300))
    sample = sample_keys({**old, **new, **older}, 100)
    assert len(sample) == 100
    assert sample >= new.keys()
    assert len(sample & older.keys()) > 20
    many = sample_keys({**new, **fetched(range(900), NOW + timedelta(days=2))}, 100)
    assert len(many & new.keys()) < 5


def test_added_pages_change_little():
    before = sample_keys(fetched(range(1000)), 100)
    after = sample_keys(fetched(range(1010)), 100)
    assert len(before & after) >= 95


def test_each_kind_keeps_its_proportion():
    keys = [f"/news/{n}" for n in range(3000)] + [f"/tag/{n}" for n in range(1000)]
    tags = sum(key.startswith("/tag/") for key in sample_keys(fetched(keys), 400))
    assert 70 <= tags <= 130


def test_the_preset_decides_where_the_site_does_not():
    assert LearnConfig().sample_pages == 1000
    assert LearnConfig(preset="webstemmer").sample_pages == 0
    assert LearnConfig(preset="webstemmer", most_pages=9).sample_pages == 9
