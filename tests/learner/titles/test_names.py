import pytest
from hypothesis import given
from hypothesis import strategies as st

from learner.patterns.sequences import dice, lcs_runs
from learner.site.affixes import Affixes
from learner.titles.names import agreement, common_titles, page_names, says_same, without_day
from tests.handmade import layout

NO_AFFIXES = Affixes(frozenset(), frozenset())
texts = st.text("abc |", max_size=10)


def test_a_page_is_called_by_title_then_metadata_then_anchors_each_once():
    tree = layout("", "One | Site", head='<meta property="og:title" content="One!">')
    names = page_names(tree, Affixes(frozenset(), frozenset({" | Site"})), ("One", "first"))
    assert names == ["One", "One!", "first"]
    assert page_names(layout(""), NO_AFFIXES, ()) == []


@given(texts, texts)
def test_agreement_is_the_dice_of_webstemmer_or_more(text, name):
    # More where one holds the other: then the share it makes up counts, and one half at least.
    expected = dice(text, name, lcs_runs)
    shorter, longer = sorted((text, name), key=len)
    if len(shorter) >= 3 and shorter in longer:
        expected = max(expected, 0.5 + len(shorter) / len(longer) / 2)
    assert agreement(text, [name]) == pytest.approx(expected)
    assert agreement(text, [name]) == pytest.approx(agreement(name, [text]))


@given(texts, st.lists(texts, max_size=4))
def test_the_best_name_counts(text, called):
    assert agreement(text, called) == max((agreement(text, [n]) for n in called), default=0.0)


def test_headings_may_be_printed_in_capitals():
    assert agreement("RAIN IN THE SOUTH", ["Rain in the south"]) == 1
    assert agreement("rain in the south", ["Rain In The South"]) < 1
    assert agreement("NEWS", ["NASA"]) < 1


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("2021/05/03: Rain", "Rain"),
        ("3 May 2021 - Rain", "Rain"),
        ("2021年5月3日 大雨", "大雨"),
        ("2021年5月3日（月） 大雨", "2021年5月3日（月） 大雨"),
        ("May 2021: Rain", "May 2021: Rain"),
        ("3 May 2021", "3 May 2021"),
        ("Rain of 3 May 2021", "Rain of 3 May 2021"),
        ("2021-05-03 12:30", "2021-05-03 12:30"),
        ("07:15 h - Rain", "Rain"),
        ("7:15 pm Rain", "Rain"),
        ("7:15 trains to the sea", "trains to the sea"),
        ("3 May 2021, 07:15: Rain", "Rain"),
    ],
)
def test_a_day_or_a_clock_before_a_title(title, expected):
    assert without_day(title) == expected


def test_saying_the_same():
    assert says_same("Chapter 3: Files", "Files")
    assert says_same("The quick brown fox", "The quick brown fax")
    assert not says_same("The quick brown fox", "Something else")
    assert not says_same("The quick brown fox", "")


def test_a_title_of_many_pages_names_none():
    assert common_titles(["Site"] * 3 + ["One", "Two"] * 2) == {"Site"}
    assert common_titles(["Site", "Site"]) == frozenset()
    assert common_titles(["Site"] * 3 + [f"Story {n}" for n in range(9)]) == frozenset()
