"""Learning where the pages of a cluster name their section and their tags.

A link to a topic says what the page says for machines (`article:section`, keywords, crumbs), is
marked as one (microformat rel-tag), or leads where links of several other pages lead, to what is
neither beside the pages of the cluster nor their author: no words of any language are needed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from learner.page import hints
from learner.page.locators import Locator
from learner.page.markup import TAGS, attributes_of, cut_tags
from learner.page.said.metadata import Metadata
from learner.page.tree import LayoutTree
from learner.page.words import word_letters
from learner.site.cluster_page import ClusterPage
from learner.site.recurrence import find_template_facts, recurring_texts
from learner.site.signatures import Signatures
from learner.topics.rule import TopicPlace, TopicRule, folder_of, topic_blocks, topic_links

LEAST_PAGES = 3
"""Pages on which a place must name topics. Origin: guess."""

SURE_SHARE = 0.5
"""Share of the pages with links at a place on which one of them is told to be a topic, or of the
links there that lead where those of other pages lead. Origin: guess."""

EVERYWHERE = 0.9
"""Share of the pages from which on a link is the menu's. Origin: guess."""

SEVERAL = 1.3
"""Links on a page, in the mean, from which on they are tags, if nothing else tells them from a
section. Origin: guess."""


@dataclass(slots=True)
class _Links:
    """The links of all pages at one place that lead to one folder."""

    targets: list[set[str]] = field(default_factory=list)
    """Where they lead, for each page with any."""
    n_sections: int = 0
    """Pages that say for machines that one of them is their section."""
    n_tags: int = 0
    """Pages that say so of their tags."""
    n_marked: int = 0
    """Pages on which they are marked as topics."""

    @property
    def n_pages(self) -> int:
        return len(self.targets)

    @property
    def n_told(self) -> int:
        """Pages that tell that they are topics."""
        return max(self.n_sections, self.n_tags, self.n_marked)

    @property
    def are_tags(self) -> bool:
        """Whether they are tags, rather than a section."""
        if self.n_sections != self.n_tags:
            return self.n_tags > self.n_sections
        return sum(map(len, self.targets)) > SEVERAL * self.n_pages

    def recur(self) -> bool:
        """Whether they lead where others of several pages lead, and not all to the same."""
        pages = Counter(target for targets in self.targets for target in targets)
        shared = sum(n for n in pages.values() if n > 1)
        return shared >= SURE_SHARE * sum(pages.values()) and len(pages) > 1


def learn_topics(pages: Sequence[ClusterPage], signatures: Signatures) -> TopicRule:
    """Where the pages of a cluster, whose texts are known, name what they are about."""
    found: defaultdict[tuple[int, str], _Links] = defaultdict(_Links)
    linked = [list(_page_links(page)) for page in pages]
    everywhere = _everywhere(linked)
    articles = {folder_of(page.tree.key) for page in pages}
    for page, links in zip(pages, linked, strict=True):
        _note_links(page, [each for each in links if each.target not in everywhere], found)
    sections: list[tuple[int, str, _Links]] = []
    tags: list[tuple[int, str, _Links]] = []
    for (place, folder), at_place in found.items():
        if at_place.n_pages >= LEAST_PAGES and _are_topics(folder, at_place, articles):
            (tags if at_place.are_tags else sections).append((place, folder, at_place))
    return TopicRule(
        sections=_places(sections, signatures),
        tags=_places(tags, signatures),
        template_facts=find_template_facts(
            [filter(None, _said(page.tree.metadata)) for page in pages]
        )
        | recurring_texts([_picture_sources(page.tree) for page in pages], least=LEAST_PAGES),
    )


@dataclass(frozen=True, slots=True)
class _Link:
    """A link of a page that may lead to a topic."""

    key: tuple[int, str]
    """The place of its element, and the folder that it leads to."""
    name: str
    """The letters of what it says."""
    target: str
    is_marked: bool
    """Whether it stands in a line with a link that is said to lead to a topic."""


def _page_links(page: ClusterPage) -> Iterator[_Link]:
    """The links of a page near its title and its text."""
    for block in topic_blocks(page.tree, page.title, page.extent):
        place, is_marked = page.places[block.element], _is_marked(block.line.markup)
        for name, folder, target in topic_links(page.tree, block):
            yield _Link((place, folder), word_letters(name), target, is_marked)


def _note_links(
    page: ClusterPage, links: Iterable[_Link], found: dict[tuple[int, str], _Links]
) -> None:
    """Note the links of a page by the place and the folder that they lead to."""
    metadata = page.tree.metadata
    section = {word_letters(s) for s in _sections(metadata)} - {""}
    tags = {word_letters(t) for t in (*metadata.json_tags, *metadata.meta_tags)} - {""}
    authors = {word_letters(a) for a in (*metadata.authors, *page.authors)}
    here: defaultdict[tuple[int, str], dict[str, str]] = defaultdict(dict)
    marked: set[tuple[int, str]] = set()
    for link in links:
        if link.name not in authors:
            here[link.key][link.target] = link.name
            if link.is_marked:
                marked.add(link.key)
    for key, names in here.items():
        at_place = found[key]
        at_place.targets.append(set(names))
        at_place.n_sections += not section.isdisjoint(names.values())
        at_place.n_tags += not tags.isdisjoint(names.values())
        at_place.n_marked += key in marked


def _picture_sources(tree: LayoutTree) -> Iterator[str]:
    """Where the pictures of a page come from, as written: those on several pages are decoration."""
    for _, _, line in tree.pictured:
        for source in cut_tags(line.markup)[1::2]:
            if source.startswith("img "):
                yield attributes_of(source).get("src", "")


def _is_marked(markup: str) -> bool:
    """Whether one of a line's links is said to lead to a topic."""
    if ' rel="' not in markup:
        return False
    return any(TAGS[source].says_topic for source in cut_tags(markup)[1::2])


def _are_topics(folder: str, links: _Links, articles: set[str]) -> bool:
    """Whether links to a folder lead to topics; `articles` are the folders of the cluster's
    pages."""
    if links.n_told >= SURE_SHARE * links.n_pages:
        return True
    if not folder or folder in articles or folder[-1].isdigit() or hints.names_author(folder):
        return False
    return links.recur()


def _everywhere(linked: Sequence[Sequence[_Link]]) -> frozenset[str]:
    """Where links of nearly all pages lead: the site's menu."""
    counts = Counter(target for links in linked for target in {each.target for each in links})
    least = max(LEAST_PAGES, EVERYWHERE * len(linked))
    return frozenset(target for target, n in counts.items() if n >= least)


def _places(
    found: Iterable[tuple[int, str, _Links]], signatures: Signatures
) -> tuple[TopicPlace, ...]:
    """The places of topics, those that serve most pages first."""
    folders: defaultdict[Locator, set[str]] = defaultdict(set)
    pages: Counter[Locator] = Counter()
    for place, folder, links in found:
        locator = signatures.locator(place)
        folders[locator].add(folder)
        pages[locator] += links.n_told * len(links.targets) + links.n_pages
    ranked = sorted(folders, key=lambda locator: (-pages[locator], str(locator)))
    return tuple(TopicPlace(locator=each, folders=frozenset(folders[each])) for each in ranked)


def _sections(metadata: Metadata) -> Iterator[str]:
    yield metadata.json_section
    yield metadata.meta_section
    yield from metadata.crumbs[1:-1]


def _said(metadata: Metadata) -> Iterator[str]:
    """What a page says of itself that differs from page to page, if it is no template's."""
    yield metadata.json_description
    yield metadata.meta_description
    yield metadata.json_image
    yield metadata.meta_image
    yield ", ".join(metadata.json_tags)
    yield ", ".join(metadata.meta_tags)
