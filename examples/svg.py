"""The few shapes that the pictures of the documentation are made of."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

COLOURS = {"title": "#1d4ed8", "main": "#15803d", "detail": "#b45309", "left": "#c4c4c4"}
"""What became of a block -> its colour."""


def document(width: float, height: float, shapes: Iterable[str]) -> str:
    """A picture of that size on white."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="13">'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, colour: str = "#222", bold: bool = False) -> str:
    """One line of text; (x, y) is where its base line begins."""
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}"{weight}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str, title: str = "") -> str:
    """A filled rectangle; `title` is shown by browsers that point at it."""
    size = f'width="{round(width, 1):g}" height="{height:g}"'
    inside = f"><title>{escape(title)}</title></rect>" if title else "/>"
    return f'<rect x="{x:g}" y="{y:g}" {size} fill="{colour}"{inside}'


def dot(x: float, y: float, radius: float, colour: str, title: str = "") -> str:
    """A filled circle, lightly transparent, so that many at one place show."""
    inside = f"><title>{escape(title)}</title></circle>" if title else "/>"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}" opacity="0.6"{inside}'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = "#999") -> str:
    """A thin straight line."""
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}"/>'


def cut(words: str, letters: int) -> str:
    """At most so many letters.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return words if len(words) <= letters else words[: letters - 1] + "…"
