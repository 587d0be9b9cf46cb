"""`/v1/analyze`: what one page is and says."""

from __future__ import annotations

from http import HTTPStatus

from pydantic import TypeAdapter

from extractor.analysis.analysis import Analysis
from extractor.analysis.analyze import analyze
from extractor.serve.operations import Call, Operation, to_json
from extractor.serve.requests.parameters import URL, Parameter
from extractor.serve.sources import Source, fetched_source, given_source
from learner.page.pages import Page

FETCHING = (HTTPStatus.FORBIDDEN, HTTPStatus.BAD_GATEWAY)
"""What can go wrong where a page is fetched: it is not to be asked for, or does not come."""

SENDING = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
"""... where one is sent."""

WHERE = Parameter(
    name="url",
    meaning="the address where the page that is sent stands, http or https",
    schema=URL.schema,
)

_ANSWER = TypeAdapter(Analysis).json_schema(mode="serialization")


async def source_of(call: Call) -> Source:
    """The page that a call is about: the one it sends, or else the one at its `url`."""
    url = call.values["url"]
    if not call.html:
        return await fetched_source(call.service, url)
    page = Page(url=url or "", html=call.html, charset=call.charset)
    return await given_source(call.service, page)


def analysis_of(source: Source) -> Analysis:
    """What a page says, by the patterns of its site where they fit."""
    return analyze(source.page, patterns=source.patterns())


async def _analyze(call: Call) -> bytes:
    return await call.service.workers.run(_analysis_json, await source_of(call))


def _analysis_json(source: Source) -> bytes:
    return to_json(analysis_of(source).as_dict())


ANALYZE_ADDRESS = Operation(
    path="/v1/analyze",
    summary="Fetch a page, and say what it is and says: by the patterns of its site, what it says "
    "for machines, and the page model.",
    parameters=(URL,),
    answer=_ANSWER,
    problems=FETCHING,
    do=_analyze,
)

ANALYZE_HTML = Operation(
    path="/v1/analyze",
    method="POST",
    summary="Say the same of HTML that is sent; nothing is fetched.",
    parameters=(WHERE,),
    takes_html=True,
    answer=_ANSWER,
    problems=SENDING,
    do=_analyze,
)
