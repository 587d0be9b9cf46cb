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
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from statistics import fmean
from typing import Any
from urllib.parse import unquote, urlsplit

from learner.addresses import folder
from learner.lines import Piece
from learner.locators import Locator
from learner.stamps import CLOCK
from learner.tree import LayoutTree, TreeBlock

LONGEST_BLOCK = 200
"""Characters of a block that may name an author. Origin: guess."""

LONGEST_NAME = 60
"""Characters of a name. Origin: guess; two authors with their handles."""

MOST_WORDS = 6
"""Words of a name. Origin: guess."""

FIXED_SHARES = (0.95, 0.8)
"""Words that stand in the blocks of a place on at least this share of its pages are no names. The
second is tried if the first gives no authors. Origin: guess; `By` stands on all pages, the busiest
author on nearly all, but what is optional (`Filed in`) on fewer."""

CONSTANT_SHARE = 0.8
"""A name is the same on all pages if it stands on at least this share of them. Origin: guess."""

LEAST_CONSTANT = 3
"""... and on so many. Origin: guess; the author of a book may be named on two pages about it."""

LEAST_SHARE = 0.1
"""Share of the pages (at least two) that a place must give names on. Origin: guess."""

ALONE_SHARE = 0.3
"""The same for a place that nothing written for machines confirms. Origin: guess."""

DATED_SHARE = 0.5
"""... which counts only if at least this share of the pages shows a date. Origin: guess; manuals
have words that differ from page to page, but neither dates nor authors."""

PROSE_PAGES = 30
"""Pages whose prose is searched for topics, evenly spread. Origin: guess."""

LAST_BLOCKS = 30
"""Blocks at the end of a page that a copyright line is looked for in. Origin: guess."""

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

MENU_SHARE = 0.3
"""A text that is a block of its own elsewhere on this share of the pages belongs to a menu. Origin:
guess."""

BESIDE_SHARE = 0.2
"""Share of the fields of a place that stand beside a date from which on they may be its weekdays.
Origin: guess."""

WEEKDAY_SHARE = 0.8
"""Share of the dates beside which the text must be that of their weekday, to be its name. Origin:
guess; a date that was read wrongly has another."""

EACH_BLOCK = 0.95
"""What each block that may be a byline before a place leaves of its score ... Origin: guess."""

FAR_BLOCKS = 10
"""... up to so many: a byline below a text stands behind more. Origin: guess."""

HOLDER_BLOCKS = 4
"""Blocks of an element around a name that may be said to be the author's: his name, his title, his
site. Origin: guess."""

TOLD_SHARE = 0.8
"""Share of the fields of a place that must be said to be authors. Origin: guess."""

AUTHOR_SCORE = 0.45
"""Least score of an author's place, 0 to 1; see `score_place`. Measured on 35 sites: the same
figures with 0.3, which takes places that agree with the metadata on one page of four."""

SAME_NAME = 0.9
"""What it leaves of the score of a place that its name never differs. Origin: guess; it puts what
differs first."""

_AUTHOR = re.compile(
    r"author(?!i)|(?<![^\W_])(?:aut(?:ore?|ora|eure?|eurs)|автор)(?![^\W_])|作者|著者|글쓴이|작성자",
    re.IGNORECASE,
)
_SEPARATORS = "|·•—–»›‹«/,;:&、，．。：；｜"
_COMMAS = frozenset(",、，")
_DATE = "\0"
"""Stands for a date in a block's text."""

_WORD = re.compile(rf"[^\s{_DATE}{_SEPARATORS}]+")
_TOKEN = re.compile(rf"{_DATE}|[{_SEPARATORS}]|[^\s{_DATE}{_SEPARATORS}]+")
_WORD_SIGN = re.compile(r"\w")
_LETTER = re.compile(r"[^\W\d_]")
_OWNER = re.compile(r"©[\s\d,–-]*([^\W\d][^\d|,;•·©]*)")
_INITIAL = re.compile(r"(?:\b\w|\.\w+)\.$")
_PROSE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a block between fixed words, separators and dates."""

    text: str
    lead: str
    """The fixed word before it; a NUL for a date, empty at the start of the block."""
    label: str
    """Tag and names of the inline element that it begins in."""
    href: str | None
    beside_date: bool
    """Whether nothing but blanks and commas parts it from a date, as a weekday or a time."""


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

    def to_param(self) -> dict[str, Any]:
        """The place as JSON can hold it."""
        return {
            "path": str(self.locator),
            "lead": self.lead,
            "label": self.label,
            "fixed": list(self.fixed),
            "name": self.name,
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
                if _contains(block.text, self.name):
                    return [self.name], block
                continue
            fields = cut_fields(pieces_of(block), frozenset(self.fixed), dates_of(block))
            fields = [f for f in fields if f.lead == self.lead and is_name(f.text, MOST_WORDS * 3)]
            names = [each.text for each in fields if each.label == self.label]
            if not names and _WORD_SIGN.search(self.lead):
                names = [each.text for each in fields]  # "By Ann" where others are linked
            if names:
                return names, block
        return None


def _contains(text: str, name: str) -> bool:
    """Whether a name stands in a text, not inside of a word.

    >>> _contains("Posted by jo on", "jo"), _contains("Posted by jon", "jo")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def is_name(text: str, most_words: int = MOST_WORDS) -> bool:
    """Whether a text may be a name (or several without anything between them) by its looks."""
    words = text.split()
    if not 0 < len(words) <= most_words or len(text) > LONGEST_NAME * most_words // MOST_WORDS:
        return False
    letters = _LETTER.findall(text)
    return not text[0].isdigit() and (len(letters) > 2 or max(letters, default="") > "\u2fff")


def cut_fields(pieces: Iterable[Piece], fixed: frozenset[str], dates: Iterable[str]) -> list[Field]:
    """The fields of a block, given its pieces, its fixed words and the texts of its dates.

    >>> block = [Piece("By Ann Lee | May 1, 2001 | Filed in News", None, "")]
    >>> fields = cut_fields(block, frozenset({"By", "Filed", "in"}), ["May 1, 2001"])
    >>> [(each.lead, each.text) for each in fields]
    [('By', 'Ann Lee'), ('in', 'News')]
    """
    cutter = _Cutter(fixed)
    left = list(dates)
    for piece in pieces:
        text = " ".join(piece.text.split())
        for date in list(left):
            if date in text:
                text = text.replace(date, f" {_DATE} ", 1)
                left.remove(date)
        cutter.read(piece, CLOCK.sub(" ", text) if _DATE in text else text)
    return cutter.finish()


class _Cutter:
    """Reads the words of a block; a fixed word, a separator or a date ends a field."""

    def __init__(self, fixed: frozenset[str]) -> None:
        self._fixed = fixed
        self._fields: list[Field] = []
        self._lead = ""
        self._words: list[str] = []
        self._n_first = 0
        """How many of the words stand in the first piece."""
        self._first = self._last = Piece("", None, "")
        """The pieces that the field begins and ends in."""
        self._lead_then = ""
        self._after_date = self._began_after_date = False

    def read(self, piece: Piece, text: str) -> None:
        """One piece, its dates replaced."""
        for token in _TOKEN.findall(text):
            if token == _DATE:
                self._end(before_date=True)
                self._lead, self._after_date = _DATE, True
            elif not _WORD_SIGN.search(token):
                self._end(comma=token in _COMMAS)
                self._after_date = self._after_date and token in _COMMAS
            elif token in self._fixed:
                self._end()
                self._lead, self._after_date = token, False
            else:
                self._add(piece, token)

    def _add(self, piece: Piece, word: str) -> None:
        if self._words and piece is not self._last and piece.href and self._first.href:
            del self._words[self._n_first :]  # two links are two names, "and" between them is none
            self._end()
        if piece is not self._last and (_is_named(piece) or _is_named(self._last)):
            self._end()  # what style sheets set apart are two things
        if not self._words:
            self._first, self._lead_then = piece, self._lead
            self._began_after_date = self._after_date
        self._words.append(word)
        if piece is self._first:
            self._n_first = len(self._words)
        self._last = piece
        self._after_date = False

    def _end(self, before_date: bool = False, comma: bool = False) -> None:
        if self._words:
            text = _trimmed(" ".join(self._words))
            self._fields.append(
                Field(
                    text, self._lead_then, self._first.label, self._first.href,
                    self._began_after_date or before_date,
                )
            )  # fmt: skip
            self._words = []
            self._open_comma = comma
        elif before_date and self._fields and self._open_comma:
            self._fields[-1] = replace(self._fields[-1], beside_date=True)
        elif not comma:
            self._open_comma = False

    def finish(self) -> list[Field]:
        """All fields."""
        self._end()
        return [each for each in self._fields if each.text]

    _open_comma = False
    """Whether nothing but commas followed the last field."""


def _is_named(piece: Piece) -> bool:
    """Whether the inline element of a piece bears a name, or is the author's."""
    return any(sign in piece.label for sign in ".#@")


def _trimmed(text: str) -> str:
    text = text.strip(" -_*\"'“”")
    if text.endswith(".") and not _INITIAL.search(text):
        text = text.rstrip(".")
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def pieces_of(block: TreeBlock) -> list[Piece]:
    """The inline parts of a block, the whole of it if there is but one; `@author` is added to the
    labels of links that lead to one."""
    pieces = block.pieces or (Piece(block.text, block.href, ""),)
    return [
        replace(each, label=f"{each.label}@author") if _leads_to_author(each) else each
        for each in pieces
    ]


def _leads_to_author(piece: Piece) -> bool:
    href = piece.href
    if href is None or piece.label.endswith("@author") or names_author(piece.text):
        return False  # "[ author ]" leads to the index of all
    return names_author(href.partition("//")[2].partition("/")[2] if "//" in href else href)


@dataclass(slots=True)
class AuthorSample:
    """One page that the authors' places are learned from."""

    tree: LayoutTree
    places: list[int]
    """Signature of each element."""
    near: list[TreeBlock]
    """The blocks that may be a byline, comments left out, in document order."""
    dates: dict[int, list[str]]
    """The texts of the dates in these, by index of the block."""
    date_block: int | None
    """Index of the block that shows the date of publication."""
    title: int
    """Index of the title's block, or of the first one in the main container."""
    start: int
    """First block of the main container."""
    end: int
    """The block after its last."""
    weekday: int | None
    """That of the date of publication, 0 for Monday; None if the page shows no date."""

    def is_beside(self, block: TreeBlock) -> bool:
        """Whether a block stands where bylines do: beside the date, or right after the title; or
        wherever a time of day shows that it is one ("Posted by Ann at 10:31")."""
        if self.date_block is not None and abs(block.index - self.date_block) <= 3:
            return True
        return 0 < block.index - self.title <= 4 or CLOCK.search(block.text) is not None


@dataclass(slots=True)
class _Place:
    """What the fields at one place are on all pages."""

    key: tuple[int, str, str]
    fixed: tuple[str, ...]
    values: dict[int, list[str]] = field(default_factory=dict)
    beside_date: list[tuple[int | None, str]] = field(default_factory=list)
    """The fields that stand beside a date, each with the weekday of its page."""
    leads_to_kin: list[bool] = field(default_factory=list)
    """Of the fields that are links to other pages or to mail addresses, whether they lead into the
    folder of their own page: as those to articles do, not to authors."""
    order: list[int] = field(default_factory=list)
    beside_byline: list[bool] = field(default_factory=list)
    in_date_block: list[bool] = field(default_factory=list)
    in_text: list[bool] = field(default_factory=list)
    """Whether they stand in the main container, and not beside date or title."""
    told: list[bool] = field(default_factory=list)
    """Whether the page says for machines that it is the author."""

    @property
    def names(self) -> list[str]:
        return [name for names in self.values.values() for name in names]

    @property
    def has_word(self) -> bool:
        """Whether a word stands before them: "By"."""
        return bool(_WORD_SIGN.search(self.key[1]))

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
    def is_beside_date(self) -> bool:
        """Whether nothing but commas parts many of its fields from a date."""
        return len(self.beside_date) > BESIDE_SHARE * len(self.names)


class _Corpus:
    """What names are told from topics by: the pages' prose, menus and statements for machines."""

    def __init__(self, samples: Sequence[AuthorSample]) -> None:
        self.samples = samples
        self._prose = [
            " ".join(b.text for b in s.tree.blocks[s.start : s.end] if len(b.text) > _PROSE_LENGTH)
            for s in samples[:: max(1, len(samples) // PROSE_PAGES)]
        ]
        menus: Counter[str] = Counter()
        for sample in samples:
            near = {block.index for block in sample.near}
            menus.update(
                {b.text for b in sample.tree.blocks if b.index not in near and len(b.text) <= 60}
            )
        self._menus = menus
        dated = sum(sample.date_block is not None for sample in samples)
        self.has_dates = dated >= DATED_SHARE * len(samples)
        self.one_machine_name = len({sample.tree.metadata.authors for sample in samples}) == 1
        self.names_itself = self.one_machine_name and _stands_in_titles(samples)
        self._topics: dict[str, float] = {}

    def is_topic(self, page: int, name: str) -> bool:
        """Whether a name is rather what the articles are about, or part of the page's title."""
        title = self.samples[page].tree.metadata.title.casefold()
        words = _WORD.findall(name.casefold())
        if all(word in title for word in words):
            return True
        return self.topic_share(name) >= TOPIC_SHARE or self.in_menu(name)

    def topic_share(self, name: str) -> float:
        """Share of the pages whose prose has the name in lower case."""
        if name not in self._topics:
            lower = name.lower()
            likely = [text for text in self._prose if lower in text]
            if lower != name.upper():  # scripts without case are written without blanks
                likely = [text for text in likely if _contains(text, lower)]
            hits = len(likely)
            self._topics[name] = hits / max(1, len(self._prose))
        return self._topics[name]

    def in_menu(self, name: str) -> bool:
        """Whether the name is a block of its own elsewhere on many pages."""
        return self._menus[name] >= max(2, MENU_SHARE * len(self.samples))

    def machine_names(self, page: int) -> tuple[str, ...]:
        """The authors that a page names for machines."""
        return self.samples[page].tree.metadata.authors


def _stands_in_titles(samples: Sequence[AuthorSample]) -> bool:
    """Whether what a site names as its author for machines is rather its own name."""
    said = [sample.tree.metadata for sample in samples]
    return fmean(any(_contains(m.title, name) for name in m.authors) for m in said) >= 0.5


def find_author_places(
    samples: Sequence[AuthorSample], locators: Mapping[int, Locator]
) -> Iterator[AuthorPlace]:
    """The places of the author, the surest first; `locators` by signature."""
    corpus = _Corpus(samples)
    left = set(range(len(samples)))
    for share in FIXED_SHARES:
        places = list(_varying_names(samples, corpus, share))
        left = set(range(len(samples))).difference(*(place.values for place in places))
        if len(left) < 0.5 * len(samples):
            break
    if not any(place.is_told for place in places):
        labelled = next(_on_nearly_all(samples, _labels), None)
        if labelled and not any(place.key[0] == labelled[0] for place in places):
            words = _WORD.findall(labelled[1])
            locator = locators[labelled[0]]
            yield AuthorPlace(locator=locator, lead=words[-1], fixed=tuple(sorted(set(words))))
            return
    for place in places:
        signature, lead, label = place.key
        yield AuthorPlace(locator=locators[signature], lead=lead, label=label, fixed=place.fixed)
    if len(left) >= 0.5 * len(samples):
        yield from _constant_names(samples, corpus, locators)


def _varying_names(
    samples: Sequence[AuthorSample], corpus: _Corpus, share: float
) -> Iterator[_Place]:
    """The places whose fields are authors, each for pages that those before it leave out."""
    places = _collect(samples, _fixed_words(samples, share))
    scored = [(score_place(place, corpus), place) for place in places]
    scored = [each for each in scored if each[0] >= AUTHOR_SCORE]
    scored.sort(key=lambda each: _rank(*each))
    left = set(range(len(samples)))
    for _, place in scored:
        if len(left & place.values.keys()) >= max(1, LEAST_SHARE * len(samples)):
            left -= place.values.keys()
            yield place


def _rank(score: float, place: _Place) -> tuple[bool, float, float, tuple[int, str, str]]:
    """Sorts the surest place first: what is said to be an author, then what stands early."""
    return not place.is_told, -score, fmean(place.order), place.key


def _fixed_words(samples: Sequence[AuthorSample], share: float) -> dict[int, frozenset[str]]:
    """For each place of a block the words that stand there on at least this share of the pages; of
    the words of links to authors only those that stand in several: one author may write it all."""
    pages: Counter[int] = Counter()
    words: dict[int, Counter[str]] = defaultdict(Counter)
    told: dict[int, set[str]] = defaultdict(set)
    for sample in samples:
        here: dict[int, set[str]] = defaultdict(set)
        for block in sample.near:
            signature = sample.places[block.element]
            pieces = [(" ".join(p.text.split()), p.label) for p in pieces_of(block)]
            told[signature].update(text for text, label in pieces if label.endswith("@author"))
            text = " ".join(text for text, _ in pieces)
            for date in sample.dates.get(block.index, ()):
                text = text.replace(date, " ")
            here[signature].update(_WORD.findall(text))
        for signature, found in here.items():
            pages[signature] += 1
            words[signature].update(found)
    fixed = {}
    for signature, counts in words.items():
        least = max(2, share * pages[signature])
        names = Counter(word for text in told[signature] for word in set(_WORD.findall(text)))
        one = {w for w, n in names.items() if n == 1} if len(told[signature]) > 1 else set()
        fixed[signature] = frozenset(w for w, n in counts.items() if n >= least and w not in one)
    return fixed


def _collect(samples: Sequence[AuthorSample], fixed: Mapping[int, frozenset[str]]) -> list[_Place]:
    places: dict[tuple[int, str, str], _Place] = {}
    for page, sample in enumerate(samples):
        for order, block in enumerate(sample.near):
            signature = sample.places[block.element]
            dates = sample.dates.get(block.index, ())
            for each in cut_fields(pieces_of(block), fixed[signature], dates):
                key = signature, each.lead, each.label
                place = places.get(key)
                if place is None:
                    words = tuple(sorted(fixed[signature]))
                    place = places[key] = _Place(key, words)
                place.values.setdefault(page, []).append(each.text)
                target = sample.tree.target(each.href)
                if target or (each.href or "").startswith("mailto:"):
                    kin = target is not None and folder(target) == folder(sample.tree.key)
                    place.leads_to_kin.append(kin)
                if each.beside_date:
                    place.beside_date.append((sample.weekday, each.text))
                told = names_author(each.lead) or _is_told(sample.tree, block, each.label)
                place.told.append(told)
                place.order.append(order)
                beside = sample.is_beside(block)
                place.beside_byline.append(beside)
                place.in_text.append(sample.start <= block.index < sample.end and not beside)
                place.in_date_block.append(block.index == sample.date_block)
    return [places[key] for key in sorted(places)]


def names_author(written: str) -> bool:
    """The one hint that the learner takes from a word, in some languages: templates write it in
    class names and addresses, and before the name.

    >>> names_author("span.post-author__name"), names_author("文章作者"), names_author("span")
    (True, True, False)
    """
    return _AUTHOR.search(written) is not None


def _is_told(tree: LayoutTree, block: TreeBlock, label: str) -> bool:
    """Whether the page says for machines that a part of a block is its author: by `rel` or
    `itemprop`, in the names of what holds it, or by where it leads."""
    if label.endswith("@author") or names_author(label):
        return True
    for element in islice(tree.ancestors(block.element), 3):
        if tree.ends[element] - tree.starts[element] > HOLDER_BLOCKS:
            return False
        if element in tree.authored or any(map(names_author, tree.tokens[element])):
            return True
    return False


def score_place(place: _Place, corpus: _Corpus) -> float:
    """How surely the fields at a place are authors, 0 to 1."""
    names = place.names
    looks = sum(map(is_name, names)) / len(names)
    rare = len(place.values) < max(2, LEAST_SHARE * len(corpus.samples))
    if rare or looks < 0.8 or (place.is_beside_date and may_be_weekdays(place.beside_date)):
        return 0.0
    agreement = _agreement(place, corpus)
    # In the text may stand who wrote the book that it is about.
    overruled = corpus.one_machine_name and fmean(place.in_text) < 0.5
    if place.is_told and (agreement is None or agreement >= 0.5 or overruled):
        # "Posted by" may be marked like the name after it.
        return looks if len(set(names)) > 1 else SAME_NAME * looks
    told = 0.0 if agreement is None else looks * (0.1 + 0.9 * agreement)
    # A site may name itself as the author of all pages where they name others.
    if agreement is None or corpus.names_itself:
        return max(told, looks * _score_alone(place, corpus))
    return told


def may_be_weekdays(beside: Sequence[tuple[int | None, str]]) -> bool:
    """Whether the texts beside some dates, of which the weekdays are given, may be the names of
    these: each day has its own. True if nothing speaks against it.

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
    return alike and len({text for text, _ in first}) == len(first)


def _score_alone(place: _Place, corpus: _Corpus) -> float:
    """The score of a place that nothing written for machines confirms: what stands where bylines
    do, one on a page, some again and again, and names no topic."""
    names = place.names
    few = len(names) < 3 or len(place.values) < ALONE_SHARE * len(corpus.samples)
    if few or len(set(names)) == 1 or fmean(place.beside_byline) < 0.8:
        return 0.0
    if not corpus.has_dates:
        return 0.0  # without a date beside them, words that differ are not known to be a byline
    if not place.key[1] and not place.is_in_date_block:
        return 0.0  # a short block of its own, without a word before the name: rather a category
    if place.is_beside_date and not place.has_word:
        return 0.0  # "Paris, 3 May"
    if not place.is_recurring and not _may_be_unshared(place, len(corpus.samples)):
        return 0.0
    topics = sum(corpus.is_topic(page, name) for page, ns in place.values.items() for name in ns)
    one_each = len(place.values) / len(names)
    near = EACH_BLOCK ** min(FAR_BLOCKS, fmean(place.order))
    return float(one_each**2 * (1 - topics / len(names)) ** 2 * near)


def _may_be_unshared(place: _Place, n_pages: int) -> bool:
    """Whether texts of which hardly one comes twice may be authors all the same, rather than
    subtitles or what the pages are about."""
    if fmean(map(_is_prose, place.names)) > 0.5:
        return False
    if place.is_linked and fmean(place.leads_to_kin) >= 0.5:
        return False  # the titles of other articles
    if len(place.names) >= MANY_NAMES:
        return place.is_in_date_block or (place.has_word and place.is_linked)
    often = len(place.values) >= OFTEN_SHARE * n_pages
    return place.has_word or (place.is_in_date_block and often)


def _is_prose(text: str) -> bool:
    """Whether several words end with one in lower case, as no name does.

    >>> _is_prose("all fixes"), _is_prose("Ann Lee"), _is_prose("ann"), _is_prose("安 李")
    (True, False, False, False)
    """
    words = text.split()
    return len(words) > 1 and words[-1][0].islower()


def _agreement(place: _Place, corpus: _Corpus) -> float | None:
    """Mean share of a page's fields that say what the page says for machines; None where it says
    nothing."""
    agreed = []
    for page, names in place.values.items():
        machine = " ".join(corpus.machine_names(page)).casefold()
        if machine:
            agreed.append(fmean(_same_name(name, machine) for name in names))
    return fmean(agreed) if len(agreed) >= 0.3 * len(place.values) else None


def _same_name(name: str, machine: str) -> bool:
    """Whether all words of the one are words of the other.

    >>> _same_name("Ann Lee", "lee, ann m."), _same_name("Ann", "Anna")
    (True, False)
    """
    first, second = ({*_WORD.findall(text.casefold())} for text in (name, machine))
    return bool(first and second) and (first <= second or second <= first)


def _constant_names(
    samples: Sequence[AuthorSample], corpus: _Corpus, locators: Mapping[int, Locator]
) -> Iterator[AuthorPlace]:
    """A place that has the same name on all pages, if something says that it is one: the metadata,
    a copyright line, the host's name, or a link that spells it."""
    for signature, name in _on_nearly_all(samples, _confirmed):
        if corpus.topic_share(name) < TOPIC_SHARE:
            yield AuthorPlace(locator=locators[signature], name=name)
            return


def _on_nearly_all(
    samples: Sequence[AuthorSample],
    names_in: Callable[[AuthorSample, TreeBlock], Iterable[str]],
) -> Iterator[tuple[int, str]]:
    """The places and names (or what stands before them) on nearly all pages, the most frequent
    first."""
    counts: Counter[tuple[int, str]] = Counter()
    for sample in samples:
        counts.update(
            {
                (sample.places[block.element], name)
                for block in sample.near
                for name in names_in(sample, block)
            }
        )
    least = max(LEAST_CONSTANT, CONSTANT_SHARE * len(samples))
    for found in sorted(counts, key=lambda each: (-counts[each], each)):
        if counts[found] >= least:
            yield found


def _labels(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """What stands before a name and says that it is the author's: "Author: Ann"."""
    label, colon, name = block.text.replace("：", ":").partition(":")
    if colon and names_author(label) and is_name(label) and is_name(name.strip()):
        yield label


def _confirmed(sample: AuthorSample, block: TreeBlock) -> Iterator[str]:
    """The names in a block that something else on the page, or a link, confirms."""
    tree = sample.tree
    yield from (name for name in tree.metadata.authors if _contains(block.text, name))
    if sample.is_beside(block) and not tree.metadata.authors:
        yield from _owners(tree, block.text)
    if sample.dates.get(block.index):
        host = set(re.split(r"[.-]", urlsplit(tree.url).netloc.casefold()))
        words = _WORD.findall(block.text)
        yield from (word for word in words if len(word) > 3 and word.casefold() in host)
    for piece in pieces_of(block):
        text = " ".join(piece.text.split())
        told = piece.label.endswith("@author")
        if is_name(text) and (told or _is_byline_link(sample, block, piece, text)):
            yield text


def _owners(tree: LayoutTree, text: str) -> Iterator[str]:
    """The names that a copyright line of the page gives, as far as they stand in a text too; not
    the site's own, which stands in `<title>`."""
    for line in (b.text for b in tree.blocks[-LAST_BLOCKS:] if "©" in b.text):
        for words in map(str.split, _OWNER.findall(line)):
            most = (" ".join(words[:n]) for n in range(min(len(words), MOST_WORDS), 1, -1))
            yield from (n for n in most if _contains(text, n) and n not in tree.metadata.title)


def _is_byline_link(sample: AuthorSample, block: TreeBlock, piece: Piece, text: str) -> bool:
    """Whether a link beside the date spells the name and is no entry of the menu on top."""
    if sample.date_block is None or abs(block.index - sample.date_block) > 2 or not piece.href:
        return False
    top = sample.tree.blocks[: sample.near[0].index]
    return _spells(piece.href, text) and not any(other.text == text for other in top)


def _spells(href: str, name: str) -> bool:
    """Whether the path of a link has all words of a name.

    >>> _spells("../author/ann-lee/", "Ann Lee"), _spells("/2004/05/", "May 2004")
    (True, False)
    """
    path = unquote(urlsplit(href).path).casefold()
    return len(name.split()) > 1 and all(word in path for word in name.casefold().split())
