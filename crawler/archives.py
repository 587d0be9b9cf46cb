"""Pages from files: Webstemmer's crawl archives, WARC files, folders and lists of HTML files."""

from __future__ import annotations


def entry_name(url: str, timestamp: str) -> str:
    """The name of a page in a Webstemmer archive.

    >>> entry_name("https://example.com/news/?id=1", "200501010000")
    '200501010000/example.com/news/?id=1'
    """
    return f"{timestamp}/{url.partition('://')[2].partition('#')[0]}"


def entry_url(name: str, scheme: str = "http") -> str:
    """The URL of a page in a Webstemmer archive; its names do not tell the scheme.

    >>> entry_url("200501010000/example.com/news/")
    'http://example.com/news/'
    """
    return f"{scheme}://{name.partition('/')[2]}"
