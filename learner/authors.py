"""Where the pages of a cluster name their author.

Short blocks near the title, the date or the end of the text are cut into fields: at dates, at
separators, and at the words that recur on nearly all pages (`By`, `Posted`, `in`). A field's place
is the element, the word before it and the inline element around it. An author's place gives a short
text without digits that differs between some pages and recurs on others, that is no topic (a word
of the articles themselves, an entry of the menu), and that agrees with what the page says for
machines, if it says anything. A name that never differs is believed only with such evidence.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import dropwhile, filterfalse, islice
from statistics import fmean
from typing import Any
from urllib.parse import unquote, urlsplit

from learner import hints
from learner.addresses import folder
from learner.authorship import (
    LEAST_SHARE,
    TOPIC_SHARE,
    AuthorSample,
    BlockPlace,
    Corpus,
    FieldPlace,
    names_people,
    names_several,
    score_place,
)
from learner.fields import (
    MOST_WORDS,
    WORD,
    WORD_SIGN,
    byline_text,
    contains,
    cut_fields,
    is_name,
    is_prose,
    lead_above,
    leads_to_mail,
    pieces_of,
    without_end,
    without_lead,
)
from learner.lines import Piece
from learner.locators import Locator
from learner.stamps import CLOCK
from learner.tree import LayoutTree, TreeBlock

FIXED_SHARES = (0.95, 0.8)
"""Words that stand in the blocks of a place on at least this share of its pages are no names. The
second is tried if the first gives no authors. Origin: guess; `By` stands on all pages, the busiest
author on nearly all, but what is optional (`Filed in`) on fewer."""

LED_SHARE = 0.2
"""... but so many are enough for one that says that an author's name follows. Origin: guess; of a
project's posts some are signed, those of releases not."""

LONGEST_LED = 12
"""Characters of such a word: without blanks a whole sentence is none. Origin: guess."""

CONSTANT_SHARE = 0.6
"""A name is the same on all pages if it stands on at least this share of them; on the others it is
not read. Measured on 177 sites: with .8 one has the author of .57 of its articles, all else is the
same."""

LEAST_CONSTANT = 3
"""... and on so many. Origin: guess; the author of a book may be named on two pages about it."""

MOST_LINKS = 3
"""Links of a line without a date that may be a byline; more are a menu. Origin: guess."""

LAST_BLOCKS = 30
"""Blocks at the end of a page that a copyright line is looked for in. Origin: guess."""

CARD_STEP = 2
"""Blocks from the name of an author to that of the next, each in a card that may say what he is.
Origin: guess."""

HOLDER_BLOCKS = 4
"""Blocks of an element around a name that may be said to be the author's: his name, his title, his
site. Origin: guess."""

AUTHOR_SCORE = 0.45
"""Least score of an author's place, 0 to 1; see `score_place`. Measured on 35 sites: the same
figures with 0.3, which takes places that agree with the metadata on one page of four."""

USUAL_SHARE = 0.5
"""Share of the pages that a place must have, if nothing says that it is the author's but something
confirms a name that is the same on all of them. Origin: guess."""

ONE_SHARE = 0.8
"""... and share of what stands there from which on it is one and the same. Origin: guess."""

COMMON_SHARE = 0.8
"""Share of the pages up to which a place that more pages have is the surer one: who took the
picture is named on some, in a line like that of the author. Origin: a school's newspaper."""

LISTS = frozenset({"ul", "ol", "dl"})
"""Tags of lists."""

_NO_ASCII = str.maketrans("ıøłđ", "iold")
"""Letters that Unicode does not take apart, and what hosts have for them."""
_OWNER = re.compile(r"©[\s\d,–-]*([^\W\d][^\d|,;•·©]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorPlace:
    """Where a page names its author."""

    locator: Locator
    """The block-level element."""
    lead: str = ""
    """The fixed word before the name."""
    label: str = ""
    """The inline element around it."""
    fixed: tuple[str, ...] = ()
    """Words that stand there on nearly all pages and are part of no name."""
    name: str = ""
    """The name itself, if it is the same on all pages; it need only stand there."""
    dated: bool = False
    """Whether it stands in the block of the date, where the element holds the text, too."""
    several: bool = False
    """Whether the elements at this place after the first, in the same list or each in a card, name
    authors too."""

    def to_param(self) -> dict[str, Any]:
        """The place as JSON can hold it."""
        return {
            "path": str(self.locator),
            "lead": self.lead,
            "label": self.label,
            "fixed": list(self.fixed),
            "name": self.name,
            "dated": self.dated,
            "several": self.several,
        }

    @classmethod
    def from_param(cls, param: Mapping[str, Any]) -> AuthorPlace:
        """What `to_param` gave."""
        return cls(
            locator=Locator.parse(param["path"]),
            lead=param["lead"],
            label=param["label"],
            fixed=tuple(param["fixed"]),
            name=param["name"],
            dated=param.get("dated", False),
            several=param.get("several", False),
        )

    def read(
        self,
        tree: LayoutTree,
        near: Iterable[TreeBlock],
        dates_of: Callable[[TreeBlock], list[str]],
    ) -> tuple[list[str], TreeBlock] | None:
        """The names there and the block that has them, if any; `near` are the blocks that may be a
        byline, `dates_of` gives the texts of the dates in one."""
        here = set(self.locator.find(tree))
        for block in near:
            if block.element not in here:
                continue
            if self.name:
                if contains(byline_text(block), self.name):
                    return [self.name], block
                continue
            names = self._names_in(tree, block, dates_of, (self.lead,))
            if names and self.several:
                names += self._names_beside(tree, block, here, dates_of)
            if names:
                return names, block
        return None

    def _names_in(
        self,
        tree: LayoutTree,
        block: TreeBlock,
        dates_of: Callable[[TreeBlock], list[str]],
        leads: Sequence[str],
    ) -> list[str]:
        """The names in a block, before which one of these words stands."""
        above = lead_above(tree, block)
        fields = cut_fields(pieces_of(block), frozenset(self.fixed), dates_of(block), above)
        told = self.label.endswith("@author")
        fields = [f for f in fields if f.lead in leads and is_name(f.text, MOST_WORDS * 3, told)]
        names = [each.text for each in fields if each.label == self.label]
        if not names and len(fields) == 1 and WORD_SIGN.search(self.lead):
            # "By Ann" where others are linked; prose has such a word again and again.
            names = [each.text for each in fields if not is_prose(each.text)]
        return names

    def _names_beside(
        self,
        tree: LayoutTree,
        first: TreeBlock,
        here: set[int],
        dates_of: Callable[[TreeBlock], list[str]],
    ) -> list[str]:
        """The names in the elements after the first one, if each names one. The word before the
        first need not stand before them; what the author above them is called may."""
        items = list(_items_after(tree, first.element, here))
        named = [self._names_of_item(tree, item, dates_of) for item in items]
        return [name for names in named for name in names] if all(named) else []

    def _names_of_item(
        self, tree: LayoutTree, item: int, dates_of: Callable[[TreeBlock], list[str]]
    ) -> list[str]:
        block = next((b for b in tree.inside(item) if b.element == item), None)
        if block is None:
            return []
        return self._names_in(tree, block, dates_of, (self.lead, "", lead_above(tree, block)))


def _items_after(tree: LayoutTree, first: int, here: Set[int]) -> Iterator[int]:
    """Of the elements at a place those after the first that are items of the same list, or stand
    close behind each other, each in its card."""
    parent, begins = _parent_of_item(tree, first), tree.starts[first]
    is_item = tree.tags[parent] in LISTS
    for element in sorted(here):
        is_close = not is_item and tree.starts[element] - begins <= CARD_STEP
        if element > first and (is_close or _parent_of_item(tree, element) == parent):
            yield element
            begins = tree.starts[element]


def _parent_of_item(tree: LayoutTree, element: int) -> int:
    """The list that an element is an item of, itself or in a box of its own; or else the first of
    what is around it that has more text."""
    # Counted, not copied: a page may have ten thousand items.
    n_blocks = tree.ends[element] - tree.starts[element]
    for each in islice(tree.ancestors(element), 1, None):
        if tree.tags[each] in LISTS or tree.ends[each] - tree.starts[each] > n_blocks:
            return each
    return 0


def find_author_places(
    samples: Sequence[AuthorSample], locators: Mapping[int, Locator]
) -> Iterator[AuthorPlace]:
    """The places of the author, the surest first; `locators` by signature."""
    corpus = Corpus(samples)
    led = list(_constant_names(samples, corpus, locators, _led_names))
    behind_by = {place.locator for place in led}
    places = _places_of_people(samples, corpus, locators, behind_by)
    confirmed = list(_constant_names(samples, corpus, locators, _confirmed))
    if confirmed:
        places = [p for p in places if p.is_said or _is_usual(p, len(samples))]
    last = confirmed or [*led, *_constant_names(samples, corpus, locators, _names_of_host)]
    if not any(place.is_told for place in places):
        labelled = next(_on_nearly_all(samples, _labels), None)
        holds_name = labelled and any(contains(labelled[1], place.name) for place in led)
        known = {place.signature for place in places}
        if labelled and not holds_name and labelled[0] not in known:
            yield _labelled(samples, locators, *labelled)
            return
        if not confirmed:
            if not any(names_people(place, corpus) for place in places):
                yield from last  # what differs is the section, or the newspaper
                last = []
            yield from _told_constants(samples, corpus, locators)
    for place in places:
        (signature, is_dated), lead, label = place.key
        yield AuthorPlace(
            locator=locators[signature],
            lead=lead,
            label=label,
            fixed=place.fixed,
            dated=is_dated,
            several=names_several(place, corpus),
        )
    if _n_without(samples, places) >= LEAST_SHARE * len(samples):
        yield from last


def _places_of_people(
    samples: Sequence[AuthorSample],
    corpus: Corpus,
    locators: Mapping[int, Locator],
    behind_by: Set[Locator],
) -> list[FieldPlace]:
    """The places of names that differ. `behind_by` are those of lines with a name behind "by" that
    is always the same: what differs there is the section."""
    fixed: dict[BlockPlace, frozenset[str]] = {}
    places: list[FieldPlace] = []
    for share in FIXED_SHARES:
        before, fixed = fixed, _fixed_words(samples, share)
        if fixed == before:
            break  # the same words give the same places
        found = _varying_names(samples, corpus, fixed)
        places = [p for p in found if p.is_said or locators[p.signature] not in behind_by]
        if _n_without(samples, places) < 0.5 * len(samples):
            break
    return places


def _is_usual(place: FieldPlace, n_pages: int) -> bool:
    """Whether a place names several on many pages: who took the picture is named on some."""
    ((_, most),) = Counter(place.names).most_common(1)
    is_several = most < ONE_SHARE * len(place.names)
    return is_several and len(place.values) >= USUAL_SHARE * n_pages


def _n_without(samples: Sequence[AuthorSample], places: Sequence[FieldPlace]) -> int:
    """How many pages have a name at none of some places."""
    return len(samples) - len({page for place in places for page in place.values})


def _labelled(
    samples: Sequence[AuthorSample], locators: Mapping[int, Locator], signature: int, label: str
) -> AuthorPlace:
    """The place of a name behind a label; another label ends it: "Author: Ann Updated: May 1"."""
    labels = _on_nearly_all(samples, _words_before_colons)
    words = WORD.findall(label)
    fixed = {*words, *(word for place, word in labels if place == signature)}
    return AuthorPlace(locator=locators[signature], lead=words[-1], fixed=tuple(sorted(fixed)))


def _told_constants(
    samples: Sequence[AuthorSample], corpus: Corpus, locators: Mapping[int, Locator]
) -> Iterator[AuthorPlace]:
    for told in _constant_names(samples, corpus, locators, _told_names):
        name = without_lead(told.name, lambda word: corpus.topic_share(word) > 0)
        yield replace(told, name=name)


def _varying_names(
    samples: Sequence[AuthorSample], corpus: Corpus, fixed: Mapping[BlockPlace, frozenset[str]]
) -> Iterator[FieldPlace]:
    """The places whose fields are authors, each for pages that those before it leave out."""
    scored = [(score_place(place, corpus), place) for place in _collect(samples, fixed)]
    scored = [each for each in scored if each[0] >= AUTHOR_SCORE]
    scored.sort(key=lambda each: _rank(each[0], each[1], len(samples)))
    left = set(range(len(samples)))
    for _, place in scored:
        if len(left & place.values.keys()) >= max(1, LEAST_SHARE * len(samples)):
            left -= place.values.keys()
            yield place


def _rank(
    score: float, place: FieldPlace, n_pages: int
) -> tuple[bool, float, float, tuple[BlockPlace, str, str]]:
    """Sorts the surest place first: what is said to be an author, on most of the pages, then what
    stands early."""
    common = min(1.0, len(place.values) / (COMMON_SHARE * n_pages))
    return not place.is_told, -score * common, fmean(place.order), place.key


def _fixed_words(samples: Sequence[AuthorSample], share: float) -> dict[BlockPlace, frozenset[str]]:
    """For each place of a block the words that stand there on at least this share of the pages; of
    the words of links to authors only those that begin several, for one author may write it all,
    and the authors may be of one family."""
    pages: Counter[BlockPlace] = Counter()
    words: dict[BlockPlace, Counter[str]] = defaultdict(Counter)
    openings: dict[BlockPlace, Counter[str]] = defaultdict(Counter)
    told: dict[BlockPlace, set[str]] = defaultdict(set)
    for sample in samples:
        here: dict[BlockPlace, list[str]] = defaultdict(list)
        for block in sample.near:
            place = sample.place(block)
            pieces = [(" ".join(p.text.split()), p.label) for p in sample.pieces[block.index]]
            said = {text for text, label in pieces if label.endswith("@author")}
            told[place] |= set(filterfalse(hints.leads_to_author, said))
            text = " ".join(text for text, _ in pieces)
            for date in sample.dates.get(block.index, ()):
                text = text.replace(date, " ")
            here[place] += WORD.findall(text)
        for place, found in here.items():
            pages[place] += bool(found)  # not where nothing but a date stands
            words[place].update(set(found))
            openings[place].update(found[:1])
    fixed = {}
    for place, counts in words.items():
        least = max(2, share * pages[place])
        often = {word for word, n in counts.items() if n >= least}
        often |= _opening(openings[place], least)
        written = {word.casefold() for word in often}
        led = _led(openings[place], max(2, LED_SHARE * pages[place]))
        often |= {word for word in led if word.casefold() not in written}
        fixed[place] = frozenset(often - _of_names(told[place], often))
    return fixed


def _led(openings: Counter[str], least: float) -> set[str]:
    """The words that open so many blocks of a place and may say that an author's name follows: some
    pages have none.

    >>> _led(Counter({"By": 3, "Wednesday": 9, "Thursday": 4}), 3)
    {'By'}
    """
    often = {word for word, n in openings.items() if n >= least and len(word) <= LONGEST_LED}
    return set(filter(hints.leads_to_author, often))


def _opening(openings: Counter[str], least: float) -> set[str]:
    """The word that opens the blocks of a place on so many pages, in capitals or in small letters,
    as it is written most often.

    >>> _opening(Counter({"By": 30, "by": 2, "Ann": 1}), 31)
    {'By'}
    """
    pages: Counter[str] = Counter()
    for word, n in openings.items():
        pages[word.casefold()] += n
    often = {word for word, n in pages.items() if n >= least}
    ranked = sorted(openings, key=lambda word: (-openings[word], word))
    return set(next(([word] for word in ranked if word.casefold() in often), []))


def _of_names(told: set[str], often: set[str]) -> set[str]:
    """Of the words that stand at a place often those that are parts of names, given the texts there
    that are said to be authors: all but the first of them.

    >>> sorted(_of_names({"by Ann Lee", "by Bob Lee"}, {"by", "Lee"}))
    ['Lee']
    >>> sorted(_of_names({"Sea and Sun", "Work and Travel"}, {"and"}))
    ['and']
    """
    if len(told) < 2:
        return set()
    names = [WORD.findall(text) for text in told]
    pages = Counter(word for words in names for word in set(words))
    behind = {
        word
        for words in names
        if not often.issuperset(words)
        for word in dropwhile(often.__contains__, words)
    }
    return {word for word in often if pages[word] == 1} | (often & behind)


def _collect(
    samples: Sequence[AuthorSample], fixed: Mapping[BlockPlace, frozenset[str]]
) -> list[FieldPlace]:
    places: dict[tuple[BlockPlace, str, str], FieldPlace] = {}
    articles = {sample.tree.key for sample in samples}
    for page, sample in enumerate(samples):
        for order, block in enumerate(sample.near):
            where = sample.place(block)
            dates = sample.dates.get(block.index, ())
            above = _lead_above_list(sample.tree, block)
            for each in cut_fields(sample.pieces[block.index], fixed[where], dates, above):
                key = where, each.lead, each.label
                place = places.get(key)
                if place is None:
                    words = tuple(sorted(fixed[where]))
                    place = places[key] = FieldPlace(key, words)
                place.values.setdefault(page, []).append(each.text)
                target = sample.tree.target(each.href)
                if target or leads_to_mail(each.href):
                    near = target is not None and folder(target) == folder(sample.tree.key)
                    place.leads_to_kin.append(near or target in articles)
                    up = target is not None and sample.tree.key.startswith(f"{target}/")
                    place.leads_up.append(up)
                if each.beside_date:
                    place.beside_date.append((sample.weekday, each.text))
                is_led = bool(above) and each.lead == above
                told = hints.names_author(each.lead) or _is_told(sample.tree, block, each.label)
                place.told.append(told or is_led)
                place.has_mail.append(each.has_mail)
                place.order.append(order)
                place.above_title.append(block.index < sample.title)
                beside = sample.is_beside(block) or sample.ends_text(block)
                place.beside_byline.append(beside)
                place.in_text.append(sample.extent.holds(block.index) and not beside)
                place.in_date_block.append(block.index == sample.date_block)
    return [places[key] for key in sorted(places)]


def _lead_above_list(tree: LayoutTree, block: TreeBlock) -> str:
    """The word above a block that leads to an author; of an item that above its list."""
    parent = _parent_of_item(tree, block.element)
    first = tree.blocks[tree.starts[parent]] if tree.tags[parent] in LISTS else block
    return lead_above(tree, first)


def _is_told(tree: LayoutTree, block: TreeBlock, label: str) -> bool:
    """Whether the page says for machines that a part of a block is its author: by `rel` or
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


def _constant_names(
    samples: Sequence[AuthorSample],
    corpus: Corpus,
    locators: Mapping[int, Locator],
    names_in: Callable[[AuthorSample, TreeBlock], Iterable[str]],
) -> Iterator[AuthorPlace]:
    """A place that has the same name on all pages, of those that `names_in` gives."""
    for signature, name in _on_nearly_all(samples, names_in):
        if corpus.topic_share(name) < TOPIC_SHARE:
            yield AuthorPlace(locator=locators[signature], name=name)
            return


def _on_nearly_all(
    samples: Sequence[AuthorSample],
    names_in: Callable[[AuthorSample, TreeBlock], Iterable[str]],
) -> Iterator[tuple[int, str]]:
    """The places and names (or what stands before them) on nearly all pages, the most frequent
    first, then as they stand on the page."""
    counts: Counter[tuple[int, str]] = Counter()
    for sample in samples:
        found = (
            (sample.places[block.element], name)
            for block in sample.near
            for name in names_in(sample, block)
        )
        counts.update(dict.fromkeys(found, 1))
    least = max(LEAST_CONSTANT, CONSTANT_SHARE * len(samples))
    yield from (found for found, n_pages in counts.most_common() if n_pages >= least)


def _labels(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """What stands before a name and says that it is the author's: "Author: Ann"."""
    text = block.text.replace("：", ":")
    for date in sample.dates.get(block.index, ()):
        text = text.replace(date, "")
    label, colon, name = text.partition(":")
    if colon and hints.names_author(label) and is_name(label) and is_name(name.strip()):
        yield label


def _words_before_colons(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """The last words of the labels in a block."""
    *labels, _ = block.text.replace("：", ":").split(":")
    yield from (words[-1] for words in map(WORD.findall, labels) if words)


def _led_names(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """The words behind one such as "by" in a block with a date or a time, or at the beginning of
    one where bylines stand, which begin with a name that is the same on all pages: the longest
    first, without what leads on ("Posted by Ann at May 1")."""
    dates = sample.dates.get(block.index, [])
    pieces = sample.pieces[block.index]
    words = [WORD.findall(piece.text) for piece in pieces]
    leads = frozenset(word for each in words for word in each if hints.leads_to_author(word))
    opens = [not leads.isdisjoint(each[:1]) for each in words]
    is_apart = any(opens) and (sample.is_beside(block) or (opens[0] and sample.ends_text(block)))
    if not dates and not is_apart and not CLOCK.search(block.text):
        return
    for each in cut_fields(pieces, leads, dates):
        if each.lead in leads:
            name = each.text.split()[:MOST_WORDS]
            begun = (" ".join(name[:n]) for n in range(len(name), 0, -1))
            yield from map(without_end, filter(is_name, begun))


def _told_names(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """The names in a block that the page says for machines to be the author's, words before them
    included. It may be that of the site, which is called after him."""
    for piece in sample.pieces[block.index]:
        name = " ".join(piece.text.split())
        may_be = is_name(name) and not is_prose(name) and not hints.names_author(name)
        if may_be and _is_told(sample.tree, block, piece.label):
            yield name


def _confirmed(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """The names in a block that something else on the page confirms (the metadata, a copyright
    line, the host's name), or a link that spells them."""
    tree, text = sample.tree, byline_text(block)
    yield from (name for name in tree.metadata.authors if contains(text, name))
    if sample.is_beside(block) and not tree.metadata.authors:
        yield from _owners(tree, text)
    for piece in sample.pieces[block.index]:
        name = " ".join(piece.text.split())
        told = piece.label.endswith("@author") and not hints.leads_to_author(name)
        if is_name(name) and (told or _is_byline_link(sample, block, piece, name)):
            first, _, rest = name.partition(" ")
            yield rest if rest and hints.leads_to_author(first) else name


def _names_of_host(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """The names in a block with the date, or alone beside it, that the host bears."""
    text = byline_text(block)
    names = list(_named_by_host(sample.tree, text))
    is_alone = names == [text] and block.index > sample.title and sample.is_beside(block)
    if is_alone or sample.dates.get(block.index):
        yield from names


def _named_by_host(tree: LayoutTree, text: str) -> Iterator[str]:
    """The names in a text that are a part of the host's name, as ann-lee.example and annlee.example
    have that of Ann Lee."""
    host = urlsplit(tree.url).netloc.casefold()
    labels = {*re.split(r"[.-]", host), *host.replace("-", "").split(".")}
    words = WORD.findall(text)
    plain = [*map(_in_host, words)]
    for first in range(len(words)):
        joined = ""
        for end in range(first + 1, min(first + MOST_WORDS, len(words)) + 1):
            joined += plain[end - 1]
            if len(joined) > 3 and joined in labels:
                yield " ".join(words[first:end])


def _in_host(name: str) -> str:
    """A word of a name as a host bears it.

    >>> _in_host("Arı"), _in_host("Zoë"), _in_host("O'Hara")
    ('ari', 'zoe', 'ohara')
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).translate(_NO_ASCII)
    return "".join(filter(str.isalnum, plain))


def _owners(tree: LayoutTree, text: str) -> Iterator[str]:
    """The names that a copyright line of the page gives, as far as they stand in a text too; not
    the site's own, which stands in `<title>`."""
    for line in (b.text for b in tree.blocks[-LAST_BLOCKS:] if "©" in b.text):
        for words in map(str.split, _OWNER.findall(line)):
            most = (" ".join(words[:n]) for n in range(min(len(words), MOST_WORDS), 1, -1))
            names = filterfalse(is_prose, most)
            yield from (n for n in names if contains(text, n) and n not in tree.metadata.title)


def _is_byline_link(sample: AuthorSample, block: TreeBlock, piece: Piece, text: str) -> bool:
    """Whether a link beside the date spells the name and is no entry of the menu on top."""
    if sample.date_block is None or abs(block.index - sample.date_block) > 2 or not piece.href:
        return False
    n_links = sum(each.href is not None for each in sample.pieces[block.index])
    if n_links > MOST_LINKS and block.index not in sample.dates:
        return False
    top = sample.tree.blocks[: sample.near[0].index]
    return _spells(piece.href, text) and not any(other.text == text for other in top)


def _spells(href: str, name: str) -> bool:
    """Whether the path of a link has all words of a name.

    >>> _spells("../author/ann-lee/", "Ann Lee"), _spells("/2004/05/", "May 2004")
    (True, False)
    """
    try:
        path = unquote(urlsplit(href).path).casefold()
    except ValueError:  # no address
        return False
    return len(name.split()) > 1 and all(word in path for word in name.casefold().split())
