"""The demo site after a redesign: the same stories at the same addresses in another template."""

from __future__ import annotations

import re
from dataclasses import replace

from examples.server import DemoServer
from examples.site import DemoSite, Resource, build_site
from examples.stories import Edition

_TAGS = {b"main": b"div", b"article": b"div", b"section": b"div", b"aside": b"div", b"h1": b"h2"}
_TAG = re.compile(rb"<(/?)(main|article|section|aside|h1)\b")
_NAME = re.compile(rb'\b(class|id)="([^"]*)"')


def redesigned(page: bytes) -> bytes:
    """The page with other tags, other names and two more boxes around all of it."""
    page = _TAG.sub(lambda tag: b"<" + tag[1] + _TAGS[tag[2]], page)
    page = _NAME.sub(lambda name: name[1] + b'="v2-' + b" v2-".join(name[2].split()) + b'"', page)
    page = re.sub(rb"(<body[^>]*>)", rb'\1<div class="v2-page"><div class="v2-grid">', page)
    return page.replace(b"</body>", b"</div></div></body>", 1)


def redesign(site: DemoSite) -> DemoSite:
    """All its pages redesigned; feed, sitemap and robots.txt stay."""
    resources = {path: _redesigned(resource) for path, resource in site.resources.items()}
    return replace(site, resources=resources)


def _redesigned(resource: Resource) -> Resource:
    if resource.kind == "asset" or resource.location is not None:
        return resource
    return replace(resource, body=redesigned(resource.body))


class RedesignedServer(DemoServer):
    """A demo server that can show its editions in either template."""

    def show_redesign(self, edition: Edition) -> None:
        """Publish an edition in the new template from the next request on."""
        self._site = redesign(build_site(edition, self.base_url))
