"""What the labelled elements of a page say: its gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from crawler.reading.links import base_url
from learner.dom.reading import LISTINGS
from learner.labels.elements import Label
from learner.labels.names import OF_PRODUCTS
from learner.page.dates import find_dates, read_machine_date, usual_order
from learner.page.hints import leads_to_author
from learner.page.months import month_names
from learner.vision.element_tree import ElementTree
from learner.vision.products.candidates import picture_address
from learner.vision.snapshots.snapshot import Snapshot

BESIDE_BODY = ("title", "date", "author", "boilerplate")
"""Labels of what is none of the body, though it may stand in it."""

WITHOUT_TEXT = ("list", "collection", "product", "other")
"""Types of page that a page with a text of its own is not; it is an article then."""

MOST_LEADING = 6
"""Words among which the one that leads to an author is looked for. Origin: guess; `This post was
written by`."""

_BETWEEN = re.compile(r"\s*[,;&|/、，·•\n]\s*|\s+[-–—]+\s+")
_EDGE = re.compile(r"^[\W_]+|[^\w.)]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """What a person's labels say of a page; None or empty what they say nothing of."""

    page_type: str | None
    """`product` of one with product labels; of one with a body what it was taken for, if such pages
    have one, else `article`; of one that was taken for a list and left without labels that; None of
    others."""
    language: str | None
    """Two letters, as the page declares."""
    title: str | None = None
    body: str | None = None
    """A line for each block, without what bears another label."""
    authors: tuple[str, ...] = ()
    day: date | None = None
    date_raw: str | None = None
    """The text of the date as the page shows it."""
    product_name: str | None = None
    price: str | None = None
    """As the page shows it, with its currency."""
    image: str | None = None
    """Address of the picture."""
    body_node: int | None = None
    """The innermost element that holds all of the body."""
    problems: tuple[str, ...] = ()
    """What could not be read, and what to do; for people."""


def read_values(snapshot: Snapshot, labels: Sequence[Label], page_type: str, url: str) -> Values:
    """What the labels of a page say; `page_type` is what it was taken for."""
    return _Reader(snapshot, labels, url).values(page_type)


class _Reader:
    def __init__(self, snapshot: Snapshot, labels: Sequence[Label], url: str) -> None:
        self._snapshot, self._url = snapshot, url
        self._labels = [each for each in labels if each.node is not None]
        self._is_empty = not labels
        self._problems: list[str] = []
        root = next(iter(snapshot.is_tag("html").nonzero()[0].tolist()), 0)
        self._language = snapshot.attributes(root).get("lang", "").strip()

    def values(self, page_type: str) -> Values:
        bodies = self._nodes("body")
        day, raw = self._date()
        body = self._text(bodies, self._nodes(*BESIDE_BODY))
        return Values(
            page_type=self._type(page_type),
            language=self._language[:2].lower() or None,
            title=self._line("title"),
            body=body or None,
            authors=self._authors(),
            day=day,
            date_raw=raw,
            product_name=self._line("name"),
            price=self._line("price"),
            image=self._image(),
            body_node=common_element(self._snapshot, bodies),
            problems=tuple(self._problems),
        )

    def _text(self, nodes: Sequence[int], without: Sequence[int] = ()) -> str:
        return self._snapshot.visible_text(*nodes, without=without, as_written=True)

    def _nodes(self, *names: str) -> list[int]:
        return [each.node for each in self._labels if each.name in names and each.node is not None]

    def _type(self, taken_for: str) -> str | None:
        names = {each.name for each in self._labels}
        if self._is_empty:
            return taken_for if taken_for in LISTINGS else None
        if names & set(OF_PRODUCTS):
            return "product"
        if "body" in names:
            return "article" if taken_for in WITHOUT_TEXT else taken_for
        return None

    def _line(self, name: str) -> str | None:
        """What the elements of a label say, on one line; of one alone what was proposed of it."""
        labels = [each for each in self._labels if each.name == name]
        if len(labels) == 1 and labels[0].value:
            return labels[0].value
        return " ".join(self._text(self._nodes(name)).split()) or None

    def _date(self) -> tuple[date | None, str | None]:
        label = next((each for each in self._labels if each.name == "date"), None)
        if label is None:
            return None, None
        assert label.node is not None
        raw = " ".join(self._text([label.node]).split())
        day = _iso_day(label.value) or self._machine_day(label.node) or self._shown_day(raw)
        if day is None:
            self._problems.append(f"date: no day can be read from {raw!r}; label another element")
        return day, raw or None

    def _machine_day(self, node: int) -> date | None:
        """The day that a `time` element there has for machines."""
        for each in range(node, int(self._snapshot.end[node])):
            if self._snapshot.tags[each] == "time":
                moment = read_machine_date(self._snapshot.attributes(each).get("datetime", ""))
                if moment:
                    return moment[1]
        return None

    def _shown_day(self, text: str) -> date | None:
        found = find_dates(text, month_names((self._language[:2].lower() or "en",)))
        return found[0].day(usual_order(self._language)) if found else None

    def _authors(self) -> tuple[str, ...]:
        names: list[str] = []
        for label in self._labels:
            if label.name != "author" or label.node is None:
                continue
            shown = self._text([label.node])
            found = label.value.split("\n") if label.value else names_in(shown)
            if not found:
                self._problems.append(f"author: no name in {shown!r}; label another element")
            names += found
        return tuple(dict.fromkeys(names))

    def _image(self) -> str | None:
        nodes = self._nodes("image")
        if not nodes:
            return None
        tree = ElementTree(self._snapshot)
        base = base_url(tree.root, self._url)
        for node in nodes:
            element = tree.element(node)
            pictures = element.iter("img") if element is not None else ()
            address = next(filter(None, (picture_address(each, base) for each in pictures)), None)
            if address:
                return address
        self._problems.append("image: no picture in its box; label an element with an `img`")
        return None


def common_element(snapshot: Snapshot, nodes: Sequence[int]) -> int | None:
    """The innermost element that holds all of some elements, itself one of them if it can be."""
    if not nodes:
        return None
    holder, last = min(nodes), max(int(snapshot.end[node]) for node in nodes)
    while snapshot.end[holder] < last:
        holder = int(snapshot.parent[holder])
    return holder


def names_in(text: str) -> list[str]:
    """The names in a byline, in order: without dates and the words that lead to them.

    >>> names_in("Posted by Ann Lee, Bob Ray | 3 May 2021"), names_in("文：山田"), names_in("—")
    (['Ann Lee', 'Bob Ray'], ['文：山田'], [])
    """
    for found in reversed(find_dates(text, month_names())):
        text = f"{text[: found.start]}|{text[found.end :]}"
    names = (_EDGE.sub("", _led(part)) for part in _BETWEEN.split(text))
    return [name for name in names if name]


def _led(text: str) -> str:
    """What follows the word that leads to a name, or all of a text without one; words without a
    capital at its end, as before a date, are none of a name.

    >>> _led("written by Ann Lee on"), _led("bell hooks")
    ('Ann Lee', 'bell hooks')
    """
    words = text.split()
    places = range(min(len(words), MOST_LEADING))
    led = next((n + 1 for n in places if leads_to_author(words[n].strip(":：,."))), 0)
    name = words[led:]
    while name and name[-1][0].islower():
        name.pop()
    return " ".join(name or words[led:])


def _iso_day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None
