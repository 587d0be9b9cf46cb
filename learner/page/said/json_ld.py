"""JSON-LD: which of its objects is the article of the page, and what it says.

A page names many things: its site, itself, the pages above it, comments, articles beside it. The
article is the object of such a type that has the address or the title of the page; where there is
none, what is said of the page itself counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any
from urllib.parse import urlsplit

from learner.page.said.json_text import json_values
from learner.page.said.texts import SaidTexts
from learner.page.words import clean_text, word_letters

LARGEST_SCRIPT = 200_000
"""Characters of a JSON-LD script that is read. Origin: guess; 10,000 is a lot."""

DEEPEST_NODE = 6
"""How deep articles are looked for inside JSON-LD (`@graph`, `mainEntity`). Origin: guess."""

MOST_SCRIPTS = 20
"""JSON-LD scripts of a page that are read. Origin: guess; 5 are a lot."""

LONGEST_FACT = 1_000
"""Characters of a fact; more are cut off. Origin: guess, for titles; what is longer says nothing
and takes long to compare."""

MOST_AUTHORS = 20
"""Authors of a page. Origin: guess."""

MOST_TOPICS = 100
"""Tags of a page, and pages above it. Origin: guess."""

LONGEST_TYPE = 50
"""Characters of the name of a type of schema.org. Origin: guess; the longest has 43."""

LIST_TYPES = frozenset({"CollectionPage", "ProfilePage", "SearchResultsPage"})
"""What schema.org calls pages of lists and of persons, who have written others."""

_NO_ARTICLES = frozenset(
    "Answer Audience BreadcrumbList Comment ImageObject ItemList ListItem Offer Organization Person"
    " Place Product Service SiteNavigationElement UserComments WebSite".split()
)
"""Types whose dates and authors are not the article's, nor the page's."""
_NO_ARTICLES_END = ("Organization", "Action", "Business")

Node = dict[str, Any]


class JsonFacts:
    """Collects the objects of JSON-LD; what cannot be read of it says nothing."""

    def __init__(self) -> None:
        self.crumbs: tuple[str, ...] = ()
        self.site_name = ""
        self.texts = SaidTexts()
        self._nodes: list[Node] = []
        self._names: dict[str, str] = {}
        """The names of objects by their `@id`."""
        self._types: set[str] = set()
        self._n_scripts = 0

    @property
    def nodes(self) -> Sequence[Node]:
        """Its objects that may describe the page, the outermost first."""
        return self._nodes

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
        """One script."""
        self._n_scripts += 1
        if len(script) > LARGEST_SCRIPT or self._n_scripts > MOST_SCRIPTS:
            return
        for content in json_values(script):
            self.texts.read(content)
            for node in _nodes(content, 0):
                self._nodes.append(node)
                self._read_names(node)

    def _read_names(self, node: Node) -> None:
        types = set(_types(node))
        self._types |= types
        name, identifier = node.get("name"), node.get("@id")
        if isinstance(identifier, str) and (called := next(_author_names(node, {}), "")):
            self._names.setdefault(identifier, called)
        if "WebSite" in types:
            self.site_name = self.site_name or text_of(name)
        elif "BreadcrumbList" in types:
            self.crumbs = self.crumbs or _crumbs(node.get("itemListElement"))

    def article(self, titles: Collection[str], addresses: Collection[str]) -> ArticleFacts:
        """What is said of the article that has one of the titles or addresses of the page."""
        pages = list(filter(_is_page, self._nodes))
        articles = list(filter(_may_be_article, self._nodes))
        chosen = _about(articles, titles, addresses) if articles else pages
        return ArticleFacts(chosen, pages, self._names)


class ArticleFacts:
    """What some objects say of an article: of each fact the first."""

    def __init__(self, nodes: list[Node], pages: list[Node], names: Mapping[str, str]) -> None:
        self._nodes = nodes
        self._pages = pages
        self._names = names

    def text(self, name: str) -> str:
        """A text, or the first of several."""
        return next(filter(None, (_plain(node.get(name)) for node in self._nodes)), "")

    def first_text(self, name: str) -> str:
        """A text, or the first of several, or what an object is called; what the article lacks may
        be said of its page."""
        nodes = (*self._nodes, *self._pages)
        return next(filter(None, (first_text(node.get(name)) for node in nodes)), "")

    @property
    def authors(self) -> list[str]:
        """The names of its authors, as written: persons, where some are."""
        said = (node.get(name) for node in self._nodes for name in ("author", "creator"))
        for value in said:
            if names := list(_author_names(_persons(value, self._names), self._names)):
                return names
        return []

    @property
    def organizations(self) -> list[str]:
        """The names of those who have written or published it, and are no persons."""
        said = [node.get(name) for node in self._nodes for name in ("author", "publisher")]
        objects = [
            each for value in said for each in (value if isinstance(value, list) else [value])
        ]
        return [
            name
            for each in objects[:MOST_TOPICS]
            if isinstance(each, dict) and _is_organization(each)
            for name in _author_names(each, self._names)
        ]

    @property
    def tags(self) -> list[str]:
        """Its keywords, as written."""
        keywords: Any = next(filter(None, (node.get("keywords") for node in self._nodes)), [])
        each = keywords if isinstance(keywords, list) else [keywords]
        return [first_text(keyword) for keyword in each[:MOST_TOPICS]]


def _about(articles: list[Node], titles: Collection[str], addresses: Collection[str]) -> list[Node]:
    """Of some articles those that are the page's."""
    letters = list(filter(None, map(word_letters, titles)))
    places = set(map(_place, addresses))
    told = [(node, _is_about(node, letters, places)) for node in articles]
    sure = [node for node, is_own in told if is_own]
    unsaid = [node for node, is_own in told if is_own is None]
    return [node for node in sure or unsaid if "headline" in node] or sure or unsaid


def _may_be_article(node: Node) -> bool:
    """Whether an object may be the article of its page."""
    types = set(_types(node))
    if _is_page(node) or not types.isdisjoint(_NO_ARTICLES):
        return False
    if any(each.endswith(_NO_ARTICLES_END) for each in types):
        return False
    return any(name in node for name in ("headline", "datePublished", "dateCreated", "author"))


def _is_organization(node: Node) -> bool:
    """Whether an object is an organization, and no person who publishes alone."""
    types = set(_types(node))
    return "Person" not in types and any(each.endswith("Organization") for each in types)


def _is_page(node: Node) -> bool:
    """Whether an object is the page itself."""
    types = list(_types(node))
    return bool(types) and all(each.endswith("Page") for each in types)


def _is_about(node: Node, titles: Collection[str], places: Collection[str]) -> bool | None:
    """Whether an object is about the page that has these titles (letters) and addresses (places);
    None if it does not say."""
    headline = word_letters(first_text(node.get("headline") or node.get("name")))
    if headline and any(_are_alike(headline, title) for title in titles):
        return True
    said = {_place(address) for address in _addresses(node)} - {""}
    if said and not said.isdisjoint(places):
        return True
    return False if said and headline and titles else None


def _are_alike(headline: str, title: str) -> bool:
    """Whether one is the other, with the name of the site beside it or cut off."""
    return headline in title or title in headline


def _addresses(node: Node) -> Iterator[str]:
    """Where an object says that it stands."""
    for name in ("url", "@id", "mainEntityOfPage"):
        value = node.get(name)
        for each in (value, *value.values()) if isinstance(value, dict) else (value,):
            if isinstance(each, str) and len(each) <= LONGEST_FACT:
                yield each


def _place(address: str) -> str:
    """Path and query of an address, whatever host it is of; empty if it names no page.

    >>> _place("https://a.example/b/?c=1#d"), _place("https://a.example/#article"), _place("Thing")
    ('/b?c=1', '', '')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    path = parts.path.rstrip("/") if parts.path.startswith("/") else ""
    return f"{path}?{parts.query}" if parts.query else path


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
    """What JSON-LD says that one of its objects is, by name or by address."""
    said = node.get("@type")
    for each in said if isinstance(said, list) else [said]:
        if isinstance(each, str):
            yield each[each.rfind("/") + 1 :].removeprefix("schema:")


def first_text(value: Any) -> str:
    """The text of a value, or of the first of several; of a picture its address, of other objects
    their name."""
    for _ in range(DEEPEST_NODE):
        if isinstance(value, list):
            value = value[0] if value else ""
        elif isinstance(value, dict):
            is_picture = "ImageObject" in _types(value)
            value = (is_picture and value.get("url")) or value.get("name") or value.get("url")
    return text_of(value)


def _crumbs(items: Any) -> tuple[str, ...]:
    """The names of a list of crumbs in their order."""
    found = []
    for item in items[:MOST_TOPICS] if isinstance(items, list) else ():
        if isinstance(item, dict):
            name = first_text(item.get("name") or item.get("item"))
            found.append((_position(item), clean_text(name)))
    return tuple(name for _, name in sorted(found, key=itemgetter(0)) if name)


def _position(item: dict[str, Any]) -> int:
    """Which crumb it is; 0 if it does not say."""
    said = item.get("position")
    if isinstance(said, str) and said.isdecimal():
        said = int(said[:6])
    return said if isinstance(said, int) else 0


def _persons(value: Any, names: Mapping[str, str]) -> Any:
    """Of several authors those that are no organizations, if there are others."""
    if not isinstance(value, list):
        return value
    persons = [each for each in value if not (isinstance(each, dict) and _is_organization(each))]
    return persons if any(_author_names(persons, names)) else value


def _author_names(value: Any, names: Mapping[str, str]) -> Iterator[str]:
    """The names in what JSON-LD says of an author; `names` are those of its objects by `@id`."""
    if isinstance(value, str):
        yield text_of(value)
    elif isinstance(value, list):
        for item in value[:MOST_AUTHORS]:
            yield from _author_names(item, names)
    elif isinstance(value, dict):
        name = value.get("name")
        parts = [text_of(value.get(part)) for part in ("givenName", "familyName")]
        if name:
            yield from _author_names(name, names)
        elif any(parts):
            yield " ".join(filter(None, parts))
        elif isinstance(value.get("@id"), str) and value["@id"] in names:
            yield names[value["@id"]]


def _plain(value: Any) -> str:
    """The text of a value, also of a number (seconds since 1970) and of one with its type."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("@value")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else text_of(value)


def text_of(value: Any) -> str:
    """A text of JSON, which may escape half of a character: that is none of Unicode."""
    if not isinstance(value, str):
        return ""
    return value.strip()[:LONGEST_FACT].encode("utf-8", "replace").decode()
