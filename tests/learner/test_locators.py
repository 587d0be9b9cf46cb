from hypothesis import given, settings
from hypothesis import strategies as st

from learner.locators import Locator, Signatures, StableNames
from tests.handmade import element_of, layout

tags = st.sampled_from(["div", "p", "section"])
names = st.lists(st.sampled_from([".a", ".b", "#c"]), unique=True, max_size=2).map(sorted)
steps = st.lists(st.tuples(tags, names.map(tuple)), max_size=3)


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


def slow_find(locator, tree, loose=False):
    """Step by step from each element up to the root."""
    found = []
    for element in range(len(tree.tags)):
        chain = list(tree.ancestors(element))[::-1]
        if len(chain) == len(locator.steps):
            pairs = zip(chain, locator.steps, strict=True)
            if all(slow_fit(tree, e, step, loose) for e, step in pairs):
                found.append(element)
    return found


def slow_fit(tree, element, step, loose):
    tag, wanted = step
    borne = set(tree.tokens[element])
    if loose and wanted and tag != "body":
        enough = borne & set(wanted)
    else:
        enough = loose or borne >= set(wanted)
    return tree.tags[element] == tag and bool(enough)


@given(steps)
def test_a_locator_is_read_as_it_was_written(parts):
    locator = Locator((("body", ()), *parts))
    assert Locator.parse(str(locator)) == locator


@settings(deadline=None, max_examples=50)
@given(markup(), steps, st.booleans())
def test_it_finds_what_a_slow_search_finds(source, parts, loose):
    tree = layout(source)
    locator = Locator((("body", ()), *parts))
    assert locator.find(tree, loose) == slow_find(locator, tree, loose)


def test_every_element_is_found_by_its_own_locator():
    tree = layout("<div class=a><p>one</p><p>two</p></div><div><p>three</p></div>")
    found = [locator.find(tree) for locator in StableNames([tree]).locators(tree)]
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
    assert wanted.find(tree, loose=True) == [element_of(tree, ".post")]


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
        for locator, signature in zip(stable.locators(tree), signatures.of[tree], strict=True):
            assert by_signature.setdefault(signature, locator) == locator
            assert signatures.locator(signature) == locator
            assert signatures.named(signature) == bool(locator.steps[-1][1])
    assert len(set(by_signature.values())) == len(by_signature)
