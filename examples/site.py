"""The demo site as a server sees it: every path of an edition and what answers there.

About 85 pages in two languages, with the faults that real sites have:

=============================================  =================================================
`/en/old/night-ferry.html`                     moved permanently to the story
`/en/missing-map.html`                         linked from the about page, answers 404
`/private/drafts.html`                         linked from the about page, forbidden by robots.txt
`/en/news/2026/09/04/bakery-oven/`             broken markup: unclosed tags, `</body>` half way
`/ja/columns/yukkuri-pan/`                     Shift_JIS, declared nowhere
`/static/timetable.pdf`                        a media file that a crawl must not fetch
=============================================  =================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from itertools import chain
from typing import Literal

from examples.stories import VOCABULARIES, Edition, Language, Layout, Story, stories_of
from examples.templates import (
    LABELS,
    archive_page,
    column_page,
    events_page,
    list_page,
    news_page,
    plain_page,
)

Kind = Literal["article", "list", "other", "asset"]

PAGE_LENGTH = 10
"""Teasers on one page of a section."""
EDITION_DATES: dict[Edition, datetime] = {
    1: datetime(2026, 11, 1, 6, 0, tzinfo=UTC),
    2: datetime(2026, 11, 12, 6, 0, tzinfo=UTC),
}
BROKEN_SLUG = "bakery-oven"
SHIFT_JIS_SLUG = "yukkuri-pan"
REDIRECT_PATH = "/en/old/night-ferry.html"
MISSING_PATH = "/en/missing-map.html"
PRIVATE_PATH = "/private/drafts.html"
MEDIA_PATH = "/static/timetable.pdf"
HTML = "text/html"
"""No charset: a static file server does not know it, the page has to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """What the server answers for one path; ``location`` makes it a redirect."""

    path: str
    kind: Kind
    body: bytes
    modified: datetime
    content_type: str = HTML
    location: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoSite:
    """One edition: its resources by path and the stories that its articles tell."""

    edition: Edition
    stories: tuple[Story, ...]
    resources: dict[str, Resource]

    def pages(self, kind: Kind) -> tuple[Resource, ...]:
        """The resources of one kind in the order of their paths, without redirects."""
        found = (r for r in self.resources.values() if r.kind == kind and r.location is None)
        return tuple(sorted(found, key=lambda resource: resource.path))


def build_site(edition: Edition, base_url: str) -> DemoSite:
    """A whole edition; ``base_url`` (no slash at its end) stands in feed and sitemap."""
    stories = stories_of(edition)
    modified = EDITION_DATES[edition]
    made = chain(_articles(stories), _lists(stories, modified), _others(stories), _assets())
    resources = {resource.path: resource for resource in made}
    for machine_page in _machine_pages(stories, resources, base_url, modified):
        resources[machine_page.path] = machine_page
    return DemoSite(edition=edition, stories=stories, resources=resources)


def _of(
    stories: tuple[Story, ...], language: Language, layout: Layout | None = None
) -> tuple[Story, ...]:
    return tuple(s for s in stories if s.language == language and layout in (None, s.layout))


def _related(story: Story, stories: tuple[Story, ...]) -> tuple[Story, ...]:
    """Older stories with a tag in common: they do not change when an edition adds stories."""
    return tuple(
        other
        for other in _of(stories, story.language)
        if other.published < story.published and set(other.tags) & set(story.tags)
    )[:3]


def _articles(stories: tuple[Story, ...]) -> Iterator[Resource]:
    for story in stories:
        # An article is written once: later editions do not touch its sidebar or its date.
        written = stories_of(story.edition)
        yield Resource(
            path=story.path,
            kind="article",
            body=_article(story, written, _of(written, story.language)[:4]),
            modified=EDITION_DATES[story.edition],
        )


def _article(story: Story, stories: tuple[Story, ...], latest: tuple[Story, ...]) -> bytes:
    related = _related(story, stories)
    if story.layout == "news":
        page = news_page(story, related=related, latest=latest)
        return (break_markup(page) if story.slug == BROKEN_SLUG else page).encode()
    undeclared = story.slug == SHIFT_JIS_SLUG
    page = column_page(story, related=related, latest=latest, declare_charset=not undeclared)
    return page.encode("shift_jis" if undeclared else "utf-8")


def break_markup(page: str) -> str:
    """The page as a careless hand would leave it: unclosed, crossed and early closed tags."""
    head, body = page.split('<div class="story__body">', 1)
    first, rest = body.split("</p>", 1)
    rest = rest.replace("</p>", "", 2).replace("</li>", "").replace('class="bio"', "class=bio id=")
    return f'{head}<div class="story__body"><b><i>{first}</b></i></body></html>{rest}<td></span><p'


def _page(path: str, kind: Kind, text: str, modified: datetime) -> Resource:
    return Resource(path=path, kind=kind, body=text.encode(), modified=modified)


def _lists(stories: tuple[Story, ...], modified: datetime) -> Iterator[Resource]:
    newest = stories[:3]
    front = list_page(language="en", title=LABELS["en"].site, stories=stories[:8], latest=newest)
    yield _page("/", "list", front, modified)
    for language in VOCABULARIES:
        own, labels = _of(stories, language), LABELS[language]
        latest = own[:3]
        title = f"{labels.site}: {labels.latest}"
        home = list_page(language=language, title=title, stories=own[:8], latest=latest)
        yield _page(f"/{language}/", "list", home, modified)
        archive = archive_page(language=language, stories=own)
        yield _page(f"/{language}/archive/", "list", archive, modified)
        yield from _section(language, f"/{language}/news/", labels.news, _of(own, language, "news"))
        columns = _of(own, language, "column")
        yield from _section(language, f"/{language}/columns/", labels.columns, columns)
        for slug, name in VOCABULARIES[language].tags:
            tagged = tuple(s for s in own if (slug, name) in s.tags)
            yield from _section(language, f"/{language}/tags/{slug}/", name, tagged)


def _section(
    language: Language, path: str, title: str, stories: tuple[Story, ...]
) -> Iterator[Resource]:
    """The pages of a list, ten stories each; a list without new stories keeps its old date."""
    starts = range(0, len(stories), PAGE_LENGTH)
    paths = [path, *(f"{path}page/{number}/" for number in range(2, len(starts) + 1))]
    for number, start in enumerate(starts):
        shown = stories[start : start + PAGE_LENGTH]
        text = list_page(
            language=language,
            title=title,
            stories=shown,
            latest=stories_of(1)[:3],
            newer=paths[number - 1] if number else None,
            older=paths[number + 1] if number + 1 < len(paths) else None,
        )
        yield _page(paths[number], "list", text, EDITION_DATES[max(s.edition for s in stories)])


ABOUT: dict[Language, tuple[str, ...]] = {
    "en": (
        "The Harbour Lantern is a paper for a town that is on no map. Four people write it.",
        "It exists so that a crawler has something honest to read.",
    ),
    "ja": (
        "「港の灯」は地図にない町の新聞です。四人で書いています。",
        "クローラーが正直に読めるものとして作られました。",
    ),
}
CONTACT: dict[Language, tuple[str, ...]] = {
    "en": ("Write to the office above the rope shop, or ring the bell twice.",),
    "ja": ("縄屋の二階の事務所に手紙を書くか、呼び鈴を二度鳴らしてください。",),
}
PRIVACY: dict[Language, tuple[str, ...]] = {
    "en": ("We keep nothing but the weather. The two cookies are eaten on the same day.",),
    "ja": ("天気のほかには何も記録しません。クッキー二つはその日のうちに食べます。",),
}


def _others(stories: tuple[Story, ...]) -> Iterator[Resource]:
    about_links = (REDIRECT_PATH, MISSING_PATH, PRIVATE_PATH)
    for language in VOCABULARIES:
        labels = LABELS[language]
        pages = (
            ("about", labels.about, ABOUT[language], about_links),
            ("contact", labels.contact, CONTACT[language], ()),
            ("privacy", labels.privacy, PRIVACY[language], ()),
        )
        for name, title, paragraphs, links in pages:
            text = plain_page(language=language, title=title, paragraphs=paragraphs, links=links)
            yield _page(f"/{language}/{name}/", "other", text, EDITION_DATES[1])
        events = events_page(language=language, stories=_of(stories_of(1), language)[:12])
        yield _page(f"/{language}/events/", "other", events, EDITION_DATES[1])
    drafts = plain_page(language="en", title="Drafts", paragraphs=("Not for robots.",))
    yield _page(PRIVATE_PATH, "other", drafts, EDITION_DATES[1])
    first_story = next(s for s in stories if s.slug == "night-ferry")
    yield Resource(
        path=REDIRECT_PATH,
        kind="other",
        body=b"",
        modified=EDITION_DATES[1],
        location=first_story.path,
    )


def _assets() -> Iterator[Resource]:
    files = (
        ("/static/style.css", "text/css", b"body { max-width: 60em; margin: auto }"),
        ("/static/lamp.svg", "image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
        (MEDIA_PATH, "application/pdf", b"%PDF-1.4 (a media file: not to be fetched)"),
    )
    for path, content_type, body in files:
        yield Resource(
            path=path,
            kind="asset",
            body=body,
            content_type=content_type,
            modified=EDITION_DATES[1],
        )


def robots_txt(base_url: str) -> str:
    """One forbidden folder and a short pause between requests."""
    return (
        f"User-agent: *\nDisallow: /private/\nCrawl-delay: 0.05\nSitemap: {base_url}/sitemap.xml\n"
    )


def rss_feed(stories: tuple[Story, ...], base_url: str) -> str:
    """The twenty newest stories of both languages."""
    items = "".join(
        f"<item><title>{escape(story.title)}</title><link>{base_url}{story.path}</link>"
        f"<pubDate>{format_datetime(story.published)}</pubDate>"
        f"<description>{escape(story.summary)}</description></item>"
        for story in stories[:20]
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel>'
        f"<title>{LABELS['en'].site}</title><link>{base_url}/</link>{items}</channel></rss>"
    )


def sitemap(resources: dict[str, Resource], base_url: str) -> str:
    """Every public page with the day of its last change."""
    urls = "".join(
        f"<url><loc>{base_url}{path}</loc><lastmod>{resource.modified:%Y-%m-%d}</lastmod></url>"
        for path, resource in sorted(resources.items())
        if resource.kind != "asset" and resource.location is None and path != PRIVATE_PATH
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    )


def _machine_pages(
    stories: tuple[Story, ...], resources: dict[str, Resource], base_url: str, modified: datetime
) -> Iterator[Resource]:
    texts = (
        ("/robots.txt", "text/plain", robots_txt(base_url)),
        ("/feed.xml", "application/rss+xml", rss_feed(stories, base_url)),
        ("/sitemap.xml", "application/xml", sitemap(resources, base_url)),
    )
    for path, content_type, text in texts:
        yield Resource(
            path=path,
            kind="asset",
            body=text.encode(),
            content_type=content_type,
            modified=modified,
        )
