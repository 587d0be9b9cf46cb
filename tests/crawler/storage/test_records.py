"""`crawler.storage.records`: the Arrow schemas say the same as the dataclasses."""

import dataclasses
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pyarrow as pa
import pytest

from crawler.storage.records import (
    LINK_SCHEMA,
    PAGE_SCHEMA,
    SCHEMA_VERSION,
    LinkRecord,
    PageRecord,
    records_to_table,
)

TABLES = [(PageRecord, PAGE_SCHEMA), (LinkRecord, LINK_SCHEMA)]
NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def page(**values: Any) -> PageRecord:
    given = {"url": "http://a/", "final_url": "http://a/", "url_key": "http://a/", **values}
    return PageRecord(**{"run_id": "r1", "fetched_at": NOW, **given})


def arrow_kinds(hint: Any) -> set[str]:
    """Names of the Arrow types that may hold a value annotated as `hint`."""
    if get_origin(hint) is Literal:
        return {"string"}
    if get_origin(hint) is tuple:
        return {"list<element: string>", "list<item: string>"}
    return {
        str: {"string"},
        bytes: {"binary"},
        bool: {"bool"},
        int: {"int16", "int32", "int64"},
        datetime: {"timestamp[us, tz=UTC]"},
    }[hint]


@pytest.mark.parametrize(("record", "schema"), TABLES)
def test_schema_and_dataclass_agree(record: type, schema: pa.Schema) -> None:
    hints = get_type_hints(record)
    assert schema.names == [field.name for field in dataclasses.fields(record)]
    for field in schema:
        parts = get_args(hints[field.name])
        optional = NoneType in parts
        hint = next(p for p in parts if p is not NoneType) if optional else hints[field.name]
        assert (field.name, field.nullable) == (field.name, optional)
        assert str(field.type) in arrow_kinds(hint), field.name


@pytest.mark.parametrize(("record", "schema"), TABLES)
def test_metadata_names_table_version_and_order(record: type, schema: pa.Schema) -> None:
    metadata = schema.metadata
    assert metadata[b"webstem.schema_version"] == str(SCHEMA_VERSION).encode()
    assert metadata[b"webstem.table"] in (b"pages", b"links")
    assert metadata[b"webstem.sorted_by"].decode() in schema.names


@pytest.mark.parametrize(("record", "_schema"), TABLES)
def test_records_are_frozen_and_slotted(record: type, _schema: pa.Schema) -> None:
    assert record.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert hasattr(record, "__slots__")


def test_values_come_back_as_they_were() -> None:
    record = page(html=b"<p>\x00\xff", redirects=("http://a/1", "http://a/2"), status=200)
    row = records_to_table([record], PAGE_SCHEMA).to_pylist()[0]
    assert row["html"] == b"<p>\x00\xff"
    assert row["redirects"] == ["http://a/1", "http://a/2"]
    assert row["fetched_at"] == NOW
    assert row["etag"] is None


def test_no_records_make_an_empty_table_of_the_schema() -> None:
    table = records_to_table([], PAGE_SCHEMA)
    assert table.num_rows == 0
    assert table.schema.equals(PAGE_SCHEMA, check_metadata=True)


def test_a_value_of_the_wrong_type_is_an_error() -> None:
    with pytest.raises((pa.ArrowInvalid, pa.ArrowTypeError)):
        records_to_table([page(status="two hundred")], PAGE_SCHEMA)


def test_a_record_of_another_table_is_an_error() -> None:
    with pytest.raises(AttributeError, match="src_url_key"):
        records_to_table([page()], LINK_SCHEMA)
