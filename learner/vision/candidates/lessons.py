"""Drawn pages whose texts are known: what the choice of an element is learned from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from learner.vision.candidates.elements import candidates_of
from learner.vision.candidates.likeness import likeness, right_of
from learner.vision.candidates.measures import measures_of
from learner.vision.snapshots.arrays import Bools, Floats, SnapshotError
from learner.vision.snapshots.reading import read_snapshot

SCHEMA = pa.schema(
    [
        ("site", pa.string()),
        ("url", pa.string()),
        ("body", pa.string()),
        ("snapshot", pa.large_binary()),
        ("picture", pa.large_binary()),
    ]
)
"""Columns of a file of drawn pages with their texts; `snapshot` and `picture` as in the tables
`snapshots` and `screenshots`."""

ROWS_AT_ONCE = 16
"""Rows read at once: a few megabytes of pictures. Origin: guess."""


class LessonsError(ValueError):
    """A file that has no drawn pages; the message tells what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLesson:
    """A drawn page, and the text that somebody took from it."""

    site: str
    """Whose pages stand together."""
    url: str
    body: str
    """Empty if nobody took any: eyes learn from its picture (`sight`)."""
    snapshot: bytes
    picture: bytes | None
    """JPEG of the page from its top; None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The `n` candidates of a page, and how right each of them is."""

    site: str
    url: str
    measures: Floats
    """(n, len(MEASURES))"""
    boxes: Floats
    """(n, 4) Left, top, width and height in pixels."""
    window: float
    """Pixels that the picture is wide."""
    likeness: Floats
    """(n,) F1 of the text of each against that of the page."""
    picture: bytes | None
    """As in the lesson."""

    @property
    def right(self) -> Bools:
        """(n,) Which candidates are right."""
        return right_of(self.likeness)


def example_of(lesson: DrawnLesson) -> Example | None:
    """What a lesson teaches; None of a page that cannot be read or has no candidates."""
    try:
        snapshot = read_snapshot(lesson.snapshot)
    except SnapshotError:
        return None
    candidates = candidates_of(snapshot)
    if not len(candidates):
        return None
    return Example(
        site=lesson.site,
        url=lesson.url,
        measures=measures_of(snapshot, candidates),
        boxes=snapshot.box[candidates],
        window=snapshot.viewport[0],
        likeness=likeness(snapshot, candidates, lesson.body),
        picture=lesson.picture,
    )


def examples_of(lessons: Iterable[DrawnLesson]) -> list[Example]:
    """What some lessons teach."""
    return [example for lesson in lessons if (example := example_of(lesson))]


def teaching(examples: Iterable[Example]) -> list[Example]:
    """The examples that have a right candidate."""
    return [each for each in examples if each.right.any()]


def read_lessons(path: Path) -> Iterator[DrawnLesson]:
    """The rows of a file, such as one of labels; LessonsError if it has not the columns."""
    try:
        file = pq.ParquetFile(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise LessonsError(
            f"{path}: expected a Parquet file of drawn pages, got: {error}"
        ) from error
    with file:
        missing = [name for name in SCHEMA.names if name not in file.schema_arrow.names]
        if missing:
            raise LessonsError(f"{path}: expected the columns {SCHEMA.names}, missing: {missing}")
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=SCHEMA.names):
            for row in batch.to_pylist():
                yield DrawnLesson(**row | {"body": row["body"] or ""})


def write_lessons(path: Path, lessons: Sequence[DrawnLesson]) -> None:
    """What `read_lessons` reads."""
    rows = [{name: getattr(lesson, name) for name in SCHEMA.names} for lesson in lessons]
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), path, compression="zstd")
