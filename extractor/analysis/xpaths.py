"""Where in a page a block stands, as an XPath that browsers and lxml read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lxml import etree

from learner.page.markup import BLOCKS_INSIDE, SKIPPED_TAGS, is_inline, is_unknown
from learner.page.tree import LayoutTree

_NAME = re.compile(r"[A-Za-z_][\w.-]*")


class Xpaths:
    """The XPaths of a page's elements.

    Hidden elements lose their tags when the layout tree is built. So this is made of the parsed
    page before (`tree_of`), and told the tree after.

    >>> from lxml.html import document_fromstring as parse
    >>> from learner.page.tree import build_tree
    >>> root = parse("<div hidden>a</div><div><p>b<p>c <b>d</b></div>")
    >>> xpaths = Xpaths(root)
    >>> tree = build_tree(root)
    >>> xpaths.read(tree)
    >>> [xpaths.of_element(block.element) for block in tree.blocks]
    ['/html/body/div[2]/p[1]', '/html/body/div[2]/p[2]']
    """

    def __init__(self, root: etree._Element) -> None:
        self._root = root
        self._tags = [str(each.tag) for each in root.iter()]
        self._steps: dict[etree._Element, str] = {}
        """The last step of the path of each element; worked out when one is asked for."""
        self._elements: Sequence[etree._Element] = ()

    def read(self, tree: LayoutTree) -> None:
        """Find the elements of the layout tree that was built of the page."""
        body = self._root.find("body")
        elements = list(_block_elements(self._root if body is None else body))
        # What cannot be told for sure is not told.
        self._elements = elements if len(elements) == len(tree.tags) else ()

    def of_element(self, element: int | None) -> str | None:
        """That of an element of the layout tree; None if it is not known."""
        found = self.element(element)
        return None if found is None else self.of(found)

    def element(self, element: int | None) -> etree._Element | None:
        """The element of the page that one of the layout tree is; None if it is not known."""
        if element is None or element >= len(self._elements):
            return None
        return self._elements[element]

    def of(self, element: etree._Element) -> str:
        """That of an element of the page."""
        if not self._steps:
            self._steps = dict(self._all_steps())
        path = [self._steps[element], *(self._steps[each] for each in element.iterancestors())]
        return "".join(reversed(path))

    def _all_steps(self) -> Iterator[tuple[etree._Element, str]]:
        names = dict(zip(self._root.iter(), self._tags, strict=True))
        yield self._root, f"/{names[self._root]}"
        for parent in names:
            children = list(parent)
            counts, seen = Counter(names[each] for each in children), Counter[str]()
            for nth, child in enumerate(children, 1):
                name = names[child]
                seen[name] += 1
                if not _NAME.fullmatch(name):
                    yield child, f"/*[{nth}]"
                else:
                    place = f"[{seen[name]}]" if counts[name] > 1 else ""
                    yield child, f"/{name}{place}"


def _block_elements(body: etree._Element) -> Iterator[etree._Element]:
    """The elements that the layout tree of a page has, in its order (`learner.page.markup`)."""
    holding = _unknown_holders(body)
    events = etree.iterwalk(body, events=("start",))
    for _, element in events:
        tag = str(element.tag)
        if tag in SKIPPED_TAGS:
            events.skip_subtree()
        elif tag not in ("br", "hr") and (not is_inline(tag) or element in holding):
            yield element


def _unknown_holders(body: etree._Element) -> set[etree._Element]:
    """The elements unknown to HTML that hold blocks."""
    holding: set[etree._Element] = set()
    for block in body.iter(*BLOCKS_INSIDE):
        for element in block.iterancestors():
            if element in holding:
                break
            holding.add(element)
    return {each for each in holding if is_unknown(str(each.tag))}
