"""What the crawls of a site say of its health: whether pages come at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crawler.storage.runs import ENDED, RunRecord
from crawler.usage.exitcodes import EXIT_LOCKED
from extractor.health.state import Cause, Trouble

MANY_FAILURES = 6
"""Pages that must have failed for a night of which others came. Origin: drift judges by as many."""

_KINDS = {"robots.txt": Cause.ROBOTS, "http 404": Cause.START_GONE, "http 410": Cause.START_GONE}
_REFUSALS = ("http 401", "http 403", "http 406", "http 429", "http 451")
_OF_ONE_PAGE = (
    "http 2", "http 3", "http 4", "not html", "too large", "redirect refused", "other", "internal",
)  # fmt: skip
"""How reasons begin that say something of one page alone."""


def is_telling(run: RunRecord) -> bool:
    """Whether a run says something of its site: not if another one worked on it, or if it was ended
    from outside."""
    return run.exit_code != EXIT_LOCKED and run.finding != ENDED


def find_crawl_trouble(crawls: Sequence[RunRecord], n_starts: int) -> Trouble | None:
    """What keeps pages from coming; `crawls` are those of the site, oldest first.

    The last crawl decides: a night on which pages came shows that the site is there. `n_starts` is
    the number of its start URLs.
    """
    found = [judge_crawl(crawl, n_starts) for crawl in crawls]
    if not found or found[-1] is None:
        return None
    cause, said = found[-1]
    since = crawls[-1].started_at.date()
    for crawl, judged in zip(reversed(crawls), reversed(found), strict=True):
        if judged is None or judged[0] is not cause:
            break
        since = crawl.started_at.date()
    return Trouble(cause=cause, since=since, said=said)


def judge_crawl(crawl: RunRecord, n_starts: int) -> tuple[Cause, str] | None:
    """What kept pages from coming on one crawl, and the figures; None if nothing did."""
    if crawl.pages_failed is None:  # it did not come so far as to ask
        return (Cause.FAILED, crawl.cause or "") if crawl.exit_code else None
    came = sum(n or 0 for n in (crawl.pages_new, crawl.pages_changed, crawl.pages_unchanged))
    counted: Counter[Cause] = Counter()
    for failure in crawl.failures:
        if (cause := cause_of(failure.reason)) is not None:
            counted[cause] += failure.pages
    told = ", ".join(f"{each.reason} ({each.pages})" for each in crawl.failures[:3])
    said = f"{came} pages came, {crawl.pages_failed} failed: {told}"
    starts_are_gone = bool(n_starts) and (crawl.start_pages_failed or 0) >= n_starts
    # A night of a feed may bring no page but a dead link, and be well.
    if counted and (starts_are_gone or (not came and crawl.exit_code)):
        return counted.most_common(1)[0][0], said
    for cause in (Cause.UNREACHABLE, Cause.WALL):
        if counted[cause] >= max(MANY_FAILURES, came):
            return cause, said
    if crawl.exit_code:
        return Cause.FAILED, crawl.cause or ""
    return None


def cause_of(reason: str) -> Cause | None:
    """What the reason of a failed page says of its site; None if it is of that page alone.

    >>> cause_of("http 403"), cause_of("timeout"), cause_of("not html")
    (<Cause.WALL: 'bot wall'>, <Cause.UNREACHABLE: 'unreachable'>, None)
    """
    if reason in _KINDS:
        return _KINDS[reason]
    if reason in _REFUSALS:
        return Cause.WALL
    return None if reason.startswith(_OF_ONE_PAGE) else Cause.UNREACHABLE
