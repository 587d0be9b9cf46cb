"""A layout that keeps its elements: what the default preset learns from and extracts with.

The layout of 2005 (`learner.webstemmer.blocks`) is a flat sequence of paths. Today's templates
differ in what encloses the text, so this one keeps every block-level element with its place, its
stable names and the blocks that it holds. One walk over the page's markup builds it; what a block
says is worked out when it is asked for, since extraction asks for the blocks of one container only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from functools import cached_property, lru_cache
from itertools import accumulate
from urllib.parse import urlsplit
from zlib import crc32

from lxml import etree

from crawler.reading.as_drawn import draw_elements
from crawler.reading.hidden import skip_hidden
from learner.page.copies import copied_lines
from learner.page.lines import LINES, MOST_OPEN, Around, Line, Piece, counts_up, word_weight
from learner.page.markup import READINGS, SEPARATOR, TAGS, Effect, cut_blocks
from learner.page.page_keys import is_address, key_of, page_address, page_of_link
from learner.page.said.metadata import Metadata, read_metadata

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

MOST_PLACES = 20_000
"""Tag paths with names whose features are remembered: a template repeats them on every page.
Origin: guess, 5 MB."""

_NOT_A_PAGE = ("mailto:", "javascript:", "tel:", "data:")


class TreeBlock:
    """One line of text inside one block-level element."""

    __slots__ = ("element", "index", "line")

    def __init__(self, index: int, element: int, line: Line) -> None:
        self.index = index
        """Its place in the page."""
        self.element = element
        """The element whose text it is, an index into the lists of `LayoutTree`."""
        self.line = line

    @property
    def text(self) -> str:
        """What it says, on one line."""
        return self.line.text

    @property
    def weight(self) -> int:
        """Word characters."""
        return self.line.weight

    @property
    def unlinked_weight(self) -> int:
        """Word characters outside `<a>`."""
        return self.line.unlinked_weight

    @property
    def href(self) -> str | None:
        """Where it leads if all of its words stand in links to one place."""
        # Asked of every block, and most have no links: what a line works out once costs more.
        return self.line.href if self.line.has_links else None

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Its inline parts in order; empty for long blocks and for those that have but one."""
        return self.line.pieces


class LayoutTree:
    """The block-level elements of one page as parallel lists, in document order.

    `tags`, `sources`, `tokens`, `parents`, `starts`, `ends` and `paths` have one entry an element;
    the blocks of element `e` are `blocks[starts[e]:ends[e]]`. Element 0 is `body`.
    """

    def __init__(self, url: str, metadata: Metadata) -> None:
        self.url = url if is_address(url) else ""
        """Where links on it start from; empty if that is no address."""
        self.address = page_address(self.url)
        """What its address looks like, with the slash at its end."""
        self.key = key_of(self.address)
        """What links to it are known by."""
        self.tags: list[str] = []
        self.sources: list[str] = []
        """Each tag as it is written, without its brackets."""
        self.tokens: list[tuple[str, ...]] = []
        """`#id` and `.class` names (`learner.page.markup.names_of`)."""
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.paths: list[int] = []
        """CRC-32 of the tags from the root to the element."""
        self.blocks: list[TreeBlock] = []
        self.linked: list[tuple[int, Line]] = []
        """The lines that may have links, words or not, each with its element."""
        self.pictured: list[tuple[int, int, Line]] = []
        """The lines that have pictures, words or not, each with its element and the index of its
        block, or of that which comes next."""
        self._targets: dict[str, str | None] = {}
        """Where its links lead, as far as asked for."""
        self.metadata = metadata
        """What the page says of itself for machines."""
        self.times: list[tuple[int, str]] = []
        """The block that each `time` element stands in (or before), and its `datetime`."""
        self.authored: set[int] = set()
        """The elements that are the author's, by their `rel` or `itemprop`."""

    def leave_out(self, copied: Set[int]) -> None:
        """Take the blocks with these indices off the page."""
        places = list(accumulate((n not in copied for n in range(len(self.blocks))), initial=0))
        self.starts = [places[start] for start in self.starts]
        self.ends = [places[end] for end in self.ends]
        self.times = [(places[index], moment) for index, moment in self.times]
        self.pictured = [(e, places[index], line) for e, index, line in self.pictured]
        left = [block for block in self.blocks if block.index not in copied]
        self.blocks = [TreeBlock(n, block.element, block.line) for n, block in enumerate(left)]

    def elements_at(self, path: int) -> list[int]:
        """The elements at a tag path, in document order. It is asked for some ten of the paths of a
        page: to look them up there is cheaper than to write all down."""
        if path not in self._known_paths:
            return []
        found, paths, after = [], self.paths, 0
        for _ in range(paths.count(path)):
            found.append(paths.index(path, after))
            after = found[-1] + 1
        return found

    @cached_property
    def _known_paths(self) -> frozenset[int]:
        return frozenset(self.paths)

    @cached_property
    def slots(self) -> list[str]:
        """Which of its siblings with the same tag each element is, and of how many: `[2of3]`."""
        families: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for element, family in enumerate(zip(self.parents, self.tags, strict=True)):
            families[family].append(element)
        slots = [""] * len(self.tags)
        for siblings in families.values():
            for nth, element in enumerate(siblings, 1):
                slots[element] = f"[{nth}of{len(siblings)}]"
        return slots

    @cached_property
    def overlays(self) -> dict[int, str]:
        """First link without words directly inside an element (a picture, or a card's overlay)."""
        overlays: dict[int, str] = {}
        for element, line in self.linked:
            for href in line.overlays:
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
            # Manuals link to many parts of one page.
            self._targets[href] = self._find_target(href.strip().partition("#")[0])
        return self._targets[href]

    def _find_target(self, href: str) -> str | None:
        if not href or href.lower().startswith(_NOT_A_PAGE):
            return None
        own = self.key.split("/")[0]
        if href.startswith(("http://", "https://")):
            # Most links to other sites are told by their host; to read them whole takes long.
            host = href.split("/", 3)[2]
            if "?" not in host and host.lower().removeprefix("www.") != own:
                return None
        from_root = href.startswith(("/", "http:", "https:"))
        key = page_of_link(self._host if from_root else self.url, href)
        return None if key is None or key == self.key or key.split("/")[0] != own else key

    def leads_into_page(self, href: str | None) -> bool:
        """Whether a link leads to a part of this page, however it is written.

        >>> tree = LayoutTree("https://a.example/x/", Metadata())
        >>> [tree.leads_into_page(href) for href in ("#p1", "/x/#p1", "/y/#p1", "/x/")]
        [True, True, False, False]
        """
        if href is None or "#" not in href:
            return False
        return href.startswith("#") or page_of_link(self.url, href) == self.key

    def linked_weight(self, block: TreeBlock) -> int:
        """Word characters of a block in links to other pages of the site."""
        if not block.line.has_links:
            return 0
        linked = block.line.linked_texts
        return sum(word_weight(text) for text, href in linked if self.target(href))

    def descendants(self, top: int) -> Iterator[int]:
        """The elements inside another, in document order: they follow it until one does not begin
        inside."""
        for element in range(top + 1, len(self.parents)):
            if self.parents[element] < top:
                return
            yield element

    def inside(self, element: int) -> list[TreeBlock]:
        """The blocks of an element and of all that is inside it."""
        return self.blocks[self.starts[element] : self.ends[element]]

    def heading(self, block: TreeBlock) -> int | None:
        """The heading that a block stands in, itself or in a box of its own; None if in none."""
        parent = self.parents[block.element]
        around = (block.element, parent) if parent >= 0 else (block.element,)
        return next((element for element in around if self.tags[element] in HEADINGS), None)

    def n_with_text(self, elements: Iterable[int]) -> int:
        """How many of some elements have text in them."""
        return sum(self.ends[element] > self.starts[element] for element in elements)

    def written(self, blocks: Iterable[TreeBlock]) -> str:
        """What some blocks say, as a reader sees it: each on one line, or on those of a listing."""
        if not self._has_listings:
            return "\n".join([block.line.text for block in blocks])
        inside = self._in_listing
        lines = (b.line.listing if inside[b.element] else b.line.text for b in blocks)
        return "\n".join(lines)

    @cached_property
    def _has_listings(self) -> bool:
        return "pre" in self.tags

    @cached_property
    def _in_listing(self) -> list[bool]:
        """Whether each element is a `pre` or stands in one."""
        inside: list[bool] = []
        for tag, parent in zip(self.tags, self.parents, strict=True):
            inside.append(tag == "pre" or (parent >= 0 and inside[parent]))
        return inside

    @cached_property
    def gutters(self) -> set[int]:
        """The indices of the blocks that number the lines of a listing, in a cell beside it."""
        if not self._has_listings:
            return set()
        return {
            block.index
            for block in self.blocks
            if self.tags[block.element] == "pre"
            and self.tags[self.parents[block.element]] == "td"
            and counts_up(block.text.split())
        }

    @cached_property
    def moments(self) -> dict[int, list[str]]:
        """The moments that elements in blocks say (`moment_of`), by the index of the block."""
        moments: defaultdict[int, list[str]] = defaultdict(list)
        for index, moment in self.times:
            moments[index].append(moment)
        return moments

    def ancestors(self, element: int) -> Iterator[int]:
        """The element, its parent, and so on up to the root."""
        while element >= 0:
            yield element
            element = self.parents[element]

    @cached_property
    def skeleton(self) -> set[int]:
        """What the page's frame is made of: every tag path, and every name on it, hashed."""
        features = set(self._known_paths)
        # Rows of a list have one path and the same names: they are hashed once.
        for path, tokens in set(zip(self.paths, self.tokens, strict=True)):
            if tokens:
                features.update(_named_features(path, tokens))
        return features

    def feature_names(self) -> dict[int, str]:
        """Each feature of the skeleton with what it stands for: `body/div`, `body/div.posts`."""
        names: dict[int, str] = {}
        written: list[str] = []
        for element, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            written.append(f"{written[parent]}/{tag}" if parent >= 0 else tag)
            path = self.paths[element]
            names[path] = written[element]
            tokens = self.tokens[element]
            for feature, token in zip(_named_features(path, tokens), tokens, strict=True):
                names[feature] = written[element] + token
        return names


@lru_cache(maxsize=MOST_PLACES)
def _named_features(path: int, tokens: tuple[str, ...]) -> tuple[int, ...]:
    """The features that the names of an element are, one each."""
    return tuple(crc32(token.encode("utf-8", "replace"), path) for token in tokens)


def build_tree(root: etree._Element, url: str = "") -> LayoutTree:
    """The layout tree of a parsed page. `root` is its `html` element."""
    tree = LayoutTree(url, read_metadata(root, url))
    found = root.find("body")
    body = root if found is None else found
    draw_elements(body)
    skip_hidden(root, body)
    _TreeBuilder(tree).walk(body)
    copied = copied_lines([block.line.markup for block in tree.blocks])
    if copied:
        tree.leave_out(copied)
    return tree


# Bound once: members of an enumeration are looked up at a cost.
_OPEN_BLOCK, _CLOSE_BLOCK, _BREAK = Effect.OPEN_BLOCK, Effect.CLOSE_BLOCK, Effect.BREAK
_SKIPPED, _NOTHING = Effect.SKIPPED, Effect.NOTHING
_OPEN_INLINE, _CLOSE_INLINE = Effect.OPEN_INLINE, Effect.CLOSE_INLINE
"""What is cut as a block though it might stand in a line holds blocks (`cut_blocks`)."""


class _TreeBuilder:
    """Cuts a page into block-level elements and the blocks between their tags."""

    def __init__(self, tree: LayoutTree) -> None:
        self._tree = tree
        self._around: Around = ()
        """The inline elements that are open here, nearly always none; None stands for each
        block-level element that began inside one, so that text in it is known to go on there."""
        self._outside: dict[int, Around] = {}
        """What was open before a block-level element, where that is anything: it is open again
        behind it."""

    def walk(self, body: etree._Element) -> None:
        """Read the page tag by tag. One loop, for calls cost more than what they would do."""
        tree, outside, current, waiting = self._tree, self._outside, -1, ""
        add_tag, add_names, add_parent = tree.tags.append, tree.tokens.append, tree.parents.append
        add_source = tree.sources.append
        add_start, add_end, add_path = tree.starts.append, tree.ends.append, tree.paths.append
        parents, ends, paths, blocks = tree.parents, tree.ends, tree.paths, tree.blocks
        tags = TAGS
        cuts = cut_blocks(body)
        for source, markup in cuts:
            tag = tags[source]
            effect = tag.effect
            if effect is _SKIPPED:
                parted = "" if tag.name in READINGS else SEPARATOR
                waiting += parted + _skip(cuts, tag.name)
                continue
            if effect is _NOTHING:
                waiting += SEPARATOR + markup
                continue
            if waiting and not waiting.isspace():
                self._add_block(waiting, current)
            waiting = markup
            if effect is _CLOSE_BLOCK or effect is _CLOSE_INLINE:
                ends[current] = len(blocks)
                if outside or self._around:
                    self._around = outside.pop(current, ())
                current = parents[current]
            elif effect is not _BREAK:
                element = len(parents)
                add_tag(tag.name)
                add_source(source)
                add_names(tag.names)
                add_parent(current)
                add_start(len(blocks))
                add_end(len(blocks))
                add_path(crc32(tag.name_bytes, paths[current] if current >= 0 else 0))
                if tag.says_author:
                    tree.authored.add(element)
                if effect is _OPEN_BLOCK or effect is _OPEN_INLINE:
                    current = element
                    if self._around:
                        outside[element] = self._around
                        self._around = (*self._around, None)[-MOST_OPEN:]

    def _add_block(self, markup: str, element: int) -> None:
        """End a block; without words it is none."""
        tree, around = self._tree, self._around
        line = Line(markup, around) if around else LINES[markup]
        self._around = line.left_open
        if line.moments:
            tree.times += [(len(tree.blocks), moment) for moment in line.moments]
        if line.has_links:
            tree.linked.append((element, line))
        if line.has_pictures:
            tree.pictured.append((element, len(tree.blocks), line))
        if line.has_words:
            tree.blocks.append(TreeBlock(len(tree.blocks), element, line))


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
