"""What stands behind the `?` of an address: declared once, read and described by that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any

from crawler.reading.urls import MAX_URL_LENGTH
from extractor.serve.requests.problems import Problem

CLOSE = 0.6
"""Similarity from which on a name is taken for another. Origin: difflib's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One of them."""

    name: str
    meaning: str
    schema: Mapping[str, Any]
    """As JSON Schema: an `integer` with `minimum` and `maximum`, or a `string` with `maxLength` and
    a `pattern` for the whole, without classes such as white space, of which JavaScript thinks
    otherwise than Python; one of the format `date` is read as such."""
    is_required: bool = False
    default: Any = None

    def read(self, text: str) -> Any:
        """The value that a text stands for; ValueError if it fits not the schema."""
        if self.schema["type"] == "integer":
            return self._integer(text)
        if len(text) > self.schema["maxLength"] or not re.fullmatch(self.schema["pattern"], text):
            raise ValueError(text)
        return date.fromisoformat(text) if self.schema.get("format") == "date" else text

    def checked(self, text: str) -> Any:
        """The value that a text stands for; Problem (400) if it is none."""
        try:
            return self.read(text)
        except ValueError:
            raise _wrong(f"{self.name}: expected {self.expected}, got {text[:80]!r}") from None

    def _integer(self, text: str) -> int:
        number = int(text) if re.fullmatch("[0-9]{1,9}", text) else -1
        if not self.schema["minimum"] <= number <= self.schema["maximum"]:
            raise ValueError(text)
        return number

    @property
    def expected(self) -> str:
        """What it takes, in words."""
        if self.schema["type"] == "integer":
            return f"a number from {self.schema['minimum']} to {self.schema['maximum']}"
        return self.meaning


URL = Parameter(
    name="url",
    meaning="the address of a page, http or https",
    schema={
        "type": "string",
        "pattern": r"^[hH][tT][tT][pP][sS]?://[^\x00-\x20/?#@\[\]\\]{1,260}([/?#][^\x00-\x20]*)?$",
        "maxLength": MAX_URL_LENGTH,
    },
    is_required=True,
)

DAY: dict[str, Any] = {
    "type": "string",
    "format": "date",
    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    "maxLength": 10,
}
"""The schema of a day."""


def read_query(items: Iterable[tuple[str, str]], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The value of each parameter, those that are missing with their defaults; Problem (400) that
    tells what is meant of one that is unknown, wrong, twice there or missing."""
    known = {each.name: each for each in parameters}
    values: dict[str, Any] = {}
    for name, text in items:
        if name not in known:
            raise _wrong(_unknown(name, list(known)))
        if name in values:
            raise _wrong(f"{name}: expected once, got it twice")
        values[name] = known[name].checked(text)
    missing = next((n for n, each in known.items() if each.is_required and n not in values), None)
    if missing:
        raise _wrong(f"{missing}: expected {known[missing].expected}, got nothing")
    return {name: each.default for name, each in known.items()} | values


def _unknown(name: str, known: Sequence[str]) -> str:
    close = get_close_matches(name, known, n=1, cutoff=CLOSE)
    if close:
        return f"unknown parameter {name[:80]!r}; did you mean {close[0]!r}?"
    expected = f"expected {', '.join(known)}" if known else "expected none"
    return f"unknown parameter {name[:80]!r}; {expected}"


def _wrong(detail: str) -> Problem:
    return Problem(HTTPStatus.BAD_REQUEST, detail)
