from hypothesis import given, settings
from hypothesis import strategies as st

from learner.page.locators import Fit, Locator
from learner.site.signatures import MOST_SLOTS, Signatures, StableNames
from tests.handmade import element_of, layout

tags = st.sampled_from(["div", "p", "section"])
names = st.lists(st.sampled_from([".a", ".b", "#c"]), unique=True, max_size=2).map(sorted)
slots = st.sampled_from([("[1of1]",), ("[1of2]",), ("[2of2]",), ("[2of3]",)])
steps = st.lists(st.tuples(tags, names.map(tuple) | slots), max_size=3)


@st.composite
def markup(draw, depth=3):
    """Nested elements, some of which bear names."""
    parts = []
    for tag, own in draw(st.lists(st.tuples(tags, names), max_size=3)):
        classes = " ".join(name[1:] for name in own if name[0] == ".")
        identifier = "".join(f' id="{name[1:]}"' for name in own if name[0] == "#")
        inside = draw(markup(depth=depth - 1)) if depth else ""
        parts.append(f'<{tag}{identifier} class="{classes}">x {inside}</{tag}>')
    return "".join(parts)


def slow_find(locator, tree, fit):
    """Step by step from each element up to the root, or to where the asked-for end begins."""
    steps = list(locator.steps)
    if fit is Fit.MOVED:
        named = [bool(n) and tag != "body" and n[0][0] != "[" for tag, n in steps]
        while steps and (not named[0] or any(named[1:])):
            del steps[0], named[0]
    found = []
    for element in range(len(tree.tags)) if steps else ():
        chain = list(tree.ancestors(element))[::-1]
        if fit is Fit.MOVED:
            chain = chain[-len(steps) :]
        if len(chain) == len(steps):
            pairs = zip(chain, steps, strict=True)
            if all(slow_fit(tree, e, step, fit) for e, step in pairs):
                found.append(element)
    return found


def slow_fit(tree, element, step, fit):
    tag, wanted = step
    borne = {*tree.tokens[element], slow_slot(tree, element)}
    if fit is Fit.LOOSE:
        enough = not wanted or tag == "body" or borne & set(wanted)
    else:
        enough = borne >= set(wanted)
    return tree.tags[element] == tag and bool(enough)


def slow_slot(tree, element):
    """Which of the elements with its parent and tag it is, and of how many."""
    family = (tree.parents[element], tree.tags[element])
    pairs = zip(tree.parents, tree.tags, strict=True)
    siblings = [other for other, each in enumerate(pairs) if each == family]
    return f"[{siblings.index(element) + 1}of{len(siblings)}]"


def locators(tree, stable):
    """The locator of every element of a page, each from the root by itself."""
    chains = [list(tree.ancestors(element))[::-1] for element in range(len(tree.tags))]
    return [
        Locator(tuple((tree.tags[e], stable.names(tree, e)) for e in chain)) for chain in chains
    ]


@given(steps)
def test_a_locator_is_read_as_it_was_written(parts):
    locator = Locator((("body", ()), *parts))
    assert Locator.parse(str(locator)) == locator


@settings(deadline=None, max_examples=50)
@given(markup(), steps, st.sampled_from(Fit), st.sampled_from([(), (), (".page",)]))
def test_it_finds_what_a_slow_search_finds(source, parts, fit, on_body):
    tree = layout(source)
    locator = Locator((("body", on_body), *parts))
    assert locator.find(tree, fit) == slow_find(locator, tree, fit)


def test_every_element_is_found_by_its_own_locator():
    tree = layout("<div class=a><p>one</p><p>two</p></div><div><p>three</p></div>")
    found = [locator.find(tree) for locator in locators(tree, StableNames([tree]))]
    p = [e for e, tag in enumerate(tree.tags) if tag == "p"]
    assert found[p[0]] == found[p[1]] == p[:2]
    assert found[p[2]] == p  # it asks for no name, so it finds the named one's children too


def test_names_may_be_more_than_asked_for_but_not_fewer():
    tree = layout('<div class="post sticky">a</div><div class="post">b</div><div>c</div>')
    first, second, _ = (e for e, tag in enumerate(tree.tags) if tag == "div")
    assert Locator.parse("body/div.post").find(tree) == [first, second]
    assert Locator.parse("body/div.post.sticky").find(tree) == [first]


def test_loosely_one_of_the_names_is_enough_and_none_of_the_body():
    tree = layout('<div class="post">a</div><div class="other">b</div>')
    wanted = Locator.parse("body.archive/div.post.sticky")
    assert wanted.find(tree) == []
    assert wanted.find(tree, Fit.LOOSE) == [element_of(tree, ".post")]


def test_moved_it_is_found_by_the_names_at_its_end():
    tree = layout('<div class="wide"><div class="post"><h1>a</h1></div></div><h1>b</h1>')
    wanted = Locator.parse("body.single/div#page.wrap/div.post/h1")
    assert wanted.find(tree, Fit.LOOSE) == []
    assert wanted.find(tree, Fit.MOVED) == [element_of(tree, "h1")]
    assert Locator.parse("body.single/div/h1").find(tree, Fit.MOVED) == []


def test_boxes_without_names_are_told_apart_by_their_slots():
    box = "<div>menu</div><div>text <p>one</p><p>two</p></div><div class=foot>end</div>"
    tree = layout(box)
    signatures = Signatures([tree])
    places = [str(signatures.locator(number)) for number in signatures.slotted(tree)]
    assert places == [
        "body", "body/div[1of3]", "body/div[2of3]", "body/div[2of3]/p", "body/div[2of3]/p",
        "body/div.foot",
    ]  # fmt: skip
    assert Locator.parse("body/div[2of3]").find(tree) == [2]
    assert Locator.parse("body/div[2of3]").find(layout("<div>x</div>" + box)) == []


def test_slots_are_no_neighbours_of_a_box_that_needs_none():
    one, two = layout("<div>text</div>"), layout("<div>text</div><div>more</div>")
    signatures = Signatures([one, two])
    signatures.slotted(two)
    assert signatures.apart(signatures.of[one][1]) == []


def test_rows_have_no_slots():
    tree = layout("<table>" + "<tr><td>x</td></tr>" * (MOST_SLOTS + 1) + "</table>")
    signatures = Signatures([tree])
    assert signatures.slotted(tree) == signatures.of[tree]


def test_a_slot_is_no_name_that_could_have_moved():
    tree = layout("<section><div>a</div><div>b</div></section>")
    assert Locator.parse("body/div[2of2]").find(tree, Fit.MOVED) == []


def test_nothing_is_found_where_nothing_is_asked_for_or_there():
    assert Locator(()).find(layout("<p>x</p>")) == []
    assert Locator.parse("").steps == ()
    assert Locator.parse("body/p").find(layout("")) == []


def test_names_that_come_and_go_are_left_out():
    def tree(n):
        kind = "even" if n % 2 else "odd"
        return layout(
            f'<div id="post-{n}" class="entry {kind} tag-{"xyz"[n % 3]}"><p>{n}</p></div>'
        )

    trees = [tree(n) for n in range(12)]
    stable = StableNames(trees)
    assert stable.names(trees[0], element_of(trees[0], "div")) == ("#post-0", ".entry")


def test_a_name_of_one_page_names_nothing():
    trees = [layout(f"<h2 id={name}>x</h2>") for name in ("first", "second", "third")]
    stable = StableNames(trees)
    assert stable.names(trees[0], element_of(trees[0], "h2")) == ()


def test_a_name_that_holds_a_sign_of_the_written_form_is_none():
    trees = [layout('<div class="w-1/2 a.b plain">x</div>') for _ in range(3)]
    names = StableNames(trees).names(trees[0], element_of(trees[0], "div"))
    assert names == (".plain",)


@settings(deadline=None, max_examples=30)
@given(st.lists(markup(depth=2), min_size=1, max_size=4))
def test_equal_signatures_mean_equal_locators(sources):
    trees = [layout(source) for source in sources]
    stable, signatures = StableNames(trees), Signatures(trees)
    by_signature = {}
    for tree in trees:
        for locator, signature in zip(locators(tree, stable), signatures.of[tree], strict=True):
            assert by_signature.setdefault(signature, locator) == locator
            assert signatures.locator(signature) == locator
            assert signatures.named(signature) == bool(locator.steps[-1][1])
    assert len(set(by_signature.values())) == len(by_signature)


def test_signs_of_the_written_form_are_no_part_of_a_tag():
    tree = layout("<my.tag><p>a</p></my.tag>")
    signatures = Signatures([tree])
    written = str(signatures.locator(signatures.of[tree][-1]))
    assert Locator.parse(written).find(tree) == [len(tree.tags) - 1]


def test_what_would_be_found_at_an_elements_place_too():
    html = "<div class=page><div class=head>a</div><div>b</div><p class=head>c</p></div>"
    trees = [layout(html), layout(html)]
    signatures = Signatures(trees)
    text = signatures.of[trees[0]][element_of(trees[0], ".head") + 1]
    assert [str(place) for place in signatures.apart(text)] == ["body/div.page/div.head"]
