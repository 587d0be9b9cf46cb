"""`/v1/articles`: the stored articles of a site, page by page."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from datetime import date
from http import HTTPStatus
from itertools import islice
from typing import Any

import pyarrow as pa

from crawler.storage.partitions import Storage
from extractor.records.articles import ARTICLE_SCHEMA
from extractor.serve.operations import Call, Operation, to_json
from extractor.serve.requests.parameters import DAY, Parameter

MOST_ARTICLES = 100
"""Of an answer. Origin: guess, a megabyte of usual articles."""

MOST_LETTERS = 8 * 2**20
"""Characters of an answer, after which it ends early. Origin: guess; articles of a hostile site are
as long as its pages may be."""

AT_ONCE = 10
"""Articles that are read before their letters are counted. Origin: guess."""

KEY_LETTERS = 4000
"""Characters of a `url_key` at most: no crawl follows an address that is longer by then, percent
signs counted. Origin: twice the longest address."""

Place = tuple[str, str]
"""The day on which an article was first seen, and its `url_key`: articles come in this order."""

PARAMETERS = (
    Parameter(
        name="site",
        meaning="the name of a site of pipelines.yaml",
        schema={
            "type": "string",
            "pattern": r"^[a-z0-9_-]+(\.[a-z0-9_-]+)*$",
            "maxLength": 255,
        },
        is_required=True,
    ),
    Parameter(
        name="since",
        meaning="the UTC day from which on articles were first seen, such as 2026-11-20",
        schema=DAY,
        default=date.min,
    ),
    Parameter(
        name="limit",
        meaning="how many articles to answer with at most",
        schema={"type": "integer", "minimum": 1, "maximum": MOST_ARTICLES, "default": 20},
        default=20,
    ),
    Parameter(
        name="cursor",
        meaning="what the answer before gave as `next`",
        schema={
            "type": "string",
            "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [^\x00-\x20][^\x00-\x1f]*$",
            "maxLength": KEY_LETTERS,
        },
    ),
)


def read_articles(
    storage: str, site: str, since: date, cursor: str | None, limit: int
) -> dict[str, Any]:
    """The articles of a site that come after a place, each in its newest text, and the place at
    which the next answer goes on, None after the last."""
    tables = Storage(storage)
    day, _, key = (cursor or "").partition(" ")
    after = (day, key)
    places = list(islice(_places(tables, site, since, after, limit), limit + 1))
    shown: list[dict[str, Any]] = []
    letters = 0
    for start in range(0, min(limit, len(places)), AT_ONCE):
        shown += _rows(tables, site, places[start : min(start + AT_ONCE, limit)])
        letters = sum(_letters(row) for row in shown)
        if letters > MOST_LETTERS:
            break
    is_last = len(shown) == len(places)
    return {"articles": shown, "next": None if is_last else " ".join(places[len(shown) - 1])}


def _places(tables: Storage, site: str, since: date, after: Place, limit: int) -> Iterator[Place]:
    """Where articles are after a place: of each day one more than fit an answer."""
    for day in tables.dates("articles", site):
        name = day.isoformat()
        if day < since or name < after[0]:
            continue
        batches = tables.read("articles", site, day, day, ("url_key",))
        keys = (key for batch in batches for key in batch["url_key"].to_pylist())
        later = (key for key in keys if (name, key) > after)
        for key in heapq.nsmallest(limit + 1, later):
            yield name, key


def _rows(tables: Storage, site: str, places: Sequence[Place]) -> list[dict[str, Any]]:
    """The articles at some places, in their order."""
    found: dict[Place, dict[str, Any]] = {}
    for name in sorted({name for name, _ in places}):
        day = date.fromisoformat(name)
        keys = [key for other, key in places if other == name]
        wanted = [("url_key", "in", keys)]
        for batch in tables.read("articles", site, day, day, ARTICLE_SCHEMA.names, wanted):
            for row in batch.to_pylist():
                found[name, row["url_key"]] = row
    return [found[place] for place in places]


def _letters(row: dict[str, Any]) -> int:
    return sum(len(value) for value in row.values() if isinstance(value, str))


def _json_schema(kind: pa.DataType) -> dict[str, Any]:
    """What JSON has for the values of a column that are there."""
    if pa.types.is_struct(kind):
        parts = {each.name: _nullable(each) for each in kind}
        return {"type": "object", "properties": parts, "required": list(parts)}
    if pa.types.is_list(kind):
        return {"type": "array", "items": _json_schema(kind.value_type)}
    if pa.types.is_timestamp(kind):
        return {"type": "string", "format": "date-time"}
    if pa.types.is_date(kind):
        return {"type": "string", "format": "date"}
    if pa.types.is_integer(kind):
        return {"type": "integer"}
    return {"type": "number" if pa.types.is_floating(kind) else "string"}


def _nullable(column: pa.Field) -> dict[str, Any]:
    schema = _json_schema(column.type)
    return {**schema, "type": [schema["type"], "null"]} if column.nullable else schema


def _articles_json(storage: str, site: str, since: date, cursor: str | None, limit: int) -> bytes:
    return to_json(read_articles(storage, site, since, cursor, limit))


async def _articles(call: Call) -> bytes:
    config, site = await call.service.sites.of_name(call.values["site"])
    since, cursor, limit = (call.values[name] for name in ("since", "cursor", "limit"))
    return await call.service.workers.run(
        _articles_json, config.storage, site.name, since, cursor, limit
    )


ARTICLES = Operation(
    path="/v1/articles",
    summary="The articles of a site, each in its newest text, by the day on which they were first "
    "seen and their address.",
    parameters=PARAMETERS,
    answer={
        "type": "object",
        "required": ["articles", "next"],
        "properties": {
            "articles": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ARTICLE_SCHEMA.names,
                    "properties": {each.name: _nullable(each) for each in ARTICLE_SCHEMA},
                },
            },
            "next": {
                "type": ["string", "null"],
                "description": "The `cursor` of the next answer; null if this is the last.",
            },
        },
    },
    problems=(HTTPStatus.NOT_FOUND,),
    do=_articles,
)
