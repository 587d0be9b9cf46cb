"""The preset `webstemmer`: the algorithm of 2005 (Shinyama, Webstemmer 0.7.1) as a set of choices.

Paths and texts are matched by difflib's greedy matching, as in the original. The true longest
common subsequence gives other numbers (docs/coming-from-webstemmer.md has the counts): any two
texts of 200 letters share a subsequence of half of them, and no text would look varied.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from crawler.config.stages import ExtractConfig, LearnConfig
from crawler.reading.html import parse_html
from learner.kinds.kind import Kind
from learner.page.pages import Page
from learner.page.words import word_letters
from learner.patterns.pattern import Pattern, PatternSet, Role, Section, code_version
from learner.patterns.scores import diff_score, main_score, pattern_score
from learner.patterns.sequences import greedy_runs
from learner.webstemmer.alignment import Column, align_layouts, assign_blocks
from learner.webstemmer.blocks import (
    WEBSTEMMER_STYLE,
    Block,
    BlockStyle,
    Layout,
    build_layout,
    mangle_value,
)
from learner.webstemmer.clusters import greedy_clusters
from learner.webstemmer.similarity import similarity
from learner.webstemmer.titles import elect_title, vote_of_page

PRESET = "webstemmer"

MATCHER = greedy_runs
"""How path sequences and texts are matched."""

CLUSTER_THRESHOLD = 0.97
"""Least similarity of two pages of one cluster. Origin: paper, the original's default."""

SAMPLE_LENGTH = 80
"""Characters of a section's text kept as its sample. Origin: guess."""


def webstemmer_style(mangle: str = "") -> BlockStyle:
    """The block style of 2005; `mangle` is the original's `-P`: only what it finds in an attribute
    value counts."""
    if not mangle:
        return WEBSTEMMER_STYLE
    return replace(WEBSTEMMER_STYLE, rewrite_value=mangle_value(re.compile(mangle)))


def page_layout(page: Page, style: BlockStyle) -> Layout:
    """The layout of a page's bytes."""
    return build_layout(parse_html(page.html, page.charset), style)


# Learning


def learn_webstemmer(pages: Iterable[Page], config: LearnConfig) -> PatternSet:
    """Patterns of a site's pages, best score first.

    Pages are taken in the order of their URLs: the greedy clustering depends on an order.
    """
    style = webstemmer_style(config.mangle)
    ordered = sorted(pages, key=lambda page: (page.url, page.html))
    layouts = [page_layout(page, style) for page in ordered]
    patterns = []
    for cluster in cluster_layouts([page.url for page in ordered], layouts, config):
        if len(cluster) >= config.least_pages:
            found = induce_pattern(
                [ordered[i] for i in cluster], [layouts[i] for i in cluster], config
            )
            patterns.append(found)
    return PatternSet(p for p in patterns if p and p.score >= config.score_threshold)


def cluster_layouts(
    urls: Sequence[str], layouts: Sequence[Layout], config: LearnConfig
) -> list[list[int]]:
    """Clusters of pages as lists of indexes."""
    threshold = config.cluster_threshold
    return greedy_clusters(
        urls,
        lambda page, member: similarity(layouts[page], layouts[member], MATCHER),
        CLUSTER_THRESHOLD if threshold is None else threshold,
        config.sample_size,
    )


def induce_pattern(
    pages: Sequence[Page], layouts: Sequence[Layout], config: LearnConfig
) -> Pattern | None:
    """The pattern of one cluster; None if its pages share nothing."""
    columns = align_layouts(layouts, MATCHER)
    if not columns:
        return None
    diffs = [diff_score(column.texts, MATCHER) for column in columns]
    mains = [
        main_score(diff, column.unlinked_weights)
        for diff, column in zip(diffs, columns, strict=True)
    ]
    main = mains.index(max(mains))
    title = elect_title(_votes(pages, columns, diffs, main, config.title_threshold))
    sections = tuple(
        _section(column, diff, score, section_role(i, title, diff, score, ExtractConfig()))
        for i, (column, diff, score) in enumerate(zip(columns, diffs, mains, strict=True))
    )
    return Pattern(
        preset=PRESET,
        kind=pattern_kind(title, sections),
        score=pattern_score(len(pages), mains),
        n_pages=len(pages),
        sections=sections,
        title=title,
        main=main,
        params=json.dumps({"mangle": config.mangle} if config.mangle else {}),
        name=pages[0].url,
        example_urls=tuple(page.url for page in pages),
        train_dates=tuple(sorted({page.fetched_at.date() for page in pages if page.fetched_at})),
        code_version=code_version(),
    )


def _votes(
    pages: Sequence[Page],
    columns: Sequence[Column],
    diffs: Sequence[float],
    main: int,
    threshold: float,
) -> Iterable[int | None]:
    texts_of_columns = [column.texts for column in columns]
    for i, page in enumerate(pages):
        letters = dict.fromkeys(word_letters(text) for text in page.anchor_texts)
        anchors = [text for text in letters if text]
        texts = [texts[i] for texts in texts_of_columns]
        yield vote_of_page(texts, diffs, main, anchors, threshold, MATCHER)


def _section(column: Column, diff: float, score: float, role: Role) -> Section:
    text = " ".join(block.text for block in column.blocks[0])
    return Section(
        path=column.path,
        role=role,
        diff_score=diff,
        main_score=score,
        support=column.support,
        sample=text[:SAMPLE_LENGTH],
    )


def pattern_kind(title: int | None, sections: Sequence[Section]) -> Kind:
    """The original knew no kinds: a pattern with a title and main text after it is one of
    articles."""
    has_main = any(section.role is Role.MAIN for section in sections)
    return Kind.ARTICLE if has_main and title is not None else Kind.OTHER


def section_role(
    index: int, title: int | None, diff: float, main: float, config: ExtractConfig
) -> Role:
    """What a section is, from its scores and its place relative to the title.

    >>> section_role(2, 1, 0.9, 500.0, ExtractConfig())
    <Role.MAIN: 'main'>
    >>> section_role(0, 1, 0.9, 500.0, ExtractConfig())
    <Role.SUB: 'sub'>
    """
    if index == title:
        return Role.TITLE
    if diff < config.diff_threshold:
        return Role.BOILERPLATE
    after_title = title is None or index > title
    return Role.MAIN if after_title and main >= config.main_threshold else Role.SUB


# Matching


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionText:
    """A section of a pattern as found on a page."""

    index: int
    """Its place in the pattern."""
    role: Role
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebstemmerMatch:
    """The pattern that a page matched and what it says of the page's blocks."""

    pattern: Pattern
    score: float
    """Share of the page's weight that the pattern's sections hold, 0 to 1."""
    sections: tuple[SectionText, ...]

    def texts(self, role: Role) -> list[str]:
        """Texts of the blocks of one role, in source order."""
        found = (section.blocks for section in self.sections if section.role is role)
        return [block.text for blocks in found for block in blocks]


def match_webstemmer(
    page: Page, patterns: PatternSet, config: ExtractConfig
) -> WebstemmerMatch | None:
    """The pattern whose sections hold most of the page; None if none holds `match_threshold` of it.

    In strict mode a pattern must find all its sections. The better scored pattern wins a tie.
    """
    layouts: dict[str, Layout] = {}
    best: WebstemmerMatch | None = None
    for pattern in patterns:
        mangle = pattern.param("mangle", "")
        if mangle not in layouts:
            layouts[mangle] = page_layout(page, webstemmer_style(mangle))
        least = best.score if best else config.match_threshold
        found = match_layout(layouts[mangle], pattern, config, least)
        if found and (best is None or found.score > best.score):
            best = found
    return best


def match_layout(
    layout: Layout, pattern: Pattern, config: ExtractConfig, least: float
) -> WebstemmerMatch | None:
    """One pattern tried on one page; None if it holds less than `least` of the page."""
    paths = [section.path for section in pattern.sections]
    known = set(paths)
    reachable = sum(block.weight for block in layout.blocks if block.path in known)
    if not layout.weight or reachable < least * layout.weight:
        return None
    found = assign_blocks(paths, layout)
    if config.strict and not all(found):
        return None
    share = sum(block.weight for blocks in found for block in blocks) / layout.weight
    if share < least:
        return None
    sections = tuple(
        SectionText(
            index=i,
            role=section_role(i, pattern.title, section.diff_score, section.main_score, config),
            blocks=blocks,
        )
        for i, (section, blocks) in enumerate(zip(pattern.sections, found, strict=True))
    )
    return WebstemmerMatch(pattern=pattern, score=share, sections=sections)
