"""Which names of queries change nothing, as stored pages tell."""

from datetime import UTC, date, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from crawler.doctor.redundant import redundant_names, rule_lines
from crawler.storage.partitions import Storage
from extractor.records.articles import ArticleRecord, Status, articles_to_table
from extractor.records.outcomes import OUTCOME_SCHEMA

DAY = date(2026, 11, 20)


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(str(tmp_path))


def store(storage: Storage, *articles: tuple[str, list[str]], lists: tuple[str, ...] = ()) -> None:
    records = [
        ArticleRecord(
            url=f"http://a/{url}",
            url_key=f"http://a/{url}",
            status=Status.OK,
            fetched_at=datetime(2026, 11, 20, tzinfo=UTC),
            other_urls=tuple(f"http://a/{other}" for other in others),
        )
        for url, others in articles
    ]
    storage.write_part("articles", "a", DAY, articles_to_table(records))
    rows = [
        {"url": f"http://a/{url}", "url_key": url, "status": "list", "authors": [],
         "run_id": "", "code_version": ""}
        for url in lists
    ]  # fmt: skip
    storage.write_part("outcomes", "a", DAY, pa.Table.from_pylist(rows, OUTCOME_SCHEMA))


def test_a_name_that_changes_nothing(storage: Storage) -> None:
    shared = [(f"{n}", [f"{n}?share=x", f"{n}?share=y&from={n}"]) for n in range(2)]
    store(storage, *shared, ("3", ["4"]), ("5", ["6?lang=de", "7?lang=de", "8?lang=de"]))
    names = redundant_names(storage, "a")
    assert names == {"share": 4}
    assert rule_lines(names)[-1] == '  - deny: "[?&](?:share)="'


@pytest.mark.parametrize(
    ("own", "lists"), [("show?id=1&v=2", ()), ("show?id=1", ("news?v=2",))], ids=["article", "list"]
)
def test_a_name_that_other_pages_need(storage: Storage, own: str, lists: tuple[str, ...]) -> None:
    store(storage, (own, [f"show?id={n}&v={n}" for n in range(5)]), lists=lists)
    assert redundant_names(storage, "a") == {}


def test_nothing_stored_is_no_rule(storage: Storage) -> None:
    assert redundant_names(storage, "a") == {} and rule_lines({}) == []
