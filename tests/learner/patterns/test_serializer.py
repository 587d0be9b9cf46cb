"""Rules and site models as JSON."""

import json

import pytest

from examples.site import build_site
from learner.bodies.rule import BodyRule
from learner.bylines.author_places import AuthorPlace
from learner.bylines.rule import AuthorRule, DatePlace, DateRule
from learner.induction.steps import learn_patterns
from learner.kinds.rule import KindRule
from learner.page.locators import Locator
from learner.page.pages import Page
from learner.patterns.rules import Rules
from learner.patterns.serializer import RulesError, from_json, to_json
from learner.site.affixes import Affixes
from learner.site.kind_features import KindFeatures
from learner.site.link_counts import LinkCounts, Standing
from learner.site.model import FamilyTitles, SiteModel
from learner.titles.rule import TitleRule

PLACE = Locator.parse("body/div#page.wide/p")
RULES = Rules(
    title=TitleRule(place=None, above=frozenset({"b", "a"}), is_own=True),
    body=BodyRule(container=PLACE, left_out=(PLACE,), recurring=frozenset({"「雨」", "Bye"})),
    dates=DateRule(places=(DatePlace(locator=PLACE, nth=-1, lead=" on "),), order="ymd"),
    authors=AuthorRule(places=(AuthorPlace(locator=PLACE, fixed=("By", "in")),)),
    kind=KindRule(usual_standing=Standing(inlinks=1.5, pages_below=0.0, rare_links=2.0)),
    family=1,
)
TITLES = FamilyTitles(affixes=Affixes(suffixes=frozenset({" | Site"})))
SITE = SiteModel(
    kind_features=KindFeatures({9: 0.5, 2: -1.5}, 0.25),
    link_counts=LinkCounts({7: (3, 4)}),
    families=(FamilyTitles(), TITLES),
)


@pytest.mark.parametrize("told", [RULES, SITE, SiteModel()], ids=["rules", "site", "nothing"])
def test_what_is_written_is_read_again(told):
    written = to_json(told)
    assert from_json(written, type(told)) == told
    assert to_json(from_json(written, type(told))) == written


def test_what_the_demo_teaches_is_read_again():
    resources = build_site(1, "https://lantern.test").pages("article")
    pages = [Page(url=f"https://lantern.test{r.path}", html=r.body) for r in resources]
    learned = learn_patterns(pages)
    assert from_json(to_json(learned.site), SiteModel) == learned.site
    for pattern in learned:
        assert from_json(to_json(pattern.rules), Rules) == pattern.rules


def test_keys_that_say_nothing_now_are_read():
    def as_then(written):
        return written.replace('"affixes"', '"nameless": ["The Site"], "affixes"').replace(
            '"is_dated"', '"is_first_line": true, "is_dated"'
        )

    for told in (RULES, SITE):
        then = as_then(to_json(told))
        assert then != to_json(told)
        assert from_json(then, type(told)) == told


def test_sets_are_written_in_order():
    assert '"above": ["a", "b"]' in to_json(RULES)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Rules: Expecting value"),
        ("[]", "expected a JSON object, got []"),
        ("{}", "required field missing @ $.title"),
        (
            json.dumps({**json.loads(to_json(RULES)), "titel": {}}),
            r"extra fields found (titel) @ $",
        ),
        (to_json(RULES).replace('"is_own"', '"is_mine"'), "(is_mine) @ $.title"),
        (to_json(RULES).replace('"nth": -1', '"nth": "last"'), "$.dates.places[0].nth"),
        (to_json(RULES).replace('"ymd"', '"dym"'), "$.dates.order"),
    ],
)
def test_what_is_not_of_the_schema_is_refused_with_its_place(text, told):
    with pytest.raises(RulesError) as refused:
        from_json(text, Rules)
    assert told in str(refused.value)
