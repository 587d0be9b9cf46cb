"""Redirects are followed only to URLs of the site, and to each page once; those of robots.txt to
any host."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware

from crawler.fetching.not_modified import make_unconditional
from crawler.fetching.robots import OBEYS_NOTHING
from crawler.reading.urls import without_user

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response

REFUSAL = "redirect_refusal"
"""Key in `request.meta`: why the redirect of this response was not followed."""


class SiteRedirectMiddleware(RedirectMiddleware):
    """Scrapy's redirect middleware, asking the spider about every target.

    A refused redirect reaches the spider as the response it is, with the reason in the request.
    robots.txt may stand on any host (RFC 9309, 2.3.1.2), where the guard of addresses stays.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """The redirected request, or the response if it does not redirect or may not."""
        result = super().process_response(request, response)
        if not isinstance(result, Request):
            return result
        result = _without_user(result)
        refusal = self._refusal(request, result.url)
        if refusal is None:
            # They tell of the page that was asked for, not of the one that is asked for now.
            make_unconditional(result)
            return result
        request.meta[REFUSAL] = refusal
        return response

    def _refusal(self, request: Request, target: str) -> str | None:
        """Why the redirect is not followed; None if it is."""
        # `scrapy fetch` and `scrapy shell` may run without a site, which has no rules then.
        refuse = getattr(self.crawler.spider, "refuse_redirect", None)
        if refuse is None or request.meta.get(OBEYS_NOTHING):
            return None
        return cast("str | None", refuse(request, target))


def _without_user(request: Request) -> Request:
    try:
        url = without_user(request.url)
    except ValueError:
        return request
    return request if url == request.url else request.replace(url=url)
