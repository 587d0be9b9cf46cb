"""Furniture around real articles: what many sites have there and few of the 35.

Below each text stand a biography of its author, what readers say, without a time that would give
it away, and the terms of use with the author's name in them. Or the author is introduced above it,
and between its paragraphs stand an invitation and a link to another article. There are a dozen
authors; words are made up from letters, the same on each run. Lists stay as they are.
"""

from __future__ import annotations

import random
from html import escape

from lxml import etree

from benchmarks.material.corpus import GoldPage
from crawler.reading.html import text_content

AUTHORS = 12
MOST_RESPONSES = 4
KEY_LENGTH = 30
"""Characters of the first and the last line by which a text is found."""

BOXES = ("div", "section", "article", "main", "td", "body")
_LETTERS = "abcdefghilmnoprstuvz"
_BELOW = """<div>
<div class="about-author"><h4>About {author}</h4><p>{biography}</p></div>
<div class="responses"><h3>Responses</h3>{responses}</div>
<p class="terms">Text by {author}. You may copy it under the terms that hold for all of us.</p>
</div>"""
_ABOVE = '<div class="about-author"><h4>{author}</h4><p>{biography}</p></div>'
_INVITATION = "<p>Tell us where to write to, and you will read of our new texts in the morning.</p>"
_OTHER = '<p>Read also: <a href="/{address}.html">{title}</a></p>'


def furnish(root: etree._Element, page: GoldPage) -> None:
    """Add furniture below the text of a page, if it is an article."""
    holder = _holder(root, page.body) if page.is_article else None
    if holder is not None:
        chance = random.Random(page.url)
        author = _author(chance, page.author)
        many = range(chance.randint(0, MOST_RESPONSES))
        said = (_words(chance, chance.randint(5, 40)) for _ in many)
        responses = "".join(f'<div class="response"><p>{each}</p></div>' for each in said)
        at = holder.index(_last_with(holder, page.body)) + 1
        holder[at:at] = list(etree.fromstring(_BELOW.format_map(author | {"responses": responses})))


def interrupt(root: etree._Element, page: GoldPage) -> None:
    """Add furniture above the text of a page and between its parts, if it is an article."""
    holder = _holder(root, page.body) if page.is_article else None
    if holder is not None:
        chance = random.Random(page.url)
        author = _author(chance, page.author)
        first = holder.index(_first_with(holder, page.body))
        last = holder.index(_last_with(holder, page.body))
        other = _OTHER.format(address=_words(chance, 1), title=_words(chance, 6).capitalize())
        for each in (_INVITATION, other):
            if last > first:
                holder.insert(chance.randint(first + 1, last), etree.fromstring(each))
        holder.insert(first, etree.fromstring(_ABOVE.format_map(author)))


def _author(chance: random.Random, author: str | None) -> dict[str, str]:
    """Who wrote a page; what is said of an author is the same on all of his."""
    # The first authors write more than the last.
    number = min(int(chance.expovariate(3 / AUTHORS)), AUTHORS - 1)
    name = author or _words(random.Random(number), 2).title()
    return {"author": escape(name), "biography": _words(random.Random(name), 25)}


def _words(chance: random.Random, count: int) -> str:
    words = ("".join(chance.choices(_LETTERS, k=chance.randint(3, 8))) for _ in range(count))
    return " ".join(words)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _holder(page: etree._Element, body: str) -> etree._Element | None:
    """The innermost box that holds the first and the last line of a text; None if none does."""
    lines = [_squeezed(line) for line in body.splitlines() if line.strip()]
    holder = None
    for element in page.iter(*BOXES):
        text = _squeezed(text_content(element))
        if lines and lines[0][:KEY_LENGTH] in text and lines[-1][-KEY_LENGTH:] in text:
            holder = element  # those inside of it come later
    return holder if holder is not None and len(holder) else None


def _first_with(holder: etree._Element, body: str) -> etree._Element:
    """The first element in a box that holds the beginning of a text; the first of all if none
    does."""
    start = _squeezed(body)[:KEY_LENGTH]
    found = [child for child in holder if start in _squeezed(text_content(child))]
    return found[0] if found else holder[0]


def _last_with(holder: etree._Element, body: str) -> etree._Element:
    """The last element in a box that holds the end of a text; the last of all if none does."""
    end = _squeezed(body)[-KEY_LENGTH:]
    found = [child for child in holder if end in _squeezed(text_content(child))]
    return found[-1] if found else holder[-1]
