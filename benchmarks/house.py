"""What of the structure can be counted: `python -m benchmarks.house [SITE.zip|FOLDER ...]`.

largest_folder    entries of the fullest folder of code
constants         numbers that are set by hand in learner and extractor
guesses           those of them whose docstring says that they are guessed
lines             of learner and extractor
function_p90      lines that nine of ten functions there have at most
back_imports      imports against the direction of stages and rooms
ids_kept          share of the patterns that come back when a page is left out, on all sites,
                  and keep their id; left out where there are no sites
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import quantiles

from benchmarks.material.corpus import pages_to_learn, read_halves, sites_parser, sites_to_measure
from benchmarks.material.gold import GoldMissing
from benchmarks.measures.figures import report
from benchmarks.measures.lasting_ids import kept_ids
from benchmarks.quality import on_all_cores

ROOT = Path(__file__).resolve().parents[1]

MAY_IMPORT = {
    "crawler": {"crawler"},
    "learner": {"learner", "crawler"},
    "extractor": {"extractor", "learner", "crawler"},
}
"""Stage -> the stages that it may import."""

STAGES = tuple(MAY_IMPORT)
FOREIGN = frozenset({"tests", "benchmarks", "examples"})
"""What no stage may import."""

COUNTED = ("learner", "extractor")
"""The stages whose constants, lines and functions are counted."""

READ_BY_EXTRACTOR = frozenset({"dom", "page", "patterns", "site", "vision"})
"""The rooms of the learner that the extractor may import: what is learned, nothing of how."""


def stage_files(*stages: str) -> list[Path]:
    """The source files of some stages; of all if none is named."""
    return sorted(path for stage in stages or STAGES for path in (ROOT / stage).rglob("*.py"))


def module_name(path: Path) -> str:
    """The dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def parse(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(node: ast.AST, module: str, *, late: bool = False) -> Iterator[tuple[str, bool]]:
    """(absolute dotted name, late) of each import below `node`.

    Late are those that loading the module does not run: in functions, or for the type checker.

    >>> list(imports(ast.parse("def run():\\n    from . import blocks"), "learner.induction.job"))
    [('learner.blocks', True)]
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, late) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            package = module.rsplit(".", child.level)[0] if child.level else ""
            base = ".".join(filter(None, (package, child.module or "")))
            yield from ((f"{base}.{alias.name}", late) for alias in child.names)
        yield from imports(child, module, late=late or _runs_late(child))


def _runs_late(node: ast.AST) -> bool:
    checked = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return checked or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def rooms() -> list[Path]:
    """The folders of code inside the stages."""
    folders = {path.parent for path in stage_files()}
    return sorted(folder for folder in folders if folder.parent in {ROOT / s for s in STAGES})


def may_import(room: Path) -> set[str]:
    """The rooms and modules of its own stage that a room may import, as its docstring says from
    the second line on; ValueError if that says nothing."""
    docstring = ast.get_docstring(parse(room / "__init__.py"), clean=False) or ""
    what, _, line = docstring.partition("\n")
    if not what or not line.startswith("May import "):
        raise ValueError(
            f"{room}: expected a docstring of what lives there in a line, and 'May import ...' in "
            f"the next, got {docstring!r}"
        )
    if line.startswith("May import every room"):
        return {path.stem for path in room.parent.iterdir()}
    return set(re.findall(r"`(\w+)`", line))


def back_imports(source: str, module: str) -> list[str]:
    """The imports of a module against the direction, each as `module imports name`.

    >>> back_imports("import learner.induction.job", "crawler.settings")
    ['crawler.settings imports learner.induction.job']
    """
    return [
        f"{module} imports {name}"
        for name, late in imports(ast.parse(source), module)
        if not _may_import_name(module, name, late)
    ]


def _may_import_name(module: str, name: str, late: bool) -> bool:
    stage, target = module.partition(".")[0], name.partition(".")[0]
    if target in FOREIGN:
        return False
    if target not in STAGES:
        return True
    is_command = module.startswith("crawler.commands.") and late
    if target not in (STAGES if is_command else MAY_IMPORT[stage]):
        return False
    own_part, part = _part(module), _part(name)
    if target == stage:
        room = ROOT / stage / own_part
        return not room.is_dir() or part in {own_part, *may_import(room)}
    if (stage, target) == ("extractor", "learner"):
        return part in READ_BY_EXTRACTOR or own_part == part == "webstemmer"
    return True


def _part(name: str) -> str:
    """The room, or the module beside the rooms, of a dotted name."""
    return [*name.split("."), ""][1]


def largest_folder() -> tuple[int, Path]:
    """How many entries the fullest folder of the stages has, and which it is."""
    folders = {path.parent for path in stage_files()}
    return max((len(_entries(folder)), folder) for folder in folders)


def _entries(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.name != "__pycache__"]


def constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Name and docstring of each number, or tuple of numbers, that a module sets by hand.

    >>> list(constants(ast.parse("MOST = -3\\n'''Pages. Origin: guess.'''\\nNAME = 'x'")))
    [('MOST', 'Pages. Origin: guess.')]
    """
    for node, after in zip_longest(tree.body, tree.body[1:]):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id.isupper() and _is_number(node.value):
            yield target.id, _text(after)


def _is_number(value: ast.expr) -> bool:
    """Whether an expression is made of numbers alone."""
    if isinstance(value, ast.Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    if isinstance(value, ast.Tuple):
        return bool(value.elts) and all(map(_is_number, value.elts))
    if isinstance(value, ast.BinOp):
        return _is_number(value.left) and _is_number(value.right)
    return isinstance(value, ast.UnaryOp) and _is_number(value.operand)


def _text(node: ast.stmt | None) -> str:
    """What a string that stands alone says."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return str(node.value.value)
    return ""


def function_lengths(tree: ast.Module) -> Iterator[int]:
    """The lines of each function and method."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def structure() -> dict[str, float]:
    """All that needs no sites."""
    trees = [parse(path) for path in stage_files(*COUNTED)]
    found = [each for tree in trees for each in constants(tree)]
    lengths = [length for tree in trees for length in function_lengths(tree)]
    lines = sum(path.read_text("utf-8").count("\n") for path in stage_files(*COUNTED))
    back = [
        wrong
        for path in stage_files()
        for wrong in back_imports(path.read_text("utf-8"), module_name(path))
    ]
    return {
        "largest_folder": largest_folder()[0],
        "constants": len(found),
        "guesses": sum("guess" in meaning for _, meaning in found),
        "lines": lines,
        "function_p90": quantiles(lengths, n=10)[-1],
        "back_imports": len(back),
    }


def _kept_of_site(source: Path) -> tuple[int, int]:
    return kept_ids(pages_to_learn(read_halves(source).train))


def ids_kept(sources: Sequence[Path]) -> float:
    """Share of the patterns of all sites that come back when a page is left out and keep their
    id."""
    found = list(on_all_cores(_kept_of_site, sources))
    return sum(kept for _, kept in found) / max(1, sum(back for back, _ in found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0; 2 if a site is missing."""
    options = sites_parser("Count what of the structure can be counted.").parse_args(arguments)
    figures = structure()
    try:
        figures["ids_kept"] = ids_kept(sites_to_measure(options.sites))
    except GoldMissing as error:
        print(f"ids_kept: not measured: {error}", file=sys.stderr)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    report(figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
