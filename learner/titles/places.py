"""Where the pages of a site say what they are called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from learner.bodies.container import Container
from learner.page.dates import find_dates
from learner.page.months import month_names
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock
from learner.page.words import word_letters
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures
from learner.titles.names import AGREEMENT_THRESHOLD, LONGEST_TITLE, agreement

UNNAMED_HEADING = 0.6
"""What a heading of a page that nothing names counts as agreeing. Origin: guess, the least that
agreement may be."""

HEADED_SHARE = 0.5
"""Least share of the pages of a cluster whose texts must open with a heading if they are called by
it, though something else repeats `<title>`: the path to the page ("Home > Albums > Field day").
Origin: measured, see docs/decisions.md."""

LEAST_HEADED = 3
"""... and so many. Origin: guess."""

HEADED_DIFFERENT = 0.9
"""Least share of these headings that must differ: "Introduction" is none. Origin: guess; where it
is not so they differ on .3 of the pages at most."""

HEADED_AGREEMENT = 0.3
"""Least mean agreement of these headings with what `<title>` says. Origin: measured, see
docs/decisions.md."""


def title_places(
    trees: Sequence[LayoutTree],
    names: Sequence[Sequence[str]],
    frame: frozenset[str] = frozenset(),
    threshold: float = AGREEMENT_THRESHOLD,
) -> dict[int, int]:
    """For each page (by its index) the tag path where its title stands: the first block there that
    is no text of the site's frame.

    Places are chosen greedily by the title evidence of all pages that have none yet, so that one
    place serves as many pages as it can. Texts that do not differ between pages count less. A page
    that nothing names is called by a heading. Pages without any evidence are left out.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><p>Menu</p><div><h2>Rain</h2></div></body>"))
    >>> title_places([tree], [["Rain"]]) == {0: tree.paths[tree.tags.index("h2")]}
    True
    """
    evidence = _evidence(trees, names, frame, threshold)
    surest: dict[int, float] = defaultdict(float)
    for pages in evidence.values():
        differing = _differing(pages)
        for page, (score, _) in pages.items():
            surest[page] = max(surest[page], score * differing)
    places: dict[int, int] = {}
    while evidence:
        best = max(evidence, key=lambda path: (_worth(evidence[path], surest), -path))
        for page in evidence.pop(best):
            places[page] = best
            for path in list(evidence):
                evidence[path].pop(page, None)
                if not evidence[path]:
                    del evidence[path]
    return places


def repeated_names(
    tree: LayoutTree, names: list[str], frame: frozenset[str], threshold: float
) -> list[str]:
    """What a page is called; nothing if it has one top heading of its own, and neither that nor any
    other block repeats what `<title>` says: that is the name of a file or of a topic then. Nor if
    `<title>` only has the end of its address, and a top heading says something else.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> tree = build_tree(parse("<body><h1>How to write letters</h1><p>Begin with a date.</p>"))
    >>> repeated_names(tree, ["ManualLettersForms"], frozenset(), 0.6)
    []
    >>> repeated_names(tree, ["Writing letters"], frozenset(), 0.6)
    ['Writing letters']
    """
    tops = [b.text for b in tree.blocks if tree.tags[b.element] == "h1" and b.text not in frame]
    if not tops or len(tops[0]) > LONGEST_TITLE or not names:
        return names
    if agreement(tops[0], names) >= threshold:
        return names
    if _is_address(tree, names[0]):
        return []
    if len(tops) > 1:
        return names
    short = (block.text for block in tree.blocks if len(block.text) <= LONGEST_TITLE)
    return names if any(agreement(text, names[:1]) >= threshold for text in short) else []


def _is_address(tree: LayoutTree, name: str) -> bool:
    """Whether a name is one word with signs in it that the address of the page ends in.

    >>> from learner.page.said.metadata import Metadata
    >>> tree = LayoutTree("https://a.example/wiki/tips:sleep-well", Metadata())
    >>> [_is_address(tree, name) for name in ("tips:sleep-well", "sleep", "Sleep well")]
    [True, False, False]
    """
    letters = word_letters(name)
    path = unquote(tree.address).partition("/")[2]
    is_word = len(name.split()) == 1 and letters != name.lower()
    return is_word and bool(letters) and word_letters(path).endswith(letters)


def may_be_title(
    block: TreeBlock, names: Sequence[str], frame: frozenset[str], threshold: float
) -> bool:
    """Whether a block is short enough for a title, and no text of the site's frame, unless it says
    what the page is called: side columns name the articles that are read most."""
    if len(block.text) > LONGEST_TITLE:
        return False
    return block.text not in frame or agreement(block.text, names) >= threshold


def _evidence(
    trees: Sequence[LayoutTree],
    names: Sequence[Sequence[str]],
    frame: frozenset[str],
    threshold: float,
) -> dict[int, dict[int, tuple[float, str]]]:
    """Tag path -> page -> (weight of evidence, text) of the path's first block."""
    evidence: dict[int, dict[int, tuple[float, str]]] = defaultdict(dict)
    for page, (tree, called) in enumerate(zip(trees, names, strict=True)):
        seen: set[int] = set()
        below_frame: dict[int, int] = {}
        for block in tree.blocks:
            path = tree.paths[block.element]
            if path in seen:
                continue
            if not may_be_title(block, called, frame, threshold):
                if block.text in frame:
                    below_frame[path] = block.element
                continue
            seen.add(path)
            tag = tree.tags[block.element]
            unnamed = UNNAMED_HEADING if tag in HEADINGS and not called else 0.0
            score = agreement(block.text, called) or unnamed
            beside = path in below_frame and below_frame[path] != block.element
            if beside and (score < 1 or block.href is not None):
                continue  # one of many cells, or of the headings of a side column
            if score < 1 and tag not in HEADINGS and _is_dated(block.text, called):
                continue
            if score >= min(threshold, unnamed or 1.0):
                heading = 0.2 if tag == "h1" else 0.1 if tag in HEADINGS else 0.0
                if block.href is not None:
                    heading -= 0.3  # a menu's link to the page itself says its name, too
                evidence[path][page] = (score * score + heading, block.text)
    for pages in evidence.values():
        texts = Counter(text for _, text in pages.values())
        for page in [p for p, (_, text) in pages.items() if texts[text] > 1 and not names[p]]:
            del pages[page]  # "Read on", on every page
    return {path: pages for path, pages in evidence.items() if pages}


def _is_dated(text: str, names: Iterable[str]) -> bool:
    """Whether a date stands beside what the page is called: "Rain (last changed on May 1, 2001)".

    >>> _is_dated("Rain, 2001-05-01", ["Rain"]), _is_dated("Rain of 2001-05-01", ["2001-05-01"])
    (True, False)
    """
    rests = (text.replace(name, "") for name in names if name in text)
    return any(find_dates(rest, month_names()) for rest in rests)


def _worth(pages: dict[int, tuple[float, str]], surest: Mapping[int, float]) -> float:
    """The evidence for a place; what a page has for a surer one speaks against it."""
    worth = sum(2 * score - surest[page] for page, (score, _) in pages.items())
    return worth * _differing(pages)


def _differing(pages: Mapping[int, tuple[float, str]]) -> float:
    """How many different texts there are, as a share of the pages."""
    return len({text for _, text in pages.values()}) / len(pages)


@dataclass(frozen=True, slots=True)
class OpeningHeadings:
    """The headings that some pages are called by."""

    place: int
    """The signature of their place, without the names that they bear themselves."""
    blocks: Mapping[LayoutTree, TreeBlock]


def opening_headings(
    members: Sequence[ClusterPage], signatures: Signatures, container: Container
) -> OpeningHeadings | None:
    """The headings that the texts of a cluster open with, if its pages are called by them and not
    by what repeats `<title>` elsewhere.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> html = "<ol><li>{0}</ol><div><h1>The {0} in pictures</h1><p>A text.</p></div>"
    >>> titles = ("Field day", "Summer party", "Winter tour")
    >>> trees = [build_tree(parse(html.format(title))) for title in titles]
    >>> members = [ClusterPage(t, t.blocks[0], names=[n]) for t, n in zip(trees, titles)]
    >>> signatures = Signatures(trees)
    >>> container = Container(signatures.of[trees[0]][3], 1.0, dict.fromkeys(trees, 3))
    >>> found = opening_headings(members, signatures, container)
    >>> [heading.text for heading in found.blocks.values()][1:]
    ['The Summer party in pictures', 'The Winter tour in pictures']
    """
    called_so = [m.title is not None and m.tree.tags[m.title.element] in HEADINGS for m in members]
    least = max(LEAST_HEADED, HEADED_SHARE * len(members))
    if sum(called_so) > len(members) / 2 or len(members) < least:
        return None
    places: dict[int, dict[LayoutTree, TreeBlock]] = defaultdict(dict)
    alike: dict[int, list[float]] = defaultdict(list)
    for member in members:
        heading = _opening_heading(member, container)
        if heading is not None:
            place = signatures.unnamed(signatures.of[member.tree][heading.element])
            places[place][member.tree] = heading
            alike[place].append(agreement(heading.text, member.names))
    place = max(places, key=lambda place: (len(places[place]), -place), default=-1)
    headings = places.get(place, {})
    different = {heading.text for heading in headings.values()}
    if len(headings) < least or len(different) < HEADED_DIFFERENT * len(headings):
        return None
    is_said = sum(alike[place]) >= HEADED_AGREEMENT * len(headings)
    return OpeningHeadings(place, headings) if is_said else None


def _opening_heading(member: ClusterPage, container: Container) -> TreeBlock | None:
    """The heading that the text of a page opens with, if it stands behind what is taken for the
    title."""
    tree = member.tree
    inside = tree.inside(container.elements[tree])
    first = next((block for block in inside if block.text not in member.frame), None)
    if first is None or tree.tags[first.element] not in HEADINGS:
        return None
    is_behind = first.index >= member.first_after_title
    return first if is_behind and len(first.text) <= LONGEST_TITLE else None
