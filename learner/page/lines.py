"""Lines: what stands between two block-level tags, and what it says.

The frame of a site is written alike on all of its pages: header, menu and footer, often more lines
than the article has. So a line knows nothing of the page that it stands on, and what is written
alike is read once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from learner.page.markup import (
    MOMENT_SIGNS,
    TAGS,
    Effect,
    Tag,
    cut_tags,
    href_of,
    moment_of,
    unescape,
)
from learner.page.words import clean_text

MOST_LINES = 20_000
"""Lines that are remembered, over all pages. Origin: guess, 20 MB; a site's frame has some
hundreds."""

LONGEST_REMEMBERED = 1_000
"""Characters of markup up to which a line is remembered. Origin: guess: long paragraphs do not
recur."""

LONGEST_PIECED = 300
"""Characters up to which a line keeps its inline pieces: what may be a byline. Origin: guess."""

LONGEST_NUMBER = 6
"""Digits of the number of a line. Origin: guess; Python refuses to read thousands of digits."""

_VOWEL_SIGNS = "".join(
    char for char in map(chr, range(0x900, 0x1D00)) if unicodedata.category(char).startswith("M")
)
"""Marks that are half of the letters in scripts of India and South East Asia; `\\w` has none."""
_WORDS = re.compile(rf"[\w{_VOWEL_SIGNS}]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NO_WORD_BYTES = bytes(code for code in range(128) if not re.match(r"\w", chr(code)))
"""ASCII is counted by leaving these out, a tenth of the time of a regular expression."""
_ANY_WORD = re.compile(r"[^\w<&]*+(?:(?:<[^>]*+>|&[^;]*+;)[^\w<&]*+)*+\w")
_EMPTY_LINK = re.compile(
    r"<a ([^>]*+)>(?:(?<=/>)|[^\w<&]*+(?:(?:<(?!/a>)[^>]*+>|&[^;]*+;)[^\w<&]*+)*+</a>)"
)
"""A link without words."""
LINK = "{link}"
"""Stands for the words of a link."""
_LINKS_IN_A_ROW = re.compile(rf"{LINK}(?:[\W_]*{LINK})+")
_LEADS = re.compile(r'(?:^| )href="[^"]')
_LINK = re.compile(r'<(a [^>]*")>(.*?)</a>', re.DOTALL)
_LINE_NUMBER = re.compile(rf"^\s*(\d{{1,{LONGEST_NUMBER}}}) ?")


def counts_up(words: Sequence[str]) -> bool:
    """Whether all words are numbers, each one more than that before it.

    >>> counts_up(["9", "10", "11"]), counts_up(["1", "2", "4"]), counts_up(["1", "b"])
    (True, False, False)
    """
    if not all(word.isdecimal() and len(word) <= LONGEST_NUMBER for word in words):
        return False
    return all(int(after) == int(number) + 1 for number, after in pairwise(words))


def word_weight(text: str) -> int:
    r"""How many word characters (`\w` and vowel signs, any script) a text has.

    >>> word_weight("7 May, 東京"), word_weight("हिन्दी")
    (6, 6)
    """
    in_ascii = len(text.encode("ascii", "ignore").translate(None, _NO_WORD_BYTES))
    if text.isascii():
        return in_ascii
    others = "".join(_NOT_ASCII.findall(text))
    return in_ascii + sum(map(len, _WORDS.findall(others)))


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text inside one inline element of a line."""

    text: str
    """The text as it stands in the source, white space included."""
    href: str | None
    """Where the link leads that it stands in."""
    label: str
    """Tag and names of the inline element, `@author` or `@topic` added where `rel` or `itemprop`
    say so; empty for text directly inside the block-level element."""


Around = tuple[Tag | None, ...]
"""The inline elements that are open, outermost first; None for a block-level element."""

_Run = tuple[str, str | None, Tag | None]
"""A text, the link and the inline element that it stands in."""

_BUTTON_END = "</button>"

MOST_OPEN = 32
"""Inline elements open at a time of which is known what they say, the innermost. Origin: guess;
browsers open those that nobody closed again in each block that follows."""


class Line:
    """The markup between two block-level tags.

    What it says is worked out when it is first asked for: extraction reads one container.

    >>> line = Line('By <a href="/me">Me</a>')
    >>> line.text, line.weight, line.unlinked_weight, line.pieces[1].href
    ('By Me', 4, 2, '/me')
    """

    left_open: Around = ()
    """The inline elements that are open where it ends, nearly always none."""
    moments: tuple[str, ...] = ()
    """The `datetime` of each `time` element."""
    has_links: bool = False
    """Whether it may have links."""
    has_pictures: bool = False
    """Whether it has `img` elements."""
    around: Around = ()
    """The inline elements that are open where it begins, nearly always none."""
    _crossed: _Runs | None = None
    """What it says run by run, if an inline element is open where it begins or ends, or a link may
    stand in another."""

    def __init__(self, markup: str, around: Around = ()) -> None:
        # Most lines have little to tell beyond their words: that stays as the class has it.
        self.markup = markup
        """What is written there, as XML."""
        self.has_words = _ANY_WORD.match(markup) is not None
        if "<" not in markup and not around:
            return
        if around:
            self.around = around
        if around or _leaves_open(markup) or _nests_links(markup):
            self._crossed = _Runs(markup, around)
            self.left_open = self._crossed.around[-MOST_OPEN:]
        self.has_links = self._crossed is not None or "<a " in markup
        self.has_pictures = "<img " in markup
        if any(sign in markup for sign in MOMENT_SIGNS):
            self.moments = tuple(_moments(markup))

    def _runs(self) -> _Runs:
        return self._crossed or _Runs(self.markup, ())

    @property
    def is_short(self) -> bool:
        """Whether its markup is short enough to be remembered, whatever it says."""
        return len(self.markup) <= LONGEST_REMEMBERED

    @cached_property
    def text(self) -> str:
        """What it says; links without words are blanks."""
        return clean_text(self._written())

    @property
    def listing(self) -> str:
        """What it says with the lines and indents that a `pre` shows; blank lines and the numbers
        of lines are left out.

        >>> Line("<code>if rain:\\n  <b>stay</b>()\\n\\nelse:</code>").listing.split("\\n")
        ['if rain:', '  stay()', 'else:']
        >>> Line("<i>1</i> if rain:\\n<i>2</i>   stay()").listing.split("\\n")
        ['if rain:', '  stay()']
        >>> Line("1 egg\\n2 apples").listing.split("\\n")
        ['1 egg', '2 apples']
        """
        lines = self._written().splitlines()
        lines = [line.rstrip() for line in lines if not line.isspace() and line]
        if self._numbers_lines(lines):
            lines = [_LINE_NUMBER.sub("", line, 1) for line in lines]
        return "\n".join(line for line in lines if line)

    def _written(self) -> str:
        """What it says as it is written, white space included."""
        markup = self.markup
        if self._crossed:
            return "".join([run[0] for run in self._crossed.runs])
        if "<" in markup:
            if "<a " in markup:
                markup = _EMPTY_LINK.sub(_blank_if_it_leads, markup)
            markup = "".join(cut_tags(markup)[::2])
        return unescape(markup)

    def _numbers_lines(self, lines: Sequence[str]) -> bool:
        """Whether all lines begin with their numbers, in elements of their own."""
        found = [_LINE_NUMBER.match(line) for line in lines]
        numbers = [number[1] for number in found if number]
        if not 1 < len(lines) == len(numbers) or not counts_up(numbers):
            return False
        written = map(str.strip, cut_tags(self.markup)[::2])
        return all(number in written for number in numbers)  # each is looked for behind the last

    @property
    def is_button(self) -> bool:
        """Whether it is a button and nothing else.

        >>> Line("<button>Copy</button>").is_button, Line("<button>Copy</button> it").is_button
        (True, False)
        """
        markup = self.markup.strip()
        end = len(markup) - len(_BUTTON_END)
        return markup.startswith("<button") and markup.find(_BUTTON_END) == end

    @cached_property
    def weight(self) -> int:
        """Word characters."""
        return word_weight(self.text)

    @cached_property
    def unlinked_weight(self) -> int:
        """Word characters outside `<a>`."""
        if not self.has_links:
            return self.weight
        return self.weight - sum(word_weight(text) for text, _ in self.linked_texts)

    @cached_property
    def href(self) -> str | None:
        """Where it leads if all of its words stand in links to one place."""
        if not self._may_be_link() or self.unlinked_weight:
            return None
        places = {href for text, href in self.linked_texts if _WORDS.search(text)}
        return places.pop() if len(places) == 1 else None

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Its inline parts in order; empty for long lines and for those that have but one."""
        if len(self.text) > LONGEST_PIECED:
            return ()
        if "<" not in self.markup and self._crossed is None:
            return ()
        written = [run for run in self._runs().runs if not run[0].isspace()]
        if len(written) == 1:
            around = written[0][2]
            if around is None or not (around.says_author or around.says_topic):
                return ()
        return tuple(Piece(text, href, tag.label if tag else "") for text, href, tag in written)

    @cached_property
    def overlays(self) -> tuple[str, ...]:
        """Where its links without words lead: pictures, or what makes a card a link."""
        if self._crossed or _EMPTY_LINK.search(self.markup):
            return tuple(self._runs().overlays)
        return ()

    def without_links(self, leads: Callable[[str], bool]) -> str:
        """What it says with `LINK` for the words of each link that `leads` somewhere, and of
        several in a row.

        >>> line = Line('In <a href="/a">Air</a>, <a href="/b">Big <i>b</i></a> by Ann')
        >>> line.without_links(lambda href: True)
        'In {link} by Ann'
        """
        if self._crossed:
            runs = self._crossed.runs
            texts = [LINK if href is not None and leads(href) else text for text, href, _ in runs]
        else:

            def sign(link: re.Match[str]) -> str:
                href = href_of(link[1])
                return LINK if href is not None and leads(href) else link[0]

            texts = [unescape("".join(cut_tags(_LINK.sub(sign, self.markup))[::2]))]
        text = clean_text("".join(texts))
        return _LINKS_IN_A_ROW.sub(LINK, text) if text.count(LINK) > 1 else text

    def _may_be_link(self) -> bool:
        if self._crossed:
            return True
        start = self.markup.find("<a ")
        # Most lines with links have words before the first one.
        if start < 0 or _ANY_WORD.match(self.markup, 0, start):
            return False
        return not _ANY_WORD.match(_LINK.sub("", self.markup))

    @cached_property
    def linked_texts(self) -> list[tuple[str, str]]:
        """The texts inside its links, and where each leads."""
        if self._crossed:
            return [(text, href) for text, href, _ in self._crossed.runs if href is not None]
        return [
            (unescape("".join(cut_tags(inner)[::2])), href)
            for source, inner in _LINK.findall(self.markup)
            if (href := href_of(source)) is not None
        ]


class _Lines(dict[str, Line]):
    """Markup -> its line, of those that begin with no inline element open."""

    def __missing__(self, markup: str) -> Line:
        line = Line(markup)
        if line.is_short:
            if len(self) >= MOST_LINES:
                self.clear()
            self[markup] = line
        return line


LINES = _Lines()
"""The lines that were met, by their markup."""


def _leaves_open(markup: str) -> bool:
    """Whether an inline element begins that does not end here, given that none was open before."""
    return markup.count("<") - markup.count("/>") != 2 * markup.count("</")


def _moments(markup: str) -> Iterator[str]:
    for source in cut_tags(markup)[1::2]:
        if moment := moment_of(source):
            yield moment


def _blank_if_it_leads(link: re.Match[str]) -> str:
    return " " if _LEADS.search(link[1]) else link[0]


def _nests_links(markup: str) -> bool:
    """Whether a link may begin inside another."""
    if markup.count("<a") < 2:
        return False
    between = markup.split("<a")[1:-1]
    return any("</a" not in part and part[part.find(">") - 1] != "/" for part in between)


class _Runs:
    """The runs of text of a line's markup, and what the markup leaves open."""

    def __init__(self, markup: str, around: Around) -> None:
        self.runs: list[_Run] = []
        self.overlays: list[str] = []
        """Where its links without words lead."""
        self._open = list(around)
        self._links: list[tuple[str | None, int]] = [(None, 0)]
        """For each open link where it leads, and how many runs came before it."""
        self._worded = [False]
        """... and whether it has words so far."""
        for tag in around:
            if tag and tag.name == "a":
                self._open_link(tag)
        parts = iter(cut_tags(markup))
        self._add(next(parts))
        for source, text in zip(parts, parts, strict=True):
            self._read(TAGS[source])
            self._add(text)

    @property
    def around(self) -> Around:
        """The inline elements that are open at the end."""
        return tuple(self._open)

    def _add(self, text: str) -> None:
        if text:
            around = self._open[-1] if self._open else None
            text = unescape(text)
            self.runs.append((text, self._links[-1][0], around))
            if not self._worded[-1]:
                self._worded[-1] = _WORDS.search(text) is not None

    def _read(self, tag: Tag) -> None:
        effect = tag.effect
        if effect is Effect.OPEN_INLINE or effect is Effect.OPEN_LINK:
            outer = self._open[-1] if self._open else None
            self._open.append(tag.inside(outer) if outer else tag)
            if effect is Effect.OPEN_LINK:
                self._open_link(tag)
        elif effect is Effect.CLOSE_INLINE or effect is Effect.CLOSE_LINK:
            if self._open:  # of very many the outermost are not known
                self._open.pop()
            if effect is Effect.CLOSE_LINK:
                self._close_link()
        elif effect is Effect.EMPTY_LINK:
            self._open_link(tag)
            self._close_link()

    def _open_link(self, tag: Tag) -> None:
        self._links.append((tag.href or self._links[-1][0], len(self.runs)))
        self._worded.append(False)

    def _close_link(self) -> None:
        """A link without words is no text ("#", "¶"), but it may be what makes a card a link."""
        if len(self._links) == 1:
            return
        (href, mark), has_words = self._links.pop(), self._worded.pop()
        self._worded[-1] |= has_words
        if href and not has_words:
            self.runs[mark:] = [(" ", self._links[-1][0], None)]
            self.overlays.append(href)
