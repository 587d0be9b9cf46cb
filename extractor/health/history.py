"""The table `health`: how each site was, a row for each day on which it was judged."""

from __future__ import annotations

from datetime import date, datetime

import pyarrow as pa

from crawler.storage.partitions import Storage
from crawler.storage.records import TIMESTAMP, table_schema
from extractor.health.state import Cause, Health, Trouble

TABLE = "health"

HEALTH_SCHEMA = table_schema(
    [
        pa.field("judged_at", TIMESTAMP, nullable=False),
        pa.field("state", pa.string(), nullable=False),
        pa.field("cause", pa.string()),
        pa.field("since", pa.date32()),
        pa.field("said", pa.string()),
        pa.field("advice", pa.string()),
    ],
    table=TABLE,
    sorted_by="judged_at",
)


def write_health(storage: Storage, health: Health, now: datetime) -> str:
    """Make this what is told of the site's day; the path."""
    row = {"judged_at": now, **health.to_row()}
    table = pa.Table.from_pylist([row], schema=HEALTH_SCHEMA)
    return storage.replace(TABLE, health.site, health.day, table)


def read_health(
    storage: Storage, site: str, since: date | None = None, until: date | None = None
) -> list[Health]:
    """How the site was on these days, by day."""
    return [
        Health(site=site, day=row["date"], trouble=_trouble(row))
        for batch in storage.read(TABLE, site, since, until)
        for row in batch.to_pylist()
    ]


def latest_health(storage: Storage, site: str) -> Health | None:
    """How the site was when it was judged last; None if it never was."""
    days = storage.dates(TABLE, site)
    return read_health(storage, site, days[-1])[-1] if days else None


def _trouble(row: dict[str, object]) -> Trouble | None:
    if row["cause"] is None:
        return None
    assert isinstance(row["since"], date)
    return Trouble(cause=Cause(str(row["cause"])), since=row["since"], said=str(row["said"] or ""))
