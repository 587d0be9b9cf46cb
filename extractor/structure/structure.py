"""All that a text has beside its lines: its elements, pictures and links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extractor.structure.html import write_html
from extractor.structure.markdown import write_markdown
from extractor.structure.pictures import Picture, find_pictures, without_repeats
from extractor.structure.place import TextPlace
from extractor.structure.text_links import TextLink, text_links
from learner.page.tree import LayoutTree, TreeBlock


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """A text with its elements."""

    html: str
    markdown: str
    images: tuple[Picture, ...]
    links: tuple[TextLink, ...]


def read_structure(
    tree: LayoutTree, place: TextPlace, body: Sequence[TreeBlock], base: str
) -> Structure:
    """The structure of the text that was found on a page; links start from `base`."""
    pictures = find_pictures(tree, place, body, base)
    html = write_html(tree, body, pictures, base)
    return Structure(
        html=html,
        markdown=write_markdown(html),
        images=without_repeats(pictures),
        links=text_links(body, base),
    )
