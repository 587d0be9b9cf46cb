"""Names that are the same on all pages: one author has written them all.

Such a name may as well be that of the site, of a section or of a newspaper. So it is believed only
if something says or confirms that it is an author's: a label or a word such as "by" before it, what
the page says for machines, a copyright line, a link that spells it, or the name of the host.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import filterfalse
from urllib.parse import unquote, urlsplit

from learner.bylines.author_places import AuthorPlace
from learner.bylines.authorship import TOPIC_SHARE, Corpus, ends_text, is_beside, is_told
from learner.bylines.fields import (
    MOST_WORDS,
    WORD,
    contains,
    cut_fields,
    is_name,
    is_prose,
    without_end,
    without_lead,
)
from learner.page import hints
from learner.page.calendars.clock import CLOCK
from learner.page.calendars.shown import byline_text
from learner.page.lines import Piece
from learner.page.locators import Locator
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.cluster_page import ClusterPage

CONSTANT_SHARE = 0.6
"""A name is the same on all pages if it stands on at least this share of them; on the others it is
not read. Origin: measured, see docs/decisions.md."""

LEAST_CONSTANT = 3
"""... and on so many. Origin: guess; the author of a book may be named on two pages about it."""

MOST_LINKS = 3
"""Links of a line without a date that may be a byline; more are a menu. Origin: guess."""

LAST_BLOCKS = 30
"""Blocks at the end of a page that a copyright line is looked for in. Origin: guess."""

_NO_ASCII = str.maketrans("ıøłđ", "iold")
"""Letters that Unicode does not take apart, and what hosts have for them."""
_OWNER = re.compile(r"©[\s\d,–-]*([^\W\d][^\d|,;•·©]*)")


class SoleAuthors:
    """The places of names that are the same on all pages of a cluster, by what speaks for them."""

    def __init__(
        self,
        pages: Sequence[ClusterPage],
        corpus: Corpus,
        locators: Mapping[int, Locator],
    ) -> None:
        self._pages = pages
        self._corpus = corpus
        self._locators = locators

    @cached_property
    def led(self) -> list[AuthorPlace]:
        """That of a name behind a word such as "by", if there is one; so are the next."""
        return self._most_frequent(_led_names)

    @cached_property
    def confirmed(self) -> list[AuthorPlace]:
        """That of a name which something else on the page confirms."""
        return self._most_frequent(_confirmed)

    @cached_property
    def of_host(self) -> list[AuthorPlace]:
        """That of a name which the host bears."""
        return self._most_frequent(_names_of_host)

    @cached_property
    def told(self) -> list[AuthorPlace]:
        """That of a name in an element which is the author's."""
        found = self._most_frequent(_told_names)
        return [replace(each, name=without_lead(each.name, self._is_topic)) for each in found]

    @cached_property
    def labelled(self) -> AuthorPlace | None:
        """That of a name behind a label, whether the name is always the same or not."""
        found = next(_on_nearly_all(self._pages, _labels), None)
        if found is None or any(contains(found[1], place.name) for place in self.led):
            return None
        signature, label = found
        words, locator = WORD.findall(label), self._locators[signature]
        return AuthorPlace(locator=locator, lead=words[-1], fixed=tuple(sorted({*words})))

    def _is_topic(self, word: str) -> bool:
        return self._corpus.topic_share(word) > 0

    def _most_frequent(
        self, names_in: Callable[[ClusterPage, TreeBlock], Iterable[str]]
    ) -> list[AuthorPlace]:
        """The place of the name that stands on most pages, of those that `names_in` gives."""
        for signature, name in _on_nearly_all(self._pages, names_in):
            if self._corpus.topic_share(name) < TOPIC_SHARE:
                return [AuthorPlace(locator=self._locators[signature], name=name)]
        return []


def _on_nearly_all(
    pages: Sequence[ClusterPage],
    names_in: Callable[[ClusterPage, TreeBlock], Iterable[str]],
) -> Iterator[tuple[int, str]]:
    """The places and names (or what stands before them) on nearly all pages, the most frequent
    first, then as they stand on the page."""
    counts: Counter[tuple[int, str]] = Counter()
    for page in pages:
        found = (
            (page.places[block.element], name)
            for block in page.byline
            for name in names_in(page, block)
        )
        counts.update(dict.fromkeys(found, 1))
    least = max(LEAST_CONSTANT, CONSTANT_SHARE * len(pages))
    yield from (found for found, n_pages in counts.most_common() if n_pages >= least)


def _labels(page: ClusterPage, block: TreeBlock) -> Iterator[str]:
    """What stands before a name and says that it is the author's: "Author: Ann"."""
    text = block.text.replace("：", ":")
    for date in page.written_dates.get(block.index, ()):
        text = text.replace(date, "")
    label, colon, name = text.partition(":")
    if colon and hints.names_author(label) and is_name(label) and is_name(name.strip()):
        yield label


def _led_names(page: ClusterPage, block: TreeBlock) -> Iterator[str]:
    """The words behind one such as "by" in a block with a date or a time, or at the beginning of
    one where bylines stand, which begin with a name that is the same on all pages: the longest
    first, without what leads on ("Posted by Ann at May 1")."""
    dates = page.written_dates.get(block.index, [])
    pieces = page.pieces[block.index]
    words = [WORD.findall(piece.text) for piece in pieces]
    leads = frozenset(word for each in words for word in each if hints.leads_to_author(word))
    opens = [not leads.isdisjoint(each[:1]) for each in words]
    is_apart = any(opens) and (is_beside(page, block) or (opens[0] and ends_text(page, block)))
    if not dates and not is_apart and not CLOCK.search(block.text):
        return
    for each in cut_fields(pieces, leads, dates):
        if each.lead in leads:
            name = each.text.split()[:MOST_WORDS]
            begun = (" ".join(name[:n]) for n in range(len(name), 0, -1))
            yield from map(without_end, filter(is_name, begun))


def _told_names(page: ClusterPage, block: TreeBlock) -> Iterator[str]:
    """The names in a block that the page says for machines to be the author's, words before them
    included. It may be that of the site, which is called after him."""
    for piece in page.pieces[block.index]:
        name = " ".join(piece.text.split())
        may_be = is_name(name) and not is_prose(name) and not hints.names_author(name)
        if may_be and is_told(page.tree, block, piece.label):
            yield name


def _confirmed(page: ClusterPage, block: TreeBlock) -> Iterator[str]:
    """The names in a block that something else on the page confirms (the metadata, a copyright
    line, the host's name), or a link that spells them."""
    tree, text = page.tree, byline_text(block)
    yield from (name for name in tree.metadata.authors if contains(text, name))
    if is_beside(page, block) and not tree.metadata.authors:
        yield from _owners(tree, text)
    for piece in page.pieces[block.index]:
        name = " ".join(piece.text.split())
        told = piece.label.endswith("@author") and not hints.leads_to_author(name)
        if is_name(name) and (told or _is_byline_link(page, block, piece, name)):
            first, _, rest = name.partition(" ")
            yield rest if rest and hints.leads_to_author(first) else name


def _names_of_host(page: ClusterPage, block: TreeBlock) -> Iterator[str]:
    """The names in a block with the date, or alone beside it, that the host bears."""
    text = byline_text(block)
    names = list(_named_by_host(page.tree, text))
    is_alone = names == [text] and block.index > page.title_index and is_beside(page, block)
    if is_alone or page.written_dates.get(block.index):
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


def _is_byline_link(page: ClusterPage, block: TreeBlock, piece: Piece, text: str) -> bool:
    """Whether a link beside the date spells the name and is no entry of the menu on top."""
    if page.date_index is None or abs(block.index - page.date_index) > 2 or not piece.href:
        return False
    n_links = sum(each.href is not None for each in page.pieces[block.index])
    if n_links > MOST_LINKS and block.index not in page.written_dates:
        return False
    top = page.tree.blocks[: page.byline[0].index]
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
