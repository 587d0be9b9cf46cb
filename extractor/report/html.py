"""The report as static pages: one for all sites, and one for each; they need no server and load
nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from crawler.engine.tasks import attempt
from crawler.storage.outfile import whole_file
from crawler.storage.partitions import Storage
from extractor.health.state import State
from extractor.health.words import many
from extractor.report.overview import Overview, unreadable
from extractor.report.site_facts import SiteFacts, site_facts
from extractor.report.table import summary


def write_html(
    folder: Path, storage: Storage, sites: Sequence[Overview], now: datetime
) -> tuple[Path, list[Overview]]:
    """Write `index.html` and `sites/NAME.html` below a folder; the path of the former, and the
    sites as they are shown: one whose page needs a file that cannot be read is unreadable.

    All that was crawled is hostile: it is escaped, and only http addresses become links.
    """
    pages = templates()
    shown = []
    for site in sites:
        site, text = site_page(pages, storage, site, now, home="../index.html")
        _write(folder / "sites" / f"{site.site}.html", text)
        shown.append(site)
    index = folder / "index.html"
    text = pages.get_template("index.html").render(
        sites=shown, summary=summary(shown), now=f"{now:%Y-%m-%d %H:%M}"
    )
    _write(index, text)
    return index, shown


def site_page(
    pages: Environment, storage: Storage, site: Overview, now: datetime, home: str
) -> tuple[Overview, str]:
    """The site as it is shown, and its page; `home` is where that of all sites is."""
    facts, problem = attempt(site_facts, (storage, site.site, now))
    if problem:
        site, facts = unreadable(site.site, now.date(), problem), SiteFacts()
    return site, pages.get_template("site.html").render(site=site, facts=facts, home=home)


def templates(*packages: str) -> Environment:
    """The templates of some packages, and those of the report; a name that several have is that of
    the first. What they are given is escaped."""
    loaders = [PackageLoader(package) for package in (*packages, "extractor.report")]
    pages = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.globals["states"] = list(State)
    pages.filters.update(is_web=_is_web, many=many, with_code=_with_code)
    return pages


def _is_web(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def _with_code(advice: str) -> Markup:
    """Escaped, what stands between backticks as code."""
    parts = advice.split("`")
    marked = (
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(parts)
    )
    return Markup("").join(marked)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as hidden:
        hidden.write_text(text, encoding="utf-8", errors="replace")
