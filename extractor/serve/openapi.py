"""The description of all operations, in OpenAPI 3.1: made of what the operations declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from extractor.serve.operations import Operation
from extractor.serve.requests import problems
from extractor.serve.requests.bodies import HTML
from extractor.serve.requests.parameters import Parameter

OF_ALL = (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.MISDIRECTED_REQUEST)
"""What can go wrong with each operation: a wrong parameter; a page of another site that asks; a
host name that is not the server's."""

OF_WORK = (
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""... with each that takes a place of the service."""

SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "basic": {
        "type": "http",
        "scheme": "basic",
        "description": "The token as password, with any name: for browsers.",
    },
}


def describe(operations: Sequence[Operation], needs_token: bool) -> dict[str, Any]:
    """The whole description."""
    schemas: dict[str, Any] = {
        "Problem": problems.SCHEMA,
        "DiffbotProblem": problems.DIFFBOT_SCHEMA,
    }
    paths: dict[str, Any] = {}
    for each in operations:
        told = paths.setdefault(each.path, {})
        told[each.method.lower()] = _operation(each, schemas, needs_token)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Webstem",
            "version": version("webstem"),
            "description": "What pages say, stored articles, and how sites are.",
        },
        "paths": paths,
        "components": {"schemas": schemas} | ({"securitySchemes": SECURITY} if needs_token else {}),
    }


def _operation(each: Operation, schemas: dict[str, Any], needs_token: bool) -> dict[str, Any]:
    name = each.method.lower() + each.path.title().replace("/", "").replace(".", "")
    statuses = {*OF_ALL, *each.problems, *(OF_WORK if each.is_work else ())}
    is_open = each.path == "/health"
    if needs_token and not is_open:
        statuses.add(HTTPStatus.UNAUTHORIZED)
    told: dict[str, Any] = {
        "operationId": name,
        "summary": each.summary,
        "parameters": [_parameter(one) for one in each.parameters],
        "responses": {
            "200": {
                "description": "The answer.",
                "content": _json(_with_parts(name, each.answer, schemas)),
            },
            **{str(int(one)): _problem(one, each.path) for one in sorted(statuses)},
        },
    }
    if needs_token and not is_open:
        told["security"] = [{scheme: []} for scheme in SECURITY]
    if each.takes_html:
        html = {"schema": {"type": "string", "minLength": 1}}
        told["requestBody"] = {
            "required": True,
            "content": {HTML: html},
        }
    return told


def _parameter(each: Parameter) -> dict[str, Any]:
    return {
        "name": each.name,
        "in": "query",
        "description": each.meaning,
        "required": each.is_required,
        "schema": dict(each.schema),
    }


def _problem(status: HTTPStatus, path: str) -> dict[str, Any]:
    name = "DiffbotProblem" if path.startswith("/v3/") else "Problem"
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {
        "description": status.phrase,
        "content": {problems.MEDIA_TYPE: {"schema": schema}},
    }


def _json(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _with_parts(name: str, answer: Mapping[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """A schema whose parts stand among those of the description, under names of its own."""
    parts = answer.get("$defs", {})
    names = {f"#/$defs/{part}": f"#/components/schemas/{name}.{part}" for part in parts}
    for part, schema in parts.items():
        schemas[f"{name}.{part}"] = _renamed(schema, names)
    whole = {key: value for key, value in answer.items() if key != "$defs"}
    renamed: dict[str, Any] = _renamed(whole, names)
    return renamed


def _renamed(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, Mapping):
        return {
            key: names[value] if key == "$ref" else _renamed(value, names)
            for key, value in schema.items()
        }
    return [_renamed(each, names) for each in schema] if isinstance(schema, list) else schema
