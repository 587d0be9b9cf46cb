"""A file of patterns that was written before rules had a column of their own.

`former.parquet` was made by `save_patterns` of that version, from the pages of the demo's first
edition.
"""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from examples.site import build_site
from extractor.extraction import extract_article
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.lineage import take_over
from learner.patterns.pattern import PatternFileError, PatternSet, load_patterns
from learner.topics.rule import TopicRule
from tests.learner.patterns.test_lineage import MONDAY

FORMER = Path(__file__).with_name("former.parquet")
URL = "https://lantern.test"


def demo_pages(edition):
    site = build_site(edition, URL)
    kinds = ("article", "list", "other")
    return [Page(url=URL + r.path, html=r.body) for kind in kinds for r in site.pages(kind)]


@pytest.fixture(scope="module")
def learned():
    """The patterns of today, but for what was not learned then."""
    patterns = learn_patterns(demo_pages(1))

    def as_then(rules):
        kind = replace(rules.kind, usual_part=0.0, usual_weight=0.0)
        return replace(rules, topics=TopicRule(), kind=kind)

    return patterns.with_patterns([replace(each, rules=as_then(each.rules)) for each in patterns])


def test_its_patterns_read_pages_as_those_of_today_do(learned):
    former = load_patterns(FORMER)
    records = [
        [extract_article(page, each) for page in demo_pages(2)] for each in (former, learned)
    ]
    assert records[0] == records[1]
    assert {record.status for record in records[0]} >= {"ok", "list"}


def test_its_patterns_are_the_same_ones_so_that_their_history_goes_on(learned):
    former = load_patterns(FORMER)
    assert {each.pattern_id for each in former} == {each.pattern_id for each in learned}
    assert [each.rules for each in former.articles] == [each.rules for each in learned.articles]
    monday = take_over(former, PatternSet(), MONDAY)
    assert {each.valid_from for each in take_over(learned, monday, MONDAY)} == {MONDAY}


def test_rules_that_are_not_of_the_schema_are_named(learned):
    rows = learned.to_table().to_pylist()
    rows[0]["rules"] = rows[0]["rules"].replace('"container"', '"kontainer"')
    table = learned.to_table()
    broken = table.from_pylist(rows, schema=table.schema)
    with pytest.raises(PatternFileError, match="kontainer"):
        PatternSet.from_table(broken)


def test_it_has_what_was_written_then():
    names = pq.read_schema(FORMER).names
    assert "params" in names and "rules" not in names
