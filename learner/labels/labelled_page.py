"""A page that came back from a person, read from its files."""

from __future__ import annotations

from dataclasses import dataclass

from learner.labels.files import PageFiles, check_plain
from learner.labels.sidecar import Sidecar, read_sidecar
from learner.labels.voc import Annotation, read_annotation
from learner.vision.snapshots.arrays import SnapshotError
from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """What is known of a page, and the boxes as a person left them."""

    files: PageFiles
    sidecar: Sidecar
    snapshot: Snapshot
    annotation: Annotation


def read_labelled(files: PageFiles) -> LabelledPage | None:
    """A page as it came back; None if a person removed its annotation.

    FolderError or VocError if a file cannot be read.
    """
    check_plain(files.folder, files.annotation)
    if not files.annotation.exists():
        return None
    try:
        snapshot = read_snapshot(files.read(files.snapshot))
    except SnapshotError as error:
        raise files.error(files.snapshot, str(error)) from error
    try:
        sidecar = read_sidecar(files.read(files.sidecar), len(snapshot))
    except ValueError as error:
        problem = f"expected what `webstem labels export` wrote, got: {error}"
        raise files.error(files.sidecar, problem) from error
    return LabelledPage(
        files=files,
        sidecar=sidecar,
        snapshot=snapshot,
        annotation=read_annotation(files.annotation),
    )
