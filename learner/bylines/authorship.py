"""How surely the fields at a place are authors.

An author's place gives a short text without digits that differs between some pages and recurs on
others, that is no topic (a word of the articles themselves, an entry of the menu), and that agrees
with what the page says for machines, if it says anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from itertools import islice, pairwise
from statistics import fmean

from learner.bylines.fields import (
    LETTER,
    MOST_WORDS,
    SHORT_WORD,
    WORD,
    contains,
    find_joints,
    is_name,
    is_prose,
    split_names,
)
from learner.page import hints
from learner.page.calendars.clock import CLOCK
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.cluster_page import ClusterPage
from learner.site.sampling import evenly_spaced

LEAST_SHARE = 0.1
"""Share of the pages (at least two) that a place must give names on. Origin: guess."""

ALONE_SHARE = 0.3
"""The same for a place that nothing written for machines confirms. Origin: guess."""

DATED_SHARE = 0.5
"""... which counts only if at least this share of the pages shows a date. Origin: guess; manuals
have words that differ from page to page, but neither dates nor authors."""

PROSE_PAGES = 30
"""Pages whose prose is searched for topics, evenly spread. Origin: guess."""

OFTEN_SHARE = 0.5
"""Share of the pages on which names that nobody shares stand beside the date without a word before
them. Origin: guess; what only some pages have is rather a subtitle."""

LINKED_SHARE = 0.8
"""Share of the fields of a place that are links, if names are. Origin: guess."""

RECURRING_SHARE = 0.1
"""Share of the names that have been there before, if people wrote again. Origin: guess."""

MANY_NAMES = 10
"""Names from which on one may be expected to come again. Origin: guess."""

TOPIC_SHARE = 0.15
"""A text that runs in lower case through the prose of this share of the pages is a topic. Origin:
guess."""

MENU_SHARE = 0.8
"""A text that is a block of its own elsewhere on this share of the pages belongs to a menu. Origin:
measured, see docs/decisions.md."""

BESIDE_SHARE = 0.2
"""Share of the fields of a place that stand beside a date from which on they may be its weekdays.
Origin: guess."""

FULL_SHARE = 0.8
"""Share of the names beside a date that have several words, if they are not towns. Origin:
guess."""

PROPER_SHARE = 0.7
"""Share of the texts at a place that end in a word which the prose never has in lower case, if they
are names rather than categories. Origin: guess; some people are called Baker."""

MAIL_SHARE = 0.5
"""Share of the fields of a place that a mail address follows, if they are people. Origin: guess."""

WEEKDAY_SHARE = 0.8
"""Share of the dates beside which the text must be that of their weekday, to be its name. Origin:
guess; a date that was read wrongly has another."""

ORDERED_SHARE = 0.25
"""Share of the changes by chance, from page to page in the order of their lengths, up to which
texts follow the lengths. Origin: measured, see docs/decisions.md."""

EACH_BLOCK = 0.95
"""What each block that may be a byline before a place leaves of its score ... Origin: guess."""

FAR_BLOCKS = 10
"""... up to so many: a byline below a text stands behind more. Origin: guess."""

LEAST_LOOKS = 0.8
"""Share of the fields of a place that must look like names. Origin: guess."""

TOLD_SHARE = 0.8
"""Share of the fields of a place that must be said to be authors. Origin: guess."""

SAME_NAME = 0.9
"""What it leaves of the score of a place that its name never differs. Origin: guess; it puts what
differs first."""

SEVERAL_SHARE = 0.5
"""Least share of the fields after the first at a place that must be known as authors, if they are
such too. Origin: guess."""

CROWDED = 4
"""Blocks of an element from which on that of the date is a place of its own. Origin: guess: a
title, a byline and two paragraphs."""

HOLDER_BLOCKS = 4
"""Blocks of an element around a name that may be said to be the author's: his name, his title, his
site. Origin: guess."""

CARDS = 1.5
"""Names on a page at a place, if they are those of cards of other articles ... Origin: guess."""

CARD_SHARE = 0.8
"""... and share of them that stand in one. Origin: guess."""

LEAST_TITLED = 3
"""Names behind which the same stands again, to say what they are ... Origin: guess."""

LEAST_AGAIN = 5
"""... pages on which names come again ... Origin: guess; two may write together twice."""

TITLED_SHARE = 0.9
"""... and share of them with the same behind the name. Origin: guess; some are promoted."""

_PROSE_LENGTH = 120
"""Letters above which a block is prose. Origin: guess."""

BlockPlace = tuple[int, bool]
"""The signature of an element, and whether only its block with the date is meant."""


def block_place(page: ClusterPage, block: TreeBlock) -> BlockPlace:
    """Where a block stands: the signature of its element, and whether it is the block of the date
    in an element that holds the text, too (lines parted by `<br>`)."""
    is_dated = block.index == page.date_index and _is_crowded(page.tree, block.element)
    return page.places[block.element], is_dated


def _is_crowded(tree: LayoutTree, element: int) -> bool:
    """Whether an element has many blocks of its own."""
    return sum(block.element == element for block in tree.inside(element)) >= CROWDED


def is_beside(page: ClusterPage, block: TreeBlock) -> bool:
    """Whether a block stands where bylines do: beside the date, or right after the title; or
    wherever a time of day shows that it is one ("Posted by Ann at 10:31")."""
    if page.date_index is not None and abs(block.index - page.date_index) <= 3:
        return True
    return 0 < block.index - page.title_index <= 4 or CLOCK.search(block.text) is not None


def ends_text(page: ClusterPage, block: TreeBlock) -> bool:
    """Whether a block stands where texts are signed: it ends the text, or follows."""
    extent = page.extent
    return extent.start < block.index and any(abs(end - block.index) <= 2 for end in extent.ends)


def is_told(tree: LayoutTree, block: TreeBlock, label: str) -> bool:
    """Whether a page says for machines that a part of a block is its author: by `rel` or
    `itemprop`, in the names of what holds it, or by where it leads. A form asks who comments."""
    around = list(islice(tree.ancestors(block.element), 3))
    if any(tree.tags[element] == "form" for element in around):
        return False
    if label.endswith("@author") or hints.names_author(label):
        return True
    for element in around:
        if tree.ends[element] - tree.starts[element] > HOLDER_BLOCKS:
            return False
        if element in tree.authored or any(map(hints.names_author, tree.tokens[element])):
            return True
    return False


def in_card(page: ClusterPage, block: TreeBlock, is_article: Callable[[str], bool]) -> bool:
    """Whether a block stands in the card of another article: a small element without the title of
    the page, in which another block links to what `is_article`, or with words that are no name."""
    tree = page.tree
    for element in islice(tree.ancestors(block.element), HOLDER_BLOCKS):
        first, end = tree.starts[element], tree.ends[element]
        if end - first > HOLDER_BLOCKS or first <= page.title_index < end:
            return False
        others = (each for each in tree.inside(element) if each is not block)
        for text, href in (link for other in others for link in other.line.linked_texts):
            target = tree.target(href)
            if target and (is_article(target) or not is_name(text)):
                return True
    return False


def shows_article(page: ClusterPage, block: TreeBlock, articles: Set[str]) -> bool:
    """Whether a block is itself the card of another article: one of its links leads to it, or has
    more words than a name."""
    links = ((text, page.tree.target(href)) for text, href in block.line.linked_texts)
    return any(
        len(text.split()) > MOST_WORDS or (target in articles and target != page.tree.key)
        for text, target in links
    )


@dataclass(slots=True)
class FieldPlace:
    """What the fields at one place are on all pages."""

    key: tuple[BlockPlace, str, str]
    """Where the block stands, the word before the field, the inline element around it."""
    fixed: tuple[str, ...]
    values: dict[int, list[str]] = field(default_factory=dict)
    n_blocks: int = 0
    """The blocks they stand in, over all pages."""
    beside_date: list[tuple[int | None, str]] = field(default_factory=list)
    """The fields that stand beside a date, each with the weekday of its page."""
    leads_to_kin: list[bool] = field(default_factory=list)
    """Of the fields that are links to other pages or to mail addresses, whether they lead to
    another article, or into the folder of their own page: as articles do, not authors."""
    order: list[int] = field(default_factory=list)
    """The blocks they stand in, by number among those that may be bylines."""
    order_within: list[int] = field(default_factory=list)
    """Their numbers among the fields of these."""
    beside_byline: list[bool] = field(default_factory=list)
    in_date_block: list[bool] = field(default_factory=list)
    above_title: list[bool] = field(default_factory=list)
    """Whether they stand above the title."""
    in_text: list[bool] = field(default_factory=list)
    """Whether they stand in the main container, and not beside date or title."""
    has_mail: list[bool] = field(default_factory=list)
    """Whether a mail address follows them, or they are links to one."""
    in_cards: list[bool] = field(default_factory=list)
    """Whether they stand in cards of other articles, as it seems."""
    told: list[bool] = field(default_factory=list)
    """Whether the page says for machines that it is the author."""

    @property
    def names(self) -> list[str]:
        return [name for names in self.values.values() for name in names]

    @property
    def signature(self) -> int:
        """That of the element that the block stands in."""
        return self.key[0][0]

    @property
    def is_led(self) -> bool:
        """Whether a word stands before them that leads to an author: "By"."""
        return hints.leads_to_author(self.key[1])

    @property
    def is_said(self) -> bool:
        """Whether something says that they are authors."""
        return self.is_told or self.is_led

    @property
    def has_word(self) -> bool:
        """Whether any word stands before them."""
        return bool(LETTER.search(self.key[1]))

    @property
    def is_topic(self) -> bool:
        """Whether the pages say for machines that the fields are tags or categories."""
        return self.key[2].endswith("@topic")

    @property
    def is_full_name(self) -> bool:
        """Whether the fields have an inline element with a name to themselves, and mostly several
        words."""
        marked = any(sign in self.key[2] for sign in ".#")
        return marked and fmean(len(name.split()) > 1 for name in self.names) >= FULL_SHARE

    @property
    def is_linked(self) -> bool:
        return len(self.leads_to_kin) >= LINKED_SHARE * len(self.names)

    @property
    def is_recurring(self) -> bool:
        """Whether some have been there before."""
        distinct = len(set(self.names))
        return len(self.names) - distinct >= RECURRING_SHARE * len(self.names)

    @property
    def is_in_date_block(self) -> bool:
        return fmean(self.in_date_block) >= 0.5

    @property
    def is_told(self) -> bool:
        """Whether the pages say for machines that the fields are authors."""
        return fmean(self.told) >= TOLD_SHARE

    @property
    def is_of_cards(self) -> bool:
        """Whether they are the authors of other articles, which are shown in cards side by side."""
        several = len(self.names) >= CARDS * len(self.values)
        return several and fmean(self.in_cards) >= CARD_SHARE

    @property
    def is_of_staff(self) -> bool:
        """Whether they are people in boxes of their own, the same ones on all pages."""
        several = self.n_blocks >= CARDS * len(self.values)
        return several and len({frozenset(names) for names in self.values.values()}) == 1

    @property
    def is_beside_date(self) -> bool:
        """Whether nothing but commas parts many of its fields from a date."""
        return len(self.beside_date) > BESIDE_SHARE * len(self.names)


class Corpus:
    """What names are told from topics by: the pages' prose, menus and statements for machines."""

    def __init__(self, pages: Sequence[ClusterPage]) -> None:
        self.pages = pages
        self._prose = [
            " ".join(b.text for b in s.extent.blocks(s.tree) if len(b.text) > _PROSE_LENGTH)
            for s in evenly_spaced(pages, PROSE_PAGES)
        ]
        menus: Counter[str] = Counter()
        for page in pages:
            near = {block.index for block in page.byline}
            menus.update(
                {b.text for b in page.tree.blocks if b.index not in near and len(b.text) <= 60}
            )
        self._menus = menus
        dated = sum(page.date_index is not None for page in pages)
        self.has_dates = dated >= DATED_SHARE * len(pages)
        self.one_machine_name = len({page.tree.metadata.authors for page in pages}) == 1
        self.names_itself = self.one_machine_name and _stands_in_titles(pages)
        self._titles = [page.tree.metadata.title.casefold() for page in pages]
        self._topics: dict[str, float] = {}

    def is_topic(self, page: int, name: str) -> bool:
        """Whether a name is rather what the articles are about, or part of the page's title."""
        words = WORD.findall(name.casefold())
        if all(word in self._titles[page] for word in words):
            return True
        return self.topic_share(name) >= TOPIC_SHARE or self.in_menu(name)

    def topic_share(self, name: str) -> float:
        """Share of the pages whose prose has the name in lower case."""
        if name not in self._topics:
            lower = name.lower()
            likely = [text for text in self._prose if lower in text]
            if lower != name.upper():  # scripts without case are written without blanks
                likely = [text for text in likely if contains(text, lower)]
            hits = len(likely)
            self._topics[name] = hits / max(1, len(self._prose))
        return self._topics[name]

    def is_proper(self, name: str) -> bool:
        """Whether a name has several words, all capitalised but for short ones ("van"), and the
        prose never has the last of them in lower case; in scripts without case the prose never has
        all of them."""
        words = name.split()
        if name.lower() == name.upper():  # a script without capitals
            return len(words) > 1 and self.topic_share(name) == 0
        capitals = all(word[0].isupper() or len(word) <= SHORT_WORD for word in words)
        is_full = len(words) > 1 and capitals and words[-1][0].isupper()
        return is_full and self.topic_share(words[-1]) == 0

    def in_menu(self, name: str) -> bool:
        """Whether the name is a block of its own elsewhere on many pages."""
        return self._menus[name] >= max(2, MENU_SHARE * len(self.pages))

    def machine_names(self, page: int) -> tuple[str, ...]:
        """The authors that a page names for machines."""
        return self.pages[page].tree.metadata.authors


def _stands_in_titles(pages: Sequence[ClusterPage]) -> bool:
    """Whether what a site names as its author for machines is rather its own name."""
    said = [page.tree.metadata for page in pages]
    return fmean(any(contains(m.title, name) for name in m.authors) for m in said) >= 0.5


def score_place(place: FieldPlace, corpus: Corpus) -> float:
    """How surely the fields at a place are authors, 0 to 1."""
    if (
        place.is_topic
        or place.is_of_cards
        or place.is_of_staff
        or len(place.values) < max(2, LEAST_SHARE * len(corpus.pages))
    ):
        return 0.0
    names, is_told = place.names, place.is_told
    looks = fmean([is_name(name, told=is_told) for name in names])
    if looks < LEAST_LOOKS:
        return 0.0
    if place.is_beside_date and may_be_weekdays(place.beside_date):
        return 0.0
    agreement = _agreement(place, corpus)
    # In the text may stand who wrote the book that it is about; what never differs may be the words
    # before the name, marked like it.
    differs = len(set(names)) > 1
    overruled = corpus.one_machine_name and differs and fmean(place.in_text) < 0.5
    if is_told and (agreement is None or agreement >= 0.5 or overruled):
        return looks if differs else SAME_NAME * looks
    told = 0.0 if agreement is None else looks * (0.1 + 0.9 * agreement)
    # A site may name itself as the author of all pages where they name others, or its editor.
    is_led = corpus.one_machine_name and differs and hints.leads_to_author(place.key[1])
    if agreement is None or corpus.names_itself or is_led:
        return max(told, looks * _score_alone(place, corpus))
    return told


def names_several(place: FieldPlace, corpus: Corpus) -> bool:
    """Whether what stands at a place again, in the items after the first, are authors too: others
    begin with them, or the page says them for machines. Below an author may stand a category."""
    firsts = {names[0] for names in place.values.values()}
    others = [(page, name) for page, names in place.values.items() for name in names[1:]]
    known = sum(
        name in firsts or any(_same_name(name, said) for said in corpus.machine_names(page))
        for page, name in others
    )
    if _are_coauthors(place, corpus):
        return True
    return bool(others) and known >= SEVERAL_SHARE * len(others)


def are_titled(place: FieldPlace, corpus: Corpus) -> bool:
    """Whether what follows the first name at a place says what he is ("Ann Lee, Chief Critic"): who
    comes again has the same behind him, which begins no list, and which no page names for machines.
    Those who wrote together change."""
    firsts = {names[0] for names in place.values.values()}
    behind: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for page, (first, *rest) in place.values.items():
        if not firsts.isdisjoint(rest):
            return False
        machine = corpus.machine_names(page)
        if any(_same_name(name, said) for name in rest for said in machine):
            return False
        behind[first][tuple(rest)] += 1
    again = [counts for counts in behind.values() if counts.total() > 1]
    titled = [counts for counts in again if any(counts.most_common(1)[0][0])]
    alike = sum(counts.most_common(1)[0][1] for counts in again)
    n_pages = sum(counts.total() for counts in again)
    return (
        len(titled) >= LEAST_TITLED
        and n_pages - len(again) >= LEAST_AGAIN
        and alike >= TITLED_SHARE * n_pages
    )


def names_people(place: FieldPlace, corpus: Corpus) -> bool:
    """Whether what differs at a place is surely people: behind a word such as "by", or by most of
    the names; it may be the section otherwise, or the newspaper."""
    return place.is_led or fmean(map(corpus.is_proper, set(place.names))) >= PROPER_SHARE


def may_be_weekdays(beside: Sequence[tuple[int | None, str]]) -> bool:
    """Whether the texts beside some dates, of which the weekdays are given, may be the names of
    these: each day has its own. True if nothing speaks against it, but for days that nobody knows.

    >>> may_be_weekdays([(0, "lundi"), (3, "jeudi"), (3, "jeudi")])
    True
    >>> may_be_weekdays([(0, "Ann"), (3, "Bob"), (3, "Ann"), (0, "Bob"), (1, "Bob")])
    False
    """
    known = [(day, text) for day, text in beside if day is not None]
    texts: dict[int, Counter[str]] = defaultdict(Counter)
    for day, text in known:
        texts[day][text] += 1
    first = [counts.most_common(1)[0] for counts in texts.values()]
    alike = sum(count for _, count in first) >= WEEKDAY_SHARE * len(known)
    return bool(known) and alike and len({text for text, _ in first}) == len(first)


def may_be_reading_times(told: Iterable[tuple[int, str]]) -> bool:
    """Whether texts follow the lengths of their pages, which are given with them: "a minute" stands
    on the short ones, "two minutes" on longer ones.

    >>> may_be_reading_times((n, "a minute" if n < 9 else "two minutes") for n in range(18))
    True
    >>> may_be_reading_times((n, "Ann" if n % 3 else "Bob") for n in range(18))
    False
    """
    ordered = [text for _, text in sorted(told)]
    changes = sum(text != after for text, after in pairwise(ordered))
    alike = sum(count**2 for count in Counter(ordered).values()) / len(ordered)
    return 0 < changes <= ORDERED_SHARE * (len(ordered) - alike)


def _length(page: ClusterPage) -> int:
    """Characters of the main container, as far as its text goes."""
    return sum(len(block.text) for block in page.extent.blocks(page.tree))


def _score_alone(place: FieldPlace, corpus: Corpus) -> float:
    """The score of a place that nothing written for machines confirms: what stands where bylines
    do, one on a page, some again and again, and names no topic."""
    names = place.names
    is_led = hints.leads_to_author(place.key[1])
    is_signed = is_led and fmean(map(corpus.is_proper, set(names))) >= PROPER_SHARE
    least = LEAST_SHARE if is_signed else ALONE_SHARE
    few = len(names) < 3 or len(place.values) < least * len(corpus.pages)
    if few or len(set(names)) == 1 or fmean(place.beside_byline) < 0.8:
        return 0.0
    if not (corpus.has_dates or is_signed):
        return 0.0  # without a date beside them, words that differ are not known to be a byline
    # A short block of its own, without a word before the name: rather a category.
    is_apart = not place.has_word and not place.is_in_date_block
    if is_apart and fmean(place.above_title) >= 0.5:
        return 0.0  # a section, or who took the picture
    may_be_town = place.is_beside_date and not place.has_word and not place.is_full_name
    has_mail = fmean(place.has_mail) >= MAIL_SHARE
    if (
        (is_apart or may_be_town)
        and not has_mail
        and fmean(map(corpus.is_proper, set(names))) < PROPER_SHARE
    ):
        return 0.0
    are_coauthors = _are_coauthors(place, corpus)
    may_be_unshared = are_coauthors or _may_be_unshared(place, len(corpus.pages))
    if not place.is_recurring and not may_be_unshared:
        return 0.0
    if may_be_reading_times((_length(corpus.pages[p]), n[0]) for p, n in place.values.items()):
        return 0.0
    topics = sum(corpus.is_topic(page, name) for page, ns in place.values.items() for name in ns)
    one_each = 1.0 if is_signed or are_coauthors else len(place.values) / len(names)
    near = EACH_BLOCK ** min(FAR_BLOCKS, fmean(place.order))
    return float(one_each**2 * (1 - topics / len(names)) ** 2 * near)


def _are_coauthors(place: FieldPlace, corpus: Corpus) -> bool:
    """Whether names are those of several who wrote together, and hardly one of them twice: full
    names, in lists on many pages, which no topics are."""
    joints = find_joints(place.values.values())
    names = [part for name in place.names for part in split_names(name, joints)]
    if len(names) < CARDS * len(place.values) or place.is_recurring:
        return False
    return fmean(map(corpus.is_proper, names)) >= PROPER_SHARE


def _may_be_unshared(place: FieldPlace, n_pages: int) -> bool:
    """Whether texts of which hardly one comes twice may be authors all the same, rather than
    subtitles or what the pages are about."""
    if fmean(map(is_prose, place.names)) > 0.5:
        return False
    if place.is_linked and fmean(place.leads_to_kin) >= 0.5:
        return False  # the titles of other articles
    if len(place.names) >= MANY_NAMES:
        return place.is_in_date_block or (place.has_word and place.is_linked)
    often = len(place.values) >= OFTEN_SHARE * n_pages
    return place.has_word or (place.is_in_date_block and often)


def _agreement(place: FieldPlace, corpus: Corpus) -> float | None:
    """Mean share of a page's fields that say what the page says for machines; None where it says
    nothing."""
    agreed = []
    said: set[str] = set()
    for page, names in place.values.items():
        machine = " ".join(corpus.machine_names(page)).casefold()
        if machine:
            said.add(machine)
            agreed.append(fmean(_same_name(name, machine) for name in names))
    alike = {name.casefold() for name in place.names}
    if len(alike) == 1 < len(said) and not alike & said:
        return 0.0  # the "and" of "Ann and Bob", "Bob and Cid"
    return fmean(agreed) if len(agreed) >= 0.3 * len(place.values) else None


def _same_name(name: str, machine: str) -> bool:
    """Whether all words of the one are words of the other.

    >>> _same_name("Ann Lee", "lee, ann m."), _same_name("Ann", "Anna")
    (True, False)
    """
    first, second = ({*WORD.findall(text.casefold())} for text in (name, machine))
    return bool(first and second) and (first <= second or second <= first)
