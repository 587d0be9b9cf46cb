"""An analysis as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from extractor.analysis.analysis import Analysis, Field
from extractor.report.article_lines import fit, on_one_line, printable

NAME, SOURCE = 20, 10
"""Cells of the columns of one width: `product.availability` is the longest."""

LIKELY = 5
"""Cells of a probability with two decimals."""

_AS_TEXT = ("text", "html", "markdown")
"""Fields that say the text, which stands below."""


def shown_lines(name: str, analysis: Analysis, width: int) -> Iterator[str]:
    """What the page is named, a line for each field (name, value, source, probability) cut to so
    many cells, then the text as Markdown."""
    yield printable(analysis.url or name)
    value = width - NAME - SOURCE - LIKELY - 3
    for field, found in analysis.fields.items():
        if field not in _AS_TEXT:
            cells = fit(field, NAME), fit(_said(found.value), value)
            yield " ".join((*cells, *_sure(found)))
    yield from (fit(f"remark: {remark}", width).rstrip() for remark in analysis.remarks)
    if analysis.markdown:
        text = analysis.fields["text"]
        yield " ".join((fit("text", NAME), fit(_size(text.value), value), *_sure(text)))
        yield ""
        yield from map(printable, analysis.markdown.splitlines())


def _sure(found: Field) -> tuple[str, str]:
    return fit(found.source, SOURCE), f"{found.probability:{LIKELY}.2f}"


def _size(text: str) -> str:
    return f"{len(text)} characters"


def _said(value: Any) -> str:
    """A value on one line; of pictures and crumbs what names them.

    >>> _said(("Ann Lee", "Bob"))
    'Ann Lee, Bob'
    """
    if not isinstance(value, tuple):
        return on_one_line(str(value))
    if hasattr(value[0], "name"):
        return on_one_line(" > ".join(each.name for each in value))
    return on_one_line(", ".join(str(getattr(each, "url", each)) for each in value))
