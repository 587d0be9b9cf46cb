"""The table of settings in docs/learner.md: `python -m examples.settings`.

Every threshold of the default preset is a named constant with a text beside it that tells its
meaning and origin. They are read from the sources, so that the table says what the code says.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "learner.md"
BEGIN, END = "<!-- settings -->\n", "<!-- end of settings -->\n"

ROOMS = ("page", "site", "titles", "bodies", "topics", "kinds", "patterns", "induction")
"""The rooms of the default preset, as a page passes them; dates and authors have a document of
their own."""

MODULES = tuple(
    str(path.relative_to(ROOT))
    for room in ROOMS
    for path in sorted((ROOT / "learner" / room).glob("**/*.py"))
)
"""Their files."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One named number."""

    name: str
    value: float
    meaning: str
    """Its meaning and origin, on one line."""


def read_settings(source: str) -> Iterator[Setting]:
    """The numbers that a module names and explains.

    >>> list(read_settings('LEAST = 0.5\\n"Of all. Origin: guess."'))
    [Setting(name='LEAST', value=0.5, meaning='Of all. Origin: guess.')]
    """
    body = ast.parse(source).body
    for node, follower in pairwise(body):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        if not isinstance(follower, ast.Expr) or not isinstance(follower.value, ast.Constant):
            continue
        try:
            value = ast.literal_eval(node.value)
        except ValueError:
            continue
        if isinstance(value, int | float):
            meaning = " ".join(str(follower.value.value).split())
            yield Setting(node.targets[0].id, value, meaning)


def table() -> str:
    """The table, in Markdown."""
    lines = ["| where | setting | value | meaning, origin |", "|---|---|---|---|"]
    for module in MODULES:
        for each in read_settings((ROOT / module).read_text(encoding="utf-8")):
            meaning = each.meaning.replace("|", "\\|")
            lines.append(f"| `{Path(module).stem}` | `{each.name}` | {each.value:g} | {meaning} |")
    return "\n".join(lines) + "\n"


def with_table(document: str) -> str:
    """The document with the table as it is now between its two marks."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{DOCUMENT}: expected {BEGIN!r} and {END!r} around the table of settings")
    return f"{before}{begin}\n{table()}\n{end}{after}"


def main() -> int:
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
