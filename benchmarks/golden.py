"""Which answers a change of the code changes: `python -m benchmarks.golden [SITE.zip|FOLDER ...]`.

`golden.json` holds for the demo and for each real site a hash of the patterns learned from its
train half, and one of the records of its test half. A move of code changes neither; any other step
says which answers it changed, and why they are better or as good.

- `--update` stores the hashes of this code.
- `--keep FOLDER` writes patterns and records themselves, `--against FOLDER` names the pages whose
  records differ from those that other code kept there.

The hashes hold for the versions of the libraries that they were made with, which stand beside them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.material.corpus import (
    page_to_extract,
    pages_to_learn,
    read_halves,
    sites_parser,
    sites_to_measure,
)
from benchmarks.quality import on_all_cores
from crawler.config.stages import ExtractConfig
from examples.site import DemoSite, Kind, build_site
from extractor.extraction import extract_article
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import PatternSet

STORED = Path(__file__).with_name("golden.json")

DEMO = "demo"
"""The demo's name among those of the sites."""

DEMO_URL = "https://lantern.test"

LIBRARIES = ("lxml", "resiliparse", "rapidfuzz", "numpy", "html-to-markdown")
"""What decides beside the code how a page is read and judged."""

NOT_ANSWERS = frozenset(
    {"code_version", "learned_at", "extracted_at", "is_gone", "check"}
    | {"text_sha256", "first_seen_at", "changed_at", "version", "other_urls", "same_as"}
    | {"page_type", "probability"}
)
"""Fields that say when, by which version, what a pattern is worth and what became of it later, and
what the page model says."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What one site gave."""

    name: str
    patterns: list[Row]
    records: list[Row]
    """In the order of their pages."""

    def hashes(self) -> dict[str, str]:
        """16 hex digits of the SHA-256 of the patterns and of the records. Which pattern gave a
        record is told by the patterns' ids alone, so it does not count."""
        records = [{**row, "pattern_id": None} for row in self.records]
        return {"patterns": _hash(self.patterns), "records": _hash(records)}


def _hash(rows: Sequence[Row]) -> str:
    return sha256("\n".join(map(_written, rows)).encode()).hexdigest()[:16]


def _written(row: Row) -> str:
    return json.dumps(row, sort_keys=True, default=str)


def answers_of(name: str, learned_from: Sequence[Page], extracted: Sequence[Page]) -> Answers:
    """Learn some pages, extract others by their patterns alone."""
    patterns, config = learn_patterns(learned_from), ExtractConfig(guess=False)
    records = (asdict(extract_article(page, patterns, config)) for page in extracted)
    return Answers(
        name=name, patterns=list(_pattern_rows(patterns)), records=list(map(_answer, records))
    )


def _pattern_rows(patterns: PatternSet) -> Iterator[Row]:
    return map(_answer, patterns.to_table().to_pylist())


def _answer(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in NOT_ANSWERS}


def answers_of_site(source: Path) -> Answers:
    """What a real site gives, learned from its train half."""
    halves = read_halves(source)
    extracted = [page_to_extract(page) for page in halves.test]
    return answers_of(halves.name, pages_to_learn(halves.train), extracted)


def answers_of_demo() -> Answers:
    """What the demo's second edition gives, learned from the first."""
    first, second = (list(_demo_pages(build_site(edition, DEMO_URL))) for edition in (1, 2))
    return answers_of(DEMO, first, second)


def _demo_pages(site: DemoSite) -> Iterator[Page]:
    kinds: tuple[Kind, ...] = ("article", "list", "other")
    for kind in kinds:
        for resource in site.pages(kind):
            yield Page(url=DEMO_URL + resource.path, html=resource.body)


def versions() -> dict[str, str]:
    """The versions of the libraries that decide."""
    return {name: metadata.version(name) for name in LIBRARIES}


def changed(stored: Mapping[str, Mapping[str, str]], answers: Answers) -> list[str]:
    """What of a site is not as stored: `patterns`, `records`, both or nothing."""
    known = stored.get(answers.name, {})
    return [part for part, own in answers.hashes().items() if known.get(part) != own]


def keep(answers: Answers, folder: Path) -> None:
    """Write the answers of a site, a line each."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, rows in (("patterns", answers.patterns), ("records", answers.records)):
        lines = "".join(f"{_written(row)}\n" for row in rows)
        (folder / f"{answers.name}.{part}.jsonl").write_text(lines, "utf-8")


def differences(answers: Answers, folder: Path) -> Iterator[str]:
    """The pages whose records are not those kept in a folder, and in which fields."""
    lines = (folder / f"{answers.name}.records.jsonl").read_text("utf-8").splitlines()
    for own, line in zip(answers.records, lines, strict=True):
        kept, now = json.loads(line), json.loads(_written(own))
        fields = [name for name in now if name != "pattern_id" and now[name] != kept.get(name)]
        if fields:
            yield f"    {own['url']}: {', '.join(fields)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 1 if an answer is not as stored, 2 if a site is missing."""
    options = _parse_arguments(arguments)
    try:
        sources = sites_to_measure(options.sites)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    content = json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}
    stored = content.get("sites", {})
    if content.get("versions", versions()) != versions():
        print(f"made with {content['versions']}, these are {versions()}: expect changes")
    new, n_changed = dict(stored), 0
    for answers in (answers_of_demo(), *on_all_cores(answers_of_site, sources)):
        new[answers.name] = answers.hashes()
        parts = changed(stored, answers)
        n_changed += bool(parts)
        if parts:
            print(f"{answers.name}: changed {' and '.join(parts)}", flush=True)
        for line in differences(answers, options.against) if options.against else ():
            print(line)
        if options.keep:
            keep(answers, options.keep)
    print(f"{n_changed} of {len(sources) + 1} sites changed")
    if options.update:
        written = {"versions": versions(), "sites": dict(sorted(new.items()))}
        STORED.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
        return 0
    return int(n_changed > 0)


def _parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = sites_parser("Tell which answers are not those of the code before.")
    parser.add_argument("--update", action="store_true", help="store the hashes of this code")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write all answers there")
    parser.add_argument(
        "--against", type=Path, metavar="FOLDER", help="name the pages that differ from those there"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
