from learner.site.frames import LEAST_FAMILY, find_families
from tests.handmade import Story, article, framed, layout, listing, stories, tags

SHOP = "https://site.example/shop"


def goods(number, links=""):
    """A page of the shop: neither frame nor template is those of the stories."""
    facts = tags("td", Story(number).paragraphs)
    return (
        f'<table id="shop"><tr class="head"><td>Shop</td></tr><tr class="ware">{facts}</tr>'
        f'</table><ol class="foot"><li>Terms</li></ol>{links}'
    )


def shop(count, links=""):
    return [layout(goods(n, links), url=f"{SHOP}/{n}") for n in range(count)]


def blog(count):
    return [layout(framed(story, article(story)), url=story.url) for story in stories(count)]


def test_pages_in_one_frame_are_a_family_whatever_their_kind():
    told = stories(10)
    lists = [listing(n, told[n::3]) for n in (1, 2, 3)]
    trees = [*blog(10), *(layout(page.html.decode(), url=page.url) for page in lists)]
    assert find_families(trees) == [list(range(13))]


def test_pages_in_another_frame_are_another_family():
    trees = [*blog(9), *shop(12), *blog(2)]
    assert find_families(trees) == [list(range(9, 21)), [*range(9), 21, 22]]


def test_a_few_pages_in_a_frame_of_their_own_go_with_the_largest_family():
    few = LEAST_FAMILY - 1
    trees = [*shop(few), *blog(12)]
    assert find_families(trees) == [list(range(few + 12))]


def test_a_site_of_few_pages_is_one_family():
    trees = [*shop(7), *blog(8)]
    assert find_families(trees) == [list(range(15))]
    assert find_families([]) == [[]]


def test_families_that_lead_to_each_other_outside_their_frames_are_one():
    links = [f'<p><a href="{Story(n).url}">Story {n}</a></p>' for n in range(1, 13)]
    listing_shop = [layout(goods(n, links[n]), url=f"{SHOP}/{n}") for n in range(10)]
    assert len(find_families([*blog(12), *shop(10)])) == 2
    assert len(find_families([*blog(12), *listing_shop])) == 1
    two_of_ten = [*listing_shop[:2], *shop(10)[2:]]
    assert len(find_families([*blog(12), *two_of_ten])) == 2


def test_links_of_the_frame_join_nothing():
    menu = f'<p><a href="{Story(1).url}">Our first story</a></p>'
    assert len(find_families([*blog(12), *shop(10, menu)])) == 2
