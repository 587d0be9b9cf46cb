"""Layout patterns: what learning gives, what the patterns table holds, what extraction applies."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from functools import cache, cached_property
from importlib import metadata
from operator import itemgetter
from typing import Any
from zlib import crc32

import pyarrow as pa
import pyarrow.parquet as pq

from crawler.storage.outfile import whole_file
from crawler.storage.records import TIMESTAMP, table_schema
from learner.kinds.kind import Kind
from learner.patterns.former import read_former
from learner.patterns.rules import Rules
from learner.patterns.self_check import SelfCheck
from learner.patterns.serializer import RulesError, from_json, to_json
from learner.site.model import SiteModel


class Role(StrEnum):
    """What a section of a layout is to a reader."""

    TITLE = "title"
    MAIN = "main"
    SUB = "sub"
    """Text that varies, but is neither title nor main text."""
    DATE = "date"
    """Where the date of publication stands."""
    AUTHOR = "author"
    """Where the author is named."""
    BOILERPLATE = "boilerplate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of a layout that the pages of a cluster share."""

    path: str
    """Path of its blocks."""
    role: Role
    diff_score: float
    """How much its text varies over the pages, 0 (static) to 1."""
    main_score: float
    """`diff_score` times the mean weight outside links."""
    support: float = 1.0
    """Share of the training pages that have it, 0 to 1."""
    sample: str = ""
    """The start of its text on one training page, to recognise it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One learned layout."""

    preset: str
    """Which set of choices learned it, and so how it matches: default or webstemmer."""
    kind: Kind
    score: float
    """PatternScore: `ln(pages) * sum of MainScore`."""
    n_pages: int
    """How many pages taught it; 0 if unknown."""
    sections: tuple[Section, ...]
    """In source order."""
    title: int | None = None
    """Index of the title's section; None if it has none."""
    main: int | None = None
    """Index of the main section, the one with the largest MainScore; None if unknown."""
    rules: Rules | None = None
    """What reads a page; None with the preset webstemmer, whose sections do."""
    params: str = "{}"
    """JSON object of the settings that matching needs again, with the preset webstemmer."""
    name: str = ""
    """Name for people: the URL of the first page that taught it."""
    example_urls: tuple[str, ...] = ()
    """URLs of the pages that taught it."""
    train_dates: tuple[date, ...] = ()
    """UTC dates of those pages; empty if unknown."""
    learned_at: datetime | None = None
    """When it was learned, aware UTC; None until a job stores it."""
    valid_from: datetime | None = None
    """From when on it applies; None: always did."""
    valid_until: datetime | None = None
    """Until when it applies; None: still does."""
    is_gone: bool = False
    """Whether no page had its layout any more when others replaced it: then it was right before."""
    parent_pattern_id: str | None = None
    """The pattern that it replaces; None if it replaces none."""
    code_version: str = ""
    """Version of the program that learned it."""
    check: SelfCheck | None = None
    """What learning found out of it itself; None for lists, and if it did not look."""

    @property
    def pattern_id(self) -> str:
        """16 hex digits of the SHA-256 of what the layout is: its preset, its kind, and where
        title, text, date and author stand.

        The same layout learned again has the same id, whatever else its pages or others of the
        site have told: texts that recur, scores, links.
        """
        parts = [self.preset, self.kind, self._places(), json.loads(self.params)]
        content = json.dumps(parts, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(content.encode("ascii")).hexdigest()[:16]

    def _places(self) -> list[Any]:
        if self.rules is None:
            return [self.title, self.main, *((each.path, each.role) for each in self.sections)]
        title, dates, authors = self.rules.title, self.rules.dates.places, self.rules.authors.places
        date = dates[0].locator if dates else None
        author = authors[0].locator if authors else None
        places = map(str, (title.place, self.rules.body.container, date, author))
        return [*places, title.opens_text]

    def param(self, name: str, default: Any = None) -> Any:
        """One of the settings in `params`."""
        return json.loads(self.params).get(name, default)


_SECTION_TYPE = pa.struct(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("role", pa.string(), nullable=False),
        pa.field("diff_score", pa.float64(), nullable=False),
        pa.field("main_score", pa.float64(), nullable=False),
        pa.field("support", pa.float64(), nullable=False),
        pa.field("sample", pa.string(), nullable=False),
    ]
)

_CHECK_TYPE = pa.struct(
    [
        pa.field("pages", pa.int32(), nullable=False),
        pa.field("are_left_out", pa.bool_(), nullable=False),
        pa.field("matched", pa.float64(), nullable=False),
        pa.field("kept", pa.float64()),
        pa.field("titled", pa.float64()),
        pa.field("as_articles", pa.float64()),
        pa.field("first_evidence", pa.float64(), nullable=False),
    ]
)

PATTERN_SCHEMA = table_schema(
    [
        pa.field("pattern_id", pa.string(), nullable=False),
        pa.field("preset", pa.string(), nullable=False),
        pa.field("learned_at", TIMESTAMP),
        pa.field("train_dates", pa.list_(pa.date32()), nullable=False),
        pa.field("n_pages", pa.int32(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("sections", pa.list_(_SECTION_TYPE), nullable=False),
        pa.field("title", pa.int32()),
        pa.field("main", pa.int32()),
        pa.field("valid_from", TIMESTAMP),
        pa.field("valid_until", TIMESTAMP),
        pa.field("is_gone", pa.bool_(), nullable=False),
        pa.field("parent_pattern_id", pa.string()),
        pa.field("params", pa.string(), nullable=False),
        pa.field("rules", pa.string()),
        pa.field("code_version", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("example_urls", pa.list_(pa.string()), nullable=False),
        pa.field("check", _CHECK_TYPE),
    ],
    table="patterns",
    sorted_by="pattern_id",
)


DEFAULT_PRESET = "default"
"""The preset whose patterns have rules."""

SITE_MODEL = b"webstem.site_model"
"""Where the metadata of the patterns table holds what the site as a whole told, as JSON."""


class PatternFileError(ValueError):
    """A file or table that holds no patterns."""


@dataclass(frozen=True, init=False)
class PatternSet:
    """The patterns of one site, best score first, then by id, whatever order they came in; and what
    the site as a whole told when they were learned."""

    patterns: tuple[Pattern, ...]
    site: SiteModel
    _hash: int = field(init=False, repr=False, compare=False)

    def __init__(self, patterns: Iterable[Pattern] = (), site: SiteModel | None = None) -> None:
        identified = [(-each.score, each.pattern_id, each) for each in patterns]
        identified.sort(key=itemgetter(0, 1))
        object.__setattr__(self, "patterns", tuple(each for _, _, each in identified))
        object.__setattr__(self, "site", site or SiteModel())
        # Worked out once, and from the ids, which are the same in every process.
        ids = "".join(identifier for _, identifier, _ in identified)
        object.__setattr__(self, "_hash", crc32(ids.encode()))

    def __hash__(self) -> int:
        return self._hash

    def __iter__(self) -> Iterator[Pattern]:
        return iter(self.patterns)

    def __len__(self) -> int:
        return len(self.patterns)

    @cached_property
    def articles(self) -> tuple[Pattern, ...]:
        """Those of articles that have rules."""
        return tuple(each for each in self if each.kind is Kind.ARTICLE and each.rules)

    def with_patterns(self, patterns: Iterable[Pattern]) -> PatternSet:
        """Other patterns of the same site."""
        return PatternSet(patterns, self.site)

    def to_table(self) -> pa.Table:
        """The patterns as rows of the patterns table; what the site told stands in its metadata."""
        table = pa.Table.from_pylist([_to_row(pattern) for pattern in self], schema=PATTERN_SCHEMA)
        told = {SITE_MODEL: to_json(self.site).encode()}
        return table.replace_schema_metadata({**table.schema.metadata, **told})

    @classmethod
    def from_table(cls, table: pa.Table) -> PatternSet:
        """The patterns of such rows. A column that the rows lack has its default."""
        missing = {"preset", "kind", "sections", "score"} - set(table.column_names)
        if missing:
            raise PatternFileError(
                f"no patterns table: expected the columns {sorted(missing)} too, "
                f"got {table.column_names!r}"
            )
        try:
            if "rules" not in table.column_names:
                return cls(*read_former(table.to_pylist(), _from_row))
            told = (table.schema.metadata or {}).get(SITE_MODEL)
            site = from_json(told.decode(), SiteModel) if told else None
            return cls(map(_from_row, table.to_pylist()), site)
        except RulesError as problem:
            raise PatternFileError(str(problem)) from problem


def _to_row(pattern: Pattern) -> dict[str, Any]:
    row: dict[str, Any] = {each.name: getattr(pattern, each.name) for each in fields(pattern)}
    row["sections"] = [
        {each.name: getattr(section, each.name) for each in fields(section)}
        for section in pattern.sections
    ]
    row["rules"] = to_json(pattern.rules) if pattern.rules else None
    row["check"] = asdict(pattern.check) if pattern.check else None
    return {"pattern_id": pattern.pattern_id, **row}


def _from_row(row: dict[str, Any]) -> Pattern:
    known = {each.name for each in fields(Pattern)}
    values = {name: value for name, value in row.items() if name in known}
    values["kind"] = Kind(row["kind"])
    values["sections"] = tuple(_section(section) for section in row["sections"])
    for name in ("train_dates", "example_urls"):
        values[name] = tuple(row.get(name) or ())
    if isinstance(values.get("rules"), str):
        values["rules"] = from_json(values["rules"], Rules)
    if values.get("check"):
        values["check"] = SelfCheck(**values["check"])
    return Pattern(**{"n_pages": 0, **values})


def _section(row: dict[str, Any]) -> Section:
    known = {each.name for each in fields(Section)}
    values = {name: value for name, value in row.items() if name in known}
    return Section(**{**values, "role": Role(row["role"])})


def save_patterns(patterns: PatternSet, path: str | os.PathLike[str]) -> None:
    """Write the patterns as one Parquet file: hidden first, renamed when complete."""
    with whole_file(path) as hidden, hidden.open("wb") as file:
        pq.write_table(patterns.to_table(), file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())


def load_patterns(path: str | os.PathLike[str]) -> PatternSet:
    """Read what `save_patterns` or `scrapy learn` wrote."""
    try:
        return PatternSet.from_table(pq.read_table(path, partitioning=None))
    except (pa.ArrowInvalid, PatternFileError) as error:
        raise PatternFileError(f"{os.fspath(path)}: {error}") from error


@cache
def code_version() -> str:
    """Version of the installed program; `0+unknown` when it runs from a bare folder."""
    try:
        return metadata.version("webstem")
    except metadata.PackageNotFoundError:
        return "0+unknown"
