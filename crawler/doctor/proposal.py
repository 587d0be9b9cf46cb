"""The entry of pipelines.yaml that fits a site, with a reason for each of its lines."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from crawler.doctor.look import Looked, Source, host_of
from crawler.fetching.hosts import AddressPolicy, PrivateAddressError
from crawler.storage.partitions import is_site_name


def propose_name(url: str, taken: Collection[str]) -> str:
    """A name for the site: its host, numbered if another site has that name.

    >>> propose_name("https://www.example.org/", {"example.org"})
    'example.org-2'
    """
    host = re.sub(r"[^a-z0-9_.-]", "-", host_of(url).lower()).strip(".")
    base = host if is_site_name(host) else "site"
    names = [base, *(f"{base}-{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def is_private(url: str) -> bool:
    """Whether the URL names this machine or a private address by itself.

    >>> is_private("http://localhost:8000/"), is_private("https://example.org/")
    (True, False)
    """
    try:
        AddressPolicy(()).check_literal(urlsplit(url).hostname or "")
    except PrivateAddressError:
        return True
    return False


def propose_entry(looked: Looked, name: str) -> list[str]:
    """The lines of the entry, the first without its dash; values as YAML."""
    lines = [f"name: {name}"]
    lines += [f"# {remark}" for remark in remarks(looked)]
    lines.append(f"start_urls: [{json.dumps(looked.url)}]")
    unnamed = [each for each in looked.sources if each.named_by == "nobody"]
    for kind in ("feed", "sitemap"):
        urls = [each.url for each in unnamed if each.kind == kind]
        if urls:
            lines.append(f"# Named by nobody, found at its usual place: {_count(unnamed, kind)}.")
            lines.append(f"{kind}s: {json.dumps(urls)}")
    if is_private(looked.url):
        host = urlsplit(looked.url).hostname
        lines.append("# A private address, which is refused unless it is named.")
        lines.append(f"private_hosts: [{json.dumps(host)}]")
    return lines


def remarks(looked: Looked) -> Iterator[str]:
    """What was seen of a site, a line each."""
    made = f", made by {looked.generator}" if looked.generator else ""
    language = looked.language or "no language named"
    yield f"{looked.title or 'without a title'}: {language}, {looked.charset}{made}"
    if looked.other_host:
        yield f"most of its links lead to {looked.other_host}: the site may have moved there"
    for each in looked.sources:
        if each.named_by != "nobody":
            yield (
                f"{each.named_by} names the {each.kind} {each.url} ({each.n_urls} addresses): "
                "it is read by each crawl"
            )
    if looked.pause:
        yield f"robots.txt asks for {looked.pause:g} s between requests: each crawl keeps to it"


def _count(sources: list[Source], kind: str) -> str:
    return f"{sum(each.n_urls for each in sources if each.kind == kind)} addresses"
