"""docs/one-page.md shows what `webstem analyze` answers."""

import re
from pathlib import Path

from examples.site import build_site
from extractor.analysis.analyze import analyze
from extractor.analysis.shown import shown_lines

ROOT = Path(__file__).resolve().parents[1]
PATH = "/en/columns/quiet-machines/"


def without_probability(line: str) -> str:
    """Another model moves the last figures."""
    return re.sub(r" +[01]\.\d\d$", "", line)


def test_the_example_is_what_comes_out() -> None:
    base = "http://127.0.0.1:8123"
    (resource,) = (each for each in build_site(1, base).pages("article") if each.path == PATH)
    lines = list(shown_lines("", analyze(resource.body, url=base + PATH), 80))
    fields = lines[: lines.index("")]
    page = (ROOT / "docs" / "one-page.md").read_text()
    told = page.partition(f"$ webstem analyze {base}{PATH}\n")[2].partition("\n\n")[0]
    assert list(map(without_probability, told.splitlines())) == [
        without_probability(line) for line in fields
    ]
