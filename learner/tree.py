"""A layout that keeps its elements: what the default preset learns from and extracts with.

The layout of 2005 (`learner.blocks`) is a flat sequence of paths. Today's templates differ in what
encloses the text, so this one keeps every block-level element with its place, its stable names and
the blocks that it holds. One walk over the lxml tree builds it.
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
from learner.metadata import Metadata, read_metadata

INLINE_TAGS = frozenset(
    "a abbr acronym area audio b bdi bdo big button canvas cite code data del dfn em embed font i "
    "img input ins kbd label map mark meter nobr object output picture progress q rb rp rt rtc "
    "ruby s samp small source span strike strong sub sup time tt u var video wbr".split()
)
"""Tags that stand inside a line of text (HTML living standard, phrasing content); every other tag
ends a block on both sides, as a browser ends the line."""

SKIPPED_TAGS = frozenset(
    "applet base datalist embed head iframe link math meta noframes noscript object option script "
    "select style svg template textarea title".split()
)
"""Tags whose content is no text of the page."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_WORDS = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
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


@dataclass(slots=True, eq=False)
class TreeBlock:
    """One run of text inside one block-level element."""

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
    pieces: tuple[Piece, ...] = ()
    """Its inline parts in order; empty for long blocks and for those that have but one."""


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


def name_tokens(element: etree._Element) -> tuple[str, ...]:
    """The `#id` and `.class` names of an element; digits collapse, for `post-31` is one of many.

    >>> name_tokens(etree.fromstring('<p id="post-31" class="Entry  odd"/>'))
    ('#post-0', '.entry', '.odd')
    """
    identifier, classes = element.get("id"), element.get("class")
    tokens = []
    if identifier:
        tokens.append("#" + _DIGITS.sub("0", identifier.strip().lower()))
    if classes:
        tokens += ["." + _DIGITS.sub("0", name) for name in classes.lower().split()]
    return tuple(tokens)


def build_tree(root: etree._Element, url: str = "") -> LayoutTree:
    """The layout tree of a parsed page. `root` is its `html` element."""
    builder = _TreeBuilder(url)
    builder.read_head(root)
    builder.tree.metadata = read_metadata(root)
    body = root.find("body")
    builder.walk(root if body is None else body)
    return builder.tree


_Run = tuple[str, str | None, etree._Element | None, bool]
"""A text, the link it stands in, a node (None: the block-level element itself), and whether the
text follows that node instead of standing in it."""


class _TreeBuilder:
    """Collects text until a block-level tag, a line break or a rule ends the block."""

    def __init__(self, url: str) -> None:
        self.tree = LayoutTree(url)
        self._open: list[int] = []
        self._texts: list[_Run] = []
        self._links: list[str | None] = [None]
        self._link_marks: list[int] = []

    def read_head(self, root: etree._Element) -> None:
        title = root.find(".//title")
        if title is not None:
            self.tree.head_title = clean_text("".join(map(str, title.itertext())))
        for meta in root.iter("meta"):
            name = (meta.get("property") or meta.get("name") or "").lower()
            content = meta.get("content") or ""
            if name == "og:title":
                self.tree.meta_title = clean_text(content)
            elif name == "og:type":
                self.tree.meta_type = self.tree.meta_type or content.strip().lower()
            elif name == "article:published_time":
                self.tree.meta_type = "article"

    def walk(self, body: etree._Element) -> None:
        walker = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
        for event, node in walker:
            if event == "start":
                tag = node.tag
                if tag in SKIPPED_TAGS:
                    walker.skip_subtree()
                elif tag in INLINE_TAGS:
                    self._open_inline(node, tag)
                elif tag == "br" or tag == "hr":
                    self._cut()
                else:
                    self._open_block(node)
            else:
                if event == "end":
                    self._close(node)
                if node.tail and node is not body:
                    self._texts.append((node.tail, self._links[-1], node, True))

    def _close(self, node: etree._Element) -> None:
        tag = node.tag
        if tag in SKIPPED_TAGS or tag == "br" or tag == "hr":
            return
        if tag in INLINE_TAGS:
            if tag == "a":
                self._close_link()
            return
        self._cut()
        element = self._open.pop()
        self.tree.ends[element] = len(self.tree.blocks)

    def _open_inline(self, node: etree._Element, tag: str) -> None:
        if tag == "time" and node.get("datetime"):
            self.tree.times.append((len(self.tree.blocks), str(node.get("datetime")).strip()))
        elif tag == "a":
            self._links.append(node.get("href") or self._links[-1])
            self._link_marks.append(len(self._texts))
        if node.text:
            self._texts.append((node.text, self._links[-1], node, False))

    def _close_link(self) -> None:
        """A link without words is no text ("#", "¶"), but it may be what makes a card a link."""
        href = self._links.pop()
        mark = min(self._link_marks.pop(), len(self._texts))
        if href and not any(_WORDS.search(each[0]) for each in self._texts[mark:]):
            del self._texts[mark:]
            self._texts.append((" ", self._links[-1], None, False))
            self.tree.overlays.setdefault(self._open[-1], href)

    def _open_block(self, node: etree._Element) -> None:
        self._cut()
        tree, parent = self.tree, self._open[-1] if self._open else -1
        element = len(tree.tags)
        tag = str(node.tag)
        self._open.append(element)
        tree.tags.append(tag)
        tree.tokens.append(name_tokens(node) if node.keys() else ())
        tree.parents.append(parent)
        tree.starts.append(len(tree.blocks))
        tree.ends.append(len(tree.blocks))
        tree.paths.append(crc32(tag.encode(), tree.paths[parent] if parent >= 0 else 0))
        if node.text:
            self._texts.append((node.text, self._links[-1], None, False))

    def _cut(self) -> None:
        """End the block that is being collected."""
        if not self._texts:
            return
        texts, self._texts = self._texts, []
        whole = "".join([each[0] for each in texts])
        weight = word_weight(whole)
        if not weight:
            return
        unlinked, places = 0, set()
        for text, href, _, _ in texts:
            if href is None:
                unlinked += word_weight(text)
            elif _WORDS.search(text):
                places.add(href)
        alone = places.pop() if not unlinked and len(places) == 1 else None
        block = TreeBlock(
            len(self.tree.blocks), self._open[-1], clean_text(whole), weight, unlinked, alone
        )
        if len(block.text) <= LONGEST_PIECED and texts != [(whole, alone, None, False)]:
            block.pieces = _pieces(texts)
        self.tree.blocks.append(block)


def _pieces(texts: list[_Run]) -> tuple[Piece, ...]:
    written = [each for each in texts if not each[0].isspace()]
    if len(written) == 1 and not _says_author(written[0][2]):
        return ()
    return tuple(Piece(text, href, _label(node, follows)) for text, href, node, follows in written)


def _label(node: etree._Element | None, follows: bool) -> str:
    element = node.getparent() if follows and node is not None else node
    if element is None or element.tag not in INLINE_TAGS:
        return ""
    return str(element.tag) + "".join(name_tokens(element)) + "@author" * _says_author(element)


def _says_author(node: etree._Element | None) -> bool:
    return node is not None and "author" in (node.get("rel"), node.get("itemprop"))
