"""What the page model reads on a page that no pattern fits."""

from __future__ import annotations

from typing import Any

from extractor.fields.facts import columns_of, said_facts
from extractor.fields.language import find_language
from extractor.structure.place import TextPlace
from extractor.structure.structure import read_structure
from learner.dom.reading import LISTINGS, Reading


def is_article(reading: Reading) -> bool:
    """Whether a page has a text of its own, whatever its type: patterns give out all but lists."""
    return not reading.is_listing and bool(reading.body)


def probability(reading: Reading) -> float:
    """How likely a reading is right, 0 to 1: that the page is no listing, times the share of the
    text that is expected to be; of a listing that it is of its type."""
    if not is_article(reading):
        return reading.types[reading.type]
    return (1 - sum(reading.types[name] for name in LISTINGS)) * reading.text_probability


def page_facts(reading: Reading) -> dict[str, Any]:
    """What is told of every page that the model reads: never less than what `<title>` says."""
    said = reading.tree.metadata
    return {
        "title": reading.title.value if reading.title else said.title or None,
        "date_published": reading.moment,
        "date_published_raw": reading.published_raw or None if reading.moment else None,
        "date_published_source": "model" if reading.moment else None,
        "authors": tuple(each.value for each in reading.authors),
        "language": find_language(said.language, reading.text),
        "page_type": reading.type,
        "probability": round(probability(reading), 4),
    }


def text_facts(reading: Reading, base: str) -> dict[str, Any]:
    """What is told beside of one that looks like an article; links start from `base`."""
    tree, body, title = reading.tree, reading.body, reading.title
    name = title.value if title else None
    structure = read_structure(tree, TextPlace.around(tree, body, name), body, base)
    pictures = [each.url for each in structure.images]
    facts = said_facts(tree, name, pictures, base, reading.moment)
    return columns_of(reading.text, structure, facts)
