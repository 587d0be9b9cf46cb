"""A layout that keeps its elements: what the default preset learns from and extracts with.

The layout of 2005 (`learner.blocks`) is a flat sequence of paths. Today's templates differ in what
encloses the text, so this one keeps every block-level element with its place, its stable names and
the blocks that it holds. One walk over the page's markup builds it; what a block says is worked
out when it is asked for, since extraction asks for the blocks of one container only.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import urldefrag, urljoin, urlsplit
from zlib import crc32

from lxml import etree

from learner.blocks import clean_text
from learner.markup import SEPARATOR, TAGS, Kind, Tag, cut_blocks, cut_tags, unescape
from learner.metadata import Metadata, read_metadata

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

MOST_LINKS = 50_000
"""Links whose pages are remembered: menus repeat on every page. Origin: guess, 15 MB."""

_WORDS = re.compile(r"\w+")
_WORDLESS = r"(?:<[^>]*>|&[^;]*;|[^\w<&]++)*"
_ANY_WORD = re.compile(rf"{_WORDLESS}+\w")
_EMPTY_LINK = re.compile(rf'<a (?:[^>]* )?href="[^"][^>]*?(?:/>|>{_WORDLESS}?</a>)')
_LINK = re.compile(rf"<a(?: [^>]*)?/>|<a(?: [^>]*)?>{_WORDLESS}?</a>")
_LINK = re.compile(r'<(a [^>]*")>(.*?)</a>', re.DOTALL)
_MEDIA = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|ico|pdf|zip|gz|mp3|mp4|css|js)$", re.IGNORECASE)
_NOT_A_PAGE = ("#", "mailto:", "javascript:", "tel:", "data:")


def word_weight(text: str) -> int:
    r"""How many word characters (`\w`, any script) a text has.

    >>> word_weight("7 May, 東京")
    6
    """
    return sum(map(len, _WORDS.findall(text)))


def page_key(url: str) -> str:
    """Host and path of a URL without `www.`, query order, fragment and index file: two links with
    the same key lead to the same page of a static site.

    >>> page_key("https://www.example.org/a/index.html#top")
    'example.org/a/'
    """
    parts = urlsplit(urldefrag(url)[0])
    path = re.sub(r"/index\.[a-z]{3,5}$", "/", parts.path or "/")
    query = f"?{parts.query}" if parts.query else ""
    return parts.netloc.lower().removeprefix("www.") + path + query


LONGEST_PIECED = 200
"""Characters up to which a block keeps its inline pieces: what may be a byline. Origin: guess."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text inside one inline element of a block."""

    text: str
    """The text as it stands in the source, white space included."""
    href: str | None
    """Where the link leads that it stands in."""
    label: str
    """Tag and names of the inline element, `@author` added where `rel` or `itemprop` say so; empty
    for text directly inside the block-level element."""


_Run = tuple[str, str | None, Tag | None]
"""A text, the link and the inline element that it stands in."""

_Around = tuple[Tag | None, ...]
"""The inline elements that are open, outermost first; None for a block-level element."""

_Opened = _Around | None
"""What is open where a block begins; None if nothing is, neither there nor where it ends."""


class TreeBlock:
    """One run of text inside one block-level element.

    Every attribute but the first two is worked out when it is first asked for.
    """

    __slots__ = (
        "_around", "_markup", "element", "href", "index", "pieces", "text", "unlinked_weight",
        "weight",
    )  # fmt: skip

    index: int
    """Its place in the page."""
    element: int
    """The element whose text it is, an index into the lists of `LayoutTree`."""
    text: str
    """The text on one line."""
    weight: int
    """Word characters."""
    unlinked_weight: int
    """Word characters outside `<a>`."""
    href: str | None
    """Where it leads if all of its words stand in links to one place."""
    pieces: tuple[Piece, ...]
    """Its inline parts in order; empty for long blocks and for those that have but one."""

    def __init__(self, index: int, element: int, markup: str, around: _Opened) -> None:
        self.index = index
        self.element = element
        self._markup = markup
        self._around = around

    def __getattr__(self, name: str) -> object:
        """Called for what is not worked out yet."""
        if name == "text":
            text = self.text = clean_text(_text_of(self._markup, self._around))
            return text
        if name == "href":
            href = self.href = self._only_place()
            return href
        if name == "weight":
            self.weight = word_weight(self.text)
        elif name == "unlinked_weight":
            self.unlinked_weight = self.weight - self._linked_weight()
        elif name == "pieces":
            self.pieces = self._pieces()
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def _pieces(self) -> tuple[Piece, ...]:
        if len(self.text) > LONGEST_PIECED:
            return ()
        if "<" not in self._markup and self._around is None:
            return ()
        runs = _Runs(self._markup, self._around or ()).runs
        written = [run for run in runs if not run[0].isspace()]
        if len(written) == 1 and not (written[0][2] and written[0][2].says_author):
            return ()
        return tuple(Piece(text, href, tag.label if tag else "") for text, href, tag in written)

    def _linked_weight(self) -> int:
        if self._around is None and "<a " not in self._markup:
            return 0
        return sum(word_weight(text) for text, _ in _linked_texts(self._markup, self._around))

    def _only_place(self) -> str | None:
        if self._around is None and not _may_be_link(self._markup):
            return None
        if self.unlinked_weight:
            return None
        texts = _linked_texts(self._markup, self._around)
        places = {href for text, href in texts if _WORDS.search(text)}
        return places.pop() if len(places) == 1 else None


def _may_be_link(markup: str) -> bool:
    return "<a " in markup and not _ANY_WORD.match(_LINK.sub("", markup))


def _text_of(markup: str, around: _Opened) -> str:
    """The text of a block's markup; links without words are blanks."""
    if around is not None:
        return "".join([run[0] for run in _Runs(markup, around).runs])
    if "<" in markup:
        if "<a " in markup:
            if _nests_links(markup):
                return _text_of(markup, ())
            markup = _EMPTY_LINK.sub(" ", markup)
        markup = "".join(cut_tags(markup)[::2])
    return unescape(markup)


def _linked_texts(markup: str, around: _Opened) -> Iterator[tuple[str, str]]:
    """The texts inside the links of a block's markup, and where each leads."""
    if around is not None or _nests_links(markup):
        for text, href, _ in _Runs(markup, around or ()).runs:
            if href is not None:
                yield text, href
        return
    for source, inner in _LINK.findall(markup):
        href = TAGS[source].href
        if href is not None:
            yield unescape("".join(cut_tags(inner)[::2])), href


def _nests_links(markup: str) -> bool:
    """Whether a link may begin inside another."""
    if markup.count("<a") < 2:
        return False
    between = markup.split("<a")[1:-1]
    return any("</a" not in part and part[part.find(">") - 1] != "/" for part in between)


class _Runs:
    """The runs of text of a block's markup, and what the markup leaves open."""

    def __init__(self, markup: str, around: _Around) -> None:
        self.runs: list[_Run] = []
        self.overlays: list[str] = []
        """Where its links without words lead."""
        self._open = list(around)
        self._links: list[tuple[str | None, int]] = [(None, 0)]
        """For each open link where it leads, and how many runs came before it."""
        for tag in around:
            if tag and tag.name == "a":
                self._open_link(tag)
        parts = iter(cut_tags(markup))
        self._add(next(parts))
        for source, text in zip(parts, parts, strict=True):
            self._read(TAGS[source])
            self._add(text)

    @property
    def around(self) -> _Around:
        """The inline elements that are open at the end."""
        return tuple(self._open)

    def _add(self, text: str) -> None:
        if text:
            around = self._open[-1] if self._open else None
            self.runs.append((unescape(text), self._links[-1][0], around))

    def _read(self, tag: Tag) -> None:
        kind = tag.kind
        if kind is Kind.OPEN_INLINE or kind is Kind.OPEN_LINK:
            outer = self._open[-1] if self._open else None
            self._open.append(tag.inside(outer) if outer else tag)
            if kind is Kind.OPEN_LINK:
                self._open_link(tag)
        elif kind is Kind.CLOSE_INLINE or kind is Kind.CLOSE_LINK:
            self._open.pop()
            if kind is Kind.CLOSE_LINK:
                self._close_link()
        elif kind is Kind.EMPTY_LINK:
            self._open_link(tag)
            self._close_link()

    def _open_link(self, tag: Tag) -> None:
        self._links.append((tag.href or self._links[-1][0], len(self.runs)))

    def _close_link(self) -> None:
        """A link without words is no text ("#", "¶"), but it may be what makes a card a link."""
        href, mark = self._links.pop()
        if href and not any(_WORDS.search(run[0]) for run in self.runs[mark:]):
            self.runs[mark:] = [(" ", self._links[-1][0], None)]
            self.overlays.append(href)


class LayoutTree:
    """The block-level elements of one page as parallel lists, in document order.

    `tags`, `tokens`, `ids`, `parents`, `starts`, `ends` and `paths` have one entry an element;
    the blocks of element `e` are `blocks[starts[e]:ends[e]]`. Element 0 is `body`.
    """

    def __init__(self, url: str, metadata: Metadata) -> None:
        self.url = url
        self.key = page_key(url)
        self.tags: list[str] = []
        self.tokens: list[tuple[str, ...]] = []
        """`#id` and `.class` names, lower-cased, digits collapsed to `0`."""
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.paths: list[int] = []
        """CRC-32 of the tags from the root to the element."""
        self.blocks: list[TreeBlock] = []
        self.linked: list[tuple[int, str, _Opened]] = []
        """Element, markup and what is open before, of all runs of markup that may have links."""
        self._targets: dict[str, str | None] = {}
        """Where its links lead, as far as asked for."""
        self.metadata = metadata
        """What the page says of itself for machines."""
        self.times: list[tuple[int, str]] = []
        """The block that each `time` element stands in (or before), and its `datetime`."""

    @cached_property
    def places(self) -> dict[int, list[int]]:
        """The elements at each tag path, in document order."""
        places: defaultdict[int, list[int]] = defaultdict(list)
        for element, path in enumerate(self.paths):
            places[path].append(element)
        return places

    @cached_property
    def overlays(self) -> dict[int, str]:
        """First link without words directly inside an element (a picture, or a card's overlay)."""
        overlays: dict[int, str] = {}
        for element, markup, around in self.linked:
            if around is not None or _EMPTY_LINK.search(markup) or _nests_links(markup):
                for href in _Runs(markup, around or ()).overlays:
                    overlays.setdefault(element, href)
        return overlays

    @cached_property
    def _host(self) -> str:
        """Scheme and host of the page, all that a link from the root needs."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}/"

    def target(self, href: str | None) -> str | None:
        """The key of the other page of this site that a link leads to; None for everything else."""
        if href is None:
            return None
        if href not in self._targets:
            self._targets[href] = self._find_target(href.strip())
        return self._targets[href]

    def _find_target(self, href: str) -> str | None:
        if not href or href.lower().startswith(_NOT_A_PAGE):
            return None
        from_root = href.startswith(("/", "http:", "https:"))
        key = _page_of_link(self._host if from_root else self.url, href)
        if key is None or key == self.key or key.split("/")[0] != self.key.split("/")[0]:
            return None
        return key

    def inside(self, element: int) -> list[TreeBlock]:
        """The blocks of an element and of all that is inside it."""
        return self.blocks[self.starts[element] : self.ends[element]]

    def ancestors(self, element: int) -> Iterator[int]:
        """The element, its parent, and so on up to the root."""
        while element >= 0:
            yield element
            element = self.parents[element]

    def skeleton(self) -> set[int]:
        """What the page's frame is made of: every tag path, and every name on it, hashed."""
        features = set(self.paths)
        # Rows of a list have one path and the same names: they are hashed once.
        for path, tokens in set(zip(self.paths, self.tokens, strict=True)):
            for token in tokens:
                features.add(crc32(token.encode("utf-8", "replace"), path))
        return features

    def feature_names(self) -> dict[int, str]:
        """Each feature of the skeleton with what it stands for: `body/div`, `body/div.posts`."""
        names: dict[int, str] = {}
        written: list[str] = []
        for element, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            written.append(f"{written[parent]}/{tag}" if parent >= 0 else tag)
            path = self.paths[element]
            names[path] = written[element]
            for token in self.tokens[element]:
                names[crc32(token.encode("utf-8", "replace"), path)] = written[element] + token
        return names


@lru_cache(maxsize=MOST_LINKS)
def _page_of_link(base: str, href: str) -> str | None:
    """The key of the page that a link leads to; None for a medium or what is no address."""
    try:
        url = urljoin(base, href)
        return None if _MEDIA.search(urlsplit(url).path) else page_key(url)
    except ValueError:
        return None


def build_tree(root: etree._Element, url: str = "") -> LayoutTree:
    """The layout tree of a parsed page. `root` is its `html` element."""
    tree = LayoutTree(url, read_metadata(root))
    body = root.find("body")
    _TreeBuilder(tree).walk(root if body is None else body)
    return tree


# Bound once: members of an enumeration are looked up at a cost.
_OPEN_BLOCK, _CLOSE_BLOCK, _BREAK = Kind.OPEN_BLOCK, Kind.CLOSE_BLOCK, Kind.BREAK
_SKIPPED, _NOTHING = Kind.SKIPPED, Kind.NOTHING


class _TreeBuilder:
    """Cuts a page into block-level elements and the blocks between their tags."""

    def __init__(self, tree: LayoutTree) -> None:
        self._tree = tree
        self._around: _Around = ()
        """The inline elements that are open here, nearly always none."""
        self._outside: dict[int, _Around] = {}
        """What was open before an element, where that is anything."""

    def walk(self, body: etree._Element) -> None:
        """Read the page tag by tag. One loop, for calls cost more than what they would do."""
        tree, outside, current, waiting = self._tree, self._outside, -1, ""
        add_tag, add_names, add_parent = tree.tags.append, tree.tokens.append, tree.parents.append
        add_start, add_end, add_path = tree.starts.append, tree.ends.append, tree.paths.append
        parents, ends, paths, blocks = tree.parents, tree.ends, tree.paths, tree.blocks
        tags = TAGS
        cuts = cut_blocks(body)
        for source, markup in cuts:
            tag = tags[source]
            kind = tag.kind
            if kind is _SKIPPED:
                waiting += SEPARATOR + _skip(cuts, tag.name)
                continue
            if kind is _NOTHING:
                waiting += SEPARATOR + markup
                continue
            if waiting and not waiting.isspace():
                self._add_block(waiting, current)
            waiting = markup
            if kind is _CLOSE_BLOCK:
                ends[current] = len(blocks)
                if outside or self._around:
                    self._around = outside.pop(current, ())
                current = parents[current]
            elif kind is not _BREAK:
                element = len(parents)
                add_tag(tag.name)
                add_names(tag.names)
                add_parent(current)
                add_start(len(blocks))
                add_end(len(blocks))
                add_path(crc32(tag.name_bytes, paths[current] if current >= 0 else 0))
                if kind is _OPEN_BLOCK:
                    current = element
                    if self._around:
                        outside[element] = self._around
                        self._around = (*self._around, None)

    def _add_block(self, markup: str, element: int) -> None:
        """End a block; without words it is none."""
        tree, around = self._tree, self._around
        opened: _Opened = around or None
        if "<" in markup:
            if "<time " in markup:
                self._note_times(markup)
            if around or _leaves_open(markup):
                runs = _Runs(markup, around)
                opened, self._around = around, runs.around
            if opened is not None or "<a " in markup:
                tree.linked.append((element, markup, opened))
        if _ANY_WORD.match(markup):
            tree.blocks.append(TreeBlock(len(tree.blocks), element, markup, opened))

    def _note_times(self, markup: str) -> None:
        for source in cut_tags(markup)[1::2]:
            moment = TAGS[source].moment
            if moment and source[0] != "/":
                self._tree.times.append((len(self._tree.blocks), moment))


def _leaves_open(markup: str) -> bool:
    """Whether an inline element begins that does not end here, given that none was open before."""
    return markup.count("<") - markup.count("/>") != 2 * markup.count("</")


def _skip(cuts: Iterator[tuple[str, str]], name: str) -> str:
    """Read on to where an element closes; the markup after it."""
    depth = 1
    for source, markup in cuts:
        if source == f"/{name}":
            depth -= 1
            if not depth:
                return markup
        elif source.partition(" ")[0] == name and not source.endswith("/"):
            depth += 1
    return ""
