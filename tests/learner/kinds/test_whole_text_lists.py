"""Which pages show the whole texts of several others."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from learner.kinds.whole_text_lists import (
    ANTHOLOGY_EVIDENCE,
    ENTRY_EVIDENCE,
    HELD_SHARE,
    WHOLE_SHARE,
    anthology_evidence,
    find_held,
)
from learner.page.pages import Page
from tests.handmade import HOST, Story, extract, framed, layout, page, stories, words

TEXTS = [words(f"paragraph {n}", 8) for n in range(6)]


def layouts(*pages: Sequence[str]):
    return [layout("".join(f"<p>{text}</p>" for text in said)) for said in pages]


def held(*pages: Sequence[str]):
    return find_held(layouts(*pages), frozenset())


def test_what_shows_two_texts_whole_holds_both():
    rain, snow, wind = TEXTS[:2], TEXTS[2:4], TEXTS[4:]
    assert held(rain, snow, [*rain, *snow], wind) == [[], [], [0, 1], []]


def test_the_same_text_under_another_address_is_not_held():
    assert held(TEXTS, TEXTS) == [[], []]


def test_what_is_held_twice_counts_once():
    rain, snow = TEXTS[:2], TEXTS[2:4]
    assert held(rain, snow, rain, [*rain, *snow])[3] == [0, 1]


def test_comments_are_shown_in_one_place_only():
    assert held(TEXTS[:3], [*TEXTS[1:3], *TEXTS[3:]])[1] == [0]
    assert held(TEXTS[:4], [*TEXTS[3:4], *TEXTS[4:]])[1] == []


def test_the_frame_is_held_by_nobody():
    pages = layouts(TEXTS[:1], TEXTS[:3])
    assert find_held(pages, frozenset(TEXTS[:1])) == [[], []]
    assert find_held(pages, frozenset()) == [[], [0]]


def slowly_held(pages: Sequence[Sequence[str]], page: int) -> list[int]:
    """What a page holds, each other page compared with it by itself."""

    def weight(texts):
        return sum(len(text.replace(" ", "")) for text in texts)

    candidates = []
    for other, said in enumerate(pages):
        common = set(said) & set(pages[page])
        is_held = weight(common) >= HELD_SHARE * weight(set(said))
        if common and is_held and weight(common) < WHOLE_SHARE * weight(set(pages[page])):
            candidates.append((len(common), other, common))
    found, met = [], set()
    for _, other, common in sorted(candidates, key=lambda each: each[:2]):
        if not common & met:
            found.append(other)
            met |= common
    return found


@given(st.lists(st.lists(st.sampled_from(TEXTS), max_size=6), min_size=1, max_size=6))
def test_pages_are_held_as_if_each_were_compared_with_each(pages):
    assert held(*pages) == [slowly_held(pages, page) for page in range(len(pages))]


def test_anthologies_are_lists_and_what_they_hold_in_their_cluster_is_none():
    rain, snow, wind = TEXTS[:2], TEXTS[2:4], TEXTS[4:]
    trees = layouts(rain, snow, [*rain, *snow], wind)
    evidence = anthology_evidence(trees, frozenset(), [[0, 2, 3], [1]])
    assert evidence == [-ENTRY_EVIDENCE, 0, ANTHOLOGY_EVIDENCE, 0]


def entry(story: Story) -> str:
    return f"<h3>{story.title}</h3>{story.html}"


def month(number: int, told: Sequence[Story]) -> Page:
    """An archive that shows whole stories, in the frame of an article."""
    first = Story(number)
    content = f"<h2>Month {number}</h2>" + "".join(map(entry, told))
    html = framed(first, content, head_title=f"Month {number} - Example")
    return Page(url=f"{HOST}/old/{number}.html", html=html.encode())


def test_archives_of_whole_texts_are_lists():
    told = stories(40)
    known = [page(story, entry) for story in told]
    known += [month(number, told[number::8]) for number in range(1, 8)]
    assert extract(month(9, stories(4, first=60)), known).status == "list"
    assert extract(page(Story(99), entry), known).body == Story(99).body
