"""Which boxes lead to other articles and quote them."""

from learner.bodies.teasers import teaser_signatures
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures
from tests.handmade import Story, article, extract, layout, link, page, site, stories, tags, words


def quoting(story, n_words=12):
    """The beginning of a story, cut off."""
    return " ".join(story.paragraphs[0].split()[:n_words]) + " …"


def box(story, quotation=quoting, end=""):
    """Boxes below an article that lead to the two after it, in a ring of ten."""
    others = [Story(1 + (story.number + n) % 10) for n in range(2)]
    boxes = (f"<li><a href='{o.url}{end}'>{o.title}</a><p>{quotation(o)}</p></li>" for o in others)
    return f"<ul>{''.join(boxes)}</ul>"


def found(template):
    trees = [layout(template(s), url=s.url) for s in stories(10)]
    signatures = Signatures(trees)
    places = teaser_signatures([ClusterPage(tree, None) for tree in trees], signatures)
    return sorted(str(signatures.locator(place)) for place in places)


def test_what_quotes_the_pages_that_it_leads_to_is_a_teaser():
    assert found(lambda s: article(s) + box(s)) == ["body/ul", "body/ul/li"]


def test_so_it_is_if_its_links_lack_or_have_a_slash_at_their_end():
    assert found(lambda s: article(s) + box(s, end="/")) == ["body/ul", "body/ul/li"]


def test_a_quotation_may_run_over_several_blocks():
    def template(story):
        broken = article(story).replace("<p>", "<p>In short:</p><p>")
        return broken + box(story, lambda other: f"In short: {quoting(other)}")

    assert found(template) == ["body/ul", "body/ul/li"]


def test_an_index_with_explanations_of_its_own_is_none():
    def explained(story):
        return f"How story {story.number} came about, told by those who were there."

    assert found(lambda s: article(s) + box(s, explained)) == []


def test_what_the_site_says_at_one_place_on_all_pages_is_no_quotation():
    def heading(story):
        return "Chapters of this manual"

    assert found(lambda s: article(s) + box(s, heading)) == []


def test_what_holds_the_text_is_none_though_it_begins_with_a_link():
    def chained(story):
        after = Story(1 + story.number % 10)
        text = article(story).replace("<p class", f"<p>{quoting(after, 20)}</p><p class")
        return f"<div>{link(after)}{text}</div>"

    assert found(chained) == []


def test_teasers_are_no_body():
    def template(story):
        inside = f"<div class=text>{story.html}{box(story)}</div>"
        return f"<h1>{story.title}</h1>{inside}"

    new = Story(99)
    assert extract(page(new, template), site(template)).body == new.body


def test_cards_that_quote_nothing_make_no_list_of_the_articles():
    def card(story):
        return f"<div class=card><h4>{link(story)}</h4><p>{words(story.number, 9)}</p></div>"

    def template(story):
        first, *rest = story.paragraphs
        other = Story(1 + story.number % 10)
        inside = f"<p>{first}</p>{card(other)}{tags('p', rest)}"
        return f"<h1>{story.title}</h1><div class=text>{inside}</div>"

    new = Story(99)
    assert new.paragraphs[0] in extract(page(new, template), site(template)).body


def test_a_category_may_come_before_the_link_of_a_teaser():
    def filed(story):
        return box(story).replace("<li>", "<li><p><a href=/air/>Air</a></p>")

    assert "body/ul/li" in found(lambda s: article(s) + filed(s))


def test_descriptions_of_which_some_begin_with_a_link_are_none():
    """Inherited methods are explained on several pages, a few with a link before."""

    def methods(story):
        first, *others = stories(4)
        own = "".join(f"<dd><p>{quoting(each)}</p><p>More.</p></dd>" for each in others)
        return f"<dl>{own}<dd>{link(first)}<p>{quoting(first)}</p></dd></dl>"

    assert found(lambda s: article(s) + methods(s)) == []
