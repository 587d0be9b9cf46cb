"""Through labelImg's own reader and writer every box comes back to its element.

labelImg is no dependency of the tests, for PyQt5 is a hundred megabytes: pip fetches its source
(250 KB) once, of which only the module that reads and writes Pascal VOC is run.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from learner.labels.coming_back import read_page
from learner.labels.elements import Found
from learner.labels.files import pages_of
from learner.labels.labelled_page import read_labelled
from tests.learner.labels.pages import AUTHOR, BODY, DATE, TITLE, drawn, folder_of, node_of

REQUIREMENT = Path(__file__).with_name("labelimg.txt")
MODULES = ("pascal_voc_io.py", "constants.py", "ustr.py", "__init__.py")
LONGEST_SECONDS = 60

PLACES = {"title": TITLE, "body": BODY, "author": AUTHOR, "date": DATE}


@pytest.fixture(scope="module")
def source(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with labelImg's package `libs`, kept for the next run."""
    cache = getattr(pytestconfig, "cache", None)
    kept = cache.mkdir("labelImg-1.8.6") if cache else tmp_path_factory.mktemp("kept")
    if not (kept / "libs").exists():
        fetched = tmp_path_factory.mktemp("labelImg")
        fetch = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--require-hashes",
        ]
        try:
            subprocess.run(
                [*fetch, "--requirement", REQUIREMENT, "--dest", fetched],
                check=True, capture_output=True, timeout=LONGEST_SECONDS,
            )  # fmt: skip
        except (subprocess.SubprocessError, OSError):
            pytest.skip("labelImg 1.8.6 does not come from PyPI: the round trip is not tested")
        with suppress(OSError):  # another worker was first
            _unpacked(fetched).rename(kept / "libs")
    return kept


def _unpacked(folder: Path) -> Path:
    libs = folder / "libs"
    libs.mkdir()
    with tarfile.open(folder / "labelImg-1.8.6.tar.gz") as archive:
        for name in MODULES:
            member = archive.extractfile(f"labelImg-1.8.6/libs/{name}")
            assert member
            (libs / name).write_bytes(member.read())
    return libs


@pytest.fixture
def labelimg(source: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """labelImg's module for Pascal VOC."""
    monkeypatch.syspath_prepend(str(source))
    yield import_module("libs.pascal_voc_io")
    for name in [each for each in sys.modules if each.partition(".")[0] == "libs"]:
        del sys.modules[name]


def save(labelimg: ModuleType, annotation: Path, off: int = 0) -> None:
    """Open an annotation as labelImg does, and save it, each box moved by some pixels."""
    reader = labelimg.PascalVocReader(str(annotation))
    writer = labelimg.PascalVocWriter("images", annotation.stem, (1000, 1280, 3))
    writer.verified = True
    for name, points, _, _, difficult in reader.get_shapes():
        (left, top), _, (right, bottom), _ = points
        corners = [max(1, side + off) for side in (left, top, right, bottom)]
        writer.add_bnd_box(*corners, name, difficult)
    writer.save(str(annotation))


@pytest.mark.parametrize("off", [0, 1, -1])
def test_what_is_opened_and_saved_is_what_was_proposed(
    tmp_path: Path, labelimg: ModuleType, off: int
) -> None:
    annotation = folder_of(tmp_path, PLACES)
    before = annotation.read_text()
    save(labelimg, annotation, off)
    assert annotation.read_text() != before  # at least verified
    (files,) = pages_of(tmp_path)
    page = read_labelled(files)
    assert page and page.annotation.verified
    labels, values = read_page(page)
    snapshot = drawn()
    found = {each.name: each.node for each in labels}
    assert found == {label: node_of(snapshot, place) for label, place in PLACES.items()}
    assert {each.found for each in labels} == {Found.PROPOSED}
    assert (values.title, values.authors, values.problems) == ("Rain <today>", ("Ann Lee",), ())


def test_a_box_drawn_in_it_is_read(tmp_path: Path, labelimg: ModuleType) -> None:
    annotation = folder_of(tmp_path, {})
    writer = labelimg.PascalVocWriter("images", annotation.stem, (1000, 1280, 3))
    writer.add_bnd_box(98, 148, 903, 655, "body", 0)
    writer.save(str(annotation))
    (files,) = pages_of(tmp_path)
    page = read_labelled(files)
    assert page
    ((label,), values) = read_page(page)
    assert (label.found, values.body) == (Found.OVERLAP, "It rained.\nIt rained on.")
