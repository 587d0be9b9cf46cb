"""One thing that can be asked for: what it takes and gives, and how it is done."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from crawler.storage.records import json_value
from extractor.serve.requests.parameters import Parameter
from extractor.serve.service import Service


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request for it."""

    service: Service
    values: Mapping[str, Any]
    """Of its parameters."""
    html: bytes = b""
    """What was sent, where HTML is taken."""
    charset: str | None = None
    """Its encoding, if the request names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What is answered at one path to one method."""

    path: str
    method: str = "GET"
    summary: str
    parameters: tuple[Parameter, ...] = ()
    takes_html: bool = False
    is_work: bool = True
    """Whether it takes one of the places of the service."""
    answer: Mapping[str, Any] = field(repr=False)
    """The JSON Schema of what is answered, which may have `$defs`."""
    problems: tuple[HTTPStatus, ...] = ()
    """Statuses of what can go wrong beside what can with every operation."""
    do: Callable[[Call], Awaitable[bytes]]
    """Gives the answer as JSON; Problem if there is none."""


def to_json(value: Any) -> bytes:
    """A value as JSON, days and moments in ISO 8601; halves of characters, which hostile pages have
    and UTF-8 has not, as `?`."""
    text = json.dumps(value, ensure_ascii=False, default=json_value)
    return text.encode("utf-8", "replace")
