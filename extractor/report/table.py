"""All sites on a terminal, or as lines for other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from extractor.health.state import State
from extractor.health.words import many
from extractor.report.overview import Overview

BARS = " ▁▂▃▄▅▆▇█"
CHART_DAYS = 14
"""Days of the small chart. Origin: guess, two weeks fit into a terminal."""
COLOURS = {State.OK: "green", State.WATCH: "yellow", State.ILL: "red", State.DEAD: "bold red"}


def print_table(sites: Sequence[Overview]) -> None:
    """A line for each site, and under it what is wrong and what to do."""
    console = Console()
    table = Table("site", "state", "last crawl", box=None, pad_edge=False, header_style="bold")
    table.add_column("new articles", no_wrap=True)
    table.add_column("matched", justify="right")
    table.add_column("last new")
    for each in sites:
        crawl = each.last_crawl
        state = each.health.state
        rate = each.match_rate
        table.add_row(
            escape(each.site),
            f"[{COLOURS[state]}]{state}[/]",
            f"{crawl.started_at:%m-%d %H:%M}" if crawl else "never",
            f"{chart(each.new_articles[-CHART_DAYS:])} {sum(each.new_articles)}{_guessed(each)}",
            "" if rate is None else f"{rate:.0%}",
            f"{each.last_new:%m-%d}" if each.last_new else "",
        )
    console.print(table)
    for line in trouble_lines(sites):
        console.print(escape(line), highlight=False)
    console.print(summary(sites), highlight=False)


def _guessed(each: Overview) -> str:
    return f" ({each.guessed} guessed)" if each.guessed else ""


def trouble_lines(sites: Sequence[Overview]) -> Iterator[str]:
    """A line for each site that is not well."""
    return (str(each.health) for each in sites if each.health.trouble)


def plain_lines(sites: Sequence[Overview]) -> Iterator[str]:
    """Fields with tabs between them, for `grep` and `cut`: site, state, cause, since, last crawl,
    new articles of the last 30 days, share matched, last day with a new article, how many of the
    new articles are guessed."""
    for each in sites:
        trouble, crawl, rate = each.health.trouble, each.last_crawl, each.match_rate
        yield "\t".join(
            (
                each.site,
                str(each.health.state),
                str(trouble.cause) if trouble else "",
                str(trouble.since) if trouble else "",
                f"{crawl.started_at:%Y-%m-%dT%H:%M}" if crawl else "",
                str(sum(each.new_articles)),
                "" if rate is None else f"{rate:.2f}",
                str(each.last_new or ""),
                str(each.guessed),
            )
        )


def summary(sites: Sequence[Overview]) -> str:
    """How many sites are how.

    >>> summary([])
    '0 sites'
    """
    counted = Counter(each.health.state for each in sites)
    states = ", ".join(f"{counted[state]} {state}" for state in State if counted[state])
    return many(len(sites), "site") + (f": {states}" if states else "")


def chart(counts: Sequence[int]) -> str:
    """Counts as bars, the most the highest.

    >>> chart([0, 1, 4])
    ' ▂█'
    """
    most = max(counts, default=0) or 1
    steps = len(BARS) - 1
    return "".join(BARS[-(-count * steps // most)] for count in counts)
