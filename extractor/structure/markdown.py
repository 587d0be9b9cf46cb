"""The text of an article as Markdown, made from its HTML."""

from __future__ import annotations

from functools import cache

from html_to_markdown import ConversionOptions, convert


def write_markdown(body_html: str) -> str:
    """HTML of `write_html` as CommonMark with tables; signs that would mean something are escaped.

    >>> write_markdown('<h2>A*b*</h2><ul><li>b <a href="https://a.example/">c</a></li></ul>')
    '## A\\\\*b\\\\*\\n\\n- b [c](https://a.example/)'
    """
    return (convert(body_html, _options()).content or "").strip() if body_html else ""


@cache
def _options() -> ConversionOptions:
    return ConversionOptions(
        escape_asterisks=True,
        escape_underscores=True,
        escape_misc=True,
        autolinks=False,
        br_in_tables=True,
        compact_tables=True,
        extract_metadata=False,
    )
