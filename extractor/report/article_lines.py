"""Articles on a terminal, one a line, or as lines for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.cells import cell_len, set_cell_size

NUMBER, DATE, AUTHOR = 3, 10, 16
"""Cells of the columns of one width."""
LEAST_TITLE = 24
"""Cells that a title has at least, however long the addresses are. Origin: guess."""
WIDE = 100
"""Cells of a terminal from which on authors are shown. Origin: guess."""


def terminal_lines(rows: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    """Number, date, title, author and address of each: cut by the cells that a terminal gives
    them, but for the address, which can be copied."""
    longest = max((len(row["url"]) for row in rows), default=0)
    author = AUTHOR if width >= WIDE else 0
    fixed = NUMBER + 1 + DATE + 1 + (author + 1 if author else 0) + 1
    title = max(LEAST_TITLE, width - fixed - longest)
    for number, row in enumerate(rows, 1):
        mark = "(guessed) " if row["status"] == "guessed" else ""
        cells = [f"{number:>{NUMBER}}", fit(date_of(row), DATE), fit(mark + title_of(row), title)]
        if author:
            cells.append(fit(authors_of(row), author))
        yield " ".join([*cells, row["url"]])


def plain_lines(site: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Fields with tabs between them: site, date, title, authors, status, address."""
    for row in rows:
        fields = (site, date_of(row), title_of(row), authors_of(row), row["status"], row["url"])
        yield "\t".join(on_one_line(str(field)) for field in fields)


TEXTS = ("body", "sections", "body_html", "body_markdown")
"""Columns that say the text."""


def whole_record(row: Mapping[str, Any]) -> Iterator[str]:
    """A record with all that it says: what has parts a line each, the text at its end."""
    for name, value in row.items():
        if name not in TEXTS:
            yield from _told(name, value)
    text = row.get("body_markdown") or row.get("body")
    if text:
        yield ""
        yield from map(printable, text.splitlines())


def _told(name: str, value: Any) -> Iterator[str]:
    """A column and its value; nothing if it has none."""
    if isinstance(value, dict):
        value = [f"{part}: {said}" for part, said in value.items() if said]
    if value in (None, [], ()):
        return
    if isinstance(value, list) and isinstance(value[0], dict):
        yield f"{name}:"
        for each in value:
            yield f"  {on_one_line('  '.join(str(part) for part in each.values() if part))}"
        return
    said = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    shown = value.isoformat() if isinstance(value, datetime) else said
    yield f"{name}: {on_one_line(shown)}"


def fit(text: str, cells: int) -> str:
    """A text cut or filled to so many cells of a terminal; a wide character has two.

    >>> fit("石垣に寄りかかる", 8), fit("wall", 8)
    ('石垣に… ', 'wall    ')
    """
    text = on_one_line(text)
    if cell_len(text) <= cells:
        return set_cell_size(text, cells)
    return set_cell_size(set_cell_size(text, cells - 1).rstrip() + "…", cells)


def on_one_line(text: str) -> str:
    """Blanks as one, and nothing that a terminal would obey: what was crawled is hostile.

    >>> on_one_line("a \\n b\\x1b[2J")
    'a b[2J'
    """
    return printable(" ".join(text.split()))


def printable(line: str) -> str:
    """A line without what a terminal would obey; its indent stays."""
    return "".join(filter(str.isprintable, line))


def date_of(row: Mapping[str, Any]) -> str:
    """The day of publication; empty if it is not known."""
    published = row.get("date_published")
    return f"{published:%Y-%m-%d}" if published else ""


def title_of(row: Mapping[str, Any]) -> str:
    """The title, after the number of a later version; of a page without one why it has none."""
    version = row.get("version") or 1
    told = row.get("title") or f"({row.get('reason') or 'no title'})"
    return f"[{version}] {told}" if version > 1 else str(told)


def authors_of(row: Mapping[str, Any]) -> str:
    """Their names."""
    return ", ".join(row.get("authors") or ())
