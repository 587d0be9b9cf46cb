"""How soon a site's ills are told, and whether rightly: `python -m benchmarks.health [SITE ...]`.

The demo and each real site live through `NIGHTS` nights twice: once quiet, and once with an ill
from a night on that is drawn by chance. A night brings new articles, lists that changed, articles
that changed around their text, some dead links; the rest is as it was. Pages go through the tables
and the extraction of the product, and `extractor.health` judges each night by them, as
`scrapy night` does. Bad pages answer "not modified" from the second night on.

- `nights_to_notice`: nights until the state is not ok, at most, of ills that hit half of the pages;
- `cause_right`: share of the ills whose first telling names their cause;
- `false_alarms`: quiet nights, of all sites together, that are not ok;
- `forgotten`: sites that were told to be ill, and well again though they were not;
- `f1_lost`: by how much the body F1 is lower, at most, on the night on which a layout changed and
  the site was learned again, and `f1_lost_mean`.

By default the sites are the demo and those that the learner was measured on first.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory

from lxml import html as lxml_html

from benchmarks.material.corpus import (
    GoldPage,
    Halves,
    grouped,
    read_halves,
    sample,
    sites_parser,
    sites_to_measure,
)
from benchmarks.material.gold import scorer
from benchmarks.quality import on_all_cores
from crawler.config.sites import SiteConfig
from crawler.config.stages import ExtractConfig
from crawler.reading.html import detect_charset, parse_html
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from crawler.storage.runs import FailedPages, RunRecord, write_run
from examples.redesign import redesigned
from examples.site import build_site
from extractor.batch.job import extract_site
from extractor.extraction import extract_article
from extractor.health.history import write_health
from extractor.health.judging import judge_health
from extractor.health.state import Cause, Health
from learner.induction.job import learn_site
from learner.kinds.kind import Kind
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns

FIRST_DAY = date(2026, 9, 1)
NIGHTS = 60
TRAIN_PAGES = 80
"""Pages of the first day at most."""
KNOWN_PAGES = 20
"""Known articles that come anew on the first night of an ill that all pages have."""
LEAST_CUT = 8
"""Characters of a text that is cut out: shorter ones stand elsewhere on the page, too."""
FIRST_ILL, LAST_ILL = 12, 50
"""Nights between which an ill begins."""
DEMO = Path("demo")
DEMO_URL = "https://lantern.test"
SITE = "site"

HALF = (
    Cause.UNREACHABLE, Cause.ROBOTS, Cause.START_GONE, Cause.WALL, Cause.SHELL, Cause.LAYOUT,
    Cause.CUT,
)  # fmt: skip
"""Ills that hit half of the pages or more."""
ILLS = (*HALF, Cause.STOPPED, Cause.LISTS)

FAILURES = {
    Cause.UNREACHABLE: "timeout",
    Cause.ROBOTS: "robots.txt",
    Cause.START_GONE: "http 404",
}


@dataclass(slots=True, kw_only=True)
class SiteHealth:
    """What was told of one site."""

    name: str
    ill: str
    began: int
    """The night on which the ill began."""
    false_alarms: list[str] = field(default_factory=list)
    """What was told on quiet nights."""
    noticed_after: int | None = None
    """Nights from the first ill one to the first that is not ok; None if it was never told."""
    told: str = ""
    """The cause that was told first."""
    forgotten: bool = False
    f1_lost: float | None = None


class Nights:
    """One site's nights, in a storage of its own."""

    def __init__(self, halves: Halves, folder: str) -> None:
        self.storage = Storage(folder)
        self._random = Random(halves.name)
        start = halves.train[0].url
        self.config = SiteConfig(name=SITE, start_urls=(start,), index_name="index.html")
        train, rest = list(sample(halves.train, TRAIN_PAGES)), list(halves.test)
        self.lists = [page for page in train if not page.is_article][:3]
        self.known = [page for page in train if page.is_article]
        self._random.shuffle(rest)
        self._due: dict[int, list[GoldPage]] = {}
        for page in rest:
            self._due.setdefault(self._random.randrange(1, NIGHTS), []).append(page)
        self._first = train

    def twin(self, folder: str) -> Nights:
        """The same site as it is now, in a storage of its own."""
        shutil.copytree(self.storage.root, folder)
        twin = copy(self)
        twin.storage, twin.known = Storage(folder), list(self.known)
        twin._random = Random()
        twin._random.setstate(self._random.getstate())
        return twin

    def begin(self) -> None:
        """The first night: crawl, learn, extract."""
        self._crawl(0, [(page, page.html()) for page in self._first])
        self.learn(0)

    def learn(self, night: int) -> None:
        """Learn and extract again what new patterns match."""
        learn_site(self.storage, self.config, until=day_of(night), now=moment(night, 4))
        self._extract(night)

    def quiet(self, night: int) -> None:
        """A night of a healthy site."""
        self._crawl(night, self._pages(night), failures={"http 404": self._random.randrange(3)})

    def ill(self, cause: Cause, night: int, *, is_first: bool, is_healed: bool) -> None:
        """A night of a site that has an ill."""
        n_known = len(self.known) + len(self.lists)
        if cause in FAILURES:
            all_fail = {FAILURES[cause]: 1 if cause is Cause.ROBOTS else n_known}
            self._crawl(night, [], failures=all_fail, starts_failed=1, exit_code=1)
            return
        pages = self._pages(night)
        if cause is Cause.STOPPED:
            pages = [(page, html) for page, html in pages if page in self.known]
        change = changes(cause)
        if cause in HALF and is_first:
            some = self._random.sample(self.known, min(KNOWN_PAGES, len(self.known)))
            pages += [(page, page.html()) for page in some if page not in dict(pages)]
        elif cause in HALF and not is_healed:
            pages = [(page, html) for page, html in pages if page not in self.lists]
        if cause is Cause.LISTS and is_first:
            self._forget_articles(night)
        self._crawl(night, [(page, change(page, html)) for page, html in pages])

    def judge(self, night: int) -> Health:
        """What is told of the site, and stored."""
        health = judge_health(self.storage, self.config, day_of(night))
        write_health(self.storage, health, moment(night, 5))
        return health

    def _pages(self, night: int) -> list[tuple[GoldPage, bytes]]:
        """New pages, and known ones that changed around their text."""
        new = self._due.get(night, [])
        changed = self._random.sample(self.known, min(2, len(self.known)))
        self.known += [page for page in new if page.is_article]
        around = f"<p>visitor {night}</p></body>".encode()
        return [
            *((page, page.html()) for page in new),
            *((p, p.html().replace(b"</body>", around)) for p in (*self.lists, *changed)),
        ]

    def _forget_articles(self, night: int) -> None:
        patterns = current_patterns(self.storage, SITE)
        lists = patterns.with_patterns(replace(each, kind=Kind.LIST) for each in patterns)
        self.storage.replace("patterns", SITE, day_of(night), lists.to_table())

    def _crawl(
        self,
        night: int,
        pages: Sequence[tuple[GoldPage, bytes]],
        failures: dict[str, int] | None = None,
        starts_failed: int = 0,
        exit_code: int = 0,
    ) -> None:
        records = list({page.key: _record(page, html, night) for page, html in pages}.values())
        if records:
            table = records_to_table(records, PAGE_SCHEMA)
            self.storage.replace("pages", SITE, day_of(night), table)
        new = self._extract(night) if records and night else None
        told = {reason: n for reason, n in (failures or {}).items() if n}
        run = RunRecord(
            run_id=f"{night}",
            command="crawl",
            started_at=moment(night, 3),
            ended_at=moment(night, 4),
            exit_code=exit_code,
            pages_new=len(records),
            pages_changed=0,
            pages_unchanged=0 if exit_code else len(self.known),
            pages_failed=sum(told.values()),
            failures=tuple(FailedPages(reason=r, pages=n) for r, n in told.items()),
            start_pages_failed=starts_failed,
            articles_new=new if new is not None else len(records),
        )
        write_run(self.storage, SITE, run)

    def _extract(self, night: int) -> int:
        day = day_of(night)
        return extract_site(self.storage, self.config, since=day, until=day).articles.new


def _record(page: GoldPage, html: bytes, night: int) -> PageRecord:
    return PageRecord(
        run_id=f"{night}",
        url=page.url,
        final_url=page.url,
        url_key=page.key,
        fetched_at=moment(night, 3),
        charset=detect_charset(html, default=None).name,
        body_sha256=sha256(html).hexdigest(),
        html=html,
    )


def day_of(night: int) -> date:
    """The UTC day of a night."""
    return FIRST_DAY + timedelta(days=night)


def moment(night: int, hour: int) -> datetime:
    """An hour of a night."""
    return datetime.combine(day_of(night), time(hour), UTC)


Change = Callable[[GoldPage, bytes], bytes]


def changes(cause: Cause) -> Change:
    """What an ill makes of a page."""
    return {
        Cause.WALL: lambda page, _: _wall(page),
        Cause.SHELL: lambda *_: b"<html><script src=/app.js></script><body><div id=app></div>",
        Cause.LAYOUT: lambda _, html: redesigned(html),
        Cause.CUT: cut,
    }.get(cause, lambda _, html: html)


def _wall(page: GoldPage) -> bytes:
    number = sha256(page.url.encode()).hexdigest()[:12]
    return (
        "<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>"
        f"<p>This takes a few seconds.</p><p>Ray ID: 8{number}</p></body></html>"
    ).encode()


def cut(page: GoldPage, html: bytes) -> bytes:
    """An article with the first tenth of its text, and an invitation to subscribe."""
    if not page.is_article:
        return html
    root = parse_html(html, detect_charset(html, default=None).name)
    body = "".join(page.body.split())
    for element in root.iter():
        for name in ("text", "tail"):
            said = "".join((getattr(element, name) or "").split())
            if len(said) >= LEAST_CUT and body.find(said) >= len(body) / 10:
                setattr(element, name, " ")
    return bytes(lxml_html.tostring(root, encoding="utf-8"))


def ill_of(name: str) -> tuple[Cause, int]:
    """Which ill a site gets, and on which night it begins: drawn by the site's name."""
    number = int(sha256(name.encode()).hexdigest(), 16)
    return ILLS[number % len(ILLS)], FIRST_ILL + number // len(ILLS) % (LAST_ILL - FIRST_ILL)


def measure(source: Path) -> SiteHealth:
    """Live through the nights of a site."""
    with TemporaryDirectory(prefix="webstem-health-") as folder:
        halves = _demo_halves(Path(folder)) if source == DEMO else read_halves(source)
        cause, began = ill_of(halves.name)
        found = SiteHealth(name=halves.name, ill=str(cause), began=began)
        nights = Nights(halves, f"{folder}/quiet")
        nights.begin()
        for night in range(1, NIGHTS):
            if night == began:
                ill = nights.twin(f"{folder}/ill")
            nights.quiet(night)
            health = nights.judge(night)
            if health.trouble:
                found.false_alarms.append(f"{night}: {health}")
        _live_ill(ill, cause, found, halves)
    return found


def _live_ill(nights: Nights, cause: Cause, found: SiteHealth, halves: Halves) -> None:
    is_healed = False
    for night in range(found.began, NIGHTS):
        is_first = night == found.began
        before = current_patterns(nights.storage, SITE)
        nights.ill(cause, night, is_first=is_first, is_healed=is_healed)
        health = nights.judge(night)
        if health.trouble is None:
            found.forgotten = found.forgotten or (found.noticed_after is not None and not is_healed)
            continue
        if found.noticed_after is None:
            found.noticed_after, found.told = night - found.began, str(health.trouble.cause)
        if cause is Cause.LAYOUT is health.trouble.cause and not is_healed:
            nights.learn(night)
            is_healed = True
            found.f1_lost = _f1_lost(nights, before, halves)


def _f1_lost(nights: Nights, before: PatternSet, halves: Halves) -> float | None:
    """By how much known articles are read worse in the new layout than in the old one."""
    pages = [page for page in nights.known if page.body][:40]
    if not pages:
        return None
    now = current_patterns(nights.storage, SITE)
    old, new = (
        fmean(
            scorer().body_scores(
                extract_article(_page(page, change), patterns, ExtractConfig(guess=False)).body
                or "",
                page.body,
                halves.language,
            )[2]
            for page in pages
        )
        for patterns, change in ((before, lambda html: html), (now, redesigned))
    )
    return old - new


def _page(page: GoldPage, change: Callable[[bytes], bytes]) -> Page:
    html = change(page.html())
    return Page(url=page.url, html=html, charset=detect_charset(html, default=None).name)


def _demo_halves(folder: Path) -> Halves:
    """The demo's first edition, and the articles that its second adds."""
    first, second = (build_site(edition, DEMO_URL) for edition in (1, 2))
    bodies = {story.path: story for story in second.stories}
    pages = []
    for number, resource in enumerate((*second.pages("article"), *first.pages("list"))):
        file = folder / f"{number}.html"
        file.write_bytes(resource.body)
        story = bodies.get(resource.path)
        pages.append(
            GoldPage(
                url=DEMO_URL + resource.path,
                file=file,
                is_article=story is not None,
                title=story.title if story else "",
                body=story.body if story else "",
                date=None,
                author=None,
            )
        )
    known = {DEMO_URL + path for path in first.resources}
    train, test = ([p for p in pages if (p.url in known) is is_known] for is_known in (True, False))
    return Halves(name="demo", language="en", train=tuple(train), test=tuple(test))


def summarise(found: Sequence[SiteHealth]) -> dict[str, float]:
    """The figures over all sites."""
    half = [each for each in found if Cause(each.ill) in HALF]
    lost = [each.f1_lost for each in found if each.f1_lost is not None]
    return {
        "sites": len(found),
        "nights_to_notice": max(
            (NIGHTS if s.noticed_after is None else s.noticed_after for s in half), default=0
        ),
        "cause_right": fmean(each.told == each.ill for each in found),
        "false_alarms": sum(len(each.false_alarms) for each in found),
        "forgotten": sum(each.forgotten for each in found),
        "f1_lost": max(lost, default=0.0),
        "f1_lost_mean": fmean(lost) if lost else 0.0,
    }


def _measured(sources: Sequence[Path]) -> Iterator[SiteHealth]:
    for found in chain([measure(DEMO)], on_all_cores(measure, sources)):
        after = "never" if found.noticed_after is None else f"after {found.noticed_after} nights"
        lost = "" if found.f1_lost is None else f", body F1 lower by {found.f1_lost:.3f}"
        print(
            f"{found.name:16} {found.ill} from night {found.began}: told {after} as "
            f"{found.told or '-'}{', forgotten' * found.forgotten}{lost}; "
            f"{len(found.false_alarms)} false alarms",
            *found.false_alarms[:3],
            sep="\n    ",
            flush=True,
        )
        yield found


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site or the scorer is missing."""
    parser = sites_parser("Measure how soon the ills of sites are told, and whether rightly.")
    options = parser.parse_args(arguments)
    try:
        sources = sites_to_measure(options.sites)
        first = grouped(sources).get("first", ())
        chosen = options.sites or [source for source in sources if source.stem in first]
        found = list(_measured(chosen))
    except (OSError, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    figures = summarise(found)
    print(json.dumps(figures))
    if options.json:
        content = {"figures": figures, "per_site": {each.name: asdict(each) for each in found}}
        options.json.write_text(json.dumps(content, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
