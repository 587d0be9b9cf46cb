"""Layout blocks: a page's element tree read as a flat sequence of (path, text).

A block ends wherever a cutting or a breaking tag begins or ends. What cuts, what is skipped and how
a path is written is a `BlockStyle`; `WEBSTEMMER_STYLE` is the one of 2005 (Shinyama, Webstemmer
0.7.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from learner.page.words import clean_text, word_letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One run of text between cutting tags."""

    path: str
    """Cutting tags that enclose the text, outermost first, joined by `/`, written by the style."""
    text: str
    """The text on one line, as a reader sees it."""
    letters: str
    """Its word characters, lower-cased."""
    unlinked_weight: int
    """Word characters outside `<a>`."""

    @property
    def weight(self) -> int:
        """Word characters in all."""
        return len(self.letters)


@dataclass(frozen=True)
class Layout:
    """One page as a sequence of blocks, in source order."""

    blocks: tuple[Block, ...]

    @cached_property
    def weight(self) -> int:
        """Word characters of all blocks."""
        return sum(block.weight for block in self.blocks)

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The path of each block."""
        return tuple(block.path for block in self.blocks)

    @cached_property
    def path_runs(self) -> tuple[str, ...]:
        """The paths with runs of equal ones written once: a page's symbol sequence."""
        runs = (path for i, path in enumerate(self.paths) if i == 0 or path != self.paths[i - 1])
        return tuple(runs)


def _plain_value(value: str) -> str:
    return value.lower()


def mangle_value(regex: re.Pattern[str]) -> Callable[[str], str]:
    r"""A rewriting of attribute values that keeps only what the regex finds (the original's `-P`).

    Of a regex with groups only the groups count, as `findall` has it.

    >>> mangle_value(re.compile("[a-z]+"))("post-30")
    'post'
    """

    def rewrite(value: str) -> str:
        found = regex.finditer(value.lower())
        return "".join("".join(g or "" for g in m.groups()) if m.re.groups else m[0] for m in found)

    return rewrite


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockStyle:
    """Which tags make blocks and how a block's path is written."""

    cutting_tags: frozenset[str]
    """Tags that end a block on both sides and become part of the path."""
    breaking_tags: frozenset[str]
    """Tags that end a block and leave no trace in the path."""
    skipped_tags: frozenset[str]
    """Tags whose content is no text."""
    attributes: frozenset[str]
    """Attributes that are part of a path."""
    path_length: int | None
    """How many of the innermost tags a path keeps; None keeps all."""
    minimum_weight: int
    """Blocks with fewer word characters are dropped."""
    rewrite_value: Callable[[str], str] = field(default=_plain_value)
    """How an attribute's value is written."""

    def component(self, element: etree._Element) -> str:
        """A tag as part of a path: `tag:attribute=value...`, attributes sorted, `?` for what is not
        ASCII."""
        attributes = sorted(
            f":{name}={self.rewrite_value(str(value))}"
            for name, value in element.attrib.items()
            if name in self.attributes
        )
        return "".join([str(element.tag), *attributes]).encode("ascii", "replace").decode("ascii")

    def write_path(self, components: Sequence[str]) -> str:
        """The path of a block inside these cutting tags."""
        kept = components if self.path_length is None else components[-self.path_length :]
        return "/".join(kept)


WEBSTEMMER_STYLE = BlockStyle(
    cutting_tags=frozenset(
        {"title", "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "address"}
        | {"table", "tr", "td", "th", "dl", "dt", "dd", "ul", "ol", "li", "dir", "menu"}
        | {"div", "center", "font", "span"}
    ),
    breaking_tags=frozenset({"hr", "br"}),
    skipped_tags=frozenset({"comment", "style", "script", "option"}),
    attributes=frozenset({"id", "class", "align", "valign", "rowspan", "colspan"}),
    path_length=3,
    minimum_weight=5,
)


class _LayoutBuilder:
    """Collects text until a tag cuts it."""

    def __init__(self, style: BlockStyle) -> None:
        self.style = style
        self.blocks: list[Block] = []
        self._components: list[str] = []
        self._link_depth = 0
        self._texts: list[tuple[str, bool]] = []

    def add_text(self, text: str | None) -> None:
        if text:
            self._texts.append((text, self._link_depth > 0))

    def add_image(self, alternative: str | None) -> None:
        """An image is text only where it is a drop cap: one letter at the start of a block."""
        if alternative and len(alternative) == 1 and not self._texts:
            self.add_text(alternative)

    def open(self, element: etree._Element) -> None:
        if element.tag == "a":
            self._link_depth += 1
        elif element.tag in self.style.cutting_tags:
            self.cut()
            self._components.append(self.style.component(element))

    def close(self, element: etree._Element) -> None:
        if element.tag == "a":
            self._link_depth -= 1
        elif element.tag in self.style.cutting_tags:
            self.cut()
            self._components.pop()

    def cut(self) -> None:
        """End the block that is being collected."""
        texts, self._texts = self._texts, []
        whole = "".join(text for text, _ in texts)
        letters, text = word_letters(whole), clean_text(whole)
        if len(letters) < self.style.minimum_weight or not text:
            return
        self.blocks.append(
            Block(
                path=self.style.write_path(self._components),
                text=text,
                letters=letters,
                unlinked_weight=len(word_letters("".join(t for t, linked in texts if not linked))),
            )
        )


def build_layout(root: etree._Element, style: BlockStyle = WEBSTEMMER_STYLE) -> Layout:
    """The layout of a parsed page.

    `title` elements come first wherever the markup has them: they belong to the head.

    >>> from lxml import html
    >>> page = html.document_fromstring("<title>A title</title><p id=x>Some text<br>more text</p>")
    >>> [(block.path, block.text) for block in build_layout(page).blocks]
    [('title', 'A title'), ('p:id=x', 'Some text'), ('p:id=x', 'more text')]
    """
    builder = _LayoutBuilder(style)
    for title in root.iter("title"):
        _walk(title, builder)
    _walk(root, builder)
    return Layout(tuple(builder.blocks))


def _walk(root: etree._Element, builder: _LayoutBuilder) -> None:
    """Feed a subtree to the builder. No recursion: hostile pages nest thousands of tags."""
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    opened: list[etree._Element] = []
    for event, element in walker:
        if event == "start" and _begin(element, builder, is_root=element is root):
            opened.append(element)
            continue
        if event == "start":
            walker.skip_subtree()
            continue  # its end event is still to come, and brings the tail
        if opened and element is opened[-1]:
            builder.close(opened.pop())
        if element is not root:
            builder.add_text(element.tail)
    builder.cut()


def _begin(element: etree._Element, builder: _LayoutBuilder, *, is_root: bool) -> bool:
    """Take the start of an element; False when its content is not to be read."""
    tag, style = element.tag, builder.style
    if tag == "img":
        builder.add_image(element.get("alt"))
    elif tag in style.breaking_tags:
        builder.cut()
    # An empty element does not cut: `<p>one<span></span>two</p>` is one block.
    elif tag in style.skipped_tags or not (element.text or len(element)):
        pass
    elif tag != "title" or is_root:
        builder.open(element)
        builder.add_text(element.text)
        return True
    return False
