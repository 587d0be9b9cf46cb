"""How a page words what it says of itself: its texts with signs for what differs from page to page.

The title once more in a box with the licence, "Permalink: https://...", "Updated on 3 May 2021 at
10:30", "12 comments", "Filed under Air": such texts differ from page to page, but only in what the
page says of itself and in the words of its links. With a sign for each of these (a *stamp*) they
are the same text again, and what recurs is the site's (`learner.site.recurrence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

from learner.page.calendars.clock import CLOCK
from learner.page.dates import find_dates
from learner.page.lines import LINK, MOST_LINES, Line, word_weight
from learner.page.months import month_names
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import TEXT_WEIGHT

LONGEST_STAMP = 300
"""Characters of a text, its links left out, that may be a stamp; longer ones are prose. Origin:
guess; "This entry was posted on ... You can follow any responses ..." of an old theme has 183."""

LONGEST_LINKED = 500
"""... and with its links. Origin: guess."""

LEAST_SENTENCE = 20
"""Word characters beside links below which a text is their label ("See also: "), not a sentence.
Origin: guess."""

LEAST_TITLE = 4
"""Characters from which on a title is looked for inside other texts. Origin: guess."""

END_LENGTH = 40
"""Characters that texts of one form have in common at their beginning or their end. Origin: guess.
"""

LONGEST_LABEL = 20
"""Characters of the label that a field begins with ("Editor: "). Origin: guess."""

LEAST_CUT = 12
"""Characters of a title, or of a text, that are left where it was cut. Origin: guess."""

TITLE = "{title}"
"""Stands for the title of the page."""

TEXT = "{text}"
"""Stands for what differs between texts of one form."""

_NEIGHBOUR = "{neighbour}"
"""Stands for that of a page before, after or above it."""

_ADDRESS, _DATE = "{address}", "{date}"

_WEEKDAY = re.compile(rf"[^\W\d_]+\.?,?\s{_DATE}|{_DATE}\s?[(（][^\W\d_]+[)）]")
"""A word before the date, or one in brackets after it: "Friday, ", "on ", "(金)"."""

_SIGN = re.compile(r"\{\w+\}")

_NUMBERED_TITLE = re.compile(
    rf"(?:{re.escape(LINK)} ?)?(?:\{{number\}}[.)]? ?)?{re.escape(TITLE)}(?: ?{re.escape(LINK)})?"
)

_LETTER = re.compile(r"[^\W\d_]")

_LABEL = re.compile(rf"[^\W\d_][^:：]{{0,{LONGEST_LABEL - 2}}}[:：](?!//)")

_HARD_BLANK = "\xa0"
"""Before the colon of a French heading, and not in each of the places that repeat it."""

_LEFTWARDS, _RIGHTWARDS = "«‹←⇐⟵◀◄", "»›→⇒⟶▶►"

_POINTED = re.compile(
    rf"(?P<before>[{_LEFTWARDS}]+|<+-*)?\s*"
    rf"(?P<name>[^{_LEFTWARDS}{_RIGHTWARDS}<>]+?)\s*"
    rf"(?P<behind>[{_RIGHTWARDS}]+|-*>+)?"
)
"""A text with an arrow that points out of it, at its beginning or at its end."""

_CUT = re.compile(r"\s?[(\[]?(?:\.\.\.|…)[)\]]?$")

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Facts:
    r"""What a page says of itself, and texts without it.

    >>> from learner.page.said.metadata import Metadata
    >>> page = LayoutTree("https://a.example/rain.html", Metadata())
    >>> facts = Facts(page, "Rain again")
    >>> facts.mask(Line("Rain\xa0again")), facts.mask(Line("Link: https://a.example/rain.html"))
    ('{title}', 'Link: {address}')
    >>> facts.mask(Line("Changed on May 3, 2021 at 10:30")), facts.mask(Line("12 comments"))
    ('Changed {date} at {clock}', '{number} comments')
    >>> facts.mask(Line('This entry was filed under <a href="/air">Air</a>.'))
    'This entry was filed under {link}.'
    >>> facts.mask(Line("<a href=/hail>Hail &gt;&gt;</a>")), facts.mask(Line("« Rain », he said"))
    ('{neighbour} >>', '« Rain », he said')
    """

    def __init__(self, tree: LayoutTree, title: str | None) -> None:
        self._host = tree.key.partition("/")[0]
        self._title = (title or "").replace(_HARD_BLANK, " ")
        self._neighbours = tree.metadata.neighbours
        written = {tree.url, unquote(tree.url), tree.metadata.canonical} - {""}
        # An address that goes on in another is found first.
        self._addresses = sorted(written, key=lambda address: (-len(address), address))

    def mask(self, line: Line) -> str:
        """What a line says with a sign for each fact, and for the words of links; texts without
        any, and prose, stay as they are."""
        text = line.text.replace(_HARD_BLANK, " ")
        if text == self._title:
            return TITLE
        if text in self._neighbours:
            return _NEIGHBOUR
        if line.has_links and len(text) <= LONGEST_LINKED:
            sign = _without_links if line.is_short else _sign_links
            linked = sign(line, self._host)
            text = text if linked == LINK else linked
        if "://" in text:
            for address in self._addresses:
                text = text.replace(address, _ADDRESS)
        if len(self._title) >= LEAST_TITLE:
            text = text.replace(self._title, TITLE)
        return _without_numbers(_without_pointed(text)) if len(text) <= LONGEST_STAMP else text


def _without_pointed(text: str) -> str:
    """The text with a sign for the name that an arrow points away from: that of a page before or
    after. Two are quotation marks, and one that points at the name stands for a bullet.

    >>> _without_pointed("<< Rain again"), _without_pointed("Hail »"), _without_pointed("« Hail »")
    ('<< {neighbour}', '{neighbour} »', '« Hail »')
    >>> _without_pointed("> Hail"), _without_pointed("→ https://a.example/")
    ('> Hail', '→ https://a.example/')
    """
    # Most texts have none at their ends, and the pattern goes through the whole of them.
    if text[:1] not in f"{_LEFTWARDS}<" and text[-1:] not in f"{_RIGHTWARDS}>":
        return text
    found = _POINTED.fullmatch(text)
    if not found or bool(found["before"]) == bool(found["behind"]):
        return text
    arrows = found["before"], _NEIGHBOUR, found["behind"]
    return " ".join(part for part in arrows if part)


def cut_end(text: str) -> int | None:
    """Where the sign begins that tells that a text was cut; None if it has none.

    >>> cut_end("Rain in (...)"), cut_end("Rain […]"), cut_end("Rain.")
    (7, 4, None)
    """
    found = _CUT.search(text, len(text) - 6)  # the longest sign
    return found.start() if found else None


def has_signs(stamp: str) -> bool:
    """Whether a stamp has signs in it: its text says what the page says of itself.

    >>> has_signs("Permalink: {address}"), has_signs("Thanks for reading!")
    (True, False)
    """
    return _SIGN.search(stamp) is not None


def is_title(stamp: str) -> bool:
    """Whether a stamp is the title of the page, be it with a number before it, or a link beside it
    that themes put into headings.

    >>> is_title("{title}"), is_title("{link}{number}. {title}"), is_title("On {title}")
    (True, True, False)
    """
    return TITLE in stamp and _NUMBERED_TITLE.fullmatch(stamp) is not None


def is_label(stamp: str) -> bool:
    """Whether next to nothing stands beside the links of a stamp: what they lead to may be what the
    author says.

    >>> is_label("See also: {link}"), is_label("This entry was filed under {link}.")
    (True, False)
    """
    return LINK in stamp and word_weight(_SIGN.sub("", stamp)) < LEAST_SENTENCE


def forms(stamp: str) -> list[str]:
    """What a text has in common with others that differ from it in a part: the label that it begins
    with, and the ends of a long one.

    >>> forms("Editor: Ann Lee")
    ['Editor: {text}']
    >>> forms("Copyright Ann Lee. Released under the terms that all of us share.")[1]
    '{text}ed under the terms that all of us share.'
    """
    found = []
    label = _LABEL.match(stamp)
    if label:
        found.append(f"{label[0]} {TEXT}")
    if len(stamp) > END_LENGTH + LONGEST_LABEL:
        found += [stamp[:END_LENGTH] + TEXT, TEXT + stamp[-END_LENGTH:]]
    return found


def _sign_links(line: Line, host: str) -> str:
    """A sign for the words of the links that lead to no other site."""

    def leads(href: str) -> bool:
        to = href.partition("://")[2].partition("/")[0].lower().removeprefix("www.")
        return to in ("", host)

    return line.without_links(leads)


_without_links = lru_cache(maxsize=MOST_LINES)(_sign_links)
"""The same, remembered."""


@lru_cache(maxsize=MOST_LINES)
def _without_numbers(text: str) -> str:
    """Signs for dates, clocks and numbers, unless the text is nothing but a number."""
    for found in reversed(find_dates(text, month_names())):
        text = text[: found.start] + _DATE + text[found.end :]
    text = CLOCK.sub("{clock}", text)
    if _DATE in text:
        text = _WEEKDAY.sub(_DATE, text)
    return _NUMBER.sub("{number}", text) if _LETTER.search(text) else text


class Wording:
    """The texts of one page as they are compared with those of others."""

    def __init__(self, tree: LayoutTree, title: TreeBlock | None) -> None:
        """`title` is the block that says what the page is called; None if none does."""
        self.tree = tree
        self.title = title
        self._facts = Facts(tree, title.text if title else None)
        self._stamps: dict[int, str] = {}

    def stamp(self, block: TreeBlock) -> str:
        """The text of a block with signs for what the page says of itself: what texts that recur
        are known by."""
        if block.index not in self._stamps:
            self._stamps[block.index] = self._facts.mask(block.line)
        return self._stamps[block.index]

    def stamps(self, blocks: Iterable[TreeBlock]) -> list[str]:
        """Those of some blocks."""
        return [self.stamp(block) for block in blocks]

    def phrase(self, block: TreeBlock) -> str:
        """What a sentence is known by that recurs between the author's: its text, or its stamp if
        it is a label with links ("Read also: ...")."""
        is_label = block.line.has_links and block.unlinked_weight < TEXT_WEIGHT
        return self.stamp(block) if is_label else block.text

    def recurs(self, block: TreeBlock, recurring: frozenset[str]) -> bool:
        """Whether the text of a block, or the form that it has, is one of those that recur."""
        stamp = self.stamp(block)
        return stamp in recurring or any(form in recurring for form in forms(stamp))
