"""What a resumed run makes of the rows that a killed one left."""

from datetime import timedelta
from pathlib import Path

import pytest

from crawler.frontier.urldb import Found, UrlDatabase, UrlInfo, Visit
from crawler.spiders.items import visits_of_page
from crawler.spiders.resume import Leftovers
from crawler.storage.records import PageRecord
from tests.tables import NOW

MOVED, TARGET = "http://a/moved", "http://a/target"


def found(url: str) -> Found:
    return Found(url_key=url, url=url, source="link")


def redirect(run_id: str) -> tuple[Visit, ...]:
    page = PageRecord(
        run_id=run_id, url=MOVED, final_url=TARGET, url_key=TARGET, fetched_at=NOW, status=200,
        redirects=(MOVED,), body_sha256="digest", html=b"<p>",
    )  # fmt: skip
    return visits_of_page(page, {MOVED: MOVED}, expanded=True)


def known_before(database: UrlDatabase) -> None:
    """A run that stored the target itself, at the depth whose links are not read."""
    database.begin_run("r0", NOW - timedelta(days=1), max_depth=1, scope="")
    database.add_links([found(TARGET)], 1, None, NOW - timedelta(days=1))
    database.record_visits(
        [Visit(url_key=TARGET, url=TARGET, depth=1, visited_at=NOW - timedelta(days=1), digest="d")]
    )
    database.finish_run(NOW - timedelta(days=1))


@pytest.mark.parametrize("is_known", [False, True])
def test_what_is_stored_of_a_redirect_is_known_as_in_a_run_that_was_not_killed(
    tmp_path: Path, is_known: bool
) -> None:
    outcomes: list[list[UrlInfo]] = []
    for name in ("live", "resumed"):
        with UrlDatabase(tmp_path / f"{name}.sqlite") as database:
            if is_known:
                known_before(database)
            database.begin_run("r1", NOW, max_depth=1, scope="")
            database.add_seeds([found(MOVED)], NOW)
            if name == "live":
                database.record_visits(redirect("r1"))
            else:
                Leftovers(redirect("r1")).record(database)
            database.add_links([found(TARGET)], 1, MOVED, NOW)
            assert database.pending_count() == 0
            assert database.is_visited(TARGET)
            outcomes.append(sorted(database.list_urls(), key=lambda info: info.url_key))
    assert outcomes[0] == outcomes[1]


def test_what_is_known_already_is_not_recorded_twice(tmp_path: Path) -> None:
    with UrlDatabase(tmp_path / "a.sqlite") as database:
        database.begin_run("r1", NOW, max_depth=2, scope="")
        database.add_seeds([found(MOVED)], NOW)
        database.record_visits(redirect("r1"))
        before = list(database.list_urls())
        Leftovers(redirect("r1")).record(database)
        assert list(database.list_urls()) == before


def test_a_page_that_was_forgotten_since_still_waits_for_the_next_run(tmp_path: Path) -> None:
    with UrlDatabase(tmp_path / "a.sqlite") as database:
        database.begin_run("r1", NOW, max_depth=2, scope="")
        database.record_visits(redirect("r1"))
        database.forget([TARGET])
        Leftovers(redirect("r1")).record(database)
        info = database.find(TARGET)
        assert info is not None and info.reason == "forgotten"
