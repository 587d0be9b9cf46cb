"""How the help of commands looks: as wide as the terminal, and by the name that was started."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import fill

from scrapy.commands import ScrapyHelpFormatter

WEBSTEM, SCRAPY = "webstem", "scrapy"

_COMMAND = re.compile(rf"(?<![\w/.])(?:{WEBSTEM}|{SCRAPY})(?= [a-z])")
_INDENT = "  "

EXIT_CODES = """\
  0  done
  1  not ended, see the log
  2  wrong arguments
  3  wrong pipelines.yaml or no such site
  4  another run works on the site
  5  nothing to work on
  6  a site is ill
"""


def program() -> str:
    """The name of what was started."""
    return WEBSTEM if Path(sys.argv[0]).name == WEBSTEM else SCRAPY


def in_our_name(text: str) -> str:
    """A text whose commands begin as this one was started."""
    return _COMMAND.sub(program(), text)


def shown_below(examples: str) -> str:
    """What stands below the options: examples, a row each, and the exit codes."""
    parts = {"Examples": examples, "Exit Codes": EXIT_CODES}
    return "\n".join(f"{title}\n{'=' * len(title)}\n{rows}" for title, rows in parts.items())


class HelpFormatter(ScrapyHelpFormatter):
    """Scrapy's layout of help, with rows of two columns where a text has indented lines."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """The first lines, by the name that was started."""
        if usage:
            width = self._width - len(_INDENT)
            usage = _filled(in_our_name(usage), width, later=_INDENT * 3)
        super().add_usage(usage, actions, groups, prefix)

    def add_text(self, text: str | None) -> None:
        """A paragraph, or what stands below the options."""
        super().add_text(text and in_our_name(text))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and in_our_name(action.help)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        for are_rows, found in groupby(text.splitlines(), lambda line: line.startswith(_INDENT)):
            if are_rows:
                lines += _rows([*map(_columns, found)], width)
            else:
                lines += (_filled(line, width, first=indent, later=indent) for line in found)
        return "\n".join(lines)


def _columns(line: str) -> tuple[str, str]:
    """A row's two columns; the second may be empty."""
    first, _, second = line.strip().partition(_INDENT)
    return first, second.strip()


def _rows(rows: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """The rows as lines, side by side where all have room.

    >>> [*_rows([("add URL", "a new site"), ("night", "")], 30)]
    ['  add URL  a new site', '  night']
    >>> [*_rows([("add URL", "a new site"), ("night", "")], 20)]
    ['  add URL', '      a new site', '  night']
    """
    column = max((len(first) for first, second in rows if second), default=0) + 2
    has_room = all(2 + column + len(second) <= width for _, second in rows if second)
    for first, second in rows:
        if has_room:
            yield f"{_INDENT}{first:{column}}{second}".rstrip()
        else:
            yield f"{_INDENT}{first}"
            if second:
                yield _filled(second, width, first=_INDENT * 3, later=_INDENT * 3)


def _filled(text: str, width: int, first: str = "", later: str = "") -> str:
    """A paragraph of so many columns; options and addresses stay whole."""
    return fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
        break_long_words=False,
    )
