"""The history of patterns: which apply since when, and which replaced which."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from crawler.storage.partitions import Storage
from learner.induction.job import store_patterns
from learner.kinds.kind import Kind
from learner.patterns.lineage import find_parent, retire, take_over
from learner.patterns.pattern import Pattern, PatternSet, Role, Section
from learner.patterns.stored import current_patterns, patterns_for

MONDAY = datetime(2026, 11, 16, 3, tzinfo=UTC)
TUESDAY, WEDNESDAY = MONDAY + timedelta(days=1), MONDAY + timedelta(days=2)


def pattern(main="div.text", urls=("http://a/1", "http://a/2"), kind=Kind.ARTICLE, **values):
    section = Section(path=main, role=Role.MAIN, diff_score=0.9, main_score=50.0)
    values = {"preset": "default", "score": 9.0, "n_pages": 2, "main": 0, **values}
    return Pattern(kind=kind, sections=(section,), example_urls=urls, **values)


def test_the_first_patterns_replace_none():
    (one,) = take_over(PatternSet([pattern()]), PatternSet(), MONDAY)
    assert (one.learned_at, one.valid_from) == (MONDAY, MONDAY)
    assert (one.valid_until, one.parent_pattern_id) == (None, None)


def test_the_same_pattern_learned_again_keeps_its_history():
    monday = take_over(PatternSet([pattern()]), PatternSet(), MONDAY)
    monday = PatternSet(replace(each, parent_pattern_id="5" * 16) for each in monday)
    assert take_over(PatternSet([pattern()]), monday, TUESDAY) == monday
    (other,) = take_over(PatternSet([pattern(urls=("http://a/3",))]), monday, TUESDAY)
    assert (other.valid_from, other.learned_at) == (MONDAY, TUESDAY)
    assert other.parent_pattern_id == "5" * 16
    assert retire(monday, PatternSet([other]), TUESDAY) == []


def test_a_new_pattern_names_the_one_it_replaces():
    monday = take_over(PatternSet([pattern(), pattern("ul", kind=Kind.LIST)]), PatternSet(), MONDAY)
    old = next(each for each in monday if each.kind is Kind.ARTICLE)
    moved = pattern("div.main", urls=("http://a/2", "http://a/3"))
    (new,) = take_over(PatternSet([moved]), monday, TUESDAY)
    assert (new.parent_pattern_id, new.valid_from) == (old.pattern_id, TUESDAY)
    retired = retire(monday, PatternSet([new]), TUESDAY)
    assert {(each.kind, each.valid_from, each.valid_until) for each in retired} == {
        (Kind.ARTICLE, MONDAY, TUESDAY),
        (Kind.LIST, MONDAY, TUESDAY),
    }


def test_the_parent_has_the_same_places_or_taught_by_the_same_pages():
    same_place = pattern(params='{"bias": 1}', urls=("http://a/9",))
    same_pages = pattern("div.main")
    assert find_parent(pattern(), [same_pages, same_place]) == same_place.pattern_id
    assert find_parent(pattern(), [same_pages]) == same_pages.pattern_id
    stranger = pattern("div.main", urls=("http://a/9",))
    assert find_parent(pattern(), [stranger, pattern(kind=Kind.LIST)]) is None


def test_lists_without_places_are_not_all_alike():
    first, second = (
        Pattern(
            preset="default", kind=Kind.LIST, score=1.0, n_pages=2, sections=(), example_urls=urls
        )
        for urls in (("http://a/1",), ("http://a/2",))
    )
    assert find_parent(first, [second]) is None


def test_a_partition_holds_what_applies_and_all_that_it_replaced_that_day(tmp_path):
    storage = Storage(str(tmp_path))
    for main, now in (("a", MONDAY), ("b", TUESDAY), ("c", TUESDAY + timedelta(hours=1))):
        learned = PatternSet([pattern(main)])
        summary = store_patterns(storage, "site", learned, 2, (MONDAY.date(),), now)
        assert summary.patterns == current_patterns(storage, "site")
    rows = [row for batch in storage.read("patterns", "site") for row in batch.to_pylist()]
    found = {(r["sections"][0]["path"], r["date"].day, r["valid_until"] is None) for r in rows}
    assert found == {("a", 16, True), ("a", 17, False), ("b", 17, False), ("c", 17, True)}
    parents = {r["sections"][0]["path"]: r["parent_pattern_id"] for r in rows}
    ids = {r["sections"][0]["path"]: r["pattern_id"] for r in rows}
    assert parents == {"a": None, "b": ids["a"], "c": ids["b"]}
    again = store_patterns(storage, "site", learned, 2, (MONDAY.date(),), WEDNESDAY)
    assert not again.is_new


def test_a_day_is_read_by_the_patterns_of_then_whose_layouts_are_gone(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    first, second = pattern("div/p"), pattern("main/p")

    def learn(each: Pattern, now: datetime, gone: set[str]) -> None:
        store_patterns(storage, "site", PatternSet([each]), 2, (now.date(),), now, gone)

    learn(first, MONDAY, set())
    learn(second, TUESDAY, {first.pattern_id})

    def ids_for(day: date) -> list[list[str]]:
        sets = patterns_for(storage, "site", day, current_patterns(storage, "site"))
        return [[each.pattern_id for each in patterns] for patterns in sets]

    assert ids_for(MONDAY.date()) == [[second.pattern_id], [first.pattern_id]]
    assert ids_for(TUESDAY.date()) == [[second.pattern_id], [first.pattern_id]]  # until then
    assert ids_for(WEDNESDAY.date()) == [[second.pattern_id]]


def test_patterns_that_others_correct_read_no_day(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    for each, now in ((pattern("div/p"), MONDAY), (pattern("main/p"), TUESDAY)):
        store_patterns(storage, "site", PatternSet([each]), 2, (now.date(),), now)
    assert len(patterns_for(storage, "site", MONDAY.date(), current_patterns(storage, "site"))) == 1
