"""Which answers are pages."""

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from crawler.spiders.site import response_error

URL = "http://gazette.example/1"


@pytest.mark.parametrize(
    ("status", "error"),
    [(200, None), (203, None), (206, "http 206"), (304, "http 304"), (404, "http 404")],
)
def test_a_page_that_a_proxy_has_altered_is_one(status: int, error: str | None) -> None:
    headers = {"Content-Type": "text/html"}
    response = HtmlResponse(
        URL, status, headers, b"<p>Rain", encoding="utf-8", request=Request(URL)
    )
    assert response_error(response) == error
