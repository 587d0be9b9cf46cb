"""Webstemmer's text output: `!MATCHED:`, `TITLE:`, `MAIN-n:`, `SUB-n:`, one block a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from learner.patterns import Role

TextSection = tuple[Role, int, str]
"""Role, number of the section in its pattern, text with one block a line."""


def format_unmatched(page: str) -> str:
    """A page that no pattern matched.

    >>> format_unmatched("200501010000/example.com/")
    '!UNMATCHED: 200501010000/example.com/\\n\\n'
    """
    return f"!UNMATCHED: {_line(page)}\n\n"


def format_matched(page: str, pattern: str, sections: Iterable[TextSection]) -> str:
    """A page with the texts that its pattern found.

    >>> print(format_matched("p", "q", [(Role.TITLE, 0, "A title"), (Role.MAIN, 2, "One.\\nTwo.")]))
    !MATCHED: p
    PATTERN: q
    TITLE: A title
    MAIN-2: One.
    MAIN-2: Two.
    <BLANKLINE>
    <BLANKLINE>
    """
    lines = [f"!MATCHED: {_line(page)}", f"PATTERN: {_line(pattern)}", *_section_lines(sections)]
    return "\n".join(lines) + "\n\n"


def _section_lines(sections: Iterable[TextSection]) -> Iterator[str]:
    for role, number, text in sections:
        label = "TITLE" if role is Role.TITLE else f"{role.upper()}-{number}"
        if role is not Role.BOILERPLATE:
            yield from (f"{label}: {_line(line)}" for line in text.split("\n") if line)


def _line(text: str) -> str:
    """Every other line break too: a text must not look like a header of the format."""
    return " ".join(text.splitlines())
