import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learner.bodies.comments import comment_signatures
from learner.bodies.container import OTHER_SHARE, find_container
from learner.site.recurrence import recurring_texts
from learner.site.signatures import Signatures
from tests.handmade import (
    Story,
    article,
    comments,
    extract,
    framed,
    layout,
    link,
    members,
    page,
    site,
    stories,
    tags,
    words,
)


def learn(bodies):
    """The container of pages of one template, and for each page the name of its element."""
    cluster = members([layout(body) for body in bodies])
    signatures = Signatures([member.tree for member in cluster])
    found = find_container(cluster, signatures, comment_signatures(cluster, signatures))
    return cluster, signatures, found


def place(signatures, container):
    return str(signatures.locator(container.signature))


def slow_balance(member, element, recurring):
    """The F-measure of one element by its definition."""
    blocks = [b for b in member.tree.blocks if b is not member.title]
    varying = [b for b in blocks if member.wording.stamp(b) not in recurring]
    inside = set(member.tree.inside(element))
    wanted = sum(b.unlinked_weight for b in varying if b in inside)
    if not wanted:
        return None
    others = 0.0
    for block in (block for block in blocks if block in inside):
        own = block.unlinked_weight if block in varying else 0
        others += counted(member.tree, block) * (block.weight - own)
    precision = wanted / (wanted + others)
    recall = wanted / sum(b.unlinked_weight for b in varying)
    return 2 * precision * recall / (precision + recall)


def counted(tree, block):
    """How much other text in a block counts: less where a name tells what holds it."""
    around = [e for e in tree.ancestors(block.element) if e > 0]
    return OTHER_SHARE if any(tree.tokens[e] for e in around) else 1


texts = st.sampled_from(["menu", "one", "two two", "three three three", "<a href=/x>link</a>"])
paragraphs = st.lists(texts, max_size=3).map(lambda said: "".join(f"<p>{t}</p>" for t in said))
bodies = st.tuples(paragraphs, paragraphs, paragraphs).map(
    lambda parts: (
        "<div>{}</div><main><section>{}</section><aside class=side>{}</aside></main>".format(*parts)
    )
)


@settings(deadline=None, max_examples=60)
@given(st.lists(bodies, min_size=1, max_size=3))
def test_no_element_has_a_better_balance(sources):
    cluster, signatures, found = learn(sources)
    texts = [member.wording.stamps(member.tree.blocks) for member in cluster]
    recurring = recurring_texts(texts) if len(texts) > 1 else frozenset()
    balances = {}
    for member in cluster:
        places = signatures.of[member.tree]
        for element, signature in enumerate(places):
            balance = slow_balance(member, element, recurring)
            if balance is not None and places.count(signature) == 1:
                balances[signature] = balances.get(signature, 0) + balance / len(cluster)
    if found is None:
        assert not balances
    else:
        assert found.balance == pytest.approx(max(balances.values()))
        assert found.balance == pytest.approx(balances[found.signature])


def test_the_text_is_found_between_menu_and_footer():
    _, signatures, found = learn(framed(story, article(story)) for story in stories(5))
    assert place(signatures, found) == "body/div.one-main/article.post.post-0/div.text"


def test_of_equal_elements_the_deepest_is_taken():
    bodies = [
        f"<h1>T {s.number}</h1><div><div><main>{s.html}</main></div></div>" for s in stories(3)
    ]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/div/div/main"


def test_a_named_element_that_holds_no_more_is_taken_for_what_other_pages_have_in_it():
    plain, named = ("<nav>Menu</nav>" + outer + "<p>{}</p></div></div>" for outer in (
        "<div><div class=first>", "<div class=text><div class=first>"
    ))  # fmt: skip
    texts = [words(f"text {n}", 20) for n in range(3)]
    for source, path in ((plain, "body/div/div.first"), (named, "body/div.text")):
        _, signatures, found = learn([source.format(text) for text in texts])
        assert place(signatures, found) == path


def test_a_named_element_like_its_siblings_is_not_taken_for_what_it_holds():
    bodies = [
        f"<div id=box-1><p>Menu</p></div><div id=box-2><main>{story.html}</main></div>"
        for story in stories(4)
    ]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/div#box-0/main"


def test_pages_of_one_paragraph():
    told = [Story(number, n_paragraphs=1, n_words=8) for number in range(1, 6)]
    _, signatures, found = learn(framed(story, article(story)) for story in told)
    assert place(signatures, found).startswith("body/div.one-main/article")


def test_static_text_does_not_draw_the_container_wider():
    static = "<p>" + "The same long notice on every page. " * 40 + "</p>"
    bodies = [f"<div class=page>{static}<main>{s.html}</main></div>" for s in stories(4)]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/div.page/main"


def test_a_lead_above_the_text_is_worth_the_furniture_around_it():
    share = "<p>" + "Share this page with everyone. " * 4 + "</p>"
    bodies = [
        f"<div class=page><h1>{s.title}</h1><p class=lead>{s.paragraphs[0]}</p>{share}"
        f"<div class=text>{tags('p', s.paragraphs[1:])}</div></div>"
        for s in stories(4)
    ]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/div.page"


def test_long_comments_do_not_win():
    told = stories(6)
    bodies = [framed(s, article(s) + comments(s, 15, 60)) for s in told]
    cluster, signatures, found = learn(bodies)
    assert place(signatures, found).endswith("article.post.post-0/div.text")
    tree = cluster[0].tree
    outside = sum(b.weight for b in tree.blocks) - sum(
        b.weight for b in tree.inside(found.elements[tree])
    )
    assert outside > 3 * sum(b.weight for b in tree.inside(found.elements[tree]))


def test_an_element_that_stands_twice_is_none():
    bodies = [f"<div>{s.html}</div><div>{s.html}</div>" for s in stories(3)]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body"


def test_pages_that_lack_the_container_are_left_out():
    told = stories(21)
    bodies = [framed(s, article(s), "one" if s.number < 21 else "two") for s in told]
    cluster, _, found = learn(bodies)
    assert set(found.elements) == {member.tree for member in cluster[:20]}
    assert found.balance < 1


def test_no_text_no_container():
    assert learn(["", "<div></div>"])[2] is None
    assert learn(["<p>same</p>", "<p>same</p>", "<p>same</p>"])[2] is None


def test_one_page_alone_has_a_container_though_nothing_can_vary():
    _, signatures, found = learn(["<nav><a href=/x>menu here</a></nav><main><p>Text.</p></main>"])
    assert place(signatures, found) == "body/main/p"


def nameless(story, banner=""):
    """A page of boxes without a name; the side column leads elsewhere on every page."""
    side = f"<a href=/{story.number}>{words(f'side {story.number}', 60)}</a>"
    return (
        f"<div>{words('menu', 9)}</div>{banner}<div><h1>{story.title}</h1>{story.html}</div>"
        f"<div><p>{side}</p></div>"
    )


def test_a_box_without_a_name_is_known_by_its_slot():
    _, signatures, found = learn([nameless(story) for story in stories(6)])
    assert place(signatures, found) == "body/div[2of3]"
    assert len(found.elements) == 6


def test_pages_with_one_box_more_lack_the_container():
    told = stories(10)
    bodies = [nameless(story) for story in told[:9]]
    bodies.append(nameless(told[9], "<div>Banner</div>"))
    cluster, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/div[2of3]"
    assert [member.tree in found.elements for member in cluster] == [True] * 9 + [False]


def test_a_box_that_is_known_by_its_place_alone_needs_no_slot():
    bodies = [f"<div>{words('menu', 9)}</div><main>{story.html}</main>" for story in stories(6)]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/main"


def test_columns_of_a_page_builder_with_the_same_names_are_told_apart():
    """The text's column is named as those of other rows, which bear more names."""

    def built(story):
        menu = tags("p", (link(Story(story.number + n)) for n in (1, 2, 3)))
        side = f'<div class="side">{menu}</div>'
        row = f'<div class="row {{}}"><div class="column">{{}}</div>{side}</div>'
        return "".join(
            (
                row.format("with-background", f"<h1>{story.title}</h1>"),
                row.format("dark top", menu),
                row.format("", story.html),
                row.format("dark", menu),
            )
        )

    new = Story(99)
    record = extract(page(new, built), site(built, n_articles=16))
    assert (record.status, record.body) == ("ok", new.body)
