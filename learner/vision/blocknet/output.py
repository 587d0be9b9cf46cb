"""What a network of blocks is given out as. All of it comes from a page that anyone may have made,
and is escaped."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from crawler.fetching.browser.capture import MOST_PIXELS_DOWN
from learner.vision.blocknet.blocks import Block, Kind
from learner.vision.snapshots.snapshot import Snapshot

LONGEST_TOLD = 200
"""Letters of a text that an overlay tells. Origin: guess."""

COLOURS = {
    Kind.PAGE: "#777777",
    Kind.HEADER: "#1f77b4",
    Kind.LEFT: "#17becf",
    Kind.MAIN: "#2ca02c",
    Kind.RIGHT: "#17becf",
    Kind.FOOTER: "#1f77b4",
    Kind.TITLE: "#9467bd",
    Kind.CONTENT: "#2ca02c",
}

REMOVED = "#d62728"
"""The colour of what is removed."""

_MAGIC = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}


class PictureError(ValueError):
    """Bytes that are no picture of a page."""


def kept_leaves(blocks: Sequence[Block]) -> Iterator[tuple[Block, int]]:
    """The blocks without children that are kept, in order, each with how many sections it is in."""
    levels = [0] * len(blocks)
    for block in blocks:
        if block.parent >= 0:
            is_section = block.kind == Kind.CONTENT and bool(block.children)
            levels[block.number] = levels[block.parent] + is_section
        if block.is_kept and not block.children:
            yield block, levels[block.number]


def text_of(blocks: Sequence[Block]) -> str:
    """The text that is kept, a line a block."""
    return "\n".join(block.text for block, _ in kept_leaves(blocks) if block.text)


def html_of(blocks: Sequence[Block], title: str) -> str:
    """What is kept as an HTML document of headings, paragraphs and pictures."""
    parts = [
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{escape(title)}</title></head>',
        "<body><article>",
    ]
    for block, level in kept_leaves(blocks):
        tag = f"h{min(max(level, 1), 6)}" if block.kind == Kind.TITLE else "p"
        if block.text:
            parts.append(f"<{tag}>{escape(block.text)}</{tag}>")
        parts += [f'<p><img src="{escape(each)}" alt=""></p>' for each in block.pictures]
    return "\n".join([*parts, "</article></body></html>\n"])


def json_of(page: Snapshot, blocks: Sequence[Block]) -> str:
    """The page and all its blocks, as their fields are named; a score of -inf is null."""
    told = {
        "url": page.url,
        "title": page.title,
        "width": page.width,
        "height": page.height,
        "blocks": [_fields(block) for block in blocks],
    }
    return json.dumps(told, ensure_ascii=False, allow_nan=False)


def _fields(block: Block) -> dict[str, Any]:
    return {
        "number": block.number,
        "kind": block.kind,
        "is_kept": block.is_kept,
        "score": round(block.score, 4) if math.isfinite(block.score) else None,
        "text": block.text,
        "pictures": block.pictures,
        "box": [round(side, 1) for side in block.box],
        "params": {name: round(share, 4) for name, share in block.params._asdict().items()},
        "parent": block.parent,
        "children": block.children,
        "above": block.above,
        "below": block.below,
        "left": block.left,
        "right": block.right,
        "doms": block.doms,
    }


def overlay_of(page: Snapshot, blocks: Sequence[Block], picture: bytes | None) -> str:
    """An SVG of the page's size: the blocks over its picture, what is removed in red, the rest by
    kind. PictureError for a picture that is no JPEG, PNG or WebP."""
    wide, tall = max(page.width, 1), max(page.height, 1)
    size = f'width="{wide:g}" height="{tall:g}" viewBox="0 0 {wide:g} {tall:g}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    if picture is not None:
        parts.append(_image(page, picture))
    parts += [_rectangle(block) for block in blocks if block.box.width > 0]
    return "\n".join([*parts, "</svg>\n"])


def _image(page: Snapshot, picture: bytes) -> str:
    data = base64.b64encode(picture).decode("ascii")
    wide, tall = page.viewport[0] or page.width, min(page.height, MOST_PIXELS_DOWN)
    return (
        f'<image width="{wide:g}" height="{tall:g}" preserveAspectRatio="xMinYMin meet" '
        f'href="data:{_media_type(picture)};base64,{data}"/>'
    )


def _media_type(picture: bytes) -> str:
    for magic, media_type in _MAGIC.items():
        if picture.startswith(magic):
            return media_type
    if picture[:4] == b"RIFF" and picture[8:12] == b"WEBP":
        return "image/webp"
    raise PictureError(f"picture: expected JPEG, PNG or WebP, got {picture[:12]!r}")


def _rectangle(block: Block) -> str:
    """A frame for what holds others, an area for what shows something."""
    colour = COLOURS[block.kind] if block.is_kept else REMOVED
    box = block.box
    place = f'x="{box.left:g}" y="{box.top:g}" width="{box.width:g}" height="{box.height:g}"'
    fill = 'fill="none" stroke-dasharray="6 3"' if block.children else 'fill-opacity="0.2"'
    told = f"{block.number} {block.kind} {block.score:.2f} {block.text[:LONGEST_TOLD]}"
    shown = _without_control(escape(told.rstrip()))
    paint = f'stroke="{colour}"' if block.children else f'fill="{colour}" stroke="{colour}"'
    return f"<rect {place} {paint} {fill}><title>{shown}</title></rect>"


def _without_control(text: str) -> str:
    """Without what XML does not allow."""
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c < "\ufffe")
