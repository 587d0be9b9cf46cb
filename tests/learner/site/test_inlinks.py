"""Inlink anchor texts, joined from stored links."""

import random
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.spiders.items import ALREADY_CRAWLED
from crawler.storage.partitions import Storage
from crawler.storage.records import (
    LINK_SCHEMA,
    PAGE_SCHEMA,
    LinkRecord,
    PageRecord,
    records_to_table,
)
from learner.site.inlinks import MAX_TEXTS, Inlinks, read_inlinks

DAY = date(2026, 11, 20)
SITE = SiteConfig(name="s", start_urls=("http://e/",))


def link(target: str, text: str | None) -> LinkRecord:
    return LinkRecord(
        run_id="r",
        src_url_key="http://e/",
        dst_url=target,
        dst_url_key=target,
        anchor_text=text,
    )


def page(url: str, target: str, **values: Any) -> PageRecord:
    return PageRecord(
        run_id="r",
        url=url,
        final_url=target,
        url_key=target,
        fetched_at=datetime(2026, 11, 20, tzinfo=UTC),
        **values,
    )


def test_texts_are_joined_by_key_and_ranked_by_number(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    rows = [link("http://e/a", "Two"), link("http://e/a", " Two "), link("http://e/a", "One")]
    rows += [link("http://e/a", None), link("http://e/b", "Other")]
    storage.write_part("links", "s", DAY, records_to_table(rows[:2], LINK_SCHEMA))
    storage.write_part("links", "s", DAY, records_to_table(rows[2:], LINK_SCHEMA))
    inlinks = read_inlinks(storage, SITE, {"http://e/a"})
    assert inlinks.texts("http://e/a") == ("Two", "One")
    assert inlinks.texts("http://e/b") == ()
    before = read_inlinks(storage, SITE, {"http://e/a"}, until=date(2026, 1, 1))
    assert before.texts("http://e/a") == ()


def test_links_to_a_url_that_redirects_count_for_its_target(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path))
    rows = [link("http://e/old", "Old"), link("http://e/older", "Older"), link("http://e/x", "X")]
    storage.write_part("links", "s", DAY, records_to_table(rows, LINK_SCHEMA))
    pages = [
        page("http://e/old", "http://e/a", redirects=("http://e/old",)),
        page("http://e/older", "http://e/older", error=f"{ALREADY_CRAWLED}http://e/a"),
        page("http://e/x", "http://e/x", error="http 404"),
    ]
    storage.write_part("pages", "s", DAY, records_to_table(pages, PAGE_SCHEMA))
    assert read_inlinks(storage, SITE, {"http://e/a"}).texts("http://e/a") == ("Old", "Older")


def test_a_redirect_is_followed_to_its_end() -> None:
    chain = {"a": "b", "b": "c", "d": "b"}
    inlinks = Inlinks({"b", "c"}, chain)
    for key in "abcd":
        inlinks.add(key, f"to {key}", 1)
    assert inlinks.texts("c") == ("to a", "to b", "to c", "to d")
    assert inlinks.texts("b") == ()


def test_redirects_in_a_circle_end() -> None:
    """As of pages that moved and came back, and of one that leads into them."""
    inlinks = Inlinks({"a", "b"}, {"a": "b", "b": "a", "c": "a"})
    for key in "abc":
        inlinks.add(key, f"to {key}", 1)
    assert sorted(inlinks.texts("a") + inlinks.texts("b")) == ["to a", "to b", "to c"]
    assert "to a" in inlinks.texts("b") and "to b" in inlinks.texts("a")


def test_the_texts_kept_do_not_depend_on_order() -> None:
    texts = [f"text {number % 90:02}" for number in range(400)]
    first, second = Inlinks({"k"}), Inlinks({"k"})
    for text in texts:
        first.add("k", text, 1)
    for text in random.Random(2).sample(texts, k=len(texts)):
        second.add("k", text, 1)
    assert first.texts("k") == second.texts("k")
    assert len(first.texts("k")) == MAX_TEXTS
