"""What a page says of its article beside title, text, date and author, and where it says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from crawler.reading.links import resolve
from extractor.fields.words import count_words
from extractor.structure.structure import Structure
from learner.page.dates import read_machine_date
from learner.page.said.metadata import Metadata
from learner.page.tree import LayoutTree
from learner.page.words import word_letters
from learner.patterns.matching import Match

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Beside title, text, date and author."""

    image: str | None = None
    description: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    date_modified: datetime | None = None
    site_name: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each that is known comes from: pattern, text, json-ld or meta."""


def find_facts(
    tree: LayoutTree, match: Match, pictures: Sequence[str], base: str, published: datetime | None
) -> Facts:
    """What a page shows at places that its pattern has learned; else what it says for machines,
    unless its template says the same on many pages. `pictures` are the addresses of those in its
    text, the last resort: publishers choose the one that they name for machines."""
    rule = match.rules.topics
    shown = rule.read(tree, match.title_block, match.extent(tree))
    return said_facts(
        tree, match.title, pictures, base, published, shown=shown, template=rule.template_facts
    )


def said_facts(
    tree: LayoutTree,
    title: str | None,
    pictures: Sequence[str],
    base: str,
    published: datetime | None,
    *,
    shown: tuple[str | None, tuple[str, ...]] = (None, ()),
    template: frozenset[str] = frozenset(),
) -> Facts:
    """What a page says for machines, but for what its `template` says on many pages; section and
    tags as it has `shown` them at learned places."""
    said, sources = tree.metadata, _Sources()
    section, tags = shown
    names = [(said.meta_site_name, "meta"), (said.json_site_name, "json-ld")]
    return Facts(
        image=sources.first("image", _images(said, base, template, pictures)),
        description=sources.first("description", _descriptions(said, template)),
        section=sources.first("section", [(section, "pattern"), *_sections(said, title)]),
        tags=sources.first("tags", [(tags, "pattern"), *_tags(said, template)]) or (),
        date_modified=sources.first("date_modified", _modified(said, published)),
        site_name=sources.first("site_name", names),
        sources=sources,
    )


def columns_of(text: str, structure: Structure, facts: Facts) -> dict[str, Any]:
    """What a record has of a text, its elements, and what its page says of it beside."""
    return {
        "body": text,
        "body_html": structure.html,
        "body_markdown": structure.markdown,
        "word_count": count_words(text),
        "images": structure.images,
        "links": structure.links,
        "image": facts.image,
        "description": facts.description,
        "date_modified": facts.date_modified,
        "section": facts.section,
        "tags": facts.tags,
        "site_name": facts.site_name,
        "sources": facts.sources,
    }


class _Sources(dict[str, str]):
    """Fact -> its source."""

    def first(self, name: str, said: Iterable[tuple[T | None, str]]) -> T | None:
        """The first value that is any; its source is noted."""
        for value, source in said:
            if value:
                self[name] = source
                return value
        return None


def _images(
    said: Metadata, base: str, template: frozenset[str], pictures: Iterable[str]
) -> Iterator[tuple[str | None, str]]:
    for address, source in (said.json_image, "json-ld"), (said.meta_image, "meta"):
        if address not in template:
            yield resolve(base, address), source
    yield from ((address, "text") for address in pictures)


def _descriptions(said: Metadata, template: frozenset[str]) -> Iterator[tuple[str, str]]:
    for text, source in (said.json_description, "json-ld"), (said.meta_description, "meta"):
        if text not in template:
            yield " ".join(text.split()), source


def _sections(said: Metadata, title: str | None) -> Iterator[tuple[str, str]]:
    """Those that the page names, then the innermost page above it but for the site's start."""
    yield said.json_section, "json-ld"
    yield said.meta_section, "meta"
    own = word_letters(title or "")
    above = [name for name in said.crumbs[1:] if word_letters(name) not in own]
    yield (above[-1] if above else ""), "json-ld"


def _tags(said: Metadata, template: frozenset[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    for tags, source in (said.json_tags, "json-ld"), (said.meta_tags, "meta"):
        if ", ".join(tags) not in template:
            yield tags, source


def _modified(said: Metadata, published: datetime | None) -> Iterator[tuple[datetime, str]]:
    """When the page says that it was changed, if that is later than its publication."""
    for text, source in (said.json_modified, "json-ld"), (said.meta_modified, "meta"):
        read = read_machine_date(text) if text else None
        if read and (published is None or read[0] > published):
            yield read[0], source
