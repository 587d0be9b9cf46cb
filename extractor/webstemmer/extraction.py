"""The preset `webstemmer` on one page: its match as an article record."""

from __future__ import annotations

from crawler.config.stages import ExtractConfig
from extractor.records.articles import ArticleRecord, ArticleSection, Status
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet, Role, code_version
from learner.webstemmer.preset import WebstemmerMatch, match_webstemmer


def extract_webstemmer(page: Page, patterns: PatternSet, config: ExtractConfig) -> ArticleRecord:
    """Title and main text as Webstemmer 0.7.1 extracts them.

    The original knew no lists: each page that matches and has main text is an article to it.
    """
    match = match_webstemmer(page, patterns, config)
    score = match.score if match else _best_score(page, patterns, config)
    if match is None:
        status, reason = _miss(score, config)
    elif not match.texts(Role.MAIN):
        status, reason = Status.EMPTY, "the pattern's main sections are empty on this page"
    else:
        status, reason = Status.OK, None
    return ArticleRecord(
        url=page.url,
        url_key=page.url_key or page.url,
        status=status,
        reason=reason,
        title=_text(match, Role.TITLE, " "),
        body=_text(match, Role.MAIN, "\n"),
        sections=_sections(match),
        pattern_id=match.pattern.pattern_id if match else None,
        match_score=score,
        fetched_at=page.fetched_at,
        run_id=page.run_id,
        code_version=code_version(),
    )


def _best_score(page: Page, patterns: PatternSet, config: ExtractConfig) -> float | None:
    """The largest share of the page that a pattern finds, be it too little; None if none finds
    any."""
    match = match_webstemmer(page, patterns, config.model_copy(update={"match_threshold": 0.0}))
    return match.score if match and match.score > 0 else None


def _miss(score: float | None, config: ExtractConfig) -> tuple[Status, str]:
    needs = "all its sections and " if config.strict else ""
    reason = f"no pattern finds {needs}{config.match_threshold:.0%} of the page's text"
    if score is None:
        return Status.NO_PATTERN, reason
    return Status.LOW_SCORE, f"{reason}, the best {score:.0%}"


def _text(match: WebstemmerMatch | None, role: Role, separator: str) -> str | None:
    return (separator.join(match.texts(role)) or None) if match else None


def _sections(match: WebstemmerMatch | None) -> tuple[ArticleSection, ...]:
    """What the original prints: everything but boilerplate, a line for each block."""
    return tuple(
        ArticleSection(
            role=section.role.value,
            index=section.index,
            text="\n".join(block.text for block in section.blocks),
        )
        for section in (match.sections if match else ())
        if section.blocks and section.role is not Role.BOILERPLATE
    )
