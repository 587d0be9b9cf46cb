import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learner.containers import (
    LIKE_A_TIME,
    comment_signatures,
    commented,
    find_container,
    recurring_texts,
)
from learner.locators import Signatures
from tests.handmade import (
    Story,
    article,
    comments,
    element_of,
    framed,
    layout,
    members,
    stories,
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
    varying = [b for b in blocks if member.stamp(b) not in recurring]
    inside = set(member.tree.inside(element))
    wanted = sum(b.unlinked_weight for b in varying if b in inside)
    if not wanted:
        return None
    precision = wanted / sum(b.weight for b in blocks if b in inside)
    recall = wanted / sum(b.unlinked_weight for b in varying)
    return 2 * precision * recall / (precision + recall)


texts = st.sampled_from(["menu", "one", "two two", "three three three", "<a href=/x>link</a>"])
paragraphs = st.lists(texts, max_size=3).map(lambda said: "".join(f"<p>{t}</p>" for t in said))
bodies = st.tuples(paragraphs, paragraphs, paragraphs).map(
    lambda parts: "<div>{}</div><main><section>{}</section><aside>{}</aside></main>".format(*parts)
)


@settings(deadline=None, max_examples=60)
@given(st.lists(bodies, min_size=1, max_size=3))
def test_no_element_has_a_better_balance(sources):
    cluster, signatures, found = learn(sources)
    texts = [member.stamps(member.tree.blocks) for member in cluster]
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


def test_pages_of_one_paragraph():
    told = [Story(number, n_paragraphs=1, n_words=8) for number in range(1, 6)]
    _, signatures, found = learn(framed(story, article(story)) for story in told)
    assert place(signatures, found).startswith("body/div.one-main/article")


def test_static_text_does_not_draw_the_container_wider():
    static = "<p>" + "The same long notice on every page. " * 40 + "</p>"
    bodies = [f"<div class=page>{static}<main>{s.html}</main></div>" for s in stories(4)]
    _, signatures, found = learn(bodies)
    assert place(signatures, found) == "body/div.page/main"


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
    told = stories(13)
    bodies = [framed(s, article(s), "one" if s.number < 13 else "two") for s in told]
    cluster, _, found = learn(bodies)
    assert set(found.elements) == {member.tree for member in cluster[:12]}
    assert found.balance < 1


def test_no_text_no_container():
    assert learn(["", "<div></div>"])[2] is None
    assert learn(["<p>same</p>", "<p>same</p>", "<p>same</p>"])[2] is None


def test_one_page_alone_has_a_container_though_nothing_can_vary():
    _, signatures, found = learn(["<nav><a href=/x>menu here</a></nav><main><p>Text.</p></main>"])
    assert place(signatures, found) == "body/main/p"


def test_recurring_texts_stand_on_a_tenth_of_the_pages_and_on_two():
    pages = [["Menu", f"Text {n}"] for n in range(30)]
    pages[0] = ["Menu", "Menu", "twice here", "twice here", "on two"]
    pages[1] = ["Menu", "on two"]
    assert recurring_texts(pages) == {"Menu"}
    assert recurring_texts(pages[:3]) == {"Menu", "on two"}


def found_comments(bodies):
    cluster = members([layout(body) for body in bodies])
    signatures = Signatures([member.tree for member in cluster])
    places = comment_signatures(cluster, signatures)
    tree = cluster[0].tree
    inside = commented(tree, signatures.of[tree], places)
    return [block.text for block in tree.blocks if block.index in inside], tree


def test_records_with_times_after_the_text_are_comments():
    bodies = [article(s) + comments(s, 3) for s in stories(4)]
    found, tree = found_comments(bodies)
    first = element_of(tree, "ol")
    assert found == [block.text for block in tree.inside(first)]
    assert len(found) == 6


def test_bylines_and_texts_that_alternate_are_comments():
    def thread(story):
        each = (
            f"<dt>Ann, 2021-03-0{n}, 10:0{n}</dt><dd>{story.paragraphs[n]}</dd>" for n in (1, 2)
        )
        return f"{article(story)}<dl>{''.join(each)}</dl>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) == 4


def test_texts_with_their_bylines_below_are_comments():
    def thread(story):
        each = (
            f"<dt>Ann said</dt><dd>{story.paragraphs[n]}</dd><dd class=by>2021-03-0{n} 10:0{n}</dd>"
            for n in (1, 2)
        )
        return f"{article(story)}<dl>{''.join(each)}</dl>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) == 6


def test_rows_that_are_told_apart_are_comments_of_one_kind():
    def thread(story):
        rows = "".join(
            f"<dt class='by{' odd' * (n % 2 == 0)}'>{words(n, 1)}, {story.day}</dt><dd>Yes</dd>"
            for n in range(2)
        )
        return f"{article(story)}<dl>{rows}</dl>"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert any("Yes" in text for text in found)


def test_the_form_for_a_comment_may_look_like_one():
    form = "<div class=note><form>Name: <input> Your comment: <textarea></textarea></form></div>"

    def thread(story):
        notes = (
            f"<div class=note><p>{words(f'{story.number} {n}', 9)}</p><i>{story.day}</i></div>"
            for n in range(1 + story.number % 2)
        )
        return f"{article(story)}{''.join(notes)}{form}"

    found, _ = found_comments([thread(story) for story in stories(4)])
    assert len(found) > 1


def test_what_holds_the_text_on_most_pages_is_no_comment_on_a_list_of_whole_articles():
    def entry(story):
        return f"<div class=node><h2>{story.title}</h2><i>{story.day}</i>{story.html}</div>"

    single = [entry(story) for story in stories(5)]
    several = "".join(single)
    assert found_comments([*single, several])[0] == []
    assert found_comments([single[0], several, several])[0] != []


def test_signed_parts_of_the_text_are_no_comments():
    def signed(story):
        parts = "".join(f"<p>{t}</p><p class=by>2021-03-01 10:00</p>" for t in story.paragraphs)
        return f"<div class=text><h1>{story.title}</h1>{parts}</div>"

    assert found_comments([signed(story) for story in stories(4)])[0] == []


def test_numbered_sections_are_no_comments():
    def manual(story):
        each = (
            f"<div><h2>7.{n}.41.1 Part</h2><p>{text}</p><p>Version 2.14</p><p>See 8.25.</p></div>"
            for n, text in enumerate(story.paragraphs)
        )
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([manual(story) for story in stories(4)])[0] == []


def test_sections_of_an_article_are_no_comments():
    def sections(story):
        each = (f"<section><h2>Part</h2><p>{text}</p></section>" for text in story.paragraphs)
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([sections(story) for story in stories(4)])[0] == []


def test_quotations_with_their_dates_are_the_authors_own():
    def quoting(story):
        each = (f"<blockquote><p>Ann, 2021</p><p>{t}</p></blockquote>" for t in story.paragraphs)
        return f"<h1>{story.title}</h1><p>{'An introduction to it. ' * 3}</p>" + "".join(each)

    assert found_comments([quoting(story) for story in stories(4)])[0] == []


def test_footnotes_with_years_in_them_are_no_comments():
    notes = "<ol><li>The first edition, 1958. </li><li>The second one, 2004.</li></ol>"
    assert found_comments([article(story) + notes for story in stories(4)])[0] == []


def test_a_box_with_a_year_that_one_page_has_twice_is_no_comment():
    def boxed(story):
        box = f"<div><p>{story.paragraphs[0]}</p><p>Published in 1987</p></div>"
        return article(story) + box * (1 + (story.number == 5))

    assert found_comments([boxed(story) for story in stories(12)])[0] == []


def test_what_stands_before_the_text_is_no_comment():
    bodies = [comments(s, 3) + article(s) for s in stories(4)]
    texts, _ = found_comments(bodies)
    assert texts == []


@pytest.mark.parametrize("text", ["May 2021", "10:45", "3.12.09", "2021年5月3日", "à 9:05"])
def test_what_looks_like_a_time(text):
    assert LIKE_A_TIME.search(text)


@pytest.mark.parametrize(
    "text", ["chapter 3", "12345", "v1", "10", "3,5", "7.3.41.1", "Figure 8.25.", ""]
)
def test_what_does_not(text):
    assert not LIKE_A_TIME.search(text)
