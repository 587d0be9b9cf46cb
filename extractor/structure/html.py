"""The text of an article as HTML that is safe to show: no scripts, no styles, no names."""

from __future__ import annotations

import html
import re
from collections import deque
from collections.abc import Iterator, Sequence

from extractor.structure.elements import CELLS, LINES, Element, Item, Run, kept_elements
from extractor.structure.inline import write_line
from extractor.structure.pictures import Picture, Placed, as_html
from learner.page.tree import LayoutTree, TreeBlock

MOST_CELLS = 1000
"""Columns or rows of a cell, and the number that a list begins with. Origin: paper, the HTML living
standard."""

ITEMS = CELLS | {"li", "dt", "dd", "figcaption", "caption"}
"""Elements whose only line needs no paragraph."""

HOLDERS = {"ul": "li", "ol": "li", "dl": "dd"}
"""What a list's own lines are put in: outside of items it has none."""

_NUMBER = re.compile(r' (colspan|rowspan|start)="(\d{1,4})"')
_CODE_LINE = re.compile(r"<code>([^<]*)</code>(?:<br>|$)")
_LANGUAGE = re.compile(r'class="[^"]*?\blang(?:uage)?-([\w+#-]{1,30})')


def write_html(
    tree: LayoutTree, body: Sequence[TreeBlock], pictures: Sequence[Placed], base: str
) -> str:
    """The lines of a text with the elements around them; links are absolute, from `base`.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> page = "<div id=x><h2>A</h2><ul><li><p>b<li>c<br>d</ul>e<script>f</script></div>"
    >>> tree = build_tree(parse(page))
    >>> write_html(tree, tree.blocks, [], "https://a.example/").replace(chr(10), "")
    '<h2>A</h2><ul><li>b</li><li>c<br>d</li></ul><p>e</p>'
    """
    if not body:
        return ""
    root = kept_elements(tree, body, pictures)
    return "\n".join(_Writer(tree, pictures, base).flow(root))


def _is_box(item: Item) -> bool:
    return isinstance(item, Element) and item.tag not in LINES


class _Writer:
    """Writes kept elements, from the outermost to the lines."""

    def __init__(self, tree: LayoutTree, pictures: Sequence[Placed], base: str) -> None:
        self._tree = tree
        self._base = base
        self._pictures: dict[str, Picture] = {each.source: each.picture for each in pictures}

    def flow(self, element: Element) -> list[str]:
        """What stands in an element that holds paragraphs and boxes."""
        lines = [each for each in element.items if not _is_box(each)]
        is_alone = element.tag in ITEMS and len(lines) == 1
        return [part for item in element.items for part in self._parts(item, is_alone)]

    def _parts(self, item: Item, is_alone: bool) -> Iterator[str]:
        if isinstance(item, Run):
            yield self._paragraph([item], is_alone)
        elif isinstance(item, Placed):
            yield as_html(item.picture) if is_alone else f"<p>{as_html(item.picture)}</p>"
        elif item.tag == "pre":
            yield self._listing(item)
        elif item.tag == "table":
            yield self._table(item)
        elif item.tag in LINES and any(isinstance(each, Element) for each in item.items):
            yield from self.flow(item)
        elif item.tag == "p":
            yield self._paragraph(item.items, is_alone)
        elif item.tag in LINES:
            yield f"<{item.tag}>{'<br>'.join(map(self._piece, item.items))}</{item.tag}>"
        else:
            yield self._box(item)

    def _paragraph(self, items: Sequence[Item], is_alone: bool) -> str:
        """Lines as a paragraph, or without one where they are alone; as a listing if all of them
        are code."""
        written = "<br>".join(map(self._piece, items))
        lines = _CODE_LINE.findall(written)
        if len(lines) > 1 and not _CODE_LINE.sub("", written):
            return f"<pre><code>{chr(10).join(lines)}</code></pre>"
        return written if is_alone else f"<p>{written}</p>"

    def _piece(self, item: Item) -> str:
        """A part of an element that holds lines and nothing else."""
        if isinstance(item, Run):
            return self._lines(item)
        return as_html(item.picture) if isinstance(item, Placed) else ""

    def _lines(self, run: Run) -> str:
        lines = (write_line(block.line, self._base, self._pictures) for block in run.blocks)
        return "<br>".join(lines)

    def _box(self, element: Element) -> str:
        """An element that holds others."""
        tag = element.tag
        if tag in HOLDERS:
            inside = [self._held(tag, each) for each in element.items]
        elif tag == "figure":
            inside = [self._shown(each) for each in element.items]
        else:
            inside = self.flow(element)
        return f"<{tag}{self._numbers(element)}>{''.join(inside)}</{tag}>"

    def _held(self, tag: str, item: Item) -> str:
        """A part of a list, as one of its items."""
        written = "".join(self._parts(item, is_alone=True))
        is_item = isinstance(item, Element) and item.tag in ("li", "dt", "dd")
        return written if is_item else f"<{HOLDERS[tag]}>{written}</{HOLDERS[tag]}>"

    def _shown(self, item: Item) -> str:
        """A part of a figure: its picture needs no paragraph."""
        return "".join(self._parts(item, is_alone=isinstance(item, Placed)))

    def _table(self, table: Element) -> str:
        """A table row by row; what stands between its rows is put in one."""
        return f"<table>{''.join(map(self._table_part, table.items))}</table>"

    def _table_part(self, item: Item) -> str:
        if isinstance(item, Element) and item.tag == "tr":
            return self._row(item)
        if isinstance(item, Element) and item.tag == "caption":
            return self._box(item)
        return f"<tr><td>{''.join(self._parts(item, is_alone=True))}</td></tr>"

    def _row(self, row: Element) -> str:
        """A row with all its cells, for those without text keep the others in their columns; what
        stands in no cell gets one."""
        tree, filled = self._tree, {each.index for each in row.items if isinstance(each, Element)}
        empty = deque(
            element
            for element in tree.descendants(row.index)
            if tree.parents[element] == row.index
            and tree.tags[element] in CELLS
            and element not in filled
        )
        written = []
        for item in row.items:
            if isinstance(item, Element) and item.tag in CELLS:
                while empty and empty[0] < item.index:
                    written.append(self._empty_cell(empty.popleft()))
                written.append(self._box(item))
            else:
                written.append(f"<td>{''.join(self._parts(item, is_alone=True))}</td>")
        written += map(self._empty_cell, empty)
        return f"<tr>{''.join(written)}</tr>"

    def _empty_cell(self, cell: int) -> str:
        return self._box(Element(cell, self._tree.tags[cell]))

    def _numbers(self, element: Element) -> str:
        """The attributes of an element that are kept: those that give its place in a table or the
        beginning of its list."""
        if element.index < 0 or (element.tag not in CELLS and element.tag != "ol"):
            return ""
        found = _NUMBER.findall(self._tree.sources[element.index])
        return "".join(f' {name}="{n}"' for name, n in found if 1 < int(n) <= MOST_CELLS)

    def _listing(self, element: Element) -> str:
        """Code, line by line as the text has it."""
        blocks = [b for item in element.items if isinstance(item, Run) for b in item.blocks]
        lines = "\n".join(block.line.listing for block in blocks)
        named = self._language(element.index, blocks)
        return f"<pre><code{named}>{html.escape(lines, quote=False)}</code></pre>"

    def _language(self, element: int, blocks: Sequence[TreeBlock]) -> str:
        """The language of code, where a class of its element, or of one beside it, names it."""
        parent = self._tree.parents[element]
        around = [self._tree.sources[each] for each in (element, parent) if each >= 0]
        markup = blocks[0].line.markup if blocks else ""
        first = markup.partition(">")[0] if markup.startswith("<code ") else ""
        for source in (first, *around):
            if found := _LANGUAGE.search(source):
                return f' class="language-{found[1]}"'
        return ""
