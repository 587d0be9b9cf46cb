"""What on a page may be a product's name, its price or its picture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urljoin

from lxml import etree
from price_parser import Price

from crawler.reading.hidden import skip_hidden
from crawler.reading.html import text_content
from learner.page.words import clean_text
from learner.vision.products.amounts import LONGEST, has_digit, read_price

MOST_CANDIDATES = 500
"""Of each kind on a page. Origin: guess; a shop's list has some hundreds of prices."""

LONGEST_NAME = 250
"""Characters of a name. Origin: guess."""

LARGEST_BOX = 3
"""Elements that a price is climbed out of, to see its currency. Origin: guess."""

UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "select", "option", "svg"})
ACTED_ON = frozenset({"button", "input", "form"})
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_PICTURE = re.compile(r"\.(?:jpe?g|png|webp|avif)(?:$|\?)", re.IGNORECASE)
_SOURCES = ("data-large_image", "data-zoom-image", "data-src", "data-original", "src")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element, and what it would mean."""

    element: etree._Element
    position: int
    """Of the element among all of the page, in document order."""
    text: str
    """The name, the text of the price, or the address of the picture."""
    price: Price | None = None


class ProductPage:
    """One page, with what may be said of a product on it."""

    def __init__(self, root: etree._Element, url: str) -> None:
        body = root if root.tag == "body" else root.find("body")
        self.root = root
        self.url = url
        self.body = root if body is None else body
        skip_hidden(root, self.body)
        self.elements = [each for each in self._seen(self.body) if isinstance(each.tag, str)]
        self.positions = {each: index for index, each in enumerate(self.elements)}
        title = next(root.iter("title"), None)
        self.title = "" if title is None else clean_text(text_content(title))[:LONGEST_NAME]

    def _seen(self, element: etree._Element) -> Iterator[etree._Element]:
        """The elements that may be shown, in document order."""
        stack = [element]
        while stack:
            each = stack.pop()
            if isinstance(each.tag, str) and each.tag not in UNSEEN:
                yield each
                stack.extend(reversed(each))

    @cached_property
    def names(self) -> list[Candidate]:
        """Headings, and what repeats the page's `<title>`."""
        found = []
        for element in self.elements:
            own = clean_text("".join(_own_texts(element)))
            if not own or len(own) > LONGEST_NAME or not any(map(str.isalpha, own)):
                continue
            text = short_text(element, LONGEST_NAME) if element.tag in HEADINGS else own
            if element.tag in HEADINGS or (len(text) > 2 and text in self.title):
                found.append(Candidate(element, self.positions[element], text[:LONGEST_NAME]))
        return found[:MOST_CANDIDATES]

    @cached_property
    def prices(self) -> list[Candidate]:
        """The innermost elements that say one amount, with the currency where it stands around."""
        found: dict[etree._Element, Candidate] = {}
        for element in self.elements:
            if not has_digit("".join(_own_texts(element))):
                continue
            box = self._box_of_price(element)
            if box is not None and box not in found:
                text = short_text(box, LONGEST)
                found[box] = Candidate(box, self.positions[box], text, read_price(text))
        return list(found.values())[:MOST_CANDIDATES]

    def _box_of_price(self, element: etree._Element) -> etree._Element | None:
        best = None
        for _ in range(LARGEST_BOX + 1):
            text = short_text(element, LONGEST)
            if len(text) > LONGEST or element not in self.positions:
                break
            price = read_price(text)
            if price is None:
                break
            best = element
            if price.currency:
                break
            parent = element.getparent()
            if parent is None:
                break
            element = parent
        return best

    @cached_property
    def pictures(self) -> list[Candidate]:
        """Each picture once, by the address of its largest form that the page names."""
        found: dict[str, Candidate] = {}
        for element in self.elements:
            if element.tag == "img":
                address = picture_address(element, self.url)
                if address and address not in found:
                    found[address] = Candidate(element, self.positions[element], address)
        return list(found.values())[:MOST_CANDIDATES]

    @cached_property
    def price_places(self) -> list[int]:
        """The positions of the prices, in their order."""
        return sorted(each.position for each in self.prices)

    @cached_property
    def actions(self) -> list[int]:
        """The positions of what a reader acts on: buttons, fields and forms."""
        return [place for place, each in enumerate(self.elements) if each.tag in ACTED_ON]

    @cached_property
    def places(self) -> Counter[tuple[str, str, str]]:
        """How many elements of the page stand at each place."""
        return Counter(map(place_of, self.elements))


def picture_address(image: etree._Element, url: str) -> str | None:
    """The address of the largest form of an `img` that the page names; None if it names none. `url`
    is where its links start."""
    link = next(image.iterancestors("a"), None)
    target = "" if link is None else link.get("href") or ""
    sources = [target] if _PICTURE.search(target) else []
    sources += [image.get(name) or "" for name in _SOURCES]
    for source in sources:
        if source and not source.startswith("data:"):
            try:
                return urljoin(url, source.strip())
            except ValueError:
                continue
    return None


def short_text(element: etree._Element, most: int) -> str:
    """The text below an element, or somewhat more than `most` characters of it."""
    parts: list[str] = []
    length = 0
    for part in element.itertext():
        parts.append(str(part))
        length += len(part.strip())
        if length > most:
            break
    return clean_text("".join(parts))


def place_of(element: etree._Element) -> tuple[str, str, str]:
    """What elements of one kind share: the tags and classes of it and of its parent."""
    parent = element.getparent()
    above = "" if parent is None else f"{parent.tag} {parent.get('class') or ''}"
    return str(element.tag), element.get("class") or "", above


def _own_texts(element: etree._Element) -> Iterator[str]:
    """The text that stands in an element itself, in no other below it."""
    yield element.text or ""
    for child in element:
        yield child.tail or ""
