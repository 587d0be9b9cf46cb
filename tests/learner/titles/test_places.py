"""Where the pages of a site say what they are called."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learner.site.affixes import Affixes
from learner.titles.places import repeated_names, title_places
from tests.handmade import element_of, layout, words


def test_a_line_with_a_date_beside_the_name_is_no_title():
    trees = [
        layout(f"<p>{n} of them</p><div>Site: Story {n} (changed 2001-05-1{n})</div>", f"Story {n}")
        for n in range(3)
    ]
    assert title_places(trees, [[tree.metadata.title] for tree in trees]) == {}
    headed = [layout(f"<h1>Story {n}, 2001-05-1{n}</h1>", f"Story {n}") for n in range(3)]
    assert title_places(headed, [[tree.metadata.title] for tree in headed]).keys() == {0, 1, 2}


def pages_with_two_candidates(count):
    """The h1 repeats `<title>`; a line above it nearly does, on half of the pages."""
    for n in range(count):
        name = f"Name {'abcdefgh'[n] * 6}"
        line = f"{name} x" if n % 2 else "Welcome"
        yield layout(f"<div class=top>{line}</div><div><h1>{name}</h1><p>Text.</p></div>", name)


def test_one_place_serves_as_many_pages_as_it_can():
    trees = list(pages_with_two_candidates(6))
    places = title_places(trees, [[tree.metadata.title] for tree in trees])
    heading = {page: tree.paths[element_of(tree, "h1")] for page, tree in enumerate(trees)}
    assert places == heading


def test_a_place_that_serves_all_pages_yields_to_surer_ones_of_some():
    names = [["The rain in spring"], ["The sun in June"], ["The snow of May"], ["A storm at night"]]
    trees = [
        layout(f"<{tag}>{name}</{tag}><h3>2 replies to “{name}”</h3>")
        for (name,), tag in zip(names, ("h1", "h1", "h2", "h2"), strict=True)
    ]
    places = title_places(trees, names)
    assert places == {
        page: tree.paths[element_of(tree, tag)]
        for page, (tree, tag) in enumerate(zip(trees, ("h1", "h1", "h2", "h2"), strict=True))
    }


def test_pages_of_another_template_get_another_place():
    trees = [layout(f"<h1>Name {n * 7}</h1>", f"Name {n * 7}") for n in range(4)]
    trees.append(layout("<section><h2>Other one</h2></section>", "Other one"))
    places = title_places(trees, [[tree.metadata.title] for tree in trees])
    assert places[4] == trees[4].paths[element_of(trees[4], "h2")]
    assert len(set(places.values())) == 2


def test_pages_without_evidence_are_left_out():
    trees = [layout("<h1>Something</h1>", "Quite different") for _ in range(3)]
    assert title_places(trees, [[tree.metadata.title] for tree in trees]) == {}


def test_a_page_that_nothing_names_is_called_by_a_heading_of_its_own():
    source = "<h1>Site</h1><h2><a href=/x>Leads on</a></h2><div><h3>{}</h3><p>{}</p></div>"
    trees = [layout(source.format(f"Name {n}", f"Text {n}")) for n in range(3)]
    heading = trees[0].paths[element_of(trees[0], "h3")]
    assert title_places(trees, [[], [], []]) == {0: heading, 1: heading, 2: heading}
    assert title_places([layout("<p>Text</p>"), layout("<h1>x</h1>")], [[], []]).keys() == {1}


def test_a_text_of_all_pages_counts_less_than_one_of_each():
    # Each page's title is in its h2; the h1 names the site, which all titles hold.
    trees = [layout(f"<h1>Site</h1><h2>{n} x {n}</h2>", f"{n} x {n}: Site") for n in range(2, 8)]
    names = [[tree.metadata.title, "Site"] for tree in trees]
    places = title_places(trees, names)
    assert set(places.values()) == {trees[0].paths[element_of(trees[0], "h2")]}


@settings(deadline=None)
@given(st.permutations(range(6)))
def test_the_order_of_the_pages_decides_nothing(order):
    trees = list(pages_with_two_candidates(6))
    names = [[tree.metadata.title] for tree in trees]
    usual = title_places(trees, names)
    shuffled = title_places([trees[i] for i in order], [names[i] for i in order])
    assert {order[page]: place for page, place in shuffled.items()} == usual


def test_a_link_to_the_page_itself_is_less_than_its_heading():
    tree = layout("<ul><li><a href=#x>The name</a></li></ul><h3>The name</h3>", "The name")
    assert title_places([tree], [["The name"]]) == {0: tree.paths[element_of(tree, "h3")]}


def test_of_many_cells_the_first_that_is_no_frame_may_be_the_title_if_it_says_so_to_the_letter():
    cells = "<table><tr><td>The Site</td><td>{}</td><td>Text</td></tr></table>"
    frame, name = frozenset({"The Site"}), "A long enough name"
    for text, is_found in ((name, True), (f"{name}!", False), (f"<a href=x>{name}</a>", False)):
        tree = layout(cells.format(text))
        assert bool(title_places([tree], [[name]], frame)) is is_found
    assert title_places([layout(cells.format(name))], [[name]]) == {}


def test_a_heading_may_say_more_than_the_name_below_the_name_of_the_site():
    tree = layout("<h1>The Site<br>Chapter 2: The name</h1>")
    found = title_places([tree], [["The name"]], frozenset({"The Site"}))
    assert found == {0: tree.paths[element_of(tree, "h1")]}


def test_a_title_that_side_columns_name_too_is_one():
    tree = layout("<h1>The name</h1>")
    assert title_places([tree], [["The name"]], frozenset({"The name"})).keys() == {0}


WIKI = "https://wiki.example/doku.php/{}"


@pytest.mark.parametrize("shown", ["", "<p>{}</p>"], ids=["nowhere", "at the foot, too"])
def test_what_only_has_the_end_of_its_address_for_a_title_is_called_by_its_heading(shown):
    """A wiki whose `<title>`s have the names of files, and the site's name in brackets."""
    names = [f"tips:sleep_{word}" for word in ("well", "long", "late", "deep")]
    pages = [
        layout(
            f"<div><h1>The wiki</h1></div><main><h1>{words(name, 3)}</h1><p>{words(name, 30)}</p>"
            f"<h1>{words((name, 'more'), 2)}</h1></main>{shown.format(name)}",
            f"{name} [The wiki]",
            WIKI.format(name),
        )
        for name in names
    ]
    affixes = Affixes.learn(page.metadata.title for page in pages)
    called = [[affixes.strip(page.metadata.title)] for page in pages]
    assert [each for (each,) in called] == names
    frame = frozenset({"The wiki"})
    kept = [repeated_names(p, c, frame, 0.6) for p, c in zip(pages, called, strict=True)]
    assert kept == [[]] * len(pages)
    places = title_places(pages, kept, frame)
    assert [page.tags[page.elements_at(places[n])[0]] for n, page in enumerate(pages)] == ["h1"] * 4
