"""What the records of a learned site teach the page model, where pattern and page agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from crawler.config.sites import SiteConfig
from crawler.config.stages import ExtractConfig
from crawler.reading.html import parse_html
from crawler.storage.partitions import Storage
from extractor.extraction import extract_article
from extractor.records.articles import ArticleRecord, Status
from learner.dom.teaching.training import Lesson
from learner.page.dates import read_machine_date
from learner.page.pages import Page
from learner.page.said.metadata import Metadata, read_metadata
from learner.page.words import word_letters
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns
from learner.site.sampling import evenly_spaced

LEAST_SHARE = 0.5
"""Least share of the letters of `<title>` that the title of a record must have to be what the page
calls itself; the rest is the site's name. Origin: guess."""

_COLUMNS = ("url_key", "final_url", "charset", "html")

_PATTERNS_ALONE = ExtractConfig(guess=False)

_NEW_BODY = [("unchanged", "==", False)]


def pattern_lessons(site: str, pages: Iterable[Page], patterns: PatternSet) -> Iterator[Lesson]:
    """A lesson for each page of which the patterns of its site say what it is, and the page itself
    says nothing else."""
    for page in pages:
        lesson = _lesson(site, page, extract_article(page, patterns, _PATTERNS_ALONE))
        if lesson is not None:
            yield lesson


def site_lessons(storage: Storage, site: SiteConfig, most: int) -> Iterator[Lesson]:
    """Lessons of some stored pages of a site that was learned; none if it was not."""
    patterns = current_patterns(storage, site.name)
    if len(patterns):
        yield from pattern_lessons(site.name, _some_pages(storage, site.name, most), patterns)


def _some_pages(storage: Storage, site: str, most: int) -> Iterator[Page]:
    keys: set[str] = set()
    for batch in storage.read("pages", site, columns=("url_key",), filters=_NEW_BODY):
        keys.update(batch["url_key"].to_pylist())
    if not keys:
        return
    wanted = set(evenly_spaced(sorted(keys), most))
    chosen = [*_NEW_BODY, ("url_key", "in", sorted(wanted))]
    for batch in storage.read("pages", site, columns=_COLUMNS, filters=chosen):
        for row in batch.to_pylist():
            if row["html"] and row["url_key"] in wanted:
                wanted.remove(row["url_key"])
                yield Page(url=row["final_url"], html=row["html"], charset=row["charset"])


def _lesson(site: str, page: Page, record: ArticleRecord) -> Lesson | None:
    if record.status is Status.LIST:
        return Lesson(site=site, page=page, type="list")
    if record.status is not Status.OK or not record.body:
        return None
    said = read_metadata(parse_html(page.html, page.charset), page.url)
    if not _is_called(record.title or "", said):
        return None
    return Lesson(
        site=site,
        page=page,
        type="article",
        title=record.title or "",
        body=record.body,
        published=_published(record, said),
        authors=record.authors if set(record.authors) == set(said.authors) else (),
    )


def _is_called(title: str, said: Metadata) -> bool:
    """Whether a page calls itself by the title that its pattern has found."""
    own = word_letters(title)
    names = [word_letters(name) for name in (said.title, said.social_title)]
    return bool(own) and any(own in name and len(own) >= LEAST_SHARE * len(name) for name in names)


def _published(record: ArticleRecord, said: Metadata) -> date | None:
    """The day of a record, if the page says the same for machines."""
    if record.date_published is None:
        return None
    told = [read_machine_date(text) for text in (said.json_published, said.meta_published) if text]
    days = {read[1] for read in told if read}
    own = read_machine_date(record.date_published_raw or "")
    day = own[1] if own else record.date_published.date()
    return day if day in days else None
