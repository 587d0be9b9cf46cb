"""Articles as lines: what fits, what can be copied, what a terminal must not obey."""

from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from extractor.report.article_lines import plain_lines, terminal_lines, whole_record

ROWS = [
    {
        "url": f"https://example.org/{'long/' * number}",
        "title": title,
        "authors": ["Ada", "Bo"],
        "date_published": datetime(2026, 11, 20, tzinfo=UTC),
        "status": "ok",
        "version": number,
        "body": "One.\n\x1b[2JTwo.",
    }
    for number, title in enumerate(["石垣に寄りかかる理由" * 9, "A\twall\n\x1b[2J", None], 1)
]


@pytest.mark.parametrize("width", [60, 100, 160])
def test_each_is_a_line_with_its_address_whole(width: int) -> None:
    lines = list(terminal_lines(ROWS, width))
    assert [line.endswith(row["url"]) for line, row in zip(lines, ROWS, strict=True)] == [True] * 3
    assert all(line.isprintable() for line in lines)
    starts = {cell_len(line.partition("https")[0]) for line in lines}
    assert len(starts) == 1  # columns, by the cells of wide characters
    longest = len(ROWS[-1]["url"])
    assert starts == {max(width - longest, 40 + 17 * (width >= 100))}
    assert ("Ada, Bo" in lines[0]) is (width >= 100)


def test_a_guessed_article_is_marked() -> None:
    (line,) = terminal_lines([{**ROWS[1], "status": "guessed"}], 100)
    assert "(guessed) [2] A wall" in line
    (fields,) = plain_lines("s", [{**ROWS[1], "status": "guessed"}])
    assert fields.split("\t")[2:5] == ["[2] A wall [2J", "Ada, Bo", "guessed"]


def test_fields_between_tabs() -> None:
    lines = list(plain_lines("s", ROWS))
    assert {line.count("\t") for line in lines} == {5}
    assert lines[1].split("\t")[:4] == ["s", "2026-11-20", "[2] A wall [2J", "Ada, Bo"]


def test_a_whole_record() -> None:
    shown = list(whole_record(ROWS[0]))
    assert "authors: Ada, Bo" in shown and shown[-2:] == ["One.", "[2JTwo."]


def test_a_whole_record_with_its_structure() -> None:
    row = {
        "title": "A",
        "body": "B",
        "body_html": "<p>B</p>",
        "body_markdown": "- B\n  - C\x1b[2J",
        "images": [{"url": "http://x/i", "alt": "", "caption": "of\nit"}],
        "links": [],
        "sources": {"image": "text", "tags": None},
    }
    shown = ["title: A", "images:", "  http://x/i of it", "sources: image: text", ""]
    assert list(whole_record(row)) == [*shown, "- B", "  - C[2J"]
