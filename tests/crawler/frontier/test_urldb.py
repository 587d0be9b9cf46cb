"""The frontier of record."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawler.config.stages import RevisitConfig
from crawler.frontier.urldb import Found, FrontierEntry, UrlDatabase, Visit

NOW = datetime(2026, 11, 20, 2, 0, tzinfo=UTC)
NIGHT = timedelta(days=1)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[UrlDatabase]:
    with UrlDatabase(tmp_path / "state" / "s.sqlite") as opened:
        yield opened


def found(*names: str) -> list[Found]:
    return [Found(url_key=f"http://e/{n}", url=f"http://e/{n}", source="link") for n in names]


def begin(database: UrlDatabase, run_id: str, now: datetime = NOW, depth: int = 2) -> bool:
    return database.begin_run(run_id, now, max_depth=depth, scope="x").resumed


def drain(database: UrlDatabase) -> list[FrontierEntry]:
    """All that is handed out, depth by depth."""
    entries = []
    while True:
        while batch := database.next_entries(3):
            entries += batch
        if not database.next_level():
            return entries


def names(entries: list[FrontierEntry]) -> str:
    return " ".join(entry.url.rpartition("/")[2] for entry in entries)


def visit(
    database: UrlDatabase,
    *each_name: str,
    now: datetime = NOW,
    digest: str | None = "d",
    unchanged: bool = False,
    expanded: bool = True,
    error: str | None = None,
    has_brought: bool = False,
) -> None:
    database.record_visits(
        [
            Visit(
                url_key=f"http://e/{name}",
                url=f"http://e/{name}",
                depth=0,
                visited_at=now,
                status=200,
                digest=digest,
                etag=f"etag-{name}",
                unchanged=unchanged,
                expanded=expanded,
                error=error,
                has_brought=has_brought,
            )
            for name in each_name
        ]
    )


def first_run(database: UrlDatabase) -> None:
    """Seed `a`, its links `b c`, theirs `d` at the depth limit."""
    begin(database, "1")
    database.add_seeds(found("a"), NOW)
    database.add_links(found("b", "c"), 1, "http://e/a", NOW)
    database.add_links(found("d"), 2, "http://e/b", NOW)
    visit(database, "a", "b", "c")
    visit(database, "d", expanded=False)
    database.finish_run(NOW)


def test_depth_by_depth_and_each_once(database: UrlDatabase) -> None:
    begin(database, "1")
    database.add_links(found("c"), 2, None, NOW)
    database.add_links(found("b"), 1, None, NOW)
    assert database.add_seeds(found("a"), NOW) == 1
    assert database.add_links(found("b", "c"), 1, None, NOW) == 0
    assert names(drain(database)) == "a c b"
    assert drain(database) == []


def test_a_page_that_turns_out_to_be_nearer_is_handed_out_with_the_nearer_ones(
    database: UrlDatabase,
) -> None:
    """Also where those found after it are handed out already."""
    begin(database, "1")
    database.add_seeds(found("a"), NOW)
    database.add_links(found("b"), 1, "http://e/a", NOW)
    database.add_links(found("c"), 0, "http://e/feed", NOW)
    assert names(database.next_entries(9)) == "a c"
    database.add_links(found("b"), 0, "http://e/sitemap", NOW)
    assert [(entry.url, entry.depth) for entry in drain(database)] == [("http://e/b", 0)]


def test_pending_urls_are_replayed_by_the_same_run(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with UrlDatabase(path) as database:
        assert not begin(database, "1")
        database.add_seeds(found("a", "b"), NOW)
        visit(database, "a")
    with UrlDatabase(path) as database:
        assert begin(database, "2")
        assert names(drain(database)) == "b"
        assert database.is_visited("http://e/a")


def test_a_new_run_visits_what_may_show_new_links(database: UrlDatabase) -> None:
    first_run(database)
    assert not begin(database, "2", NOW + NIGHT)
    database.add_seeds(found("a"), NOW + NIGHT)
    entries = drain(database)
    assert names(entries) == "a b c"
    assert [entry.etag for entry in entries] == ["etag-a", "etag-b", "etag-c"]


def test_a_greater_depth_reads_the_links_of_former_leaves(database: UrlDatabase) -> None:
    first_run(database)
    begin(database, "2", NOW + NIGHT, depth=3)
    leaf = drain(database)[-1]
    assert (leaf.url, leaf.etag) == ("http://e/d", None)


def test_what_a_clock_that_was_years_ahead_put_off_is_due(database: UrlDatabase) -> None:
    ahead = NOW + timedelta(days=3650)
    first_run(database)
    begin(database, "2", ahead)
    database.add_links(found("e"), 2, "http://e/b", ahead)
    visit(database, "b", now=ahead)
    visit(database, "e", now=ahead, error="timeout", digest=None)
    database.finish_run(ahead)
    begin(database, "3", NOW + NIGHT)
    assert {"b", "e"} <= set(names(drain(database)).split())


def test_the_clock_does_not_tell_which_run_was_the_last(database: UrlDatabase) -> None:
    ahead = NOW + timedelta(days=3650)
    for number, now in enumerate((NOW, ahead, NOW + NIGHT, NOW + 2 * NIGHT)):
        database.begin_run(str(number), now, max_depth=2, scope="x" if now == ahead else "y")
        database.add_seeds(found("a"), now)
        if number == 3:
            assert drain(database)[0].etag == "etag-a"
        visit(database, "a", now=now)
        database.finish_run(now)


def test_another_scope_reads_all_links_again(database: UrlDatabase) -> None:
    first_run(database)
    database.begin_run("2", NOW + NIGHT, max_depth=2, scope="y")
    assert {entry.etag for entry in drain(database)} == {None}


def test_a_smaller_depth_leaves_the_deep_alone(database: UrlDatabase) -> None:
    begin(database, "1")
    database.add_seeds(found("a"), NOW)
    database.add_links(found("d"), 2, None, NOW)
    visit(database, "a")
    database.finish_run(NOW)
    begin(database, "2", NOW + NIGHT, depth=1)
    assert names(drain(database)) == "a"
    assert database.find("http://e/d").reason == "too deep"  # type: ignore[union-attr]
    database.add_links(found("d"), 1, "http://e/a", NOW)
    assert names(drain(database)) == "d"


def test_what_lies_beyond_the_depth_is_known_and_waits_for_a_greater_one(
    database: UrlDatabase,
) -> None:
    begin(database, "1", depth=1)
    database.add_seeds(found("a"), NOW)
    database.add_links(found("b"), 1, "http://e/a", NOW)
    database.add_beyond(found("a", "b", "c", "d"), 2, "http://e/b", NOW)
    assert names(drain(database)) == "a b"
    for page in "ab":
        visit(database, page)
    database.finish_run(NOW)
    assert database.beyond_depth() == 2
    begin(database, "2", NOW + NIGHT, depth=2)
    assert set(names(drain(database)).split()) >= {"c", "d"}
    assert database.beyond_depth() == 0


def test_what_lies_beyond_the_depth_is_fetched_if_it_is_a_seed_too(database: UrlDatabase) -> None:
    begin(database, "1", depth=0)
    database.add_beyond(found("a"), 1, "http://e/b", NOW)
    database.add_seeds(found("a"), NOW)
    assert names(drain(database)) == "a"
    assert database.beyond_depth() == 0


def nights_of_visits(
    database: UrlDatabase, name: str, nights: int, brings_in: Collection[int] = ()
) -> list[int]:
    """The nights of those after the first on which a page was visited."""
    first_run(database)
    visited = []
    for night in range(1, nights + 1):
        now = NOW + night * NIGHT
        begin(database, f"run {night}", now)
        if name in names(drain(database)):
            visited.append(night)
            visit(database, name, now=now, digest=f"{night}", has_brought=night in brings_in)
        database.finish_run(now)
    return visited


def test_pages_that_bring_no_new_links_are_visited_less_and_less(database: UrlDatabase) -> None:
    """Also those that change each night, by a counter or a quotation of the day."""
    assert nights_of_visits(database, "b", 16) == [1, 2, 3, 5, 9]


def test_pages_that_bring_new_links_are_visited_as_often_as_they_do(database: UrlDatabase) -> None:
    every_night = range(1, 13)
    assert nights_of_visits(database, "b", 12, brings_in=every_night) == [*every_night]


def test_a_page_that_brings_something_is_visited_more_often_again(database: UrlDatabase) -> None:
    visited = nights_of_visits(database, "b", 30, brings_in=range(9, 31))
    assert visited[:6] == [1, 2, 3, 5, 9, 11]
    assert visited[-3:] == [28, 29, 30]


def test_the_pauses_stay_within_their_bounds(tmp_path: Path) -> None:
    bounds = RevisitConfig(least_hours=47, most_days=4)
    with UrlDatabase(tmp_path / "s.sqlite", bounds) as database:
        visited = nights_of_visits(database, "b", 20, brings_in=[1, 3, 5])
    assert visited == [1, 3, 5, 7, 11, 15, 19]


def test_articles_are_visited_twice_more_wherever_they_stand(database: UrlDatabase) -> None:
    first_run(database)
    database.bound_visits([("http://e/b", 3), ("http://e/d", 3), ("http://e/c", 1)])
    visited = []
    for night in range(1, 20):
        now = NOW + night * NIGHT
        begin(database, f"run {night}", now)
        handed_out = names(drain(database)).replace("a", "").split()
        visited += [f"{name}{night}" for name in handed_out]
        visit(database, *handed_out, now=now, unchanged=True)
        database.finish_run(now)
    assert visited == ["b1", "d1", "b7", "d7"]


def test_an_article_that_proves_to_be_a_list_is_visited_as_one(database: UrlDatabase) -> None:
    first_run(database)
    database.bound_visits([("http://e/b", 1)])
    database.bound_visits([])
    begin(database, "2", NOW + NIGHT)
    assert "b" in names(drain(database))


def test_what_a_budget_left_over_comes_before_what_is_known(database: UrlDatabase) -> None:
    begin(database, "1")
    database.add_seeds(found("a"), NOW)
    database.add_links(found("b", "c", "e"), 1, "http://e/a", NOW)
    visit(database, "a", "b")
    database.finish_run(NOW)
    begin(database, "2", NOW + NIGHT)
    database.add_seeds(found("a"), NOW + NIGHT)
    assert names(drain(database)) == "a c e"
    visit(database, "a", "c", "e", now=NOW + NIGHT)
    database.finish_run(NOW + NIGHT)
    begin(database, "3", NOW + 2 * NIGHT)
    assert names(drain(database)) == "a b c e"


def test_seeds_are_visited_by_every_run(database: UrlDatabase) -> None:
    first_run(database)
    visit(database, "a", unchanged=True)
    begin(database, "2", NOW)
    database.add_seeds(found("a"), NOW)
    assert "a" in names(drain(database))
    visit(database, "a", unchanged=True)
    database.add_seeds(found("a"), NOW)
    assert drain(database) == []


def test_failures_are_tried_again_later(database: UrlDatabase) -> None:
    begin(database, "1")
    database.add_links(found("b"), 1, None, NOW)
    visit(database, "b", digest=None, error="http 404", expanded=False)
    database.finish_run(NOW)
    begin(database, "2", NOW)
    assert drain(database) == []
    database.finish_run(NOW)
    begin(database, "3", NOW + NIGHT)
    assert names(drain(database)) == "b"


def test_what_robots_forbid_is_asked_about_in_each_run(database: UrlDatabase) -> None:
    begin(database, "1")
    database.add_links(found("b"), 1, None, NOW)
    database.skip("http://e/b", "robots.txt")
    assert drain(database) == []
    database.finish_run(NOW)
    begin(database, "2", NOW)
    assert names(drain(database)) == "b"


def test_a_304_keeps_etag_and_digest(database: UrlDatabase) -> None:
    first_run(database)
    begin(database, "2", NOW + NIGHT)
    database.record_visits(
        [
            Visit(
                url_key="http://e/b",
                url="http://e/b",
                depth=1,
                visited_at=NOW,
                status=304,
                unchanged=True,
            )
        ]
    )
    database.finish_run(NOW)
    begin(database, "3", NOW + 2 * NIGHT)
    entry = next(each for each in drain(database) if each.url == "http://e/b")
    assert (entry.etag, entry.digest) == ("etag-b", "d")


def test_a_redirect_target_is_known_from_then_on(database: UrlDatabase) -> None:
    begin(database, "1")
    visit(database, "target")
    assert database.is_visited("http://e/target")
    assert database.digest("http://e/target") == "d"


@pytest.mark.parametrize("year", [1, 999, 2026])
def test_times_come_back_whatever_the_year(database: UrlDatabase, year: int) -> None:
    moment = datetime(year, 1, 2, 3, 4, 5, 67, tzinfo=UTC)
    begin(database, "1")
    database.add_seeds(found("a"), moment)
    assert [each.first_seen for each in database.list_urls()] == [moment]
    assert database.expire(NOW + NIGHT) == 1


def test_expiry(database: UrlDatabase) -> None:
    first_run(database)
    begin(database, "2", NOW + 10 * NIGHT)
    database.add_seeds(found("a"), NOW + 10 * NIGHT)
    assert database.expire(NOW + NIGHT) == 3
    assert database.counts() == {"pending": 1}


@pytest.mark.parametrize("forgotten", ["d", "b d", "a b c d"])
def test_what_is_forgotten_is_fetched_as_new(database: UrlDatabase, forgotten: str) -> None:
    """`b` and `c`, unchanged for weeks, are not due, and `d` lies at the depth limit."""
    first_run(database)
    for _ in range(6):
        visit(database, "a", "b", "c", unchanged=True)
    database.forget(each.url_key for each in found(*forgotten.split()))
    begin(database, "2", NOW + NIGHT)
    entries = drain(database)
    assert names(entries) == forgotten
    assert {(entry.etag, entry.digest) for entry in entries} == {(None, None)}


def test_what_an_unfinished_run_fetched_is_forgotten_for_the_run_after_it(
    database: UrlDatabase,
) -> None:
    begin(database, "1")
    database.add_seeds(found("a", "b"), NOW)
    visit(database, "a")
    database.forget(["http://e/a", "http://e/b"])
    assert begin(database, "2")
    assert names(drain(database)) == "b"
    database.finish_run(NOW)
    begin(database, "3")
    assert "a" in names(drain(database))


def test_a_finished_run_id_is_refused(database: UrlDatabase) -> None:
    begin(database, "1")
    database.finish_run(NOW)
    with pytest.raises(ValueError, match="'1', a finished run"):
        begin(database, "1")


def test_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with UrlDatabase(path) as database:
        database._db.execute("pragma user_version = 99")
    with pytest.raises(ValueError, match="format 2, got 99"):
        UrlDatabase(path)


def test_the_format_before_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with UrlDatabase(path) as database:
        first_run(database)
        for column in ("visits", "most_visits", "pause_hours"):
            database._db.execute(f"alter table urls drop column {column}")
        database._db.execute("alter table urls add column idle_visits integer default 0")
        database._db.execute("pragma user_version = 1")
    with UrlDatabase(path) as database:
        begin(database, "2", NOW + NIGHT)
        assert names(drain(database)) == "a b c"
        visit(database, "b", now=NOW, unchanged=True)
        assert database.find("http://e/b").due_at == NOW + timedelta(hours=11)  # type: ignore[union-attr]
