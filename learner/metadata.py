"""What a page says of itself for machines: JSON-LD, `meta` elements, the language of `html`.

Publishers fill these in or forget them; they are evidence for the places where a page shows its
date and author, and what extraction falls back to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree

LARGEST_SCRIPT = 200_000
"""Characters of a JSON-LD script that is read. Origin: guess; 10,000 is a lot."""

DEEPEST_NODE = 6
"""How deep articles are looked for inside JSON-LD (`@graph`, `mainEntity`). Origin: guess."""

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
    "author article:author og:article:author dc.creator dcterms.creator byl parsely-author "
    "sailthru.author twitter:data1:author".split()
)

_NAME = re.compile(r"[^\W\d_]")
_ADDRESS = re.compile(r"^(?:https?:)?//|^@?\S+@\S+$|^/")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The machine-readable facts of one page, as written."""

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

    @property
    def authors(self) -> tuple[str, ...]:
        """The names that JSON-LD gives, else those of `meta`."""
        return self.json_authors or self.meta_authors


def read_metadata(root: etree._Element) -> Metadata:
    """The facts of a parsed page."""
    metas: dict[str, str] = {}
    authors: list[str] = []
    for meta in root.iter("meta"):
        content = (meta.get("content") or "").strip()
        names = meta.get("property"), meta.get("name"), meta.get("itemprop")
        for name in {name.strip().lower() for name in names if name}:
            kind = _kind(name)
            if content and kind == "author":
                authors.append(content)
            elif content and kind:
                metas.setdefault(kind, content)
        if (meta.get("http-equiv") or "").lower() == "content-language":
            metas.setdefault("language", content)
    found = _JsonFacts()
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "") and script.text:
            found.read(script.text)
    language = root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return Metadata(
        json_published=found.published or found.created,
        json_modified=found.modified,
        meta_published=metas.get("published", ""),
        meta_modified=metas.get("modified", ""),
        json_authors=_names(found.authors),
        meta_authors=_names(authors),
        language=language.strip() or metas.get("language", ""),
    )


def _kind(name: str) -> str | None:
    if name in _PUBLISHED:
        return "published"
    if name in _MODIFIED:
        return "modified"
    return "author" if name in _AUTHOR else "language" if name == "language" else None


def _names(texts: list[str]) -> tuple[str, ...]:
    """Names only: no addresses, no empty strings, no repeats."""
    clean = (" ".join(text.split()) for text in texts)
    return tuple(dict.fromkeys(t for t in clean if _NAME.search(t) and not _ADDRESS.search(t)))


class _JsonFacts:
    """Collects from JSON-LD; broken JSON says nothing."""

    def __init__(self) -> None:
        self.published = self.created = self.modified = ""
        self.authors: list[str] = []

    def read(self, script: str) -> None:
        if len(script) > LARGEST_SCRIPT:
            return
        try:
            content = json.loads(script, strict=False)
        except (ValueError, RecursionError):
            return
        for node in _nodes(content, 0):
            self.published = self.published or _text(node.get("datePublished"))
            self.created = self.created or _text(node.get("dateCreated"))
            self.modified = self.modified or _text(node.get("dateModified"))
            if not self.authors and "author" in node:
                self.authors = list(_author_names(node["author"], content))


def _nodes(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """The objects of JSON-LD that may describe the page, the outermost first."""
    if isinstance(value, dict):
        yield value
        for name in ("@graph", "mainEntity", "mainEntityOfPage", "itemListElement"):
            if depth < DEEPEST_NODE and name in value and name != "itemListElement":
                yield from _nodes(value[name], depth + 1)
    elif isinstance(value, list) and depth < DEEPEST_NODE:
        for item in value:
            yield from _nodes(item, depth + 1)


def _author_names(value: Any, content: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value[:20]:
            yield from _author_names(item, content)
    elif isinstance(value, dict):
        name = value.get("name")
        if name:
            yield from _author_names(name, content)
        elif "@id" in value:
            same = (n for n in _nodes(content, 0) if n.get("@id") == value["@id"])
            yield from (str(node["name"]) for node in same if isinstance(node.get("name"), str))


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
