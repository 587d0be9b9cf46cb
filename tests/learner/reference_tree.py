"""The obvious way to build a layout tree, node by node: slow, and what `build_tree` must equal."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from zlib import crc32

from lxml import etree

from learner.page import hints
from learner.page.lines import LONGEST_PIECED, Piece, word_weight
from learner.page.markup import BLOCK_TAGS, SKIPPED_TAGS, is_inline, is_unknown
from learner.page.tree import LayoutTree
from learner.page.words import clean_text

_WORDS = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")


def stands_in_line(element: etree._Element) -> bool:
    """Whether an element is inline: one that HTML does not know only if it holds no block."""
    if not is_unknown(element.tag):
        return is_inline(element.tag)
    return not any(each.tag in BLOCK_TAGS and each.tag != "br" for each in element.iter())


def name_tokens(element: etree._Element) -> tuple[str, ...]:
    """The `#id` and `.class` names of an element; numbers collapse but those of one or two digits
    behind one or two letters of a class, or behind these and a hyphen.

    >>> name_tokens(etree.fromstring('<p id="post31" class="Entry  row-3 item7 f14 half-m-9"/>'))
    ('#post0', '.entry', '.row-0', '.item0', '.f14', '.half-m-9')
    """
    identifier, classes = element.get("id"), element.get("class")
    tokens = []
    if identifier:
        tokens.append("#" + _DIGITS.sub("0", identifier.strip().lower()))
    if classes:
        tokens += ["." + _collapsed(name) for name in classes.lower().split()]
    colour = re.sub(r"\W", "", element.get("bgcolor", "").lower())
    if colour and element.tag in ("table", "td", "th", "tr"):
        tokens.append(f".bgcolor-{colour}")
    return tuple(tokens)


def _collapsed(name: str) -> str:
    """A class name without the numbers that make it one of many: of its parts, which signs divide,
    one or two letters with as many digits, a hyphen between them or not, are a size or a level."""
    parts = re.split(r"([^a-z\d]+)", name)
    sizes = re.compile(r"[a-z]{1,2}\d{1,2}")
    collapsed = []
    for n, part in enumerate(parts):
        letters = parts[n - 2] if n > 1 and parts[n - 1] == "-" else ""
        is_size = re.fullmatch(r"[a-z]{1,2}", letters) and re.fullmatch(r"\d{1,2}", part)
        kept = is_size or sizes.fullmatch(part)
        collapsed.append(part if kept else _DIGITS.sub("0", part))
    return "".join(collapsed)


@dataclass(slots=True)
class ReferenceBlock:
    """What `TreeBlock` says, worked out at once."""

    index: int
    element: int
    text: str
    weight: int
    unlinked_weight: int
    href: str | None
    pieces: tuple[Piece, ...] = ()


class _Lists:
    def __init__(self) -> None:
        self.tags: list[str] = []
        self.tokens: list[tuple[str, ...]] = []
        self.parents: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.paths: list[int] = []
        self.blocks: list[ReferenceBlock] = []
        self.overlays: dict[int, str] = {}
        self.times: list[tuple[int, str]] = []


def reference_facts(root: etree._Element) -> dict[str, object]:
    """All that the walk over a page finds, as plain values."""
    root = copy.deepcopy(root)
    for node in root.iter():
        if isinstance(node.tag, str):
            if "<" in node.tag:
                node.tag = node.tag.replace("<", "-")
            node.text = _allowed(node.text)
        node.tail = _allowed(node.tail)
    builder = _TreeBuilder()
    body = root.find("body")
    builder.walk(root if body is None else body)
    return facts(builder.tree)


def _allowed(text: str | None) -> str | None:
    """The text with blanks for the characters that XML forbids."""
    return text and re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", text)


def facts(tree: LayoutTree | _Lists) -> dict[str, object]:
    """The same of a tree that `build_tree` made."""
    names = ("tags", "tokens", "parents", "starts", "ends", "paths", "overlays", "times")
    fields = ("index", "element", "text", "weight", "unlinked_weight", "href", "pieces")
    blocks = [tuple(getattr(block, field) for field in fields) for block in tree.blocks]
    return {name: getattr(tree, name) for name in names} | {"blocks": blocks}


_Run = tuple[str, str | None, etree._Element | None, bool]
"""A text, the link it stands in, a node (None: the block-level element itself), and whether the
text follows that node instead of standing in it."""


class _TreeBuilder:
    """Collects text until a block-level tag, a line break or a rule ends the block."""

    def __init__(self) -> None:
        self.tree = _Lists()
        self._open: list[int] = []
        self._texts: list[_Run] = []
        self._links: list[str | None] = [None]
        self._link_marks: list[int] = []

    def walk(self, body: etree._Element) -> None:
        walker = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
        for event, node in walker:
            if event == "start":
                tag = node.tag
                if tag in SKIPPED_TAGS:
                    walker.skip_subtree()
                elif stands_in_line(node):
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
        if stands_in_line(node):
            if tag == "a":
                self._close_link()
            return
        self._cut()
        element = self._open.pop()
        self.tree.ends[element] = len(self.tree.blocks)

    def _open_inline(self, node: etree._Element, tag: str) -> None:
        moment = str(node.get("datetime") or "").strip()
        if moment and tag not in ("ins", "del"):
            self.tree.times.append((len(self.tree.blocks), moment))
        if tag == "a":
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
        self._link_marks = [0 for _ in self._link_marks]
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
        block = ReferenceBlock(
            len(self.tree.blocks), self._open[-1], clean_text(whole), weight, unlinked, alone
        )
        if len(block.text) <= LONGEST_PIECED and texts != [(whole, alone, None, False)]:
            block.pieces = _pieces(texts)
        self.tree.blocks.append(block)


def _pieces(texts: list[_Run]) -> tuple[Piece, ...]:
    written = [each for each in texts if not each[0].isspace()]
    if len(written) == 1 and not _said(_holder(*written[0][2:])):
        return ()
    return tuple(Piece(text, href, _label(node, follows)) for text, href, node, follows in written)


def _holder(node: etree._Element | None, follows: bool) -> etree._Element | None:
    """The inline element that a text stands in."""
    element = node.getparent() if follows and node is not None else node
    return None if element is None or not stands_in_line(element) else element


def _label(node: etree._Element | None, follows: bool) -> str:
    element = _holder(node, follows)
    if element is None:
        return ""
    return str(element.tag) + "".join(name_tokens(element)) + _said(element)


def _said(node: etree._Element | None) -> str:
    """What an inline element says of its text, or else the next around it that says anything."""
    inner = node
    while node is not None and stands_in_line(node):
        if "author" in (node.get("rel"), node.get("itemprop")):
            return "@author"
        if node is not inner and any(map(hints.names_author, name_tokens(node))):
            return "@author"
        if node.get("rel") == "tag":
            return "@topic"
        node = node.getparent()
    return ""
