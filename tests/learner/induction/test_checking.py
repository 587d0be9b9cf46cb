"""What the learner finds out of its patterns itself."""

from dataclasses import replace

from learner.induction.checking import LEFT_OUT, TAUGHT
from learner.induction.steps import learn_patterns
from learner.kinds.kind import Kind
from learner.patterns.pattern import PatternSet
from learner.patterns.self_check import SelfCheck
from tests.handmade import HOST, Story, article, page, site, stories, words

WELL = SelfCheck(
    pages=4,
    are_left_out=True,
    matched=1.0,
    kept=0.9,
    titled=1.0,
    as_articles=1.0,
    first_evidence=1.0,
)


def check_of(pages):
    """The check of the pattern that most pages taught."""
    articles = [each for each in learn_patterns(pages) if each.kind is Kind.ARTICLE]
    return max(articles, key=lambda each: each.n_pages).check


def test_a_good_pattern_finds_pages_that_were_left_out():
    check = check_of(site(n_articles=LEFT_OUT + TAUGHT))
    assert check == replace(WELL, kept=check.kept)
    assert check.kept > 0.9 and not check.problem


def test_a_pattern_of_few_pages_is_tried_on_those_that_taught_it():
    check = check_of(site(n_articles=LEFT_OUT + TAUGHT - 1))
    assert (check.are_left_out, check.matched, check.problem) == (False, 1.0, "")


def test_what_stands_far_from_the_text_is_not_kept():
    def in_two_boxes(story):
        menu = "".join(f"<p>{words(n, 20)}</p>" for n in range(30))
        far = f'<div class="far"><p>{words(("far", story.number), 15)}</p></div>'
        return f'{article(story)}<div class="menu">{menu}</div>{far}'

    check = check_of(site(in_two_boxes, n_articles=14))
    assert 0.4 < check.kept < 0.9


def test_what_was_a_list_before_its_texts_were_looked_at_is_told():
    long = [page(Story(n)) for n in range(1, 16)]
    majority = [replace(each, url=each.url.replace("story", "the-story-of-a-day")) for each in long]
    minority = [
        replace(page(each, in_section), url=f"{HOST}/news/s{each.number}day.html")
        for each in stories(5, 30)
    ]
    turned = next(each for each in learn_patterns([*majority, *minority]) if each.n_pages == 5)
    assert turned.check.first_evidence == 0
    assert "links and headings call 0% of its pages articles" in turned.check.problem


def in_section(story):
    return (
        f'<section class="story"><header><h2 class="name">{story.title}</h2></header>'
        f'<div class="words">{story.html}</div></section>'
    )


def test_lists_are_not_checked_and_the_figures_survive_the_table():
    patterns = learn_patterns(site(n_articles=14))
    assert {each.kind: each.check is None for each in patterns} == {
        Kind.ARTICLE: False,
        Kind.LIST: True,
    }
    again = PatternSet.from_table(patterns.to_table())
    assert [each.check for each in again] == [each.check for each in patterns]
    before = PatternSet.from_table(patterns.to_table().drop_columns(["check"]))
    assert {each.check for each in before} == {None}


def test_what_is_wrong_is_said_in_words():
    assert not WELL.problem
    assert "finds a text on 25% of the pages" in replace(WELL, matched=0.25).problem
    assert "keeps 10%" in replace(WELL, kept=0.1).problem
    assert "calls 0% of the pages" in replace(WELL, titled=0.0).problem
    assert "takes 25% of the pages for articles" in replace(WELL, as_articles=0.25).problem
    unknown = replace(WELL, matched=0.0, kept=None, titled=None, as_articles=None)
    assert unknown.problem.count("it ") == 1 and "kept" not in str(unknown)
