"""The real sites as the learner meets them: a half to learn from, a half to extract.

The halves are those of `score.py`: of each kind, articles and lists, the pages with an even index
by URL are learned from and those with an odd one extracted. Pages of kind `other` take no part.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from benchmarks.material.gold import SITES, GoldMissing, scorer
from crawler.reading.html import parse_html
from crawler.reading.links import anchor_text, resolve
from crawler.reading.urls import url_key
from learner.page.pages import Page
from learner.site.inlinks import Inlinks
from learner.site.sampling import evenly_spaced

FIRST_SITES = Path(__file__).with_name("first_sites.txt")
"""Names of the sites that the learner was measured on before others came."""

OTHERS = SITES / "others.txt"
"""Names of the sites that are no blogs or newspapers."""

INDEX_NAME = "index.html"
"""What a folder's URL stands for on these sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPage:
    """One archived page and what a person says is on it."""

    url: str
    file: Path
    is_article: bool
    """False: a list."""
    title: str
    """Of an article; empty for lists, as is the body."""
    body: str
    date: str | None
    """The string shown on the page; None if it shows none."""
    author: str | None
    """The string shown on the page; None if it shows none."""

    @property
    def key(self) -> str:
        """Its identity, as a crawl of the site would have it."""
        return url_key(self.url, INDEX_NAME)

    def html(self) -> bytes:
        """The raw body."""
        return self.file.read_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """One site, split."""

    name: str
    language: str
    """As site.json has it: a code, often with a second one in brackets."""
    train: tuple[GoldPage, ...]
    test: tuple[GoldPage, ...]


def sample(pages: Sequence[GoldPage], n_pages: int) -> Sequence[GoldPage]:
    """`n_pages` of a half (0: all), spread evenly over its articles and its lists.

    Both kinds keep their proportion, rounded; a kind that is too rare for that gives none.
    """
    if not 0 < n_pages < len(pages):
        return pages
    articles = [page for page in pages if page.is_article]
    lists = [page for page in pages if not page.is_article]
    n_articles = round(n_pages * len(articles) / len(pages))
    n_lists = n_pages - n_articles
    return (
        *(evenly_spaced(articles, n_articles) if n_articles else ()),
        *(evenly_spaced(lists, n_lists) if n_lists else ()),
    )


def grouped(sources: Iterable[Path]) -> Mapping[str, list[str]]:
    """Groups of sites, each with the names of those that are in it: `first`, those measured before
    others came; `news`, blogs and newspapers that came then; `others`, which are neither, first or
    not. Groups without any are left out."""
    names = sorted(source.stem for source in sources)
    first = set(FIRST_SITES.read_text("utf-8").split())
    others = _others()
    groups = {
        "first": [name for name in names if name in first],
        "news": [name for name in names if name not in first | others],
        "others": [name for name in names if name in others],
    }
    return {group: members for group, members in groups.items() if members}


def group_of(source: Path) -> str:
    """What a site is: `group` of its site.json, else `others` or `news` (a blog or newspaper)."""
    told = scorer().load_site(str(source)).meta.get("group")
    return str(told or ("others" if source.stem in _others() else "news"))


def _others() -> set[str]:
    return set(OTHERS.read_text("utf-8").split()) if OTHERS.exists() else set()


def redraw(halves: Halves, seed: int) -> Halves:
    """The same pages in halves of the same size that are drawn by chance; seed 0: as they are."""
    if not seed:
        return halves
    pages = sorted((*halves.train, *halves.test), key=lambda page: page.key)
    random.Random(seed).shuffle(pages)
    n_train = len(halves.train)
    return replace(halves, train=tuple(pages[:n_train]), test=tuple(pages[n_train:]))


def default_sites() -> list[Path]:
    """All real sites beside the repository, by name; empty if there are none."""
    return sorted(SITES.glob("*.zip"))


def sites_parser(description: str, epilog: str = "") -> argparse.ArgumentParser:
    """A parser of what every benchmark of some sites takes: the sites, and where figures go."""
    parser = argparse.ArgumentParser(description=description, epilog=epilog)
    parser.add_argument("sites", type=Path, nargs="*", help="zip or folder; default: all of them")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    return parser


def numbers(text: str) -> tuple[int, ...]:
    """Numbers as the command line has them, "0,1,2"; ArgumentTypeError if it has others."""
    try:
        return tuple(map(int, text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers such as 0,1,2, got {text!r}") from None


def sites_to_measure(given: Sequence[Path]) -> list[Path]:
    """The given sites, or all of them, by name; ValueError if one is not there, GoldMissing without
    the sites or their scorer."""
    sources = list(by_name(given or default_sites()).values())
    scorer()
    if not sources:
        raise GoldMissing(SITES)
    return sources


def middle_site(sources: Sequence[Path]) -> Path:
    """The site in the middle by the size of its file: what one site alone is measured on."""
    ordered = sorted(sources, key=lambda source: (source.stat().st_size, source.name))
    return ordered[len(ordered) // 2]


def read_halves(source: Path) -> Halves:
    """A site's zip or folder, split."""
    site = scorer().load_site(str(source))
    base = site.meta.get("base_url", "")
    train, test = (tuple(gold_page(page, base) for page in h) for h in scorer().split(site.pages))
    return Halves(name=site.id, language=site.lang, train=train, test=test)


def gold_page(page: Any, base: str) -> GoldPage:
    """A page as `score.py` loads it; `base` is the address of its site."""
    return GoldPage(
        url=page.url if "://" in page.url else urljoin(base, page.url.lstrip("/")),
        file=Path(page.file),
        is_article=page.kind == "article",
        title=page.title or "",
        body=page.body or "",
        date=page.gold.get("date") or None,
        author=page.gold.get("author") or None,
    )


def pages_to_learn(pages: Sequence[GoldPage], with_anchors: bool = True) -> list[Page]:
    """The pages as `learn_patterns` takes them, with the anchor texts of the links among them."""
    bodies = {page.key: page.html() for page in pages}
    inlinks = Inlinks(bodies)
    for page in pages if with_anchors else ():
        for key, text in _named_links(page.url, bodies[page.key]):
            if key != page.key:
                inlinks.add(key, text, 1)
    return [
        Page(
            url=page.url,
            html=bodies[page.key],
            anchor_texts=inlinks.texts(page.key),
            url_key=page.key,
        )
        for page in pages
    ]


def _named_links(url: str, html: bytes) -> Iterable[tuple[str, str]]:
    """Key and anchor text of each outlink; not of links to a place inside a page, whose texts name
    that place ("12 comments")."""
    for element in parse_html(html).iter("a"):
        href = element.get("href", "")
        target = None if "#" in href else resolve(url, href)
        text = anchor_text(element)
        if target and text:
            yield url_key(target, INDEX_NAME), text


def page_to_extract(page: GoldPage) -> Page:
    """A page as `extract_article` takes it; no link to it is known."""
    return Page(url=page.url, html=page.html(), url_key=page.key)


def by_name(sources: Iterable[Path]) -> dict[str, Path]:
    """Sites by their name; ValueError if two have the same, or one is not there."""
    found: dict[str, list[Path]] = defaultdict(list)
    for source in sources:
        found[source.stem].append(source)
    for name, same in found.items():
        if len(same) > 1:
            raise ValueError(f"{name}: expected each site once, got {[str(s) for s in same]}")
        if not same[0].exists():
            raise ValueError(f"{same[0]}: expected the zip or folder of a site, found nothing")
    return {name: same[0] for name, same in found.items()}
