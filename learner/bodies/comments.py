"""Comments: what readers wrote below the text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from learner.bodies.among_paragraphs import places_among_paragraphs
from learner.page.calendars.clock import CLOCK
from learner.page.lines import LINK
from learner.page.tree import HEADINGS, LayoutTree, TreeBlock
from learner.page.words import TEXT_WEIGHT, word_letters
from learner.site.block_sums import LONGEST_COMMENT_BYLINE
from learner.site.cluster_page import ClusterPage
from learner.site.recurrence import recurring_texts
from learner.site.sampling import evenly_spaced
from learner.site.signatures import Signatures

COMMENT_PAGES = 60
"""Pages of a cluster that the places of comments are learned from, evenly spread. Origin: measured,
see docs/decisions.md."""

RECORD_SHARE = 0.8
"""Siblings are comments if at least this share of them carry a time. Origin: guess."""

REPEATED_SHARE = 0.1
"""Least share of the pages with comments that have several. Origin: measured, see
docs/decisions.md."""

HOLDING_PAGES = 2
"""Pages, for each with records at a place after the text, on which one element there may hold the
text itself, if the records are comments and no entries of lists. Origin: guess; with 1, the entries
of a common news system are taken for articles."""

EDGE_BLOCKS = 4
"""Blocks at the start and at the end of a comment of which one says when it was written. Origin:
guess: a number, a name, what they say of him, the time."""

LONGEST_RECORD = 200
"""Blocks of a record that is looked at for whose it is. Origin: guess; boxes in boxes of a hostile
page would be looked at again and again."""

LEAST_COUNTED = 3
"""Pages on which the number of records must be told. Origin: guess."""

LONGEST_HEADING = 40
"""Characters of the text that tells it. Origin: guess."""

_CLOCK = re.compile(r"(?<!\d)\d{1,2}[:h]\d\d(?!\d)")
"""A time of day as `learner.site.block_sums.LIKE_A_TIME` has it, without the days."""
_NUMBER = re.compile(r"\d+")
_AUTHORS_OWN = frozenset({"blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "td"})
"""What an author writes himself: a quotation with its date is no comment."""


def comment_signatures(members: Sequence[ClusterPage], signatures: Signatures) -> frozenset[int]:
    """The places of reader comments: of records that repeat after the text and each carry a time,
    or of what holds bylines with a time and the comments between them.

    A section of an article repeats too, but its sections bear no times of their own.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> comment = "<li><b>Ann, 10:30</b><p>I like it.</p></li>"
    >>> html = f"<body><p>A text of more than twenty letters.</p><ol>{2 * comment}</ol></body>"
    >>> tree = build_tree(parse(html))
    >>> signatures = Signatures([tree])
    >>> found = comment_signatures([ClusterPage(tree, None)], signatures)
    >>> sorted(str(signatures.locator(signature)) for signature in found)
    ['body/ol/li']
    """
    members = evenly_spaced(members, COMMENT_PAGES)
    seen: Counter[int] = Counter()
    timed: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    repeated: Counter[int] = Counter()
    holders: Counter[int] = Counter()
    candidates = {place for member in members for place in _timed_places(member, signatures)}
    shared = _shared_headings(members)
    for member in members:
        several: dict[int, bool] = defaultdict(bool)
        for place, n_seen, n_timed, is_repeated in _records(member, signatures, candidates, shared):
            seen[place] += n_seen
            timed[place] += n_timed
            several[place] |= is_repeated
        pages.update(several.keys())
        holders.update(text_holders(member, signatures).difference(several))
        repeated.update(place for place, is_repeated in several.items() if is_repeated)
    found = {
        place
        for place, n_pages in repeated.items()
        if n_pages >= REPEATED_SHARE * pages[place]
        and timed[place] >= RECORD_SHARE * seen[place]
        and holders[place] <= HOLDING_PAGES * pages[place]
    }
    found -= places_among_paragraphs(members, signatures, found)
    return frozenset(found).union(
        _counted_places(members, signatures), _row_places(members, signatures)
    )


def _counted_places(members: Sequence[ClusterPage], signatures: Signatures) -> Iterator[int]:
    """The places of records that a short text before the first of them numbers, whatever they say
    of times: "3 comments", and three there are."""
    pages: Counter[int] = Counter()
    told: dict[int, list[tuple[ClusterPage, int, int]]] = defaultdict(list)
    for member in members:
        tree, places = member.tree, signatures.of[member.tree]
        extents = zip(places, tree.starts, tree.ends, strict=True)
        here = Counter(p for p, start, end in extents if member.text_begins <= start < end - 1)
        pages.update(place for place, n_records in here.items() if n_records > 1)
        for place, start, number in _numbered(member, places):
            if 1 < number == here[place]:
                told[place].append((member, start, number))
    frequent = {
        place: counted
        for place, counted in told.items()
        if len(counted) >= max(LEAST_COUNTED, RECORD_SHARE * pages[place])
    }
    if not frequent:
        return
    recurring = recurring_texts([member.wording.stamps(member.tree.blocks) for member in members])
    for place, counted in frequent.items():
        differ = len({number for _, _, number in counted}) > 1
        with_text = sum(_has_text(member, start, recurring) for member, start, _ in counted)
        if differ and with_text >= RECORD_SHARE * len(counted):
            yield place


def _numbered(member: ClusterPage, places: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The places whose first elements after the text begin after a short text with one number in
    it, the block that they begin with, and that number."""
    tree, begins, numbers = member.tree, member.text_begins, _told_numbers(member)
    if not numbers:
        return
    met: set[int] = set()
    for element, place in enumerate(places):
        start = tree.starts[element]
        if start < begins or place in met or tree.tags[element] in _AUTHORS_OWN:
            continue
        met.add(place)
        before = range(max(begins, start - EDGE_BLOCKS), start)
        yield from ((place, start, told) for told in {numbers[n] for n in before if n in numbers})


def _told_numbers(member: ClusterPage) -> dict[int, int]:
    """The short blocks after the beginning of the text that have one number and a word, each with
    the number."""
    numbers = {}
    for block in member.tree.blocks[member.text_begins :]:
        found = _NUMBER.findall(block.text) if len(block.text) <= LONGEST_HEADING else ()
        if len(found) == 1 and found[0] != block.text:
            numbers[block.index] = int(found[0])
    return numbers


def _has_text(member: ClusterPage, end: int, recurring: frozenset[str]) -> bool:
    """Whether text of the page's own stands between its title and a block."""
    blocks = member.tree.blocks[member.first_after_title : end]
    long = (block for block in blocks if block.unlinked_weight >= TEXT_WEIGHT)
    return any(member.wording.stamp(block) not in recurring for block in long)


def text_holders(member: ClusterPage, signatures: Signatures) -> set[int]:
    """The places of the elements that the text begins in: what holds the whole text on other pages
    is an entry of a list on this one, no comment."""
    tree = member.tree
    if not tree.blocks:
        return set()
    first = tree.blocks[member.text_begins - 1]
    return {signatures.of[tree][element] for element in tree.ancestors(first.element)}


def _records(
    member: ClusterPage, signatures: Signatures, candidates: set[int], shared: frozenset[str]
) -> Iterator[tuple[int, int, int, bool]]:
    """The siblings of a page that may be comments, and the elements that may hold some: place,
    number, how many of them carry a time, and whether they repeat. What only has texts of the
    site's frame is none ("Comments are closed"); but a box without a name beside one other is as
    likely the page's footer as that is its text."""
    tree, places, own = member.tree, signatures.of[member.tree], member.sums.own
    for parent, siblings in _siblings(member, signatures, candidates):
        elements = [element for element in siblings if element not in member.forms]
        said = [each for each in elements if own[tree.ends[each]] > own[tree.starts[each]]]
        if len(said) > 1 or any(signatures.named(places[element]) for element in elements):
            elements = said
        if not elements or tree.tags[elements[0]] in _AUTHORS_OWN:
            continue
        is_repeated = len(elements) > 1
        for place, alike in groupby(sorted(elements, key=places.__getitem__), places.__getitem__):
            here = list(alike)
            are_named = _name_someone(member, here)
            comments = [_is_comment(member, each, shared, are_named) for each in here]
            yield place, len(comments), sum(comments), is_repeated
        if tree.tags[parent] in _AUTHORS_OWN:
            continue
        are_bylines = all(_is_byline(member, element) for element in elements)
        if are_bylines and _open_or_close(member, parent, elements):
            yield places[parent], 1, 1, is_repeated


def _row_places(members: Sequence[ClusterPage], signatures: Signatures) -> Iterator[int]:
    """The places of tables in which bylines with a time of day and texts alternate row by row, and
    of their cells, for the text may stand in a table at the same place."""
    seen: Counter[int] = Counter()
    threads: Counter[int] = Counter()
    pages: Counter[int] = Counter()
    repeated: Counter[int] = Counter()
    holders: Counter[int] = Counter()
    for member in members:
        several: dict[int, bool] = defaultdict(bool)
        for place, is_thread, is_repeated in _row_records(member, signatures.of[member.tree]):
            seen[place] += 1
            if is_thread:
                threads[place] += 1
                several[place] |= is_repeated
        pages.update(several.keys())
        repeated.update(place for place, is_repeated in several.items() if is_repeated)
        if several:
            holders.update(text_holders(member, signatures).intersection(several))
    for place, n_pages in repeated.items():
        least = REPEATED_SHARE * pages[place]
        if n_pages >= least > holders[place] and threads[place] >= RECORD_SHARE * seen[place]:
            yield place


def _row_records(member: ClusterPage, places: Sequence[int]) -> Iterator[tuple[int, bool, bool]]:
    """The places of each table after the beginning of the text and of its cells, whether bylines
    and texts alternate in it, and whether there are several."""
    tree = member.tree
    tables: dict[int, list[int]] = defaultdict(list)
    for element, tag in enumerate(tree.tags if "tr" in tree.tags else ()):
        if tag == "tr" and member.text_begins <= tree.starts[element] < tree.ends[element]:
            tables[tree.parents[element]].append(element)
    cells: dict[int, set[int]] = {row: set() for rows in tables.values() for row in rows}
    for element, above in enumerate(tree.parents if cells else ()):
        if above in cells:
            cells[above].add(places[element])
    for table, rows in tables.items():
        thread = _thread(member, rows)
        for place in {places[table]}.union(*(cells[row] for row in thread or rows)):
            yield place, bool(thread), len(thread) > 2


def _thread(member: ClusterPage, rows: Sequence[int]) -> Sequence[int]:
    """The rows of a table from the first byline on, if bylines and texts alternate there."""
    bylines = [_is_byline(member, row) and _has_clock(member, row) for row in rows]
    first = bylines.index(True) if any(bylines) else len(rows)
    told = bylines[first:]
    alternate = all(told[::2]) and not any(told[1::2])
    return rows[first:] if len(told) > 1 and alternate else ()


def _has_clock(member: ClusterPage, element: int) -> bool:
    """Whether a time of day stands there: an author's table has days, or a time in every row."""
    return any(_CLOCK.search(block.text) for block in member.tree.inside(element))


def _timed_places(member: ClusterPage, signatures: Signatures) -> set[int]:
    """The places of the elements that hold a time; others are no comments."""
    tree, timed = member.tree, member.sums.timed
    extents = zip(signatures.of[tree], tree.starts, tree.ends, strict=True)
    return {place for place, start, end in extents if timed[end] > timed[start]}


def _siblings(
    member: ClusterPage, signatures: Signatures, candidates: set[int]
) -> list[tuple[int, list[int]]]:
    """Parent and elements of the siblings of one kind, at one of these places, that begin where
    the text has begun."""
    tree, after = member.tree, member.text_begins
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for element, place in enumerate(signatures.of[tree]):
        if place in candidates and after <= tree.starts[element] < tree.ends[element]:
            groups[tree.parents[element], signatures.plain(place)].append(element)
    return [(parent, elements) for (parent, _), elements in groups.items() if parent >= 0]


def _is_comment(member: ClusterPage, element: int, shared: frozenset[str], are_named: bool) -> bool:
    start, end = member.tree.starts[element], member.tree.ends[element]
    sums = member.sums
    if end - start < 2 or sums.weights[end] - sums.weights[start] < 10:
        return False
    if _is_entry(member, element, shared, are_named):
        return False
    # Who wrote it and when stands on its edge; a section of a text has numbers anywhere.
    opening, closing = min(end, start + EDGE_BLOCKS), max(start, end - EDGE_BLOCKS)
    timed = sums.timed
    return timed[opening] > timed[start] or timed[end] > timed[closing]


def _is_entry(member: ClusterPage, element: int, shared: frozenset[str], are_named: bool) -> bool:
    """Whether a record leads to no page of its own, has no heading that others have, and says not
    who wrote it, or has a heading that says more than a name: it is an entry of a live ticker or a
    diary, the author's."""
    tree = member.tree
    if tree.ends[element] - tree.starts[element] > LONGEST_RECORD:
        return False
    blocks = tree.inside(element)
    headings = [block for block in blocks if tree.tags[block.element] in HEADINGS]
    if element in tree.overlays or any(_leads_on(tree, block) for block in blocks):
        return False
    if any(block.text in shared for block in headings):
        return False
    return not are_named or any(
        block.unlinked_weight >= TEXT_WEIGHT and not member.sums.is_timed(block)
        for block in headings
    )


def _name_someone(member: ClusterPage, elements: Sequence[int]) -> bool:
    """Whether records may say who wrote them: one alone, or several in which more stands beside
    the texts than clocks, numbers and links that most of them have."""
    tree = member.tree
    longest = max(tree.ends[element] - tree.starts[element] for element in elements)
    if len(elements) < 2 or longest > LONGEST_RECORD:
        return True
    short = [
        {_label(b) for b in blocks if _may_name(member, b)} - {""}
        for blocks in map(tree.inside, elements)
    ]
    times = Counter(label for labels in short for label in labels)
    links = {label for label, n in times.items() if LINK in label and 2 * n > len(elements)}
    n_alike = sum(labels <= links for labels in short)
    return n_alike < RECORD_SHARE * len(elements)


def _may_name(member: ClusterPage, block: TreeBlock) -> bool:
    return block.unlinked_weight < TEXT_WEIGHT or member.sums.is_timed(block)


def _label(block: TreeBlock) -> str:
    """What a short text says beside clocks and numbers; a sign and the words if it is a link."""
    if block.href is not None:
        return LINK + block.text
    return word_letters(_NUMBER.sub("", CLOCK.sub("", block.text)))


def _leads_on(tree: LayoutTree, block: TreeBlock) -> bool:
    """Whether a short text leads to another page of the site."""
    return block.unlinked_weight < TEXT_WEIGHT and tree.linked_weight(block) > 0


def _shared_headings(members: Sequence[ClusterPage]) -> frozenset[str]:
    """The headings that stand on several pages: they are the names of others."""
    pages: Counter[str] = Counter()
    for member in members:
        tree = member.tree
        pages.update({b.text for b in tree.blocks if tree.tags[b.element] in HEADINGS})
    return frozenset(text for text, n_pages in pages.items() if n_pages > 1)


def _is_byline(member: ClusterPage, element: int) -> bool:
    start, end = member.tree.starts[element], member.tree.ends[element]
    sums = member.sums
    short = sums.lengths[end] - sums.lengths[start] < LONGEST_COMMENT_BYLINE
    return short and sums.timed[end] > sums.timed[start]


def _open_or_close(member: ClusterPage, parent: int, elements: Sequence[int]) -> bool:
    """Whether the first of some children is the first with text in their parent, or the last the
    last of one that stands after the text, and text of another place stands there too: footnotes
    with years in them stand alone."""
    tree = member.tree
    n_blocks = sum(tree.ends[element] - tree.starts[element] for element in elements)
    is_first = tree.starts[parent] == tree.starts[elements[0]]
    is_last = tree.ends[parent] == tree.ends[elements[-1]]
    is_last = is_last and tree.starts[parent] >= member.text_begins
    return (is_first or is_last) and n_blocks < tree.ends[parent] - tree.starts[parent]
