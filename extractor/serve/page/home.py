"""`/`: a page's blocks beside its record, and the sites. Made on the server, whole without
scripts."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

from anyio import to_thread
from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crawler.storage.partitions import Storage
from extractor.report.html import site_page, templates
from extractor.report.overview import Overview
from extractor.report.table import summary
from extractor.serve.analyses import WHERE
from extractor.serve.page.blocks import ShownPage, shown_page
from extractor.serve.requests.bodies import read_body
from extractor.serve.requests.parameters import read_query
from extractor.serve.requests.problems import Problem
from extractor.serve.service import Service
from extractor.serve.sources import fetched_source, given_source
from learner.page.pages import Page

MOST_SITES = 500
"""Sites that are listed, the worst first. Origin: guess."""

FORM = "application/x-www-form-urlencoded"
"""The type of a form that was sent."""

STATIC = {
    "style.css": ("extractor.report", "templates", "text/css"),
    "page.css": ("extractor.serve.page", "static", "text/css"),
    "filter.js": ("extractor.report", "templates", "text/javascript"),
}
"""Files that pages need: the package and folder where each stands, and its type."""


def page_routes(service: Service) -> list[Route]:
    """The routes of all pages for people."""
    pages = _Pages(service)
    return [
        Route("/", pages.home, methods=["GET", "POST"]),
        Route("/sites/{name}.html", pages.site),
        Route("/static/{name}", _static),
    ]


class _Pages:
    """Answers with HTML."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def home(self, request: Request) -> Response:
        """The forms, what became of the page that was asked about, and the sites."""
        problem, shown = None, None
        try:
            async with self._service.place():
                shown = await self._asked(request)
        except Problem as told:
            problem = told
        sites, sites_problem = await self._sites()
        template = _templates().get_template("home.html")
        text = template.render(
            url=request.query_params.get("url", shown.url if shown else ""),
            shown=shown,
            problem=problem.detail if problem else None,
            sites=sites[:MOST_SITES],
            n_sites=len(sites),
            sites_problem=sites_problem,
            summary=summary(sites),
        )
        status, headers = (problem.status, problem.headers) if problem else (HTTPStatus.OK, None)
        return _html(text, status, headers)

    async def _asked(self, request: Request) -> ShownPage | None:
        """The page at the address that is asked for, or that of HTML that was pasted; None if
        neither is there."""
        if request.method == "POST":
            body = await read_body(request, self._service.limits, FORM)
            source = await given_source(self._service, await to_thread.run_sync(_page_of, body))
        else:
            url = read_query(request.query_params.multi_items(), (WHERE,))["url"]
            if url is None:
                return None
            source = await fetched_source(self._service, url)
        return await self._service.workers.run(shown_page, source)

    async def _sites(self) -> tuple[list[Overview], str | None]:
        """How all sites are; or why that is not known."""
        try:
            async with self._service.place():
                return await self._service.sites.overviews(), None
        except Problem as told:
            return [], told.detail

    async def site(self, request: Request) -> Response:
        """The report of one site."""
        async with self._service.place():
            config, site = await self._service.sites.of_name(request.path_params["name"])
            shown = await self._service.sites.overview(site.name)
            text = await self._service.workers.run(_site_page, config.storage, shown)
        return _html(text, HTTPStatus.OK, None)


def _page_of(body: bytes) -> Page:
    """The page that was pasted into the form, and where it stands."""
    try:
        given = parse_qs(body.decode("latin-1"), keep_blank_values=True, max_num_fields=2)
    except ValueError as problem:
        raise Problem(HTTPStatus.BAD_REQUEST, f"no form: {problem}") from None
    fields = {name: values[0] for name, values in given.items()}
    html = fields.get("html", "")
    if not html.strip() or not fields.keys() <= {"url", "html"}:
        raise Problem(HTTPStatus.BAD_REQUEST, "expected the HTML of a page, got nothing")
    url = fields.get("url", "").strip()
    return Page(
        url=WHERE.checked(url) if url else "",
        html=html.encode("utf-8", "replace"),
        charset="utf-8",
    )


def _site_page(storage: str, site: Overview) -> str:
    return site_page(_templates(), Storage(storage), site, datetime.now(UTC), home="/")[1]


@cache
def _templates() -> Environment:
    return templates("extractor.serve.page")


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in STATIC:
        raise Problem(HTTPStatus.NOT_FOUND, f"no file {name!r}")
    package, folder, kind = STATIC[name]
    return Response(files(package).joinpath(folder, name).read_bytes(), media_type=kind)


def _html(text: str, status: HTTPStatus, headers: Any) -> Response:
    body = text.encode("utf-8", "replace")
    return Response(body, status, headers, "text/html")
