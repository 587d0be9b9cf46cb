"""The files of a folder that goes to a person and comes back.

    classes.txt              the names that labelImg offers
    images/NAME.jpeg, .xml   a picture, and its boxes as Pascal VOC
    pages/NAME.json          the sidecar: which page it is, the nodes behind each box, the proposals
    pages/NAME.dom.json.gz   its snapshot
    pages/NAME.html          its HTML, in UTF-8

NAME is made of letters of the address and a hash. When the folder comes back its own list of
sidecars tells which files are looked for; no name inside a file does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CLASSES, IMAGES, PAGES = "classes.txt", "images", "pages"

MAX_BYTES = 64 * 2**20
"""Bytes of a file that is read. Origin: that of snapshots once unpacked."""

_NAME = re.compile(r"[a-z0-9-]{1,80}")


class FolderError(ValueError):
    """A folder, or a file in it, is not what `webstem labels export` wrote; the message names it
    and what to do."""


@dataclass(frozen=True, slots=True)
class PageFiles:
    """Where the files of one page are."""

    folder: Path
    name: str

    @property
    def picture(self) -> Path:
        return self.folder / IMAGES / f"{self.name}.jpeg"

    @property
    def annotation(self) -> Path:
        return self.folder / IMAGES / f"{self.name}.xml"

    @property
    def sidecar(self) -> Path:
        return self.folder / PAGES / f"{self.name}.json"

    @property
    def snapshot(self) -> Path:
        return self.folder / PAGES / f"{self.name}.dom.json.gz"

    @property
    def html(self) -> Path:
        return self.folder / PAGES / f"{self.name}.html"

    def read(self, path: Path) -> bytes:
        """The bytes of one of them; FolderError if it is no plain file, too large or not there."""
        check_plain(self.folder, path)
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise self.error(path, str(error.strerror)) from error
        if len(data) > MAX_BYTES:
            raise self.error(path, f"expected at most {MAX_BYTES} bytes, got more")
        return data

    def error(self, path: Path, problem: str) -> FolderError:
        """What is wrong with one of them, and what to do."""
        said = " ".join(problem.split())[:300]
        advice = f"remove {self.sidecar} and export the page again: its boxes stay as they are"
        return FolderError(f"{path}: {said}; {advice}")


def check_plain(folder: Path, path: Path) -> None:
    """FolderError for a link, which leads out of a folder that came from elsewhere, or a pipe."""
    inside = (each for each in path.parents if each != folder and each.is_relative_to(folder))
    is_link = any(each.is_symlink() for each in (path, *inside))
    if is_link or (path.exists() and not path.is_file()):
        got = "a link" if is_link else "none"
        raise FolderError(f"{path}: expected a file, got {got}; put the file in its place")


def pages_of(folder: Path) -> list[PageFiles]:
    """The pages of a folder by their names; FolderError if there are none."""
    names = sorted(each.stem for each in (folder / PAGES).glob("*.json"))
    pages = [PageFiles(folder, name) for name in names if _NAME.fullmatch(name)]
    if not pages:
        raise FolderError(
            f"{folder}: expected a folder that `webstem labels export` has written, got none of "
            f"its pages ({PAGES}/*.json)"
        )
    return pages


def strange_files(folder: Path, pages: Sequence[PageFiles]) -> Iterator[Path]:
    """Annotations of pictures that the folder has no page of."""
    known = {page.annotation for page in pages}
    yield from (each for each in sorted((folder / IMAGES).glob("*.xml")) if each not in known)
