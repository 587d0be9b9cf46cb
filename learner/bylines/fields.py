"""Fields: the parts of a byline, between its dates, separators and fixed words.

"Posted by Ann Lee on May 1, 2001 in News" has two, each with the word that leads to it: "Ann Lee"
(by) and "News" (in). Which words are fixed is learned from the pages (`learner.bylines.authors`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from learner.page import hints
from learner.page.calendars.clock import CLOCK
from learner.page.lines import Piece
from learner.page.tree import LayoutTree, TreeBlock

LONGEST_NAME = 60
"""Characters of a name. Origin: guess; two authors with their handles."""

MOST_WORDS = 6
"""Words of a name. Origin: guess."""

LONGEST_ABOVE = 20
"""Characters of a block that is the label of the next one: "Written by". Origin: guess."""

LEAST_LISTS = 3
"""Lists of names that a word must end, to be one that joins names ... Origin: guess."""

ENDING_SHARE = 0.8
"""... and share of all lists of several. Origin: guess."""

SHORT_WORD = 3
"""Letters of the words of a name that are written small: "van", "bin". Origin: guess."""

_SEPARATORS = "|·•—–»›‹«/,;:&、，．。：；｜／"
_COMMAS = frozenset(",、，")
_DASHES = frozenset("—–―-")
"""Signs before the name of who signs a text: "— Ann Lee"."""
_COLONS = frozenset(":：")

_DATE = "\0"
"""Stands for a date in a block's text."""

WORD = re.compile(rf"[^\s{_DATE}{_SEPARATORS}]+")
_TOKEN = re.compile(rf"{_DATE}|[{_SEPARATORS}]|[^\s{_DATE}{_SEPARATORS}]+")
WORD_SIGN = re.compile(r"\w")
LETTER = re.compile(r"[^\W\d_]")
_MAIL = re.compile(r"\W?[\w.+-]+@[\w-]+(?:\.[\w-]+)+\W?")
"""The address that some newspapers print beside a name: it is none."""
_IN_BRACKETS = re.compile(rf"{_DATE}\s*[(（][^\W\d]{{1,9}}[)）]")
"""A date with its weekday."""
_MIXED = r"[^()（）@]*(?:[^\W\d_]\d|\d[^\W\d_])"
"""Letters beside digits in brackets, as behind the title of a change: "Add notes (cff5f90)"."""
_AFTER_NAME = re.compile(rf"(?<=[^\W\d_])\s+[(（](?!{_MIXED})[^()（）@{_DATE}]*[)）]")
"""What stands in brackets after a name: where the author works, what else he is called."""
_WITH_HASH = re.compile(rf"[(（]{_MIXED}")
_HANDLE = re.compile(r"\s*[(（\[]?\s*@[\w.@-]+\s*[)）\]]?\s*")
"""What a platform calls somebody whose name stands before it, set apart: a second link."""
_INITIAL = re.compile(r"(?:\b\w|\b[JS]r|\.\w+)\.$")


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a block between fixed words, separators and dates."""

    text: str
    lead: str
    """The fixed word before it; a NUL for a date, empty at the start of the block."""
    label: str
    """Tag and names of the inline element that it begins in, with a sign (`pieces_of`)."""
    href: str | None
    beside_date: bool
    """Whether nothing but blanks and commas parts it from a date, as a weekday or a time."""
    has_mail: bool = False
    """Whether a mail address follows it, as it does the names of people, or it is a link to one."""
    before: str = ""
    """The fixed word right before the one that leads to it: `Written` in `Written by`."""


def contains(text: str, name: str) -> bool:
    """Whether a name stands in a text, not inside of a word.

    >>> contains("Posted by jo on", "jo"), contains("Posted by jon", "jo")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def is_name(text: str, most_words: int = MOST_WORDS, told: bool = False) -> bool:
    """Whether a text may be a name (or several without anything between them) by its looks; if the
    page says for machines that it is one (`told`), it may begin with a digit.

    >>> [is_name(text) for text in ("Ann Lee", "ann42", "Li", "Changed 20 days ago", "Fix (c5)")]
    [True, True, True, False, False]
    >>> is_name("7days"), is_name("7days", told=True)
    (False, True)
    """
    words = text.split()
    if not 0 < len(words) <= most_words or len(text) > LONGEST_NAME * most_words // MOST_WORDS:
        return False
    if any(map(str.isdigit, words)) or text.count("[") != text.count("]"):
        return False
    if (text[0].isdigit() and not told) or _WITH_HASH.search(text):
        return False
    letters = LETTER.findall(text)
    return len(letters) > 1 or max(letters, default="") > "\u2fff"


def is_prose(text: str) -> bool:
    """Whether several words end with one in lower case, as no name does.

    >>> is_prose("all fixes"), is_prose("Ann Lee"), is_prose("ann"), is_prose("安 李")
    (True, False, False, False)
    """
    words = text.split()
    return len(words) > 1 and words[-1][0].islower()


def without_lead(text: str, is_word: Callable[[str], bool]) -> str:
    """A name without the words before it, which end in small letters; but parts of a name do, too:
    so the first of these must be a word, or one of the small ones long.

    >>> [without_lead(text, {"Posted"}.__contains__) for text in ("by Ann", "Posted by Ann Lee")]
    ['Ann', 'Ann Lee']
    >>> [without_lead(text, lambda word: False) for text in ("Lo dijo Ann", "Juan de la Cruz")]
    ['Ann', 'Juan de la Cruz']
    """
    words = text.split()
    small = [word[0].islower() for word in words]
    end = next((n for n in range(1, len(words)) if small[n - 1] and not small[n]), 0)
    is_long = any(
        is_small and len(word) > SHORT_WORD
        for word, is_small in zip(words[:end], small, strict=False)
    )
    is_lead = end and (small[0] or is_long or is_word(words[0]))
    return " ".join(words[end:]) if is_lead else text


def find_joints(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """The words in small letters that join names at the end of lists, given the lists of all pages:
    beside them stand names that stand alone elsewhere, or they end nearly all lists of several.

    >>> find_joints([["Ann Lee and Bob Fry"], ["Bob Fry"], ["Ann Lee", "Cid Doe and Bob Fry"]])
    ('and',)
    >>> find_joints([["Ana da Silva"], ["Ana"], ["Bob Fry", "Eva da Costa"]])
    ()
    """
    lists = list(lists)
    known = {name for names in lists for name in names}
    beside: Counter[str] = Counter()
    for name in known:
        beside.update(
            word for first, word, last in _joined(name) if not known.isdisjoint((first, last))
        )
    several = [names for names in lists if len(names) > 1]
    ending = Counter(word for names in several for _, word, _ in _joined(names[-1]))
    least = max(LEAST_LISTS, ENDING_SHARE * len(several))
    found = {word for word, n in beside.items() if n > 1}
    return tuple(sorted(found | {word for word, n in ending.items() if n >= least}))


def _joined(name: str) -> Iterator[tuple[str, str, str]]:
    """What stands before and after each word in small letters between two words with capitals, if
    both may be names of several words."""
    words = name.split()
    for n in range(2, len(words) - 2):
        around = words[n - 1][0] + words[n + 1][0]
        if words[n].islower() and all(map(str.isupper, around)):
            yield " ".join(words[:n]), words[n], " ".join(words[n + 1 :])


def split_names(name: str, joints: Collection[str]) -> list[str]:
    """The names that some words join.

    >>> split_names("ANN LEE and BOB FRY", ("and",)), split_names("Ann Lee", ())
    (['ANN LEE', 'BOB FRY'], ['Ann Lee'])
    """
    found: list[list[str]] = [[]]
    for word in name.split():
        if word in joints:
            found.append([])
        else:
            found[-1].append(word)
    return [" ".join(words) for words in found if words]


def without_end(text: str) -> str:
    """A name without the words in small letters after it.

    >>> without_end("Ann Lee at"), without_end("jo on the"), without_end("Juan de la Cruz")
    ('Ann Lee', 'jo', 'Juan de la Cruz')
    """
    words = text.split()
    while len(words) > 1 and words[-1][0].islower():
        del words[-1]
    return " ".join(words)


def lead_above(tree: LayoutTree, block: TreeBlock) -> str:
    """The last word of the block before, if that is short and leads to an author: `By:`."""
    above = tree.blocks[block.index - 1].text if block.index else ""
    words = WORD.findall(above) if len(above) <= LONGEST_ABOVE else []
    return words[-1] if words and hints.leads_to_author(words[-1]) else ""


def cut_fields(
    pieces: Iterable[Piece], fixed: frozenset[str], dates: Iterable[str], lead: str = ""
) -> list[Field]:
    """The fields of a block, given its pieces, its fixed words, the texts of its dates, and the
    word that leads to it.

    >>> block = [Piece("By Ann Lee | May 1, 2001 | Filed in News", None, "")]
    >>> fields = cut_fields(block, frozenset({"By", "Filed", "in"}), ["May 1, 2001"])
    >>> [(each.lead, each.text) for each in fields]
    [('By', 'Ann Lee'), ('in', 'News')]
    >>> block = [Piece("Ann Lee (Dew, Hay), Bob Fry", None, "")]
    >>> [each.text for each in cut_fields(block, frozenset(), [])]
    ['Ann Lee', 'Bob Fry']
    >>> block = [Piece("Ann Lee, PhD", "/ann", "a"), Piece("@annlee", "/a", "a")]
    >>> [each.text for each in cut_fields(block, frozenset(), [])]
    ['Ann Lee, PhD']
    >>> block = [Piece("Story by Ann Lee and Bob Fry, photos by Eve Hill", None, "")]
    >>> [each.text for each in cut_fields(block, frozenset({"Story", "photos", "by"}), [])]
    ['Ann Lee and Bob Fry']
    >>> [(f.lead, f.text) for f in cut_fields([Piece("— Ann Lee", None, "")], frozenset(), [])]
    [('—', 'Ann Lee')]
    >>> block = [Piece("Last changed: May 1, 2001, Ann Lee", None, "")]
    >>> [each.text for each in cut_fields(block, frozenset(), ["May 1, 2001"])]
    ['Ann Lee']
    """
    cutter = _Cutter(fixed, lead)
    left = list(dates)
    for piece in pieces:
        text = " ".join(piece.text.split())
        for date in list(left):
            if date in text:
                text = text.replace(date, f" {_DATE} ", 1)
                left.remove(date)
        if _DATE in text:
            text = CLOCK.sub(" ", _IN_BRACKETS.sub(_DATE, text))
        cutter.read(piece, _AFTER_NAME.sub("", text))
    return cutter.finish()


class _Cutter:
    """Reads the words of a block; a fixed word, a separator or a date ends a field. The block may
    begin with a fixed word in other letters: "by Ann" where others have "By Ann"."""

    def __init__(self, fixed: frozenset[str], lead: str) -> None:
        self._fixed = fixed
        self._at_start = True
        self._fields: list[Field] = []
        self._lead = lead
        self._words: list[str] = []
        self._n_first = 0
        """How many of the words stand in the first piece."""
        self._first = self._last = Piece("", None, "")
        """The pieces that the field begins and ends in."""
        self._before = self._last_fixed = ""
        """The fixed word right before the lead, and the last token if it was one."""
        self._lead_then = ("", "")
        self._after_date = self._began_after_date = False

    def read(self, piece: Piece, text: str) -> None:
        """One piece, its dates replaced."""
        if leads_to_mail(piece.href):
            self._end()
            self._mark_mail()
        if _HANDLE.fullmatch(text) and self._follows_link():
            self._end()
            return
        for token in _TOKEN.findall(text):
            if self._at_start:
                self._lead = token if token in _DASHES and not self._lead else self._lead
                token = self._as_fixed(token)
            after_colon, self._after_colon = self._after_colon, token in _COLONS
            before, self._last_fixed = self._last_fixed, ""
            if token == _DATE:
                if after_colon:
                    self._drop_label()
                self._end(before_date=True)
                self._lead, self._before, self._after_date = _DATE, "", True
            elif _MAIL.fullmatch(token):
                self._end()
                self._after_date = False
                self._mark_mail()
            elif token in _COMMAS and self._is_in_link(piece):
                self._words[-1] += token
            elif not WORD_SIGN.search(token):
                self._end(comma=token in _COMMAS)
                self._after_date = self._after_date and token in _COMMAS
            elif self._is_in_link(piece) and self._words[-1][-1] in _COMMAS:
                self._add(piece, token)
            elif token in self._fixed:
                self._end()
                # A link that all pages have says nothing of what follows: "Home" in "Home > News".
                is_link = piece.href is not None and piece.text.strip() == token
                self._lead, self._after_date = "" if is_link else token, False
                self._before, self._last_fixed = before, token
            else:
                self._add(piece, token)

    def _follows_link(self) -> bool:
        """Whether the field before, or that which is open, is a link."""
        if self._words:
            return self._first.href is not None
        return bool(self._fields) and self._fields[-1].href is not None

    def _is_in_link(self, piece: Piece) -> bool:
        """Whether the field goes on in the same link: "Ann Lee, PhD" is one name."""
        return piece.href is not None and bool(self._words) and self._last is piece

    def _as_fixed(self, token: str) -> str:
        self._at_start = False
        alike = (word for word in self._fixed if word.casefold() == token.casefold())
        return token if token in self._fixed else min(alike, default=token)

    def _add(self, piece: Piece, word: str) -> None:
        if self._words and piece is not self._last and piece.href and self._first.href:
            del self._words[self._n_first :]  # two links are two names, "and" between them is none
            self._end()
        if piece is not self._last and (_is_named(piece) or _is_named(self._last)):
            self._end()  # what style sheets set apart are two things
        if not self._words:
            self._first, self._lead_then = piece, (self._before, self._lead)
            self._began_after_date = self._after_date
        self._words.append(word)
        if piece is self._first:
            self._n_first = len(self._words)
        self._last = piece
        self._after_date = False

    def _end(self, before_date: bool = False, comma: bool = False) -> None:
        if self._words:
            text, label = _trimmed(" ".join(self._words)), self._first.label
            # Behind a name such a link is the address.
            is_linked = not self._fields and label.endswith("@mail")
            self._fields.append(
                Field(
                    text, self._lead_then[1], label, self._first.href,
                    self._began_after_date or before_date, is_linked, self._lead_then[0],
                )
            )  # fmt: skip
            self._words = []
            self._open_comma = comma
        elif before_date and self._fields and self._open_comma:
            self._fields[-1] = replace(self._fields[-1], beside_date=True)
        elif not comma:
            self._open_comma = False

    def _drop_label(self) -> None:
        """Drop the field that the block begins with if it is the label of the date that follows its
        colon: words that end in small letters, neither a link nor behind a fixed word."""
        if len(self._fields) == 1:
            (first,) = self._fields
            if is_prose(first.text) and not (first.lead or first.href or first.has_mail):
                self._fields.clear()

    def _mark_mail(self) -> None:
        """Mark the last field as one before a mail address."""
        if self._fields:
            self._fields[-1] = replace(self._fields[-1], has_mail=True)

    def finish(self) -> list[Field]:
        """All fields, but for those behind the same word as an earlier one that another word stands
        before: who reviewed what others have written."""
        self._end()
        before: dict[str, str] = {}
        for each in self._fields:
            before.setdefault(each.lead, each.before)
        return [
            each for each in self._fields
            if each.text and (not each.before or before[each.lead] in ("", each.before))
        ]  # fmt: skip

    _open_comma = False
    """Whether nothing but commas followed the last field."""
    _after_colon = False
    """Whether the last token was a colon."""


def _is_named(piece: Piece) -> bool:
    """Whether the inline element of a piece bears a name, or is the author's."""
    return any(sign in piece.label for sign in ".#@")


def _trimmed(text: str) -> str:
    text = text.strip(" -_*\"'“”,、，")
    if text.endswith(".") and not _INITIAL.search(text):
        text = text.rstrip(".")
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def pieces_of(block: TreeBlock) -> list[Piece]:
    """The inline parts of a block, the whole of it if there is but one; `@author` is added to the
    labels of links that lead to one, `@mail` to those to write to somebody."""
    pieces = block.pieces or (Piece(block.text, block.href, ""),)
    return [_signed(each) for each in pieces]


def _signed(piece: Piece) -> Piece:
    if _leads_to_author(piece):
        return replace(piece, label=f"{piece.label}@author")
    if leads_to_mail(piece.href):
        return replace(piece, label=f"{piece.label}@mail")
    return piece


def leads_to_mail(href: str | None) -> bool:
    """Whether a link is one to write to somebody."""
    return href is not None and href.startswith("mailto:")


def _leads_to_author(piece: Piece) -> bool:
    href = piece.href
    if href is None or piece.label.endswith("@author") or hints.names_author(piece.text):
        return False  # "[ author ]" leads to the index of all
    path = href.partition("//")[2].partition("/")[2] if "//" in href else href
    return hints.names_author(path) or _is_handle_of(path, piece.text)


def _is_handle_of(path: str, text: str) -> bool:
    """Whether a path is what platforms write for a person, and spells the text.

    >>> _is_handle_of("@ann-lee", "Ann Lee"), _is_handle_of("@ann", "Follow me")
    (True, False)
    """
    handle = path.lstrip("/")
    words = text.casefold().split()
    return handle.startswith("@") and bool(words) and all(w in handle.casefold() for w in words)
