"""The learned rule of a layout's topics: where its pages name their section and their tags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from learner.page.extent import Extent
from learner.page.locators import Locator
from learner.page.tree import LayoutTree, TreeBlock

BEFORE_TITLE = 8
"""Blocks above the title that may name a section. Origin: guess; a path of links to the site's
start has one or four."""

AROUND_TEXT = 12
"""Blocks below the title, and around the end of text and container, that may name topics. Origin:
guess."""

LONGEST_TOPIC = 100
"""Characters of a topic. Origin: guess."""

_MARKS = " \t\n#,;·|•"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPlace:
    """Links to topics."""

    locator: Locator
    """The element whose lines have the links."""
    folders: frozenset[str]
    """What the addresses of topics have in common: `/tag`."""

    def read(self, tree: LayoutTree, near: Sequence[TreeBlock]) -> Iterator[str]:
        """The topics that a page names there, in order."""
        elements = set(self.locator.find(tree))
        for block in near:
            if block.element in elements:
                for name, folder, _ in topic_links(tree, block):
                    if folder in self.folders:
                        yield name


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicRule:
    """What the pages of a layout are about."""

    sections: tuple[TopicPlace, ...] = ()
    """Where the section stands, the surest place first."""
    tags: tuple[TopicPlace, ...] = ()
    """Where tags stand."""
    template_facts: frozenset[str] = frozenset()
    """What many pages say for machines or show, whatever they are about: the site's description,
    its logo."""

    def read(
        self, tree: LayoutTree, title: TreeBlock | None, extent: Extent
    ) -> tuple[str | None, tuple[str, ...]]:
        """The section and the tags that a page shows near its title and its text."""
        if not self.sections and not self.tags:
            return None, ()
        near = topic_blocks(tree, title, extent)
        sections = (name for place in self.sections for name in place.read(tree, near))
        tags = (name for place in self.tags for name in place.read(tree, near))
        return next(sections, None), tuple(dict.fromkeys(tags))


def topic_blocks(tree: LayoutTree, title: TreeBlock | None, extent: Extent) -> Sequence[TreeBlock]:
    """The blocks of a page that may name its topics, in document order."""
    middle = title.index if title else extent.start
    near = set(range(middle - BEFORE_TITLE, middle + AROUND_TEXT))
    for end in extent.ends:
        near.update(range(end - AROUND_TEXT, end + AROUND_TEXT))
    n_blocks = len(tree.blocks)
    return [
        tree.blocks[i] for i in sorted(near) if 0 <= i < n_blocks and tree.blocks[i].line.has_links
    ]


def topic_links(tree: LayoutTree, block: TreeBlock) -> Iterator[tuple[str, str, str]]:
    """The links of a block that may lead to a topic: what each says, the folder of its address and
    the address."""
    for text, href in block.line.linked_texts:
        name = " ".join(text.split()).strip(_MARKS)
        target = tree.target(href) if name and len(name) <= LONGEST_TOPIC else None
        if target and not target.endswith("/"):  # the site's start
            yield name, folder_of(target), target


def folder_of(key: str) -> str:
    """What an address of the site has in common with those of its kind.

    >>> folder_of("a.example/tag/rain"), folder_of("a.example/?cat=3"), folder_of("a.example/rain")
    ('/tag', '/?cat=', '')
    """
    path = key[key.find("/") :]
    place, _, query = path.partition("?")
    if query:
        return f"{place}?{query.rpartition('=')[0]}="
    return place.rpartition("/")[0]
