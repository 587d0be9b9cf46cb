"""What is wrong with a request, as the answer tells it (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"

_TOLD: dict[str, Any] = {
    "title": {"type": "string", "description": "What kind of problem it is."},
    "status": {"type": "integer", "description": "The status of the answer."},
    "detail": {"type": "string", "description": "What was expected, and what was got."},
}
_TOLD_TWICE: dict[str, Any] = {"errorCode": {"type": "integer"}, "error": {"type": "string"}}

SCHEMA = {"type": "object", "required": [*_TOLD], "properties": _TOLD}
"""The body of every answer that is an error."""

DIFFBOT_SCHEMA = {
    "type": "object",
    "required": [*_TOLD, *_TOLD_TWICE],
    "properties": {**_TOLD, **_TOLD_TWICE},
}
"""... below `/v3/`, where clients of Diffbot look for the last two."""

UNKNOWN_FAULT = "a fault of the server's; its own output tells more"


class Problem(Exception):
    """A request that gets no answer but this."""

    def __init__(
        self, status: HTTPStatus, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}


def problem_response(path: str, problem: Problem) -> Response:
    """The answer that tells a problem with what was asked for at a path."""
    status, detail = problem.status, problem.detail
    told: dict[str, Any] = {"title": status.phrase, "status": status, "detail": detail}
    if path.startswith("/v3/"):
        told |= {"errorCode": status, "error": detail}
    return Response(json.dumps(told), status, problem.headers, MEDIA_TYPE)


def answer_problem(request: Request, problem: Exception) -> Response:
    """The answer to a request that met a problem, or a fault of the server's."""
    if isinstance(problem, HTTPException):
        problem = Problem(HTTPStatus(problem.status_code), _told(request, problem), problem.headers)
    if not isinstance(problem, Problem):
        problem = Problem(HTTPStatus.INTERNAL_SERVER_ERROR, UNKNOWN_FAULT)
    return problem_response(request.url.path, problem)


def _told(request: Request, problem: HTTPException) -> str:
    """What the framework says of a path or a method that is not there, with what is."""
    allowed = (problem.headers or {}).get("Allow")
    if allowed:
        return f"expected one of {allowed} at {request.url.path}, got {request.method}"
    return f"nothing is at {request.url.path}; /openapi.json tells what is there"
