"""The pages above a page."""

import pytest
from lxml.html import document_fromstring as parse

from extractor.analysis.breadcrumbs import Crumb, find_crumbs
from extractor.analysis.objects import read_objects
from learner.page.tree import build_tree

BASE = "https://shop.example/"
HOME = Crumb(name="Home", url=BASE)
CUPS = Crumb(name="Cups", url="https://shop.example/cups")


def crumbs_of(page: str) -> tuple[tuple[Crumb, ...], str] | None:
    root = parse(page)
    found = find_crumbs(read_objects(root), build_tree(root), BASE)
    return (found.crumbs, found.source) if found else None


def in_json(graph: str) -> str:
    return f'<script type="application/ld+json">{graph}</script><p>a'


LIST = """{"@type": "BreadcrumbList", "itemListElement": [
{"@type": "ListItem", "position": 2, "name": "Cups", "item": "/cups"},
{"@type": "ListItem", "position": 1, "item": {"@id": "/", "name": "Home"}}]}"""


@pytest.mark.parametrize("graph", [LIST, f'{{"@type": "WebPage", "breadcrumb": {LIST}}}'])
def test_of_json_ld_in_their_order(graph: str) -> None:
    assert crumbs_of(in_json(graph)) == ((HOME, CUPS), "jsonld")


def test_of_microdata() -> None:
    item = (
        "<li itemprop=itemListElement itemscope itemtype=https://schema.org/ListItem>"
        "<a itemprop=item href={}><span itemprop=name>{}</span></a></li>"
    )
    rows = item.format("/", "Home") + item.format("/cups", "Cups")
    page = f"<ol itemscope itemtype=https://schema.org/BreadcrumbList>{rows}</ol>"
    assert crumbs_of(page) == ((HOME, CUPS), "microdata")


@pytest.mark.parametrize(
    "page",
    [
        "<div class=breadcrumbs><a href=/>Home</a> &gt; <a href=/cups>Cups</a> &gt; A cup</div>",
        "<nav aria-label=Breadcrumb><ol><li><a href=/>Home</a> / <li><a href=/cups>Cups</a>"
        "<li>A cup</ol></nav>",
    ],
)
def test_shown(page: str) -> None:
    assert crumbs_of(page) == ((HOME, CUPS, Crumb(name="A cup")), "navigation")


def test_none() -> None:
    assert crumbs_of("<nav><a href=/>Home</a> <a href=/cups>Cups</a></nav>") is None
    assert crumbs_of(in_json('{"@type": "BreadcrumbList", "itemListElement": [3, null]}')) is None
