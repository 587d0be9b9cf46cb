"""Imports point one way, extractor -> learner -> crawler, and only at declared dependencies."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STAGES = ("crawler", "learner", "extractor")
FOREIGN = {"tests", "benchmarks", "examples"}
MAY_IMPORT = {
    "crawler": {"crawler"},
    "learner": {"learner", "crawler"},
    "extractor": {"extractor", "learner", "crawler"},
}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(node: ast.AST, module: str, *, late: bool = False) -> Iterator[tuple[str, bool]]:
    """(absolute dotted name, late) of each import below `node`.

    Late are those that loading the module does not run: in functions, or for the type checker.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, late) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            package = module.rsplit(".", child.level)[0] if child.level else ""
            base = ".".join(filter(None, (package, child.module or "")))
            yield from ((f"{base}.{alias.name}", late) for alias in child.names)
        yield from imports(child, module, late=late or runs_late(child))


def runs_late(node: ast.AST) -> bool:
    checked = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return checked or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def violations(source: str, module: str) -> list[str]:
    """Imports of `module` against the direction, each as `module imports name`."""
    stage = module.partition(".")[0]
    wrong = []
    for name, late in imports(ast.parse(source), module):
        target = name.partition(".")[0]
        command = module.startswith("crawler.commands.") and late
        allowed = set(STAGES) if command else MAY_IMPORT[stage]
        if target in FOREIGN or (target in STAGES and target not in allowed):
            wrong.append(f"{module} imports {name}")
    return wrong


def stage_files() -> list[Path]:
    return sorted(path for stage in STAGES for path in (ROOT / stage).rglob("*.py"))


def test_imports_point_upstream() -> None:
    wrong = [
        each
        for path in stage_files()
        for each in violations(path.read_text(encoding="utf-8"), module_name(path))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("crawler.spiders.pipelines", "import learner.webstemmer.blocks"),
        ("crawler.spiders.pipelines", "from extractor.beside_crawl import pipeline as pipelines"),
        (
            "crawler.spiders.pipelines",
            "def run():\n    from extractor.batch.job import extract_site",
        ),
        ("crawler.commands.learn", "from learner.job import learn_site"),
        ("learner.job", "if TYPE_CHECKING:\n    from extractor.batch.job import extract_site"),
        ("extractor.batch.job", "from benchmarks import quality"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    assert len(violations(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("crawler.commands.learn", "def run():\n    from learner.job import learn_site"),
        (
            "crawler.commands.learn",
            "if TYPE_CHECKING:\n    from learner.patterns.pattern import Pattern",
        ),
        (
            "extractor.batch.job",
            "from learner.webstemmer.blocks import build_layout\nimport crawler.storage.records",
        ),
        ("learner.job", "from . import blocks"),
    ],
)
def test_a_right_import_is_let_pass(module: str, source: str) -> None:
    assert violations(source, module) == []


def test_no_import_cycle() -> None:
    """`TopologicalSorter` raises CycleError, naming the cycle, if there is one."""
    names = {module_name(path) for path in stage_files()}
    graph = {}
    for path in stage_files():
        module = module_name(path)
        found = {
            name if name in names else name.rpartition(".")[0]
            for name, _ in imports(ast.parse(path.read_text(encoding="utf-8")), module)
        }
        graph[module] = (found & names) - {module}
    assert len(list(TopologicalSorter(graph).static_order())) == len(names)


def rooms() -> list[Path]:
    """The folders of code inside the stages."""
    folders = {path.parent for path in stage_files()}
    return sorted(folder for folder in folders if folder.parent in {ROOT / s for s in STAGES})


def may_import(room: Path) -> set[str]:
    """The rooms and modules of its own stage that a room may import, as its docstring says."""
    docstring = ast.get_docstring(ast.parse((room / "__init__.py").read_text()), clean=False)
    assert docstring is not None and len(docstring.splitlines()) == 2, f"{room}: two lines"
    line = docstring.splitlines()[1]
    assert line.startswith("May import "), f"{room}: {line}"
    if line.startswith("May import every room"):
        return {path.stem for path in room.parent.iterdir()}
    return set(re.findall(r"`(\w+)`", line))


@pytest.mark.parametrize("room", rooms(), ids=lambda room: f"{room.parent.name}.{room.name}")
def test_a_room_imports_what_its_docstring_says(room: Path) -> None:
    imported = {
        name.split(".")[1]
        for path in room.glob("*.py")
        for name, _ in imports(ast.parse(path.read_text("utf-8")), module_name(path))
        if name.startswith(f"{room.parent.name}.")
    }
    others = imported - {room.name}
    allowed = may_import(room)
    if room.name == "commands":
        assert others <= allowed
    else:
        assert others == allowed


def test_rooms_import_one_another_in_one_direction() -> None:
    graph = {
        f"{room.parent.name}.{room.name}": {f"{room.parent.name}.{o}" for o in may_import(room)}
        for room in rooms()
        if room.name != "commands"
    }
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)


@pytest.mark.parametrize("folder", sorted({path.parent for path in stage_files()}), ids=str)
def test_no_folder_is_crowded(folder: Path) -> None:
    entries = [path for path in folder.iterdir() if path.name != "__pycache__"]
    assert len(entries) <= 16


def test_stage_packages_are_empty() -> None:
    assert [(ROOT / stage / "__init__.py").read_text() for stage in STAGES] == ["", "", ""]


def test_third_party_imports_and_dependencies_are_the_same() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {normal(re.split(r"[<>=\[]", line)[0]) for line in project["dependencies"]}
    extras = project["optional-dependencies"].values()
    optional = {normal(re.split(r"[<>=\[]", line)[0]) for lines in extras for line in lines}
    imported = {normal(each) for name in third_party() for each in distributions(name)}
    assert declared <= imported <= declared | optional


def third_party() -> set[str]:
    """Dotted names that the stages import from other distributions."""
    names = {
        name
        for path in stage_files()
        for name, _ in imports(ast.parse(path.read_text(encoding="utf-8")), module_name(path))
    }
    own = {*sys.stdlib_module_names, *STAGES}
    return {name for name in names if name.partition(".")[0] not in own}


def distributions(name: str) -> list[str]:
    """Distributions that give the module `name`, itself if none is installed."""
    top = name.partition(".")[0]
    # A namespace that several distributions share.
    return ["ruamel.yaml"] if top == "ruamel" else list(providers().get(top, [name]))


@cache
def providers() -> Mapping[str, list[str]]:
    return packages_distributions()


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()
