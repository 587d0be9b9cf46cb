"""The page templates of the demo site: the same furniture that real sites put around a text.

Two article templates ("news" in HTML5 with BEM classes and ids that differ per page, "column" in
the table markup of an older generation), list pages, and pages of other kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape

from examples.stories import Comment, Language, Part, Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The fixed words of the site's furniture in one language."""

    site: str
    home: str
    news: str
    columns: str
    archive: str
    events: str
    about: str
    contact: str
    privacy: str
    latest: str
    related: str
    comments: str
    share: str
    tags: str
    by: str
    more: str
    older: str
    newer: str
    cookies: str
    bio: str
    newsletter: str
    licence: str
    other_language: str


LABELS: dict[Language, Labels] = {
    "en": Labels(
        site="The Harbour Lantern",
        home="Home",
        news="News",
        columns="Columns",
        archive="Archive",
        events="Events",
        about="About",
        contact="Contact",
        privacy="Privacy",
        latest="Latest stories",
        related="Read next",
        comments="Comments",
        share="Share this story",
        tags="Filed under",
        by="By",
        more="Read more",
        older="Older stories",
        newer="Newer stories",
        cookies="We use two cookies, both of them small. By reading on you accept them.",
        bio="writes for The Harbour Lantern and lives above the rope shop.",
        newsletter="Our letter comes every Friday. Leave your address and we will send it.",
        licence="All stories of The Harbour Lantern are invented and free to copy.",
        other_language="日本語",
    ),
    "ja": Labels(
        site="港の灯",
        home="ホーム",
        news="ニュース",
        columns="コラム",
        archive="バックナンバー",
        events="催し",
        about="港の灯について",
        contact="お問い合わせ",
        privacy="個人情報の扱い",
        latest="新着記事",
        related="あわせて読む",
        comments="コメント",
        share="この記事を共有する",
        tags="分類",
        by="文",
        more="続きを読む",
        older="前の記事一覧",
        newer="新しい記事一覧",
        cookies="当サイトは小さなクッキーを二つ使います。読み進めると同意したものとみなします。",
        bio="は「港の灯」の記者。縄屋の二階に住んでいる。",
        newsletter="毎週金曜日に便りをお届けします。メールアドレスを残してください。",
        licence="「港の灯」の記事はすべて創作で、自由に複製できます。",
        other_language="English",
    ),
}

DATE_FORMATS: dict[Language, str] = {"en": "%B %-d, %Y", "ja": "%Y年%-m月%-d日"}
COLUMN_DATE_FORMATS: dict[Language, str] = {"en": "%-d %B %Y", "ja": "%Y/%m/%d"}


def shown_date(story: Story) -> str:
    """The date as the story's page shows it; the two templates write it differently."""
    formats = DATE_FORMATS if story.layout == "news" else COLUMN_DATE_FORMATS
    return story.published.strftime(formats[story.language])


def _moment(story: Story, comment: Comment) -> str:
    """When a comment was written, in the words of the story's template."""
    formats = DATE_FORMATS if story.layout == "news" else COLUMN_DATE_FORMATS
    written = story.published + comment.delay
    return f"{written.strftime(formats[story.language])} {written:%H:%M}"


def _link(path: str, text: str) -> str:
    return f'<a href="{escape(path)}">{escape(text)}</a>'


def _tag_path(language: Language, slug: str) -> str:
    return f"/{language}/tags/{slug}/"


def _navigation(language: Language) -> str:
    words = LABELS[language]
    other = "ja" if language == "en" else "en"
    links = (
        (f"/{language}/", words.home),
        (f"/{language}/news/", words.news),
        (f"/{language}/columns/", words.columns),
        (f"/{language}/archive/", words.archive),
        (f"/{language}/events/", words.events),
        (f"/{language}/about/", words.about),
        (f"/{other}/", words.other_language),
    )
    items = "".join(f"<li>{_link(path, text)}</li>" for path, text in links)
    return f'<nav class="site-nav"><ul>{items}</ul></nav>'


def _footer(language: Language) -> str:
    words = LABELS[language]
    return (
        f'<footer class="site-footer"><p>{escape(words.licence)}</p>'
        f"<p>{_link(f'/{language}/contact/', words.contact)} | "
        f"{_link(f'/{language}/privacy/', words.privacy)} | "
        '<a href="/feed.xml">RSS</a> | <a href="/static/timetable.pdf">PDF</a></p></footer>'
    )


def _sidebar(language: Language, latest: tuple[Story, ...]) -> str:
    words = LABELS[language]
    items = "".join(f"<li>{_link(story.path, story.title)}</li>" for story in latest)
    return (
        f'<aside class="sidebar"><h3>{escape(words.latest)}</h3><ul>{items}</ul>'
        f'<form class="newsletter" action="/subscribe"><p>{escape(words.newsletter)}</p>'
        '<input name="mail"><button>OK</button></form></aside>'
    )


def html_page(*, language: Language, title: str, main: str, latest: tuple[Story, ...]) -> str:
    """A whole page of the newer template around ``main`` (already HTML)."""
    words = LABELS[language]
    return (
        f'<!DOCTYPE html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(title)} | {escape(words.site)}</title>"
        '<link rel="stylesheet" href="/static/style.css">'
        '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
        '<script>window.lantern = {"lit": true};</script></head>\n<body>'
        f'<div class="cookie-banner"><p>{escape(words.cookies)}</p><button>OK</button></div>'
        f'<header class="site-header"><p class="site-title">{_link("/", words.site)}</p>'
        f"{_navigation(language)}</header>\n"
        f'<main class="content">{main}</main>\n{_sidebar(language, latest)}\n'
        f"{_footer(language)}</body></html>\n"
    )


def _part(part: Part) -> str:
    lines = [escape(line) for line in part.lines]
    match part.kind:
        case "list":
            return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
        case "quote":
            return f"<blockquote><p>{lines[0]}</p></blockquote>"
        case "figure":
            caption = f"<figcaption>{lines[0]}</figcaption>"
            return f'<figure><img src="/static/lamp.svg">{caption}</figure>'
        case _:
            return f"<{part.kind}>{lines[0]}</{part.kind}>"


def _body(story: Story) -> str:
    return "\n".join(_part(part) for part in story.parts)


def _share_box(story: Story) -> str:
    words = LABELS[story.language]
    services = ("mail.example", "toots.example", "skies.example")
    items = "".join(
        f'<li><a rel="nofollow" href="https://{host}/share?page={story.path}">{host}</a></li>'
        for host in services
    )
    return f'<div class="share"><span>{escape(words.share)}</span><ul>{items}</ul></div>'


def _tags(story: Story) -> str:
    links = ", ".join(_link(_tag_path(story.language, slug), name) for slug, name in story.tags)
    return f'<p class="tags">{escape(LABELS[story.language].tags)}: {links}</p>'


def _related(story: Story, related: tuple[Story, ...]) -> str:
    items = "".join(
        f"<li>{_link(other.path, other.title)}<br><span>{escape(other.summary[:60])}</span></li>"
        for other in related
    )
    heading = escape(LABELS[story.language].related)
    return f'<section class="related"><h3>{heading}</h3><ul>{items}</ul></section>'


def _comments(story: Story) -> str:
    items = "".join(
        f'<li id="comment-{number}-{story.slug}" class="comment {"odd" if number % 2 else "even"}">'
        f"<b>{escape(comment.reader)}</b> <small>{_moment(story, comment)}</small>"
        f"<p>{escape(comment.text)}</p></li>"
        for number, comment in enumerate(story.comments, start=1)
    )
    heading = f"{escape(LABELS[story.language].comments)} ({len(story.comments)})"
    return f'<section class="comments"><h3>{heading}</h3><ol>{items}</ol></section>'


def news_page(story: Story, *, related: tuple[Story, ...], latest: tuple[Story, ...]) -> str:
    """An article in the newer template."""
    words = LABELS[story.language]
    tag_classes = " ".join(f"tag-{slug}" for slug, _ in story.tags)
    main = (
        f'<p class="breadcrumbs">{_link(f"/{story.language}/", words.home)} &rsaquo; '
        f"{_link(f'/{story.language}/news/', words.news)}</p>\n"
        f'<article id="story-{story.published:%m%d%H%M}" class="story {tag_classes}">'
        f'<h1 class="story__title">{escape(story.title)}</h1>'
        f'<p class="story__meta">{escape(words.by)} <span class="author">{escape(story.author)}'
        f'</span> <time datetime="{story.published.isoformat()}">{shown_date(story)}</time></p>'
        f'{_share_box(story)}\n<div class="story__body">\n{_body(story)}\n</div>\n'
        f'<div class="bio"><p>{escape(story.author)} {escape(words.bio)}</p></div>{_tags(story)}'
        f"</article>\n{_related(story, related)}\n{_comments(story)}"
    )
    return html_page(language=story.language, title=story.title, main=main, latest=latest)


def column_page(
    story: Story, *, related: tuple[Story, ...], latest: tuple[Story, ...], declare_charset: bool
) -> str:
    """An article in the older template: tables, no ids, an unadorned date line."""
    words = LABELS[story.language]
    charset = (
        '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">'
        if declare_charset
        else ""
    )
    menu = " | ".join(
        _link(f"/{story.language}/{name}", label)
        for name, label in (("", words.home), ("news/", words.news), ("columns/", words.columns))
    )
    recent = "<br>".join(_link(other.path, other.title) for other in latest)
    return (
        f'<html lang="{story.language}"><head>{charset}'
        f"<title>{escape(words.site)}: {escape(story.title)}</title></head>\n"
        '<body bgcolor="#fffff8"><table width="100%" class="frame">'
        f'<tr><td colspan="2" class="banner"><b>{_link("/", words.site)}</b> {menu}</td></tr>\n'
        f'<tr valign="top"><td class="recent"><b>{escape(words.latest)}</b><br>{recent}</td>\n'
        f'<td class="text"><h2>{escape(story.title)}</h2>'
        f'<p class="dateline">{shown_date(story)} / {escape(story.author)}</p>\n'
        f'<div class="prose">\n{_body(story)}\n</div>{_tags(story)}\n'
        f"{_related(story, related)}{_comments(story)}</td></tr>\n"
        f'<tr><td colspan="2" class="foot"><p>{escape(words.licence)}</p></td></tr></table>'
        "</body></html>\n"
    )


def _teaser(story: Story) -> str:
    words = LABELS[story.language]
    return (
        f'<li class="teaser"><h3>{_link(story.path, story.title)}</h3>'
        f'<time datetime="{story.published:%Y-%m-%d}">{shown_date(story)}</time>'
        f"<p>{escape(story.summary[:110])}</p>{_link(story.path, words.more)}</li>"
    )


def list_page(
    *,
    language: Language,
    title: str,
    stories: tuple[Story, ...],
    latest: tuple[Story, ...],
    newer: str | None = None,
    older: str | None = None,
) -> str:
    """A front page, section, tag or archive page: teasers, and links to its neighbours."""
    words = LABELS[language]
    pager = [_link(newer, words.newer)] if newer else []
    pager += [_link(older, words.older)] if older else []
    main = (
        f'<h1 class="list-title">{escape(title)}</h1>'
        f'<ul class="teasers">{"".join(_teaser(story) for story in stories)}</ul>'
        f'<p class="pager">{" ".join(pager)}</p>'
    )
    return html_page(language=language, title=title, main=main, latest=latest)


def archive_page(*, language: Language, stories: tuple[Story, ...]) -> str:
    """Every story of a language as a bare list of dated links."""
    rows = "".join(
        f"<tr><td>{story.published:%Y-%m-%d}</td><td>{_link(story.path, story.title)}</td></tr>"
        for story in stories
    )
    title = LABELS[language].archive
    main = f'<h1 class="list-title">{escape(title)}</h1><table class="archive">{rows}</table>'
    return html_page(language=language, title=title, main=main, latest=stories[:3])


def events_page(*, language: Language, stories: tuple[Story, ...]) -> str:
    """A table of dates and places: neither an article nor a list of articles."""
    rows = "".join(
        f"<tr><td>{day:%Y-%m-%d}</td><td>{hour}:00</td><td>{escape(story.author)}</td></tr>"
        for story in stories
        for day, hour in ((_first_of_month(story.published), 10 + len(story.slug) % 9),)
    )
    title = LABELS[language].events
    main = f'<h1 class="list-title">{escape(title)}</h1><table class="events">{rows}</table>'
    return html_page(language=language, title=title, main=main, latest=stories[:3])


def _first_of_month(moment: datetime) -> datetime:
    return moment.replace(day=1)


def plain_page(
    *, language: Language, title: str, paragraphs: tuple[str, ...], links: tuple[str, ...] = ()
) -> str:
    """An about, contact or privacy page; ``links`` are paths shown below the text."""
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    tail = "".join(f"<p>{_link(path, path)}</p>" for path in links)
    main = f'<div class="plain"><h1>{escape(title)}</h1>{text}{tail}</div>'
    return html_page(language=language, title=title, main=main, latest=())
