"""The pictures of an article's text: their addresses, captions and what they show."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crawler.reading.links import resolve
from extractor.structure.place import TextPlace
from learner.page.lines import Line
from learner.page.markup import attributes_of, cut_tags
from learner.page.tree import LayoutTree, TreeBlock
from learner.page.words import clean_text

SMALLEST_PICTURE = 50
"""Pixels of width or height below which a picture is a sign or a counter. Origin: guess."""

MOST_PICTURES = 500
"""Pictures of an article that are kept. Origin: guess, against hostile pages."""

MOST_CAPTION_LINES = 5
"""Blocks of a figure at most: what holds more is no figure, whatever its name. Origin: guess."""

LONGEST_ALT = 2_000
"""Characters of what a picture shows, in words. Origin: guess."""

_PICTURE_FILE = re.compile(r"\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)(?:$|[?#&!@_])", re.I)
_CAPTIONED = re.compile(r"caption", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One picture of a text."""

    url: str
    """Its absolute address."""
    alt: str = ""
    """What it shows, in words."""
    caption: str = ""
    """What stands below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A picture, and where it stands."""

    picture: Picture
    source: str
    """Its tag, without the brackets."""
    element: int
    """The element whose line it stands in."""
    index: int
    """The block in which it stands, or before which."""
    figure: int | None
    """The element that holds the picture and its caption; None if none does."""


def as_html(picture: Picture) -> str:
    """The picture as an element, safe to be shown.

    >>> as_html(Picture(url="https://a.example/i.png", alt='"x"'))
    '<img src="https://a.example/i.png" alt="&quot;x&quot;">'
    """
    return f'<img src="{html.escape(picture.url)}" alt="{html.escape(picture.alt)}">'


def find_pictures(
    tree: LayoutTree, place: TextPlace, body: Sequence[TreeBlock], base: str
) -> list[Placed]:
    """The pictures of a text, in order: those inside its containers that stand next to its lines or
    below the title, but for those on many pages."""
    if not tree.pictured or not body:
        return []
    chosen = _Chosen(tree, body, place.title_block.index if place.title_block else -1)
    found: list[Placed] = []
    spans = [(tree.starts[each], tree.ends[each]) for each in place.containers]
    for element, index, line in tree.pictured:
        if not any(start <= index <= end for start, end in spans):
            continue
        figure = _figure(tree, element)
        if not chosen.is_beside(index, figure, line):
            continue
        for source in cut_tags(line.markup)[1::2]:
            picture = (
                _read(source, base, _caption(tree, figure), place.decoration)
                if source[:4] == "img "
                else None
            )
            if picture and len(found) < MOST_PICTURES:
                found.append(
                    Placed(
                        picture=picture, source=source, element=element, index=index, figure=figure
                    )
                )
    return found


class _Chosen:
    """Tells which places of a page are in its text."""

    def __init__(self, tree: LayoutTree, body: Sequence[TreeBlock], title: int) -> None:
        self._tree = tree
        self._text = {block.index for block in body}
        self._last = max(self._text)
        self._beside = self._text | {title}

    def is_beside(self, index: int, figure: int | None, line: Line) -> bool:
        """Whether a line stands in the text, or next to it. Behind its end a picture that leads to
        a page is that page's."""
        start, end = index, index
        if figure is not None:
            start, end = self._tree.starts[figure], self._tree.ends[figure]
        if index > self._last and any(not _PICTURE_FILE.search(href) for href in line.overlays):
            return False
        return index in self._text or start - 1 in self._beside or end in self._text


def _figure(tree: LayoutTree, element: int) -> int | None:
    """The nearest element around a picture that is a figure, or is named for its caption."""
    for each in tree.ancestors(element):
        if tree.ends[each] - tree.starts[each] > MOST_CAPTION_LINES:
            return None
        if tree.tags[each] == "figure" or any(map(_CAPTIONED.search, tree.tokens[each])):
            return each
    return None


def _caption(tree: LayoutTree, figure: int | None) -> str:
    """What a figure says."""
    return " ".join(block.text for block in tree.inside(figure)) if figure is not None else ""


def _read(source: str, base: str, caption: str, decoration: frozenset[str]) -> Picture | None:
    """The picture of an `img` tag; None if it is decoration or a sign, or has no address."""
    said = attributes_of(source)
    if said.get("src") in decoration:
        return None
    sizes = (said.get(name, "").removesuffix("px") for name in ("width", "height"))
    if any(size.isdecimal() and int(size[:6]) < SMALLEST_PICTURE for size in sizes):
        return None
    for address in _addresses(said):
        url = resolve(base, address)
        if url:
            return Picture(
                url=url, alt=clean_text(said.get("alt", ""))[:LONGEST_ALT], caption=caption
            )
    return None


def _addresses(said: dict[str, str]) -> Iterator[str]:
    """What may be the address of a picture, the surest first. Those that are loaded late say it
    in attributes of their own, and `src` has a stand-in."""
    for name, value in said.items():
        if name.startswith("data-") and "srcset" not in name and _PICTURE_FILE.search(value):
            yield value
    yield said.get("src", "")
    for name in ("srcset", "data-srcset"):
        yield said.get(name, "").strip().partition(" ")[0]


def without_repeats(pictures: Sequence[Placed]) -> tuple[Picture, ...]:
    """The pictures, each address once."""
    return tuple({each.picture.url: each.picture for each in reversed(pictures)}.values())[::-1]
