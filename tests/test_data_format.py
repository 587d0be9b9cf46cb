"""docs/DATA_FORMAT.md says of each table what its Arrow schema says, and its queries run."""

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from crawler.storage.partitions import Storage
from crawler.storage.records import LINK_SCHEMA, PAGE_SCHEMA, SCHEMA_VERSION, TIMESTAMP
from crawler.storage.rendered import SCREENSHOT_SCHEMA, SNAPSHOT_SCHEMA
from crawler.storage.runs import RUN_SCHEMA
from extractor.health.history import HEALTH_SCHEMA
from extractor.health.stats import LOOK_BACK_DAYS, STATS_SCHEMA
from extractor.records.articles import (
    ARTICLE_SCHEMA,
    ArticleRecord,
    Status,
    articles_to_table,
)
from extractor.records.outcomes import OUTCOME_SCHEMA
from learner.labels.label_file import SCHEMA as LABEL_SCHEMA
from learner.page.words import text_digest
from learner.patterns.pattern import PATTERN_SCHEMA

TEXT = (Path(__file__).parents[1] / "docs" / "DATA_FORMAT.md").read_text(encoding="utf-8")
SCHEMAS = {
    "pages": PAGE_SCHEMA,
    "links": LINK_SCHEMA,
    "patterns": PATTERN_SCHEMA,
    "articles": ARTICLE_SCHEMA,
    "outcomes": OUTCOME_SCHEMA,
    "site_stats": STATS_SCHEMA,
    "runs": RUN_SCHEMA,
    "health": HEALTH_SCHEMA,
    "snapshots": SNAPSHOT_SCHEMA,
    "screenshots": SCREENSHOT_SCHEMA,
}
WORDS = {"timestamp[us, tz=UTC]": "timestamp", "date32[day]": "date"}


def documented(table: str) -> list[tuple[str, str, bool]]:
    """(column, type, nullable) of each row of the table's section."""
    section = re.split(r"^## ", TEXT.partition(f"\n## {table}\n")[2], flags=re.M)[0]
    rows = re.findall(r"^\| `([\w.]+)` \| ([^|]+) \| ([^|]+) \| [^|]+\|$", section, re.M)
    return [(name, kind, null != "—") for name, kind, null in rows]


def described(schema: pa.Schema) -> Iterator[tuple[str, str, bool]]:
    """The same from a schema; the fields of structs follow all columns."""
    for field in schema:
        yield field.name, kind_of(field.type), field.nullable
    for field in schema:
        kind = field.type.value_type if pa.types.is_list(field.type) else field.type
        for inner in kind if pa.types.is_struct(kind) else ():
            yield f"{field.name}.{inner.name}", kind_of(inner.type), inner.nullable


def kind_of(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {kind_of(kind.value_type)}"
    return "struct" if pa.types.is_struct(kind) else WORDS.get(str(kind), str(kind))


@pytest.mark.parametrize("table", SCHEMAS)
def test_each_column_is_documented_with_type_and_null(table: str) -> None:
    assert documented(table) == list(described(SCHEMAS[table]))


@pytest.mark.parametrize("table", SCHEMAS)
def test_the_order_of_rows_is_documented(table: str) -> None:
    column = SCHEMAS[table].metadata[b"webstem.sorted_by"].decode()
    section = TEXT.partition(f"\n## {table}\n")[2]
    assert f"Sorted by `{column}`." in " ".join(section.split())


def test_the_columns_of_the_file_of_labels_are_documented() -> None:
    assert documented("labels") == list(described(LABEL_SCHEMA))


def test_the_version_is_documented() -> None:
    assert f"`webstem.schema_version` (now {SCHEMA_VERSION})" in TEXT


def test_the_days_looked_back_are_documented() -> None:
    assert f"in the {LOOK_BACK_DAYS} days before" in TEXT


def an_empty_row(schema: pa.Schema) -> pa.Table:
    """One row of `schema` with the least that a value can be."""
    least = {
        pa.string(): "",
        pa.int16(): 0,
        pa.int32(): 0,
        pa.int64(): 0,
        pa.float64(): 0.0,
        pa.bool_(): False,
        pa.binary(): b"",
        TIMESTAMP: datetime(2026, 11, 20, tzinfo=UTC),
    }
    row = {field.name: least.get(field.type, []) for field in schema if not field.nullable}
    return pa.Table.from_pylist([row], schema=schema)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lake")
    for table, schema in SCHEMAS.items():
        day = date(2026, 11, 20)
        Storage(str(root / "data")).replace(table, "my_blog", day, an_empty_row(schema))
    versions = an_empty_row(ARTICLE_SCHEMA)
    Storage(str(root / "data")).replace("article_versions", "my_blog", day, versions)
    return root


@pytest.mark.parametrize("query", re.findall(r"^```sql\n(.*?)^```", TEXT, re.S | re.M))
def test_a_query_of_the_document_runs(
    lake: Path, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.chdir(lake)
    with duckdb.connect() as connection:
        connection.execute(query).fetchall()


YESTERDAY = datetime.combine(datetime.now(UTC).date() - timedelta(days=1), datetime.min.time(), UTC)


@pytest.fixture(scope="module", params=["my_blog", "24", "007", "2026-01-01", "1e5", "true"])
def site(request: pytest.FixtureRequest) -> str:
    """Names of sites; all but the first read like a number, a day or a truth."""
    return str(request.param)


@pytest.fixture(scope="module")
def articles(site: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Articles of two days; one of before yesterday is new since then, another was edited."""
    root = tmp_path_factory.mktemp("articles")
    for name, first_seen, changed in (
        ("old", timedelta(days=-3), None),
        ("edited", timedelta(days=-3), timedelta(hours=3)),
        ("new", timedelta(hours=2), None),
    ):
        seen = YESTERDAY + first_seen
        record = ArticleRecord(
            url=f"http://a/{name}", url_key=name, status=Status.OK, title=name, body=name,
            text_sha256=text_digest(name, name), first_seen_at=seen, fetched_at=seen,
            changed_at=None if changed is None else YESTERDAY + changed, date_published=YESTERDAY,
        )  # fmt: skip
        table = articles_to_table([record])
        Storage(str(root / "data")).replace("articles", site, seen.date(), table, name)
    return root


def names(rows: Any) -> list[str]:
    return [str(title) for title in rows]


def test_what_is_new_and_what_was_edited_in_sql(
    articles: Path, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(articles)
    queries = re.findall(
        r"^```sql\n(select site, (?:first_seen|changed)_at.*?)^```", TEXT, re.S | re.M
    )
    found = []
    for query in queries:
        rows = duckdb.sql(query)
        column = rows.columns.index("title")
        all_rows = rows.fetchall()
        found.append(names(row[column] for row in all_rows))
        assert [row[0] for row in all_rows] == [site]
    assert found == [["new"], ["edited"]]


@pytest.mark.parametrize("engine", ["polars", "pandas", "spark"])
def test_what_is_new_and_what_was_edited(
    articles: Path, site: str, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.chdir(articles)
    code = re.findall(rf"^```python\n([^`]*{engine}\.[^`]*)^```", TEXT, re.M)[0]
    space: dict[str, Any] = {"yesterday": YESTERDAY}
    if engine == "spark":
        if shutil.which("java") is None:
            pytest.skip("no Java, which Spark needs")
        space["spark"] = pytest.importorskip("pyspark.sql").SparkSession.builder.getOrCreate()
    exec(code, space)
    for name in ("new", "edited"):
        rows = space[name]
        rows = rows.toPandas() if engine == "spark" else rows
        assert names(rows["title"]) == [name]
        assert list(rows["site"]) == [site]
        assert list(rows["day_published"]) == [YESTERDAY.date()]


def test_a_day_of_publication_is_the_same_west_of_greenwich(
    articles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(articles)
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'America/New_York'")
        shown = connection.execute(
            "select distinct date_published::date, day_published, "
            "(date_published at time zone 'UTC')::date from 'data/articles/**/*.parquet'"
        ).fetchall()
    day = YESTERDAY.date()
    assert shown == [(day - timedelta(days=1), day, day)]
