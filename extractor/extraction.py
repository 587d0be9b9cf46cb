"""One page in, one article record out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml import etree

from crawler.config.stages import ExtractConfig
from crawler.reading.html import parse_html
from crawler.reading.links import base_url
from extractor.fields.authors import find_authors, without_bylines
from extractor.fields.dates import find_publication
from extractor.fields.facts import columns_of, find_facts
from extractor.fields.guessed import is_article, page_facts, probability, text_facts
from extractor.fields.language import find_language
from extractor.records.articles import ARTICLES, ArticleRecord, ArticleSection, Status
from extractor.structure.place import TextPlace
from extractor.structure.structure import read_structure
from extractor.webstemmer.extraction import extract_webstemmer
from learner.dom.reading import read_tree
from learner.page.pages import Page
from learner.page.tree import LayoutTree, build_tree
from learner.page.words import TEXT_WEIGHT, text_digest, without_numbers
from learner.patterns.matching import Match, is_like_lists, match_page
from learner.patterns.pattern import DEFAULT_PRESET, PatternSet, code_version

DEFAULT_CONFIG = ExtractConfig()

NO_TEXT = "the page has no text"
DRAWN_BY_SCRIPTS = "the page has no text: scripts draw it in a browser; see `render`"

SHORT_PAGE = 60
"""Blocks of a page at most whose text is remembered though it is no article: a wall or an error has
a few. Origin: guess."""

LIKE_LISTS = "its frame is that of the site's lists, not of its articles"

SAME_ANSWER = "the site answers many addresses with this text, by whatever names links call them"


def extract_article(
    page: Page,
    patterns: PatternSet,
    config: ExtractConfig = DEFAULT_CONFIG,
    former: Sequence[PatternSet] = (),
) -> ArticleRecord:
    """The article on a page, or a record that says why there is none. Never raises on a page.

    What has the layout of none of `patterns` is read by the first of the `former` ones that fit. A
    page that fits none, as all of a site that was never learned, is read by the page model: it is
    `guessed` if it looks like an article, as `config.guess` says.
    """
    try:
        record = _extract(page, patterns, config, former)
    except Exception as error:  # one bad page must not end a job of thousands
        record = _record(page, Status.ERROR, f"{type(error).__name__}: {error}")
    if record.status in ARTICLES:
        record = replace(record, text_sha256=text_digest(record.title, record.body))
    return record.with_anchor_texts(page.anchor_texts)


def _extract(
    page: Page, patterns: PatternSet, config: ExtractConfig, former: Sequence[PatternSet]
) -> ArticleRecord:
    content = _Content(page)
    record = _by_patterns(content, patterns, config)
    for others in former:
        if record.pattern_id is not None or record.status not in (Status.NO_PATTERN, Status.LIST):
            return record
        by_others = _by_patterns(content, others, config)
        if by_others.status is Status.OK:
            return by_others
    least = config.least_probability
    if record.status is Status.NO_PATTERN and least is not None and not _are_webstemmer(patterns):
        return _guess(content, record, least)
    return record


class _Content:
    """What is on a page, parsed when it is needed."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def root(self) -> etree._Element:
        return parse_html(self.page.html, self.page.charset)

    @cached_property
    def tree(self) -> LayoutTree:
        return build_tree(self.root, self.page.url)

    @property
    def base(self) -> str:
        """Where its links start from."""
        return base_url(self.root, self.page.url)


def _are_webstemmer(patterns: PatternSet) -> bool:
    return any(pattern.preset != DEFAULT_PRESET for pattern in patterns)


def _by_patterns(content: _Content, patterns: PatternSet, config: ExtractConfig) -> ArticleRecord:
    page = content.page
    if _are_webstemmer(patterns):
        return extract_webstemmer(page, patterns, config)
    tree = content.tree
    match = match_page(tree, patterns) if tree.blocks else None
    if match is None and _says_little(tree):
        is_drawn = next(content.root.iter("script"), None) is not None
        return _record(page, Status.EMPTY, DRAWN_BY_SCRIPTS if is_drawn else NO_TEXT)
    record = _read(page, tree, match, patterns, content.base)
    if record.status is not Status.OK and len(tree.blocks) <= SHORT_PAGE:
        said = without_numbers(block.text for block in tree.blocks)
        record = replace(record, text_sha256=text_digest(None, said))
    return record


def _guess(content: _Content, record: ArticleRecord, least: float) -> ArticleRecord:
    """What the page model makes of a page whose `record` says that no pattern fits."""
    reading = read_tree(content.tree)
    record = replace(record, **page_facts(reading))
    if not is_article(reading) or probability(reading) < least:
        return replace(record, reason=f"{record.reason}; it looks like: {reading.type}")
    record = replace(record, status=Status.GUESSED, **text_facts(reading, content.base))
    return replace(
        record,
        canonical_url=_canonical_url(content.tree),
        sections=_sections(record.title, record.body),
    )


def _says_little(tree: LayoutTree) -> bool:
    return sum(block.weight for block in tree.blocks[:SHORT_PAGE]) < TEXT_WEIGHT


def _read(
    page: Page, tree: LayoutTree, match: Match | None, patterns: PatternSet, base: str
) -> ArticleRecord:
    """The record of a page that has text, read as it matches; links start from `base`."""
    if match is None and is_like_lists(tree, patterns):
        return _record(page, Status.LIST, LIKE_LISTS)
    if match is None:
        return _record(page, Status.NO_PATTERN, "no article pattern has its places on this page")
    if match.is_list:
        return _record(page, Status.LIST, LIKE_LISTS, match=match)
    if not match.body:
        reason = "the pattern fits, but its main container holds no text of its own here"
        return _record(page, Status.EMPTY, reason, match=match)
    if patterns.site.soft_errors and match.digest in patterns.site.soft_errors:
        return _record(page, Status.SOFT_ERROR, SAME_ANSWER, match=match)
    published = find_publication(tree, match)
    shown = published.block if published else None
    authors, named = find_authors(tree, match, shown)
    body = without_bylines(tree, match.body, (shown, named))
    text = tree.written(body)
    moment = published.moment if published else None
    structure = read_structure(tree, TextPlace.of(match), body, base)
    facts = find_facts(tree, match, [each.url for each in structure.images], base, moment)
    return _record(
        page,
        Status.OK,
        match=match,
        canonical_url=_canonical_url(tree),
        date_published=moment,
        date_published_raw=published.raw if published else None,
        date_published_source=published.source if published else None,
        authors=authors,
        **columns_of(text, structure, facts),
        language=find_language(tree.metadata.language, text),
    )


def _canonical_url(tree: LayoutTree) -> str | None:
    """What the page names as its URL, absolute; None if that is no address of a page."""
    if not tree.metadata.canonical:
        return None
    try:
        url = urljoin(tree.url, tree.metadata.canonical)
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in ("http", "https") and parts.netloc else None


def _sections(title: str | None, body: str | None) -> tuple[ArticleSection, ...]:
    """The texts of an article in source order."""
    texts = (("title", title), ("main", body))
    return tuple(
        ArticleSection(role=role, index=index, text=text)
        for index, (role, text) in enumerate(texts)
        if text
    )


def _record(
    page: Page,
    status: Status,
    reason: str | None = None,
    match: Match | None = None,
    body: str | None = None,
    **facts: Any,
) -> ArticleRecord:
    """A record of a page; `facts` are what only an article has."""
    title = match.title if match and body else None
    return ArticleRecord(
        url=page.url,
        url_key=page.url_key or page.url,
        status=status,
        reason=reason,
        title=title,
        body=body,
        sections=_sections(title, body),
        pattern_id=match.pattern.pattern_id if match else None,
        match_score=match.score if match else None,
        fetched_at=page.fetched_at,
        run_id=page.run_id,
        code_version=code_version(),
        **facts,
    )
