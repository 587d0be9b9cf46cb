"""Which elements of a page no reader sees, as far as the page itself says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

from lxml import etree

from crawler.reading.html import text_content

LARGEST_SHEET = 200_000
"""Characters of style sheets of a page that are read. Origin: guess."""

MOST_SHEETS = 50
"""Style sheets that are remembered: a site has the same ones on all pages. Origin: guess, 10 MB."""

MOST_HIDDEN = 2_000
"""Hidden elements of a page that are left out. Origin: guess; a menu has some hundreds."""

LONGEST_OPENER = 1_000
"""Characters of an attribute that may name what it opens. Origin: guess."""

MOST_SHARE = 0.5
"""Share of the text of a page that may be hidden from readers. More is shown by a script: pages
fade in, tabs open. Origin: guess."""

_marked = etree.XPath("descendant::*[@style or @hidden or self::dialog]")
_named = etree.XPath("descendant::*[@class or @id]")
_openers = etree.XPath(
    ".//@onclick | .//@aria-controls | .//@data-target | .//@data-bs-target | .//@data-toggle"
    " | .//@href[starts-with(., '#') or starts-with(., 'javascript:')]",
    smart_strings=False,
)
_WORDS = re.compile(r"[\w-]+")
_texts = etree.XPath(
    "descendant::text()[not(parent::a or parent::script or parent::style or parent::noscript"
    " or ancestor::template)]",
    smart_strings=False,
)
_HIDES = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.IGNORECASE
)
_SHOWS = re.compile(r"(?:^|;)\s*(?:display|visibility)\s*:", re.IGNORECASE)
_PART = re.compile(r"[^{}]*[{}]")
_SIMPLE = re.compile(r"[.#]-?[_a-zA-Z][\w-]*")


def skip_hidden(root: etree._Element, body: etree._Element) -> None:
    """Turn the hidden elements of a page into `template` elements, whose content is no text; not
    those that a reader can open, and none where they are the greater part of its text, dialogs
    aside: a script shows it.

    >>> page = etree.fromstring('<body><p>One <i hidden="">two</i></p><p>three</p></body>')
    >>> skip_hidden(page, page)
    >>> [each.text for each in page.iter("template")]
    ['two']
    """
    marked = [*_marked_so(body), *_named_so(body, hiding_names(root))]
    found = [each for each in _outermost(marked) if text_content(each).strip()]
    if not found:
        return
    named = frozenset(_names_named(body)) if any(each.get("id") for each in found) else frozenset()
    hidden = [each for each in found if each.get("id") not in named]
    dialogs = [each for each in hidden if each.get("role") == "dialog" or each.tag == "dialog"]
    _skip(dialogs)
    others = [each for each in hidden if each.tag != "template"]
    if sum(map(_size, others)) <= MOST_SHARE * _size(body):
        _skip(others)


def _skip(elements: Sequence[etree._Element]) -> None:
    for element in elements:
        element.tag = "template"


def _names_named(body: etree._Element) -> Iterator[str]:
    """The words of links and handlers, the ids of what they open among them."""
    for value in cast("list[str]", _openers(body)):
        yield from _WORDS.findall(value[:LONGEST_OPENER])


def _marked_so(body: etree._Element) -> Iterator[etree._Element]:
    """The elements that hide themselves, and dialogs that are not open."""
    for element in cast("list[etree._Element]", _marked(body)):
        found = element.get("hidden")
        is_closed = element.tag == "dialog" and element.get("open") is None
        hides = _HIDES.search(element.get("style") or "") or found not in (None, "until-found")
        if is_closed or hides:
            yield element


def _named_so(body: etree._Element, names: frozenset[str]) -> Iterator[etree._Element]:
    """The elements that a style sheet hides by their names."""
    if not names:
        return
    for element in cast("list[etree._Element]", _named(body)):
        own = {f".{name}" for name in (element.get("class") or "").split()}
        if not names.isdisjoint(own | {f"#{element.get('id')}"}):
            yield element


def _outermost(elements: Sequence[etree._Element]) -> Iterator[etree._Element]:
    """Those that stand in no other."""
    found = set(elements[:MOST_HIDDEN])
    for element in found:
        if not any(each in found for each in element.iterancestors()):
            yield element


def _size(element: etree._Element) -> int:
    """Characters of text outside links, without white space."""
    texts: Any = _texts(element)
    return sum(len("".join(text.split())) for text in texts)


def hiding_names(root: etree._Element) -> frozenset[str]:
    """The `.class` and `#id` names by which the style sheets in a page hide elements, whatever the
    width of the screen, and which no other rule for all screens shows.

    >>> sheet = ".a, #b {display: none} .c {display: none} .c.on {display: block} @media print {"
    >>> style = f"<style>{sheet} .d {{display: none}} }}</style>"
    >>> sorted(hiding_names(etree.fromstring(f"<html>{style}</html>")))
    ['#b', '.a']
    """
    hiding: set[str] = set()
    shown: set[str] = set()
    left = LARGEST_SHEET
    for style in root.iter("style"):
        sheet = (style.text or "")[:left]
        left -= len(sheet)
        hides, shows = _names_in(sheet)
        hiding |= hides
        shown |= shows
    return frozenset(hiding - shown)


@lru_cache(maxsize=MOST_SHEETS)
def _names_in(sheet: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names by which a style sheet hides elements, and those by which it may show them."""
    hiding: set[str] = set()
    shown: set[str] = set()
    if "none" in sheet or "hidden" in sheet:
        for selectors, declared in _rules(_without_comments(sheet)):
            if _HIDES.search(declared):
                hiding.update(filter(_SIMPLE.fullmatch, map(str.strip, selectors.split(","))))
            elif _SHOWS.search(declared):
                shown.update(_SIMPLE.findall(selectors))
    return frozenset(hiding), frozenset(shown)


def _without_comments(sheet: str) -> str:
    before, *others = sheet.split("/*")
    return before + "".join(other.partition("*/")[2] for other in others)


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of the rules that stand in no other."""
    depth, selectors = 0, ""
    for part in _PART.findall(sheet):
        if part.endswith("{"):
            selectors = part[:-1].rpartition(";")[2] if depth == 0 else ""
            depth += 1
            continue
        depth -= 1
        if depth == 0 and selectors:
            yield selectors, part[:-1]
        depth, selectors = max(depth, 0), ""
