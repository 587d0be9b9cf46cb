"""A layout that keeps its elements: what the default preset learns from and extracts with.

The layout of 2005 (`learner.blocks`) is a flat sequence of paths. Today's templates differ in what
encloses the text, so this one keeps every block-level element with its place, its stable names and
the blocks that it holds. One walk over the page's markup builds it; what a block says is worked
out when it is asked for, since extraction asks for the blocks of one container only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urldefrag, urljoin, urlsplit
from zlib import crc32

from lxml import etree

from learner.blocks import clean_text
from learner.markup import Kind, Tag, read_markup, read_tag, unescape
from learner.metadata import Metadata, read_metadata

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_WORDS = re.compile(r"\w+")
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


class TreeBlock:
    """One run of text inside one block-level element.

    Every attribute but the first two is worked out when it is first asked for.
    """

    __slots__ = (
        "_runs", "_whole", "element", "href", "index", "pieces", "text", "unlinked_weight",
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

    def __init__(self, index: int, element: int, whole: str, runs: list[_Run]) -> None:
        self.index = index
        self.element = element
        self._whole = whole
        self._runs = runs

    def __getattr__(self, name: str) -> object:
        """Called for what is not worked out yet."""
        if name == "text":
            self.text = clean_text(self._whole)
        elif name == "pieces":
            self.pieces = _pieces(self._runs) if len(self.text) <= LONGEST_PIECED else ()
        elif name in ("weight", "unlinked_weight", "href"):
            self._weigh()
        else:
            raise AttributeError(name)
        return getattr(self, name)

    def _weigh(self) -> None:
        self.weight = self.unlinked_weight = word_weight(self._whole)
        places = set()
        for text, href, _ in self._runs:
            if href is not None:
                linked = word_weight(text)
                self.unlinked_weight -= linked
                if linked:
                    places.add(href)
        alone = not self.unlinked_weight and len(places) == 1
        self.href = places.pop() if alone else None


def _pieces(runs: list[_Run]) -> tuple[Piece, ...]:
    written = [run for run in runs if not run[0].isspace()]
    if len(written) == 1 and not (written[0][2] and written[0][2].says_author):
        return ()
    return tuple(Piece(text, href, tag.label if tag else "") for text, href, tag in written)


class LayoutTree:
    """The block-level elements of one page as parallel lists, in document order.

    `tags`, `tokens`, `ids`, `parents`, `starts`, `ends` and `paths` have one entry an element;
    the blocks of element `e` are `blocks[starts[e]:ends[e]]`. Element 0 is `body`.
    """

    def __init__(self, url: str) -> None:
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
        self.overlays: dict[int, str] = {}
        """First link without words directly inside an element (a picture, or a card's overlay)."""
        self.head_title = ""
        """Text of `<title>`, on one line."""
        self.meta_title = ""
        """`og:title`, on one line."""
        self.meta_type = ""
        """`og:type`, lower-cased; `article` too where `article:published_time` is given."""
        self.metadata = Metadata()
        """What the page says of itself for machines."""
        self.times: list[tuple[int, str]] = []
        """The block that each `time` element stands in (or before), and its `datetime`."""

    @cached_property
    def children(self) -> list[list[int]]:
        """The child elements of each element."""
        children: list[list[int]] = [[] for _ in self.tags]
        for element in range(1, len(self.tags)):
            children[self.parents[element]].append(element)
        return children

    @cached_property
    def targets(self) -> list[str | None]:
        """For each block the key of the other page of the site that all of it links to."""
        return [self.target(block.href) for block in self.blocks]

    def target(self, href: str | None) -> str | None:
        """The key of the other page of this site that a link leads to; None for everything else."""
        href = (href or "").strip()
        if not href or href.lower().startswith(_NOT_A_PAGE):
            return None
        try:
            url = urljoin(self.url, href)
            key = page_key(url)
            path = urlsplit(url).path
        except ValueError:
            return None
        if key == self.key or key.split("/")[0] != self.key.split("/")[0] or _MEDIA.search(path):
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
        for path, tokens in zip(self.paths, self.tokens, strict=True):
            for token in tokens:
                features.add(crc32(token.encode("utf-8", "replace"), path))
        return features


def build_tree(root: etree._Element, url: str = "") -> LayoutTree:
    """The layout tree of a parsed page. `root` is its `html` element."""
    tree = LayoutTree(url)
    _read_head(tree, root)
    tree.metadata = read_metadata(root)
    body = root.find("body")
    _TreeBuilder(tree).walk(root if body is None else body)
    return tree


def _read_head(tree: LayoutTree, root: etree._Element) -> None:
    title = next(root.iter("title"), None)
    if title is not None:
        tree.head_title = clean_text("".join(map(str, title.itertext())))
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or "").lower()
        content = meta.get("content") or ""
        if name == "og:title":
            tree.meta_title = clean_text(content)
        elif name == "og:type":
            tree.meta_type = tree.meta_type or content.strip().lower()
        elif name == "article:published_time":
            tree.meta_type = "article"


# Bound once: members of an enumeration are looked up at a cost.
_OPEN_BLOCK, _CLOSE_BLOCK, _EMPTY_BLOCK = Kind.OPEN_BLOCK, Kind.CLOSE_BLOCK, Kind.EMPTY_BLOCK
_OPEN_INLINE, _CLOSE_INLINE = Kind.OPEN_INLINE, Kind.CLOSE_INLINE
_OPEN_LINK, _CLOSE_LINK, _EMPTY_LINK = Kind.OPEN_LINK, Kind.CLOSE_LINK, Kind.EMPTY_LINK
_BREAK, _SKIPPED = Kind.BREAK, Kind.SKIPPED


class _TreeBuilder:
    """Collects text until a block-level tag, a line break or a rule ends the block."""

    def __init__(self, tree: LayoutTree) -> None:
        self._tree = tree
        self._runs: list[_Run] = []
        self._blanks = 0
        """Runs of white space that were left out before the first of `_runs`."""
        self._links: list[tuple[str | None, int]] = []
        """For each open link the one around it, and how many runs the block had before it."""
        self._link: str | None = None

    def walk(self, body: etree._Element) -> None:
        """Read the markup tag by tag. One loop, for calls cost more than what they would do."""
        tree, links, current = self._tree, self._links, -1
        add_tag, add_names, add_parent = tree.tags.append, tree.tokens.append, tree.parents.append
        add_start, add_end, add_path = tree.starts.append, tree.ends.append, tree.paths.append
        parents, ends, paths, blocks = tree.parents, tree.ends, tree.paths, tree.blocks
        inline: list[Tag | None] = []
        around: Tag | None = None
        markup = read_markup(body)
        for source, text in markup:
            tag = read_tag(source)
            kind = tag.kind
            if kind is _OPEN_BLOCK or kind is _EMPTY_BLOCK:
                if self._runs:
                    self._cut(current)
                self._blanks = 0
                element = len(parents)
                add_tag(tag.name)
                add_names(tag.names)
                add_parent(current)
                add_start(len(blocks))
                add_end(len(blocks))
                add_path(crc32(tag.name_bytes, paths[current] if current >= 0 else 0))
                if kind is _OPEN_BLOCK:
                    current = element
                    inline.append(around)
                    around = None
            elif kind is _CLOSE_BLOCK:
                if self._runs:
                    self._cut(current)
                self._blanks = 0
                ends[current] = len(blocks)
                current = parents[current]
                around = inline.pop()
            elif kind is _OPEN_INLINE:
                inline.append(around)
                around = tag
                if tag.moment:
                    tree.times.append((len(blocks), tag.moment))
            elif kind is _CLOSE_INLINE:
                around = inline.pop()
            elif kind is _OPEN_LINK:
                inline.append(around)
                around = tag
                links.append((self._link, len(self._runs) + self._blanks))
                self._link = tag.href or self._link
            elif kind is _CLOSE_LINK:
                around = inline.pop()
                self._close_link(current)
            elif kind is _BREAK:
                if self._runs:
                    self._cut(current)
                self._blanks = 0
            elif kind is _SKIPPED:
                text = _skip(markup, tag.name)
            elif kind is _EMPTY_LINK:
                links.append((self._link, len(self._runs) + self._blanks))
                self._link = tag.href or self._link
                self._close_link(current)
            elif tag.moment:
                tree.times.append((len(blocks), tag.moment))
            if text:
                if self._runs or not text.isspace():
                    self._runs.append((text, self._link, around))
                else:
                    self._blanks += 1

    def _close_link(self, current: int) -> None:
        """A link without words is no text ("#", "¶"), but it may be what makes a card a link."""
        href = self._link
        self._link, mark = self._links.pop()
        mark = max(0, mark - self._blanks)
        if href and not any(_WORDS.search(unescape(run[0])) for run in self._runs[mark:]):
            del self._runs[mark:]
            self._runs.append((" ", self._link, None))
            self._tree.overlays.setdefault(current, href)

    def _cut(self, element: int) -> None:
        """End the block that is being collected."""
        runs, self._runs = self._runs, []
        whole = runs[0][0] if len(runs) == 1 else "".join([run[0] for run in runs])
        if "&" in whole:
            runs = [(unescape(text), link, tag) for text, link, tag in runs]
            whole = "".join([run[0] for run in runs])
        if _WORDS.search(whole):
            blocks = self._tree.blocks
            blocks.append(TreeBlock(len(blocks), element, whole, runs))


def _skip(markup: Iterator[tuple[str, str]], name: str) -> str:
    """Read on to where an element closes; the text after it."""
    depth = 1
    for source, text in markup:
        if source == f"/{name}":
            depth -= 1
            if not depth:
                return text
        elif source.partition(" ")[0] == name and not source.endswith("/"):
            depth += 1
    return ""
