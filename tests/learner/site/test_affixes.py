"""What a site adds to the names of its pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.site.affixes import Affixes

texts = st.text("abc |", max_size=10)


@pytest.mark.parametrize(
    ("titles", "stripped"),
    [
        (["One | Site", "Two | Site", "Three | Site"], ["One", "Two", "Three"]),
        (["Site: One", "Site: Two"], ["One", "Two"]),
        (["Site » One - Blog", "Site » Two - Blog"], ["One", "Two"]),
        (["«One» - Site", "«Two» - Site"], ["«One»", "«Two»"]),
        (["One | News | Site", "Two | News | Site", "Home | Site"], ["One", "Two", "Home"]),
        (["Life - and death", "Fire - and water"], ["Life - and death", "Fire - and water"]),
        (["東京｜サイト", "大阪｜サイト"], ["東京", "大阪"]),
        (["One (Manual (v1))", "Two (x) (Manual (v1))"], ["One", "Two (x)"]),
    ],
)
def test_what_the_site_adds_is_taken_from_titles(titles, stripped):
    affixes = Affixes.learn(titles)
    assert [affixes.strip(title) for title in titles] == stripped


def test_a_title_that_is_all_affix_stays():
    site = "Site"
    assert Affixes.learn(["One | Site", "Two | Site", site]).strip(site) == site


def test_a_segment_of_few_pages_is_no_affix():
    titles = [f"Story {n} | Site" for n in range(99)] + ["A | B", "C | D"]
    rare = titles[-2]
    assert Affixes.learn(titles).strip(rare) == rare


@given(st.lists(texts, max_size=6), texts)
def test_stripping_takes_only_from_the_ends(titles, title):
    stripped = Affixes.learn(titles).strip(title)
    assert stripped in title
    assert stripped or not title.strip()
