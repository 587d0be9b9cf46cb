r"""Webstemmer's pattern files (`.pat`): one Python tuple a line, `#` comments, `!mangle_pat=`.

Two forms of the tuple were in use, `(score, name, title, sections)` and, with the number of the
main section, `(score, name, title, main, sections)`; a section is `(diff_score, main_score, path)`
or, older, `(diff_score, path)`. -1 says that there is no such section. Lines are read with
`ast.literal_eval`: nothing in such a file is ever evaluated.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, TextIO
from urllib.parse import quote

from crawler.config.stages import ExtractConfig
from crawler.exchange.archives import entry_name, entry_url
from learner.patterns.pattern import Pattern, PatternSet, Section
from learner.webstemmer.preset import PRESET, pattern_kind, section_role

MAX_LINE_BYTES = 4 * 2**20
"""Longest line that is read. A pattern of 1,000 sections takes about 100 KB. Origin: guess."""

MAX_FILE_BYTES = 64 * 2**20
"""Largest file that is read. Origin: guess."""

FORMAT_VERSION = "0.6.1"
"""What Webstemmer 0.7.1 writes as the version of its files."""

_MANGLE = "!mangle_pat="
_EXAMPLE = re.compile(r"#\s+(\S+/\S+)")
_SHAPE = "(score, name, title[, main], [(diff[, main], path), ...])"


class PatFileError(ValueError):
    """A line that is no pattern: says where, what was expected and what was got."""

    def __init__(self, source: str, line: int, expected: str, got: str) -> None:
        self.source = source
        self.line = line
        super().__init__(f"{source}:{line}: expected {expected}, got {got}")


@dataclass(frozen=True, slots=True)
class _Line:
    """One tuple with the comments above it."""

    value: Any
    text: str
    number: int
    examples: tuple[str, ...]


def read_pat(file: BinaryIO, source: str = "patterns") -> PatternSet:
    """The patterns of a `.pat` file, which match as the preset `webstemmer` does.

    `source` names the file in errors. Raises `PatFileError`.
    """
    mangle = ""
    examples: list[str] = []
    lines = []
    for number, text in _lines(file, source):
        example = _EXAMPLE.fullmatch(text)
        if example:
            examples.append(example[1])
        elif text.startswith(_MANGLE):
            # One for the whole file, the last one given, as in the original.
            mangle = _mangle(text.removeprefix(_MANGLE), source, number)
        elif text.strip() and not text.startswith("#"):
            text = text.strip()
            value = _literal(text, source, number)
            lines.append(_Line(value, text, number, tuple(examples)))
            examples = []
    return PatternSet(_pattern(line, mangle, source) for line in lines)


def _lines(file: BinaryIO, source: str) -> Iterator[tuple[int, str]]:
    """Numbered lines; a too long one is refused before it is held in memory."""
    size = number = 0
    while raw := file.readline(MAX_LINE_BYTES + 1):
        number, size = number + 1, size + len(raw)
        if len(raw) > MAX_LINE_BYTES or size > MAX_FILE_BYTES:
            limits = f"lines of {MAX_LINE_BYTES:,} bytes, {MAX_FILE_BYTES:,} in all, at most"
            raise PatFileError(source, number, limits, f"more: {raw[:40]!r}... is no pattern file")
        yield number, raw.decode("utf-8", "replace").rstrip("\r\n")


def _literal(text: str, source: str, line: int) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise PatFileError(source, line, _SHAPE, f"{text[:80]!r}") from None


def _mangle(text: str, source: str, number: int) -> str:
    try:
        return re.compile(_text(_literal(text.strip(), source, number))).pattern
    except (re.error, TypeError) as error:
        raise PatFileError(source, number, "a regex, quoted", f"{text!r} ({error})") from None


def _pattern(line: _Line, mangle: str, source: str) -> Pattern:
    try:
        score, name, title, *main, rows = line.value
        (main_section,) = main or (-1,)
        title_section = _index(title, len(rows))
        urls = tuple(entry_url(example) for example in line.examples)
        sections = _sections(rows, title_section, _number(score), main_section)
        return Pattern(
            preset=PRESET,
            kind=pattern_kind(title_section, sections),
            score=_number(score),
            n_pages=len(urls),
            sections=sections,
            title=title_section,
            main=_main(_index(main_section, len(rows)), sections),
            params=json.dumps({"mangle": mangle} if mangle else {}),
            name=_text(name),
            example_urls=urls,
        )
    except (TypeError, ValueError, OverflowError) as error:
        # As it stands in the file: a number of 5,000 digits cannot be printed.
        got = f"{line.text[:80]!r} ({str(error)[:80]})"
        raise PatFileError(source, line.number, _SHAPE, got) from None


def _sections(rows: Any, title: int | None, score: float, main: int) -> tuple[Section, ...]:
    """The sections of one line.

    Sections without a MainScore say only by the main section's number what is main text: that one
    gets the pattern's whole score. Where there is no number either, all varying ones get it.
    """
    sections = []
    for i, (diff, *scores, path) in enumerate(rows):
        (main_score,) = scores or ((score if main in (i, -1) else 0.0),)
        role = section_role(i, title, _number(diff), _number(main_score), ExtractConfig())
        sections.append(
            Section(
                path=_text(path),
                role=role,
                diff_score=float(diff),
                main_score=float(main_score),
            )
        )
    return tuple(sections)


def _main(named: int | None, sections: Sequence[Section]) -> int | None:
    """The main section: the named one, else the one with the largest MainScore."""
    if named is not None or not sections:
        return named
    scores = [section.main_score for section in sections]
    return scores.index(max(scores))


def _index(value: Any, size: int) -> int | None:
    """A section number; None for the original's -1."""
    if not isinstance(value, int) or isinstance(value, bool) or not -1 <= value < size:
        raise ValueError(f"no section has the number {value!r}")
    return None if value == -1 else value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


class PatExportError(ValueError):
    """Patterns that the format cannot hold."""


def write_pat(
    patterns: PatternSet, file: TextIO, timestamp: str, comments: Mapping[str, object] | None = None
) -> None:
    """Write patterns of the preset `webstemmer` as the original does, readable by it.

    `timestamp` (`YYYYMMDDHHMM`) goes before the names of pages, as in its archives; `comments` are
    the settings and sources that its header tells. Raises `PatExportError`.
    """
    mangle = _common_mangle(patterns)
    file.write(f"### version={FORMAT_VERSION}\n")
    for name, value in (comments or {}).items():
        file.write(f"### {name}={value!r}\n")
    if mangle:
        file.write(f"{_MANGLE}{mangle!a}\n")
    for pattern in patterns:
        name = _page_name(pattern.name, timestamp)
        file.write(f"\n# {pattern.score} <{name}>\n")
        for url in pattern.example_urls:
            file.write(f"#\t {_page_name(url, timestamp)}\n")
        title = -1 if pattern.title is None else pattern.title
        rows = [(s.diff_score, s.main_score, s.path) for s in pattern.sections]
        file.write(f"{(pattern.score, name, title, rows)!a}\n")


def _common_mangle(patterns: PatternSet) -> str:
    presets = {pattern.preset for pattern in patterns}
    if presets - {PRESET}:
        raise PatExportError(
            f"expected patterns of the preset {PRESET!r}, got {sorted(presets)}: "
            f"a .pat file holds no others; learn with `--preset {PRESET}`"
        )
    mangles = {pattern.param("mangle", "") for pattern in patterns}
    if len(mangles) > 1:
        raise PatExportError(f"expected one mangle regex for all patterns, got {sorted(mangles)}")
    return next(iter(mangles), "")


def _page_name(url: str, timestamp: str) -> str:
    """The name of a page in comments and as a pattern's name: one line of visible ASCII."""
    name = entry_name(url, timestamp) if "://" in url else url
    return quote(name, safe="/:?#[]@!$&'()*+,;=%-._~")
