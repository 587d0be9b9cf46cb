"""Whether addresses that end like files are files on this site: some name pages.

A few that a link gives a title to, or that a feed or sitemap names, are asked for; what is no HTML
is not downloaded. If a page comes, the ending says nothing on this site. Where a rule allows such
addresses more of them are asked for, but not every picture of a site that brought none.
"""

from __future__ import annotations

import sqlite3
from posixpath import splitext
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from crawler.frontier.scope import MEDIA_FILE

if TYPE_CHECKING:
    from crawler.reading.links import Link

MOST_TRIALS = 3
"""Addresses of an ending that are asked for until a page comes. Origin: guess."""

MOST_ALLOWED_TRIALS = 20
"""The same where a rule allows them. Origin: guess; a night has room for twenty more."""

TRIED_SUFFIXES = frozenset(
    "ai bin css csv dat exe jar js json map mjs pkg ps rss svg swf wasm xml".split()
)
"""Suffixes of code and data, which articles are written about, so that their addresses may end in
them. Others are tried behind a colon alone (`File:Boat.jpg`), or where a rule allows them: a link
to a picture or a document leads to one. Origin: guess."""

_SCHEMA = """
create table if not exists endings (
    ending text primary key,
    files integer not null default 0,
    pages integer not null default 0
);
"""


def ending_of(url: str) -> str:
    """The suffix of a URL's path; after a colon that of a title in a namespace.

    >>> ending_of("http://e/a/b.JS?c"), ending_of("http://e/wiki/File:Boat.jpg")
    ('.js', ':.jpg')
    """
    name = _file_name(url)
    suffix = splitext(name)[1].lower()
    return f":{suffix}" if ":" in name else suffix


def _file_name(url: str) -> str:
    return unquote(urlsplit(url).path.rpartition("/")[2])


def _may_name_a_page(ending: str) -> bool:
    return ending.startswith(":") or ending.removeprefix(".") in TRIED_SUFFIXES


def _has_title(link: Link) -> bool:
    """Whether a link calls its target by more than the name of a file; feeds and sitemaps name
    pages."""
    is_title = bool(link.text) and link.text not in (_file_name(link.url), link.url)
    return is_title or link.source != "a"


class Endings:
    """What is known of such addresses, in a table of the site's URL database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.executescript(_SCHEMA)
        self._files: dict[str, int] = {}
        self._pages: dict[str, int] = {}
        for ending, files, pages in db.execute("select ending, files, pages from endings"):
            self._files[ending], self._pages[ending] = files, pages
        self._trials: dict[str, set[str]] = {}
        """Addresses that wait for their answers."""

    def wants(self, link: Link, *, is_allowed: bool) -> bool:
        """Whether a link to an address that ends like a file is to be followed."""
        ending = ending_of(link.url)
        if not is_allowed and not (_may_name_a_page(ending) and _has_title(link)):
            return False
        if self._pages.get(ending):
            return True
        trials = self._trials.setdefault(ending, set())
        most = MOST_ALLOWED_TRIALS if is_allowed else MOST_TRIALS
        if self._files.get(ending, 0) + len(trials - {link.url}) >= most:
            return False
        trials.add(link.url)
        return True

    def note(self, url: str, *, is_page: bool) -> None:
        """Such an address was answered, with a page or with a file."""
        ending = ending_of(url)
        self._trials.get(ending, set()).discard(url)
        counts = self._pages if is_page else self._files
        counts[ending] = counts.get(ending, 0) + 1
        self._db.execute(
            "insert into endings values (?1, ?2, ?3) on conflict (ending) "
            "do update set files = ?2, pages = ?3",
            (ending, self._files.get(ending, 0), self._pages.get(ending, 0)),
        )

    def refusal(self, url: str) -> str | None:
        """Why an allowed address that ends like a file is left out all the same; None if not."""
        ending = ending_of(url)
        files = self._files.get(ending, 0)
        if files < MOST_ALLOWED_TRIALS or self._pages.get(ending):
            return None
        return f"{MEDIA_FILE}: of {files} addresses that end in {ending} none was a page"
