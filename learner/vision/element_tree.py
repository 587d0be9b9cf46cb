"""The elements of a snapshot as an lxml tree, so that what reads pages reads drawn ones, too."""

from __future__ import annotations

import re
from functools import cached_property

from lxml import etree

from learner.vision.snapshots.nodes import ELEMENT, TEXT
from learner.vision.snapshots.snapshot import Snapshot

OTHER_NAME = "span"
"""What an element is called whose name XML does not allow, such as `svg:path` or `a<b`."""

_NAME = re.compile(r"[a-zA-Z_][-.\w]*", re.ASCII)
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class ElementTree:
    """The document of a snapshot, and which node each of its elements is.

    Texts are as they stand in the document; comments, pseudo-elements, and names and letters that
    XML does not allow, are left out. A document without a root has an empty one of the node 0.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._elements: dict[int, etree._Element] = {}
        """Node -> its element. Held, for an lxml proxy that nobody holds is made anew."""
        for node in range(len(snapshot)):
            if snapshot.node_type[node] == ELEMENT:
                self._add_element(snapshot, node)
            elif snapshot.node_type[node] == TEXT:
                self._add_text(snapshot, node)
        self._nodes = {element: node for node, element in self._elements.items()}
        first = next(iter(self._elements.values()), None)
        self.root: etree._Element = etree.Element("html") if first is None else first
        """The `html` element."""

    def _add_element(self, snapshot: Snapshot, node: int) -> None:
        tag = snapshot.tags[node]
        if tag.startswith("::"):
            return
        parent = self._elements.get(int(snapshot.parent[node]))
        if parent is None and self._elements:
            return  # below a pseudo-element, or a second root
        name = tag if _NAME.fullmatch(tag) else OTHER_NAME
        attributes = {
            key: _NOT_XML.sub("", value)
            for key, value in snapshot.attributes(node).items()
            if _NAME.fullmatch(key)
        }
        self._elements[node] = (
            etree.Element(name, attributes)
            if parent is None
            else etree.SubElement(parent, name, attributes)
        )

    def _add_text(self, snapshot: Snapshot, node: int) -> None:
        parent = self._elements.get(int(snapshot.parent[node]))
        if parent is None:
            return
        text = _NOT_XML.sub("", snapshot.text(node))
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + text
        else:
            parent.text = (parent.text or "") + text

    def element(self, node: int) -> etree._Element | None:
        """The element that a node is; None for one that is none."""
        return self._elements.get(node)

    def node(self, element: etree._Element) -> int | None:
        """The node that an element is; None for one of another tree."""
        return self._nodes.get(element)

    def is_seen(self, element: etree._Element) -> bool:
        """Whether something of an element of this tree can be seen (`Snapshot.is_visible`)."""
        return bool(self._snapshot.is_visible[self._nodes[element]])

    def is_struck(self, element: etree._Element) -> bool:
        """Whether it has a line drawn through its text, as an old price has."""
        return "line-through" in self._lines[self._nodes[element]]

    @cached_property
    def _lines(self) -> list[str]:
        return self._snapshot.style("text-decoration-line")

    def html(self) -> bytes:
        """The document as HTML in UTF-8, with a byte order mark."""
        return b"\xef\xbb\xbf<!DOCTYPE html>\n" + etree.tostring(
            self.root, encoding="utf-8", method="html"
        )
