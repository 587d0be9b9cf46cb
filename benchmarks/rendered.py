"""Archived pages as a browser draws them, kept in a folder so that nobody draws them twice:
`python -m benchmarks.rendered SITE.zip|SHOP.zip|PAGES.parquet ... --to DIR [--pages N] [--kind K]`.

Pages are served from the archive under their own addresses, with the style sheets that it has, and
nothing else. For each source a folder of its name holds, page by page, the gzip'd DOM snapshot, the
picture and the HTML after scripts, named after the hash of the address, and `index.jsonl`, a
`RenderedPage` a line. A second run draws what is missing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from zipfile import ZipFile

import pyarrow.parquet as pq

from crawler.fetching.browser.answers import stored_answers
from crawler.fetching.browser.drawing import Rendered, render_all
from crawler.fetching.browser.launch import BrowserMissingError
from crawler.fetching.browser.tab import RenderingError
from learner.site.sampling import evenly_spaced
from learner.vision.snapshots.reading import read_snapshot
from learner.vision.snapshots.snapshot import Snapshot

INDEX = "index.jsonl"
AT_ONCE = 2
"""Pages that are drawn side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """One page of an archive, drawn."""

    url: str
    path: str
    """Of the page in its archive, as its gold has it; in a Parquet file its id."""
    kind: str
    """`article`, `list`, `product` or `other`, as its gold says; of a Parquet file `page_type`."""
    styled: bool
    """Whether its style sheets were there."""
    name: str
    """Of its files, without folder and ending."""
    seconds: float
    """That drawing it took."""

    def snapshot_file(self, folder: Path) -> Path:
        """Its snapshot in the folder of its archive."""
        return folder / f"{self.name}.json.gz"

    def picture_file(self, folder: Path) -> Path:
        """Its picture in the folder of its archive."""
        return folder / f"{self.name}.jpeg"

    def html_file(self, folder: Path) -> Path:
        """Its HTML after scripts in the folder of its archive."""
        return folder / f"{self.name}.html"

    def snapshot(self, folder: Path) -> Snapshot:
        """Its snapshot, read."""
        return read_snapshot(self.snapshot_file(folder).read_bytes())


def read_rendered(folder: Path) -> list[RenderedPage]:
    """The pages in the folder of an archive, those of the last run last."""
    index = folder / INDEX
    if not index.exists():
        return []
    return [RenderedPage(**json.loads(line)) for line in index.read_text("utf-8").splitlines()]


# Archives


@dataclass(frozen=True, slots=True)
class Archive:
    """Pages that are served offline."""

    pages: Sequence[tuple[str, str, str]]
    """Address, path and kind of each."""
    body_of: Callable[[str], bytes | None]
    """The body of an address; None if the archive does not have it."""


def read_archive(source: Path) -> Archive:
    """The pages of a site's zip, or of a Parquet file with the columns id, url and html."""
    return _of_parquet(source) if source.suffix == ".parquet" else _of_zip(source)


def _of_parquet(source: Path) -> Archive:
    rows = pq.read_table(source, columns=["id", "url", "page_type", "html"]).to_pylist()
    bodies = {urldefrag(row["url"]).url: row["html"] for row in rows}

    def body_of(url: str) -> bytes | None:
        body = bodies.get(url)
        return body.encode("utf-8-sig", "replace") if isinstance(body, str) else body

    pages = [(urldefrag(row["url"]).url, row["id"], row["page_type"]) for row in rows]
    return Archive(pages, body_of)


def _of_zip(source: Path) -> Archive:
    files = ZipFile(source)
    top = files.namelist()[0].partition("/")[0]
    base = json.loads(files.read(f"{top}/site.json"))["base_url"]
    gold = [json.loads(line) for line in files.read(f"{top}/gold.jsonl").splitlines()]
    prefix = f"{top}/pages/"
    known = {name.removeprefix(prefix) for name in files.namelist() if name.startswith(prefix)}
    paths = {urljoin(base, row["url"].lstrip("/")): row["path"] for row in gold}

    def body_of(url: str) -> bytes | None:
        candidates = (paths.get(url), *_paths(url, base))
        path = next((each for each in candidates if each in known), None)
        return files.read(prefix + path) if path else None

    kinds = ("product" if row.get("product") else row["kind"] for row in gold)
    pages = [(url, paths[url], kind) for url, kind in zip(paths, kinds, strict=True)]
    return Archive(pages, body_of)


def _paths(url: str, base: str) -> Iterator[str]:
    """Where an archive may keep an address: as on the site, or below the name of its host.

    >>> [*_paths("https://cdn.example/a%20b.css?v=1", "https://example.org/")][:2]
    ['a b.css?v=1', 'a b.css']
    """
    parts = urlsplit(url)
    root = urlsplit(base).path
    path = unquote(parts.path)
    inner = path.removeprefix(root) if path.startswith(root) else path
    for stem in (inner.lstrip("/"), path.lstrip("/"), f"{parts.hostname}{path}"):
        if parts.query:
            yield f"{stem}?{unquote(parts.query)}"
        yield stem
        yield f"{stem}index.html"


# Drawing


def draw_archive(
    source: Path, target: Path, n_pages: int = 0, kind: str | None = None
) -> list[RenderedPage]:
    """Draw what of an archive is not yet in `target`, the folder of its name in there; all that is.

    `n_pages` (0: all) are spread evenly over those of the kind (None: any).
    """
    folder = target / source.stem
    folder.mkdir(parents=True, exist_ok=True)
    archive = read_archive(source)
    pages = sorted(page for page in archive.pages if kind in (None, page[2]))
    if 0 < n_pages < len(pages):
        pages = list(evenly_spaced(pages, n_pages))
    done = {page.url for page in read_rendered(folder)}
    missing = [page for page in pages if page[0] not in done]
    answers = stored_answers(archive.body_of)
    drawn = render_all((url for url, _, _ in missing), answers, at_once=AT_ONCE)
    with (folder / INDEX).open("a", encoding="utf-8") as index:
        for (_, path, page_kind), page in zip(missing, drawn, strict=True):
            if isinstance(page, RenderingError):
                print(page, file=sys.stderr)
            else:
                kept = _keep(folder, page, path, page_kind)
                print(json.dumps(asdict(kept)), file=index, flush=True)
    return read_rendered(folder)


def _keep(folder: Path, page: Rendered, path: str, kind: str) -> RenderedPage:
    kept = RenderedPage(
        url=page.url,
        path=path,
        kind=kind,
        styled=page.styled,
        name=hashlib.sha256(page.url.encode()).hexdigest()[:16],
        seconds=round(page.seconds, 3),
    )
    kept.snapshot_file(folder).write_bytes(page.snapshot)
    kept.html_file(folder).write_text(page.html, "utf-8", "replace")
    if page.picture is not None:
        kept.picture_file(folder).write_bytes(page.picture)
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 without a browser."""
    parser = argparse.ArgumentParser(description="Draw the pages of archives, once.")
    parser.add_argument("sources", type=Path, nargs="+", help="zip of a site or shop, or Parquet")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder to keep them")
    parser.add_argument("--pages", type=int, default=0, metavar="N", help="of each source; 0: all")
    parser.add_argument("--kind", help="pages of this kind alone, such as product")
    options = parser.parse_args(arguments)
    for source in options.sources:
        try:
            pages = draw_archive(source, options.to, options.pages, options.kind)
        except BrowserMissingError as problem:
            print(problem, file=sys.stderr)
            return 1
        print(told(source.stem, pages), flush=True)
    return 0


def told(name: str, pages: Iterable[RenderedPage]) -> str:
    """What there is of an archive, in a line."""
    kept: list[Any] = list(pages)
    styled = sum(page.styled for page in kept)
    return f"{name}: {len(kept)} pages drawn, {styled} of them styled"


if __name__ == "__main__":
    sys.exit(main())
