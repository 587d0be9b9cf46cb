"""Drift on real sites: `python -m benchmarks.drift [SITE.zip|FOLDER ...]`.

Each site is learned from its train half, stored as one day; pages of its test half follow as nights
of `NIGHT_PAGES` in an order drawn by chance. A flag on such a night is a false one. Then the pages
of the last two nights are shown in another template (`examples.redesign`) and extracted again, as
`scrapy extract` does: where that costs articles, a flag is due.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.material.corpus import GoldPage, read_halves, sample, sites_parser, sites_to_measure
from crawler.config.sites import SiteConfig
from crawler.reading.html import detect_charset
from crawler.storage.partitions import Storage
from crawler.storage.records import PAGE_SCHEMA, PageRecord, records_to_table
from examples.redesign import redesigned
from extractor.batch.job import extract_site
from extractor.health.stats import SiteStats, read_stats
from learner.induction.job import learn_site

FIRST_DAY = date(2026, 11, 1)
TRAIN_PAGES = 80
"""Pages of the first day at most."""
NIGHT_PAGES = 12
NIGHTS = 7
"""Nights at most; the last two are redesigned."""
LEAST_NIGHTS = 3
SITE = "site"


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDrift:
    """What was told of one site."""

    name: str
    nights: int
    false_flags: int
    """Nights with a flag though the layout is the old one."""
    lost: int
    """Articles that the redesign cost on the last two nights."""
    told: tuple[bool, bool]
    """Whether each of these two nights bears a flag then."""


def measure(source: Path, night_pages: int = NIGHT_PAGES) -> SiteDrift | None:
    """Measure a site; None if it has too few pages."""
    halves = read_halves(source)
    rest = sorted(halves.test, key=lambda page: page.key)
    Random(halves.name).shuffle(rest)
    nights = [rest[i : i + night_pages] for i in range(0, len(rest), night_pages)][:NIGHTS]
    if len(nights) < LEAST_NIGHTS:
        return None
    with TemporaryDirectory(prefix="webstem-drift-") as folder:
        storage = Storage(folder)
        config = SiteConfig(name=SITE, start_urls=(rest[0].url,))
        for number, pages in enumerate([sample(halves.train, TRAIN_PAGES), *nights]):
            _store(storage, number, [(page, page.html()) for page in pages])
        learn_site(storage, config, until=FIRST_DAY)
        extract_site(storage, config)
        quiet = read_stats(storage, SITE)[1:]
        for number in (len(nights) - 1, len(nights)):
            pages = nights[number - 1]
            _store(storage, number, [(page, redesigned(page.html())) for page in pages])
        extract_site(storage, config, since=quiet[-2].day)
        shown = read_stats(storage, SITE)[-2:]
    return SiteDrift(
        name=halves.name,
        nights=len(nights),
        false_flags=sum(bool(each.drift) for each in quiet),
        lost=_articles(quiet[-2:]) - _articles(shown),
        told=(bool(shown[0].drift), bool(shown[1].drift)),
    )


def _articles(days: Sequence[SiteStats]) -> int:
    return sum(stats.articles for stats in days)


def _store(storage: Storage, number: int, pages: Sequence[tuple[GoldPage, bytes]]) -> None:
    """Make these the pages of the day with this number."""
    day = FIRST_DAY + timedelta(days=number)
    fetched_at = datetime.combine(day, time(3), UTC)
    records = [
        PageRecord(
            run_id=f"{day}",
            url=page.url,
            final_url=page.url,
            url_key=page.key,
            fetched_at=fetched_at,
            charset=detect_charset(html, default=None).name,
            body_sha256=sha256(html).hexdigest(),
            html=html,
        )
        for page, html in pages
    ]
    storage.replace("pages", SITE, day, records_to_table(records, PAGE_SCHEMA))


def summarise(found: Sequence[SiteDrift]) -> dict[str, int]:
    """The figures over all sites."""
    harmed = [each for each in found if each.lost > 0]
    return {
        "sites": len(found),
        "quiet_nights": sum(each.nights for each in found),
        "false_flags": sum(each.false_flags for each in found),
        "harmed": len(harmed),
        "told_first_night": sum(each.told[0] for each in harmed),
        "told": sum(any(each.told) for each in harmed),
    }


def _measured(sources: Sequence[Path], night_pages: int) -> Iterator[SiteDrift]:
    for source in sources:
        found = measure(source, night_pages)
        if found is None:
            print(f"{source.stem}: too few pages")
            continue
        told = ["-+"[each] for each in found.told]
        print(
            f"{found.name:16} {found.nights} nights, {found.false_flags} false; "
            f"redesigned: {found.lost:3} articles lost, told {' '.join(told)}"
        )
        yield found


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site or the scorer is missing."""
    parser = sites_parser("Measure how soon a redesign of real sites is told.")
    parser.add_argument(
        "--night-pages", type=int, default=NIGHT_PAGES, metavar="N", help="pages of a night"
    )
    options = parser.parse_args(arguments)
    try:
        sources = sites_to_measure(options.sites)
        found = list(_measured(sources, options.night_pages))
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
