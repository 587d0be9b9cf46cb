"""Webstemmer's text output: `!MATCHED:`, `TITLE:`, `MAIN-n:`, `SUB-n:`, one block a line."""

from __future__ import annotations

from collections.abc import Iterator

from extractor.records.articles import ArticleRecord, Status

_UNMATCHED = frozenset(
    {Status.NO_PATTERN, Status.GUESSED, Status.LOW_SCORE, Status.LIST, Status.ERROR}
)


def format_article(record: ArticleRecord, page: str, pattern: str) -> str:
    """What the original prints for a page; `page` and `pattern` are the names it gives them.

    >>> record = ArticleRecord(url="", url_key="", status=Status.NO_PATTERN)
    >>> format_article(record, "200501010000/example.com/", "")
    '!UNMATCHED: 200501010000/example.com/\\n\\n'
    """
    if record.status in _UNMATCHED:
        return f"!UNMATCHED: {_line(page)}\n\n"
    lines = [f"!MATCHED: {_line(page)}", f"PATTERN: {_line(pattern)}", *_section_lines(record)]
    return "\n".join(lines) + "\n\n"


def _section_lines(record: ArticleRecord) -> Iterator[str]:
    for section in record.sections:
        role = section.role.upper()
        label = role if role == "TITLE" else f"{role}-{section.index}"
        yield from (f"{label}: {_line(text)}" for text in section.text.split("\n") if text)


def _line(text: str) -> str:
    """No other line break either: a text must not look like a header of the format."""
    return " ".join(text.splitlines())
