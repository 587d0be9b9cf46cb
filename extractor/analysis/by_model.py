"""What the page model chooses on a page, with those who say the same for machines as sources."""

from __future__ import annotations

from collections.abc import Sequence

from extractor.analysis.found import Found
from extractor.structure.place import TextPlace
from extractor.structure.structure import read_structure
from learner.dom.reading import Guess, Reading
from learner.page.dates import read_machine_date
from learner.page.words import word_letters

SURE_TITLE = 0.7
"""Probability from which on the page model is right against what a page calls itself. Origin:
measured, see docs/decisions.md."""

OF_TWO_TITLES = 0.6
"""Probability of the other title. Origin: measured, see docs/decisions.md."""


def add_reading(found: Found, reading: Reading, base: str) -> None:
    """Text, title, date and authors as the page model has them; who says the same for machines is
    named as their source."""
    if reading.title:
        _add_title(found, reading.title)
    if reading.body and "text" not in found.fields:
        place = TextPlace.around(found.tree, reading.body, found.value("title"))
        structure = read_structure(found.tree, place, reading.body, base)
        for name, value in (
            ("text", reading.text),
            ("html", structure.html),
            ("markdown", structure.markdown),
            ("images", structure.images),
        ):
            found.add(name, value, "model", reading.text_probability, place.containers[0])
    _add_date(found, reading)
    _add_authors(found, reading.authors)


def _add_title(found: Found, title: Guess) -> None:
    """What the page calls itself for machines and shows, unless the page model is sure of another
    title; else what that has chosen."""
    said = found.tree.metadata
    sources = (said.json_title, "jsonld"), (said.social_title, "opengraph"), (said.title, "title")
    letters = word_letters(title.value)
    for text, source in sources:
        if word_letters(text) == letters:
            _add_shown(found, title.value, source, title.probability)
    if title.probability < SURE_TITLE:
        for text, source in sources[:2]:
            if block := found.block_saying(text):
                found.add("title", block.text, source, OF_TWO_TITLES, block.element)
    _add_shown(found, title.value, "model", title.probability)


def _add_shown(found: Found, title: str, source: str, probability: float) -> None:
    block = found.block_of(title)
    found.add("title", title, source, probability, block.element if block else None)


def _add_date(found: Found, reading: Reading) -> None:
    if reading.published is None:
        return
    said = found.tree.metadata
    source = next(
        (
            name
            for text, name in ((said.json_published, "jsonld"), (said.meta_published, "meta"))
            if (read := read_machine_date(text) if text else None) and read[1] == reading.published
        ),
        "model",
    )
    block = found.block_of(reading.published_raw)
    element = block.element if block else None
    found.add("date", reading.moment, source, reading.published_probability, element)


def _add_authors(found: Found, authors: Sequence[Guess]) -> None:
    if not authors:
        return
    names = tuple(each.value for each in authors)
    said = found.tree.metadata
    sources = (said.json_authors, "jsonld"), (said.meta_authors, "meta")
    source = next((name for known, name in sources if set(names) <= set(known)), "model")
    block = found.block_of(names[0])
    probability = min(each.probability for each in authors)
    found.add("authors", names, source, probability, block.element if block else None)
