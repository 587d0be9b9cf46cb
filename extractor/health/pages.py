"""What the pages of a site say of its health: whether they hold what they held.

A trouble that a day shows lasts until later days show that it is mended: pages that answer "not
modified" say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from extractor.health.drift import KNOWN, LENGTH, NEW, describe, text_lengths, weighted_median
from extractor.health.state import Cause, Trouble
from extractor.health.stats import SiteStats

LEAST_PAGES = 3
"""Pages that say whether a site has text, or is mended. Origin: guess; two may be odd by chance."""
LEAST_KNOWN = 2
"""Known articles whose length says that texts are not cut. Origin: guess."""
MOST_SHARE = 0.5
"""Share of the pages from which on what they show is the site's trouble. Origin: guess."""

LAYOUT_FIGURES = (NEW, "fresh_articles", KNOWN)


def find_page_trouble(days: Sequence[SiteStats]) -> Trouble | None:
    """What is wrong with the pages of a site; `days` are those on which any came, oldest first."""
    for cause, shows, is_mended in (
        (Cause.SHELL, _shows_shells, _have_text),
        (Cause.WALL, _shows_wall, _differ),
        (Cause.LAYOUT, _shows_layout, _fits),
        (Cause.CUT, _shows_cut, _is_long),
        (Cause.FIELDS, _shows_fields, _is_filled),
    ):
        if trouble := _lasting(cause, days, shows, is_mended):
            return trouble
    return None


Shows = Callable[[SiteStats], str]
"""What a day shows of a trouble, in words; empty if it does not."""
IsMended = Callable[[Sequence[SiteStats], SiteStats, Sequence[SiteStats]], bool]
"""Whether days after one that showed a trouble show that it is over; also given that day, and those
before the trouble."""


def _lasting(
    cause: Cause, days: Sequence[SiteStats], shows: Shows, is_mended: IsMended
) -> Trouble | None:
    """The trouble, if a day shows it and none of those after it that it is mended."""
    since: date | None = None
    said, shown = "", SiteStats(site="", day=date.min)
    sound, after = list[SiteStats](), list[SiteStats]()
    for day in days:
        if words := shows(day):
            since, said, shown, after = since or day.day, words, day, []
        elif since is None:
            sound.append(day)
        else:
            after.append(day)
            if is_mended(after, shown, sound):
                since, sound = None, [*sound, *after]
    return Trouble(cause=cause, since=since, said=said) if since else None


def pages_of(day: SiteStats) -> int:
    """Pages of a day that came with a body."""
    others = day.guessed + day.unmatched + day.empty + day.soft_errors + day.unreadable
    return day.articles + day.lists + others


def _shows_shells(day: SiteStats) -> str:
    return _most(day, day.without_text, "have no text")


def _shows_wall(day: SiteStats) -> str:
    return _most(day, day.same_text, "say one and the same")


def _most(day: SiteStats, pages: int, what: str) -> str:
    n_pages = pages_of(day)
    if pages < LEAST_PAGES or pages < MOST_SHARE * n_pages:
        return ""
    return f"{pages} of {n_pages} pages {what}"


def _have_text(after: Sequence[SiteStats], *_: object) -> bool:
    return _few(after, sum(day.without_text for day in after))


def _differ(after: Sequence[SiteStats], *_: object) -> bool:
    return _few(after, sum(day.same_text for day in after))


def _few(after: Sequence[SiteStats], bad: int) -> bool:
    """Whether pages came, and so many of them are few."""
    n_pages = sum(map(pages_of, after))
    return n_pages >= LEAST_PAGES and bad < MOST_SHARE * n_pages


def _shows_layout(day: SiteStats) -> str:
    return _fallen(day, LAYOUT_FIGURES)


def _fits(after: Sequence[SiteStats], *_: object) -> bool:
    due = sum(day.fresh + day.known for day in after)
    came = sum(day.fresh_articles + day.known_articles for day in after)
    return due >= LEAST_PAGES and came >= MOST_SHARE * due


def _shows_cut(day: SiteStats) -> str:
    if day.known_shorter >= max(LEAST_PAGES, MOST_SHARE * day.known_articles):
        return f"{day.known_shorter} of {day.known_articles} known articles lost half of their text"
    # Where known articles are as long as they were, the new ones are short notes.
    keeps = (
        day.known_articles >= LEAST_KNOWN and day.known_shorter < MOST_SHARE * day.known_articles
    )
    return "" if keeps else _fallen(day, (LENGTH,))


def _is_long(after: Sequence[SiteStats], _: SiteStats, sound: Sequence[SiteStats]) -> bool:
    shorter, known = (
        sum(getattr(day, name) for day in after) for name in ("known_shorter", "known_articles")
    )
    if shorter and shorter >= MOST_SHARE * known:
        return False
    texts, usual = text_lengths(after), text_lengths(sound)
    if sum(weight for _, weight in texts) < LEAST_PAGES or not usual:
        return False
    return weighted_median(texts) >= weighted_median(usual) / 2


def _shows_fields(day: SiteStats) -> str:
    return _fallen(day, tuple(f.name for f in day.drift if f.name.startswith("fill_")))


def _is_filled(after: Sequence[SiteStats], shown: SiteStats, _: object) -> bool:
    articles = sum(day.articles for day in after)
    if articles < LEAST_PAGES:
        return False
    falls = [fall for fall in shown.drift if fall.name.startswith("fill_")]
    return all(
        sum((getattr(day, fall.name) or 0) * day.articles for day in after)
        >= articles * (fall.before + fall.now) / 2
        for fall in falls
    )


def _fallen(day: SiteStats, names: Sequence[str]) -> str:
    return "; ".join(describe(fall) for fall in day.drift if fall.name in names)
