"""Invented pages of many sites, each with its gold: a site is a frame of its own around stories."""

from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from learner.dom.teaching.gold import SCHEMA
from learner.dom.teaching.training import Lesson
from learner.page.pages import Page
from tests.handmade import MENU, Story, tags, words

FRAMES = ("div class='post-{0}'", "article class='entry {0}'", "main id='text'", "td class='{0}'")


def article_html(story: Story, site: int, day: date, author: str) -> str:
    """A story in the frame of a site, with menu, byline, related links and footer."""
    box = FRAMES[site % len(FRAMES)].format(words(f"box {site}", 1))
    menu = tags("li", [f"<a href='/{name}'>{name}</a>" for name in MENU])
    related = tags("li", [f"<a href='/r{n}'>{words(f'{site} {n}', 5)}</a>" for n in range(5)])
    name = words(f"site {site}", 1)
    return (
        f"<html><head><title>{story.title} | {name}</title>"
        f"<meta property='article:published_time' content='{day}'>"
        f"<meta name='author' content='{author}'></head><body>"
        f"<div class='nav'><ul>{menu}</ul></div><{box}><h1>{story.title}</h1>"
        f"<p class='byline'>By {author}, {day}</p>{story.html}</{box.split()[0]}>"
        f"<div class='related'><ul>{related}</ul></div>"
        f"<div class='footer'><p>Copyright {name}</p></div></body></html>"
    )


def list_html(site: int, seed: int) -> str:
    """A list of a site: links with teasers."""
    rows = tags(
        "li", [f"<a href='/{seed}/{n}'>{words(f'row {seed} {n}', 6)}</a>" for n in range(30)]
    )
    return f"<html><body><div class='nav'>{tags('p', MENU)}</div><ul>{rows}</ul></body></html>"


def lessons(n_sites: int, n_pages: int = 2) -> list[Lesson]:
    """Articles and a list of each of so many sites."""
    found = []
    for site in range(n_sites):
        host = f"site{site}.example"
        for n in range(n_pages):
            story = Story(1000 * site + n)
            day, author = date(2021, 3, 5) + timedelta(site + n), f"Ann Lee{site}"
            html = article_html(story, site, day, author).encode()
            page = Page(url=f"https://{host}/news/{story.number}-story", html=html)
            found.append(
                Lesson(
                    site=host,
                    page=page,
                    type="article",
                    title=story.title,
                    body=story.body,
                    published=day,
                    authors=(author,),
                )
            )
        page = Page(url=f"https://{host}/tags/", html=list_html(site, site).encode())
        found.append(Lesson(site=host, page=page, type="list"))
    return found


def write_gold(path: Path, n_sites: int) -> Path:
    """These pages in a file of pages with gold; its path."""
    rows = [
        {
            "id": str(n),
            "url": each.page.url,
            "site": each.site,
            "page_type": "listing" if each.type == "list" else each.type,
            "title": each.title or None,
            "body": each.body or None,
            "authors": list(each.authors),
            "date": each.published.isoformat() if each.published else None,
            "html": each.page.html,
        }
        for n, each in enumerate(lessons(n_sites))
    ]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), path)
    return path
