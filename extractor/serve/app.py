"""The application: which path is answered by what."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from itertools import groupby
from operator import attrgetter

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crawler.config.sites import Config
from extractor.serve.analyses import ANALYZE_ADDRESS, ANALYZE_HTML, analysis_of
from extractor.serve.articles import ARTICLES
from extractor.serve.diffbot import DIFFBOT
from extractor.serve.health import HEALTH, SITES
from extractor.serve.openapi import describe
from extractor.serve.operations import Call, Operation, to_json
from extractor.serve.page.home import page_routes
from extractor.serve.requests.bodies import HTML, charset_of, read_body
from extractor.serve.requests.guards import Guard
from extractor.serve.requests.parameters import read_query
from extractor.serve.requests.problems import Problem, answer_problem
from extractor.serve.service import Limits, Service
from extractor.serve.sites import Sites
from extractor.serve.sources import Source
from extractor.serve.workers import Workers
from learner.page.pages import Page


def create_app(
    read_config: Callable[[], Config],
    limits: Limits | None = None,
    token: str | None = None,
    hosts: Collection[str] | None = None,
) -> Starlette:
    """The application. `read_config` gives the project, again and again; `token` must come with
    each request, if there is one; `hosts` are the names under which it may be asked, None for all.
    """
    limits = limits or Limits()
    workers = Workers(limits.workers, limits.page_seconds, limits.memory_bytes)
    service = Service(limits, Sites(read_config, workers), workers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await workers.begin(_warm_up)
        yield

    return Starlette(
        routes=[*_operation_routes(service, token is not None), *page_routes(service)],
        middleware=[Middleware(Guard, token=token, hosts=hosts)],
        exception_handlers=dict.fromkeys((Problem, HTTPException, Exception), answer_problem),
        lifespan=lifespan,
    )


def _warm_up() -> None:
    """Load in a process what pages are read with."""
    analysis_of(Source(page=Page(url="", html=b"<p>a")))


def _operation_routes(service: Service, needs_token: bool) -> list[Route]:
    """A route for each path; those of one path follow each other."""
    operations = (HEALTH, ANALYZE_ADDRESS, ANALYZE_HTML, ARTICLES, SITES, *DIFFBOT)
    description = to_json(describe(operations, needs_token))

    async def described(_: Request) -> Response:
        return Response(description, media_type="application/json")

    routes = [Route("/openapi.json", described)]
    for path, same in groupby(operations, attrgetter("path")):
        by_method = {each.method: each for each in same}
        routes.append(Route(path, _endpoint(service, by_method), methods=list(by_method)))
    return routes


Endpoint = Callable[[Request], Awaitable[Response]]


def _endpoint(service: Service, by_method: Mapping[str, Operation]) -> Endpoint:
    """Answers requests at one path."""

    async def answered(request: Request) -> Response:
        operation = by_method.get(request.method) or by_method["GET"]  # HEAD is asked as GET
        values = read_query(request.query_params.multi_items(), operation.parameters)
        if not operation.is_work:
            body = await operation.do(Call(service=service, values=values))
        else:
            async with service.place():
                html = b""
                if operation.takes_html:
                    html = await read_body(request, service.limits, HTML)
                charset = charset_of(request)
                call = Call(service=service, values=values, html=html, charset=charset)
                body = await operation.do(call)
        return Response(body, media_type="application/json")

    return answered
