"""What a page says of itself for machines: JSON-LD, `meta` elements, the language of `html`.

Publishers fill these in or forget them; they are evidence for the places where a page shows its
date and author, and what extraction falls back to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lxml import etree

from crawler.reading.html import text_content
from learner.page.words import clean_text

LARGEST_SCRIPT = 200_000
"""Characters of a JSON-LD script that is read. Origin: guess; 10,000 is a lot."""

DEEPEST_NODE = 6
"""How deep articles are looked for inside JSON-LD (`@graph`, `mainEntity`). Origin: guess."""

MOST_SCRIPTS = 20
"""JSON-LD scripts of a page that are read. Origin: guess; 5 are a lot."""

LONGEST_FACT = 1_000
"""Characters of a fact; more are cut off. Origin: guess, for titles; what is longer says nothing
and takes long to compare."""

LONGEST_NAME = 200
"""Characters of an author's name. Origin: guess."""

MOST_AUTHORS = 20
"""Authors of a page. Origin: guess."""

MOST_TOPICS = 100
"""Tags of a page, and pages above it. Origin: guess."""

_PUBLISHED = frozenset(
    "article:published_time og:article:published_time datepublished date.published pubdate "
    "publishdate publish_date dc.date dc.date.issued dcterms.date dcterms.created dcterms.issued "
    "date parsely-pub-date sailthru.date datecreated".split()
)
"""Names of `meta` elements for the day of publication: Open Graph, schema.org, Dublin Core and the
usual others (list of htmldate, shortened)."""

_MODIFIED = frozenset(
    "article:modified_time og:article:modified_time og:updated_time datemodified "
    "dcterms.modified last-modified lastmod".split()
)

_AUTHOR = frozenset(
    "author article:author og:article:author dc.creator dcterms.creator citation_author byl "
    "parsely-author sailthru.author twitter:data1:author".split()
)

_DESCRIPTION = ("og:description", "description", "twitter:description", "dc.description")

_IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")

_SECTION = ("article:section", "og:article:section", "parsely-section", "dc.subject")

_TAG = ("article:tag", "og:article:tag", "parsely-tags", "news_keywords", "keywords")
"""Names of `meta` elements for each tag of a page, or for all of them, parted by commas."""

_NAMING = ("property", "name", "itemprop", "http-equiv")
"""Attributes that name what a `meta` element tells."""

_COMMA = re.compile("[,;،、，；]")
_NAME = re.compile(r"[^\W\d_]")
_ADDRESS = re.compile(r"^(?:https?:)?//|^@?[^\s@]+@\S+$|^\.{0,2}/")

LONGEST_TYPE = 50
"""Characters of the name of a type of schema.org. Origin: guess; the longest has 43."""

NEIGHBOURS = frozenset("prev previous next up home start first last contents".split())
"""What `rel` calls the pages before, after and above (HTML 4.01, 6.12; generators of manuals)."""

LIST_TYPES = frozenset({"CollectionPage", "ProfilePage", "SearchResultsPage"})
"""What schema.org calls pages of lists and of persons, who have written others."""

_KINDS = {
    **dict.fromkeys(_PUBLISHED, "published"),
    **dict.fromkeys(_MODIFIED, "modified"),
    **dict.fromkeys(_AUTHOR, "author"),
    **dict.fromkeys(_DESCRIPTION, "description"),
    **dict.fromkeys(_IMAGE, "image"),
    **dict.fromkeys(_SECTION, "section"),
    **dict.fromkeys(_TAG, "tag"),
    "og:site_name": "site_name",
    "language": "language",
    "content-language": "language",
    "og:title": "title",
    "og:type": "type",
}
"""What the names of `meta` elements tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The machine-readable facts of one page, as written."""

    title: str = ""
    """Text of `<title>`, on one line."""
    social_title: str = ""
    """`og:title`, on one line."""
    json_title: str = ""
    """`headline` of JSON-LD, on one line."""
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
    json_site_name: str = ""
    """The name of the `WebSite`, or else of the publisher."""
    meta_site_name: str = ""

    @property
    def authors(self) -> tuple[str, ...]:
        """The names that JSON-LD gives, else those of `meta`."""
        return self.json_authors or self.meta_authors


def read_metadata(root: etree._Element) -> Metadata:
    """The facts of a parsed page, read in one pass over it."""
    head = _HeadFacts()
    for element in root.iter("title", "meta", "link", "script"):
        match element.tag:
            case "meta":
                head.read_meta(element)
            case "script":
                if "ld+json" in (element.get("type") or "") and element.text:
                    head.json.read(element.text)
            case "link":
                head.read_link(element)
            case _:
                head.facts.setdefault("<title>", text_content(element))
    facts, json_facts = head.facts, head.json
    language = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return Metadata(
        title=clean_text(facts.get("<title>", ""))[:LONGEST_FACT].rstrip(),
        social_title=clean_text(facts.get("title", ""))[:LONGEST_FACT].rstrip(),
        type="article" if head.is_article else facts.get("type", "").lower(),
        is_list=json_facts.is_list,
        json_types=json_facts.types,
        json_title=clean_text(json_facts.of_article["headline"]),
        canonical=facts.get("canonical", ""),
        json_published=json_facts.published or json_facts.created,
        json_modified=json_facts.modified,
        meta_published=facts.get("published", ""),
        meta_modified=facts.get("modified", ""),
        json_authors=_names(json_facts.authors),
        meta_authors=_names(head.authors),
        language=language.strip() or facts.get("language", ""),
        neighbours=frozenset(head.neighbours),
        json_description=json_facts.of_article["description"],
        meta_description=facts.get("description", ""),
        json_image=json_facts.of_article["image"],
        meta_image=facts.get("image", ""),
        json_section=json_facts.of_article["articleSection"],
        meta_section=facts.get("section", ""),
        json_tags=_topics(json_facts.tags),
        meta_tags=_topics(head.tags),
        crumbs=json_facts.crumbs,
        json_site_name=json_facts.site_name or json_facts.of_article["publisher"],
        meta_site_name=facts.get("site_name", ""),
    )


_OF_ARTICLE = ("description", "image", "articleSection", "publisher", "headline")


class _HeadFacts:
    """Collects from the elements that say something for machines; the first of a kind counts."""

    def __init__(self) -> None:
        self.facts: dict[str, str] = {}
        self.authors: list[str] = []
        self.tags: list[str] = []
        self.neighbours: set[str] = set()
        self.json = _JsonFacts()
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
            kind = _KINDS.get(name.strip().lower()) if name else None
            if kind == "author":
                self.authors.append(content)
            elif kind == "tag":
                self.tags.append(content)
            elif kind:
                self.facts.setdefault(kind, content[:LONGEST_FACT])
                self.is_article |= name == "article:published_time"


def _names(texts: list[str]) -> tuple[str, ...]:
    """Names only: no addresses, no empty strings, no repeats."""
    clean = (" ".join(text.split()) for text in texts if len(text) <= LONGEST_NAME)
    names = dict.fromkeys(t for t in clean if _NAME.search(t) and not _ADDRESS.search(t))
    return tuple(names)[:MOST_AUTHORS]


def _topics(texts: Sequence[str]) -> tuple[str, ...]:
    """Tags, each once; one text may have several, parted by commas.

    >>> _topics(["Rain, wind", "rain", "wind"])
    ('Rain', 'wind', 'rain')
    """
    parted = (part for text in texts[:MOST_TOPICS] for part in _COMMA.split(text[:LONGEST_FACT]))
    clean = (clean_text(part) for part in parted)
    return tuple(dict.fromkeys(part for part in clean if part))[:MOST_TOPICS]


class _JsonFacts:
    """Collects from JSON-LD; broken JSON says nothing."""

    def __init__(self) -> None:
        self.published = self.created = self.modified = ""
        self.authors: list[str] = []
        self.of_article = dict.fromkeys(_OF_ARTICLE, "")
        """What is said of the page's article, not of the site or a person."""
        self.tags: list[str] = []
        self.crumbs: tuple[str, ...] = ()
        self.site_name = ""
        self._types: set[str] = set()
        self._n_scripts = 0

    @property
    def is_list(self) -> bool:
        """Whether the page is one of a list, or of a person and nothing else."""
        return not LIST_TYPES.isdisjoint(self._types) or self._types == {"Person"}

    @property
    def types(self) -> frozenset[str]:
        """What its objects are; names that are none of schema.org's are as long as they like."""
        short = sorted(each for each in self._types if len(each) <= LONGEST_TYPE)
        return frozenset(short[:MOST_TOPICS])

    def read(self, script: str) -> None:
        self._n_scripts += 1
        if len(script) > LARGEST_SCRIPT or self._n_scripts > MOST_SCRIPTS:
            return
        try:
            content = json.loads(script, strict=False)
        except (ValueError, RecursionError):
            return
        nodes = list(_nodes(content, 0))
        names = {
            node["@id"]: node["name"]
            for node in reversed(nodes)  # of equal ones the first
            if isinstance(node.get("@id"), str) and isinstance(node.get("name"), str)
        }
        for node in nodes:
            self._types.update(_types(node))
            self.published = self.published or _text(node.get("datePublished"))
            self.created = self.created or _text(node.get("dateCreated"))
            self.modified = self.modified or _text(node.get("dateModified"))
            if not self.authors and "author" in node:
                self.authors = list(_author_names(node["author"], names))
            if "WebSite" in _types(node):
                self.site_name = self.site_name or _text(node.get("name"))
            elif "BreadcrumbList" in _types(node):
                self.crumbs = self.crumbs or _crumbs(node.get("itemListElement"))
            elif "headline" in node or "datePublished" in node:
                self._read_article(node)

    def _read_article(self, node: dict[str, Any]) -> None:
        for name, said in self.of_article.items():
            self.of_article[name] = said or _first_text(node.get(name))
        keywords = node.get("keywords")
        if not self.tags and keywords:
            each = keywords if isinstance(keywords, list) else [keywords]
            self.tags = [_first_text(keyword) for keyword in each[:MOST_TOPICS]]


def _nodes(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """The objects of JSON-LD that may describe the page, the outermost first."""
    if isinstance(value, dict):
        yield value
        for name in ("@graph", "mainEntity", "mainEntityOfPage"):
            if depth < DEEPEST_NODE and name in value:
                yield from _nodes(value[name], depth + 1)
    elif isinstance(value, list) and depth < DEEPEST_NODE:
        for item in value:
            yield from _nodes(item, depth + 1)


def _types(node: dict[str, Any]) -> Iterator[str]:
    """What JSON-LD says that one of its objects is."""
    said = node.get("@type")
    for each in said if isinstance(said, list) else [said]:
        if isinstance(each, str):
            yield each


def _first_text(value: Any) -> str:
    """The text of a value, or of the first of several; of a picture its address, of other objects
    their name."""
    for _ in range(DEEPEST_NODE):
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            is_picture = "ImageObject" in _types(value)
            value = (is_picture and value.get("url")) or value.get("name") or value.get("url")
    return _text(value)


def _crumbs(items: Any) -> tuple[str, ...]:
    """The names of a list of crumbs in their order."""
    found = []
    for item in items[:MOST_TOPICS] if isinstance(items, list) else ():
        if isinstance(item, dict):
            name = _first_text(item.get("name") or item.get("item"))
            found.append((_position(item), clean_text(name)))
    return tuple(name for _, name in sorted(found, key=itemgetter(0)) if name)


def _position(item: dict[str, Any]) -> int:
    """Which crumb it is; 0 if it does not say."""
    said = item.get("position")
    if isinstance(said, str) and said.isdecimal():
        said = int(said[:6])
    return said if isinstance(said, int) else 0


def _author_names(value: Any, names: Mapping[str, str]) -> Iterator[str]:
    """The names in what JSON-LD says of an author; `names` are those of its objects by `@id`."""
    if isinstance(value, str):
        yield _text(value)
    elif isinstance(value, list):
        for item in value[:MOST_AUTHORS]:
            yield from _author_names(item, names)
    elif isinstance(value, dict):
        name = value.get("name")
        if name:
            yield from _author_names(name, names)
        elif isinstance(value.get("@id"), str):
            yield _text(names.get(value["@id"]))


def _text(value: Any) -> str:
    """A text of JSON, which may escape half of a character: that is none of Unicode."""
    if not isinstance(value, str):
        return ""
    return value.strip()[:LONGEST_FACT].encode("utf-8", "replace").decode()
