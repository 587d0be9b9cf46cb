"""What a page says of itself for machines: JSON-LD, `meta` elements, the language of `html`.

Publishers fill these in or forget them; they are evidence for the places where a page shows its
date and author, and what extraction falls back to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from lxml import etree

from crawler.reading.html import text_content
from learner.page.dates import read_machine_date
from learner.page.said.json_ld import LONGEST_FACT, MOST_TOPICS, JsonFacts
from learner.page.said.meta_names import kind_of
from learner.page.said.names import read_names
from learner.page.words import clean_text

_NAMING = ("property", "name", "itemprop", "http-equiv")
"""Attributes that name what a `meta` element tells."""

LONGEST_NAME = 100
"""Characters of the name of a `meta` element that may tell something. Origin: guess."""

_COMMA = re.compile("[,;،、，；]")

NEIGHBOURS = frozenset("prev previous next up home start first last contents".split())
"""What `rel` calls the pages before, after and above (HTML 4.01, 6.12; generators of manuals)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The machine-readable facts of one page, as written."""

    title: str = ""
    """Text of `<title>`, on one line."""
    social_title: str = ""
    """`og:title`, on one line."""
    json_title: str = ""
    """`headline` of JSON-LD, which some escape as HTML, on one line."""
    type: str = ""
    """`og:type`, lower-cased; `article` too where `article:published_time` is given."""
    is_list: bool = False
    """Whether JSON-LD calls the page one of `LIST_TYPES`, or a person."""
    json_types: frozenset[str] = frozenset()
    """What JSON-LD calls the page and what it is about (`Product`, `NewsArticle`), names of
    schema.org."""
    canonical: str = ""
    """Where the link `canonical` leads."""
    json_published: str = ""
    """`datePublished` of JSON-LD (`dateCreated` where that is missing)."""
    json_modified: str = ""
    meta_published: str = ""
    """The first `meta` element of publication."""
    meta_modified: str = ""
    json_authors: tuple[str, ...] = ()
    json_organizations: tuple[str, ...] = ()
    """Authors and publishers that are no persons."""
    meta_authors: tuple[str, ...] = ()
    language: str = ""
    """`lang` of `html`, or the language that `meta` names."""
    neighbours: frozenset[str] = frozenset()
    """The titles of the pages before, after and above it, as its `link` elements give them."""
    json_description: str = ""
    meta_description: str = ""
    json_image: str = ""
    """The address of its picture, as written."""
    meta_image: str = ""
    json_section: str = ""
    meta_section: str = ""
    json_tags: tuple[str, ...] = ()
    meta_tags: tuple[str, ...] = ()
    crumbs: tuple[str, ...] = ()
    """The names of the pages above it, the outermost first, and mostly its own
    (`BreadcrumbList`)."""
    json_body: str = ""
    """What the article says, as JSON-LD repeats it (`learner.page.said.texts`)."""
    json_about: str = ""
    """What it says of the things on the page."""
    json_replies: str = ""
    """What others have said of it: comments, reviews, answers."""
    json_site_name: str = ""
    """The name of the `WebSite`, or else of the publisher."""
    meta_site_name: str = ""

    @property
    def authors(self) -> tuple[str, ...]:
        """The names that JSON-LD gives, else those of `meta`."""
        return self.json_authors or self.meta_authors


def read_metadata(root: etree._Element, url: str = "") -> Metadata:
    """The facts of a parsed page with this URL, read in one pass over it."""
    head = _HeadFacts()
    for element in root.iter("title", "meta", "link", "script"):
        match element.tag:
            case "meta":
                head.read_meta(element)
            case "script":
                if "ld+json" in (element.get("type") or "").lower() and element.text:
                    head.json.read(element.text)
            case "link":
                head.read_link(element)
            case _:
                head.facts.setdefault("<title>", text_content(element))
    facts, json_facts = head.facts, head.json
    titles = [facts.get(name, "") for name in ("<title>", "title")]
    article = json_facts.article(titles, [url, facts.get("canonical", "")])
    declared = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    language = declared.strip() or facts.get("language", "")
    return Metadata(
        title=clean_text(facts.get("<title>", ""))[:LONGEST_FACT].rstrip(),
        social_title=clean_text(facts.get("title", ""))[:LONGEST_FACT].rstrip(),
        type="article" if head.is_article else facts.get("type", "").lower(),
        is_list=json_facts.is_list,
        json_types=json_facts.types,
        json_title=clean_text(unescape(article.text("headline"))),
        canonical=facts.get("canonical", ""),
        json_published=_readable(article.text("datePublished"), article.text("dateCreated")),
        json_modified=article.text("dateModified"),
        meta_published=facts.get("published", ""),
        meta_modified=facts.get("modified", ""),
        json_authors=read_names(article.authors, language),
        json_organizations=read_names(article.organizations, language),
        meta_authors=read_names(head.authors, language),
        language=language,
        neighbours=frozenset(head.neighbours),
        json_description=article.first_text("description"),
        meta_description=facts.get("description", ""),
        json_image=article.first_text("image"),
        meta_image=facts.get("image", ""),
        json_section=article.first_text("articleSection"),
        meta_section=facts.get("section", ""),
        json_tags=_topics(article.tags),
        meta_tags=_topics(head.tags),
        crumbs=json_facts.crumbs,
        json_body=json_facts.texts.of("body"),
        json_about=json_facts.texts.of("about"),
        json_replies=json_facts.texts.of("replies"),
        json_site_name=json_facts.site_name or article.first_text("publisher"),
        meta_site_name=facts.get("site_name", ""),
    )


class _HeadFacts:
    """Collects from the elements that say something for machines; the first of a kind counts."""

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.authors: list[str] = []
        self.tags: list[str] = []
        self.neighbours: set[str] = set()
        self.json = JsonFacts()
        self.is_article = False

    def read_link(self, link: etree._Element) -> None:
        """One `link` element."""
        relation = (link.get("rel") or "").lower()
        if relation == "canonical":
            href = (link.get("href") or "").strip()
            self.facts.setdefault("canonical", href if len(href) <= LONGEST_FACT else "")
        elif relation in NEIGHBOURS:
            title = clean_text(link.get("title") or "")
            if title and len(title) <= LONGEST_FACT:
                self.neighbours.add(title)

    def read_meta(self, meta: etree._Element) -> None:
        """One `meta` element."""
        content = (meta.get("content") or "").strip()
        if not content:
            return
        for attribute in _NAMING:
            name = meta.get(attribute)
            kind = kind_of(name) if name and len(name) <= LONGEST_NAME else None
            if kind == "author" or (name == "name" and _is_of_author(meta)):
                self.authors.append(content)
            elif kind == "tag":
                self.tags.append(content)
            elif kind:
                if kind == "published" and not read_machine_date(self.facts.get(kind, "")):
                    self.facts.pop(kind, None)
                self.facts.setdefault(kind, content[:LONGEST_FACT])
                self.is_article |= name == "article:published_time"


def _readable(*dates: str) -> str:
    """The first of some dates that is one, else the first that says anything."""
    return next(filter(read_machine_date, dates), "") or next(filter(None, dates), "")


def _is_of_author(element: etree._Element) -> bool:
    """Whether a part of microdata is one of the author's."""
    above = element.getparent()
    return above is not None and kind_of((above.get("itemprop") or "")[:LONGEST_NAME]) == "author"


def _topics(texts: Sequence[str]) -> tuple[str, ...]:
    """Tags, each once; one text may have several, parted by commas.

    >>> _topics(["Rain, wind", "rain", "wind"])
    ('Rain', 'wind', 'rain')
    """
    parted = (part for text in texts[:MOST_TOPICS] for part in _COMMA.split(text[:LONGEST_FACT]))
    clean = (clean_text(part) for part in parted)
    return tuple(dict.fromkeys(part for part in clean if part))[:MOST_TOPICS]
