"""Imports point one way, from stage to stage and from room to room, at declared dependencies."""

import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from benchmarks.house import (
    ROOT,
    STAGES,
    back_imports,
    imports,
    largest_folder,
    may_import,
    module_name,
    parse,
    rooms,
    stage_files,
)

MOST_ENTRIES = 16
"""Of a folder of code."""


@pytest.mark.parametrize("path", stage_files(), ids=lambda path: module_name(path))
def test_imports_point_upstream(path: Path) -> None:
    assert back_imports(path.read_text(encoding="utf-8"), module_name(path)) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("crawler.spiders.pipelines", "import learner.webstemmer.blocks"),
        ("crawler.spiders.pipelines", "from extractor.beside_crawl import pipeline as pipelines"),
        (
            "crawler.spiders.pipelines",
            "def run():\n    from extractor.batch.job import extract_site",
        ),
        ("crawler.commands.work.learn", "from learner.induction.job import learn_site"),
        (
            "learner.induction.job",
            "if TYPE_CHECKING:\n    from extractor.batch.job import extract_site",
        ),
        ("extractor.batch.job", "from benchmarks import quality"),
        ("extractor.fields.dates", "from learner.bylines.dates import learn_dates"),
        ("extractor.extraction", "from learner.induction.steps import learn_patterns"),
        ("learner.page.tree", "from learner.site.frames import frame_texts"),
        ("learner.bodies.rule", "from learner.induction import clusters"),
        ("crawler.storage.parquet", "import crawler.config.sites"),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    assert len(back_imports(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "crawler.commands.work.learn",
            "def run():\n    from learner.induction.job import learn_site",
        ),
        (
            "crawler.commands.work.learn",
            "if TYPE_CHECKING:\n    from learner.patterns.pattern import Pattern",
        ),
        (
            "extractor.batch.job",
            "from learner.patterns.stored import current_patterns\nimport crawler.storage.records",
        ),
        ("extractor.webstemmer.extraction", "import learner.webstemmer.preset"),
        ("learner.induction.job", "from . import induction"),
        ("learner.titles.rule", "from learner.page.tree import LayoutTree"),
    ],
)
def test_a_right_import_is_let_pass(module: str, source: str) -> None:
    assert back_imports(source, module) == []


@cache
def import_graph() -> dict[str, set[str]]:
    """Each module with those that it imports, early or late."""
    names = {module_name(path) for path in stage_files()}
    graph = {}
    for path in stage_files():
        module = module_name(path)
        found = {
            name if name in names else name.rpartition(".")[0]
            for name, _ in imports(parse(path), module)
        }
        graph[module] = (found & names) - {module}
    return graph


def test_no_import_cycle() -> None:
    """`TopologicalSorter` raises CycleError, naming the cycle, if there is one."""
    assert len(list(TopologicalSorter(import_graph()).static_order())) == len(import_graph())


FOR_TRAINING = {"teaching", "training", "lessons"}
"""Rooms and modules of the learner that only training needs."""

TEACHING_COMMANDS = {"crawler.commands.work.train", "crawler.commands.work.labels"}
"""They train models, or write what these are trained with."""


def reached_from(module: str) -> set[str]:
    """The modules that one may come to load."""
    reached, ahead = {module}, [module]
    while ahead:
        new = import_graph()[ahead.pop()] - reached
        reached |= new
        ahead += new
    return reached


def at_run_time() -> list[str]:
    """The modules that begin a work other than training."""
    begun = {"extractor.domextract", "extractor.beside_crawl.worker", "learner.induction.job"}
    commands = {name for name in import_graph() if name.startswith("crawler.commands.")}
    return sorted((begun | commands) - TEACHING_COMMANDS)


@pytest.mark.parametrize("module", at_run_time())
def test_what_is_for_training_is_not_needed_at_run_time(module: str) -> None:
    wanted = {
        name
        for name in reached_from(module)
        if name.startswith("learner.") and FOR_TRAINING & {*name.split(".")}
    }
    assert wanted == set()


def test_training_is_reached_by_the_commands_that_teach() -> None:
    assert "learner.dom.teaching.training" in reached_from("crawler.commands.work.train")


@pytest.mark.parametrize("room", rooms(), ids=lambda room: f"{room.parent.name}.{room.name}")
def test_a_room_imports_all_that_its_docstring_names(room: Path) -> None:
    """That it imports nothing else is tested above."""
    imported = {
        name.split(".")[1]
        for path in room.rglob("*.py")
        for name, _ in imports(parse(path), module_name(path))
        if name.startswith(f"{room.parent.name}.")
    }
    if room.name != "commands":
        assert imported - {room.name} == may_import(room)


def test_rooms_import_one_another_in_one_direction() -> None:
    """`TopologicalSorter` raises CycleError, naming the cycle, if there is one."""
    graph = {
        f"{room.parent.name}.{room.name}": {f"{room.parent.name}.{o}" for o in may_import(room)}
        for room in rooms()
        if room.name != "commands"
    }
    assert len(list(TopologicalSorter(graph).static_order())) >= len(graph)


def test_no_folder_is_crowded() -> None:
    n_entries, folder = largest_folder()
    assert n_entries <= MOST_ENTRIES, folder


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
    names = {name for path in stage_files() for name, _ in imports(parse(path), module_name(path))}
    own = {*sys.stdlib_module_names, *STAGES}
    return {name for name in names if name.partition(".")[0] not in own}


NAMED_OTHERWISE = {
    # A namespace that several distributions share.
    "ruamel": ["ruamel.yaml"],
    # Of an extra that the tests do without.
    "sklearn": ["scikit-learn"],
}
"""Module -> its distribution, where what is installed does not tell."""


def distributions(name: str) -> list[str]:
    """Distributions that give the module `name`, itself if none is installed."""
    top = name.partition(".")[0]
    return NAMED_OTHERWISE.get(top) or list(providers().get(top, [name]))


@cache
def providers() -> Mapping[str, list[str]]:
    return packages_distributions()


def normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()
