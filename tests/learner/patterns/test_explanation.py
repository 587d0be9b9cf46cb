from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from learner.bodies.rule import BodyRule
from learner.induction.steps import learn_patterns
from learner.page.locators import Locator
from learner.patterns.explanation import describe, name_features, name_witnesses, relative_path
from learner.patterns.rules import Rules
from learner.site.model import SiteModel
from learner.titles.rule import TitleRule
from tests.handmade import article, layout, listing, page, site, stories

SITE = site()
LEARNED = learn_patterns(SITE)
WEIGHTS = LEARNED.site.kind_features.weights
PLAIN = Rules(title=TitleRule(place=None), body=BodyRule(container=Locator.parse("body")))

tags = st.sampled_from(["<div>", "<div class='a b-1'>", "</div>", "<p id=x>", "text ", "<td>"])


@settings(deadline=None, max_examples=50)
@given(st.lists(tags, max_size=20))
def test_every_feature_of_a_skeleton_has_a_name(parts):
    tree = layout("".join(parts))
    assert tree.feature_names().keys() == tree.skeleton


def test_features_are_named_by_their_place():
    tree = layout('<div class="posts"><p>Text</p></div>')
    names = {"body", "body/div", "body/div.posts", "body/div/p"}
    assert set(tree.feature_names().values()) == names


def test_witnesses_are_named_from_pages_the_strongest_first():
    witnesses = name_witnesses(LEARNED.site, name_features(SITE))
    assert len(witnesses) == len(WEIGHTS)
    strengths = [abs(witness.weight) for witness in witnesses]
    assert strengths == sorted(strengths, reverse=True)
    weights = {witness.name: witness.weight for witness in witnesses}
    assert any(weight < 0 for name, weight in weights.items() if "/article" in name)
    assert any(weight > 0 for name, weight in weights.items() if "/h2" in name)
    assert any(name.startswith("address ") for name in weights)
    frame = {name: weight for name, weight in weights.items() if name.startswith("body")}
    assert all(weight > 0 for name, weight in frame.items() if "/article" not in name)


def test_witnesses_that_no_page_shows_are_left_out():
    shown = name_witnesses(LEARNED.site, name_features([page(stories(1)[0])]))
    assert 0 < len(shown) < len(WEIGHTS)
    assert all(witness.weight < 0 for witness in shown)
    assert name_witnesses(LEARNED.site, {}) == []


def test_paths_are_seen_from_the_main_container():
    main = "body/div#page/main"
    assert relative_path(main + "/ul/li", main) == ".../ul/li"
    assert relative_path(main, main) == main
    assert relative_path("body/div#page/mainly/p", main) == "body/div#page/mainly/p"
    assert relative_path("body/p", "") == "body/p"


def test_what_the_sections_do_not_show_is_described():
    def template(story):
        return article(story).replace("</div>", "<p>The end.</p></div>")

    told = [*stories(9)]
    pages = [*(page(story, template) for story in told), listing(1, told)]
    facts = described(learn_patterns(pages))
    assert facts["taken from <title>"] == "' | The Site'"
    assert facts["recurring texts, cut at both ends"] == "1: 'The end.'"
    assert "p.byline" in facts["dates"] and "months of en" in facts["dates"]
    assert facts["witnesses"].endswith("is above 0")


def described(learned):
    """The facts of the only pattern of articles."""
    (found,) = learned.articles
    return dict(describe(found.rules, learned.site))


def test_rules_that_know_nothing_say_next_to_nothing():
    assert [name for name, _ in describe(PLAIN, SiteModel())] == ["witnesses"]


def test_what_stands_beside_a_container_without_names_is_told():
    def template(story):
        head = f"<div class=head><h1>{story.title}</h1></div>"
        return f"<div class=page>{head}<div>{story.html}</div></div>"

    told = described(learn_patterns(site(template)))
    assert told["beside the main container"].endswith("div.page/div.head")


def test_what_stands_above_the_title_at_its_place_is_described():
    rules = replace(PLAIN, title=TitleRule(place=None, above=frozenset({"The Site"})))
    told = dict(describe(rules, SiteModel()))
    assert told["texts at the place of the title, above it"] == "1: 'The Site'"
