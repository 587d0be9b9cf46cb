"""What a wheel holds, and that the commands of the Makefile and CI are there."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))
    return Path(built)


@pytest.fixture(scope="module")
def wheel_files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_module_of_the_stages(wheel_files: set[str]) -> None:
    modules = {
        str(path.relative_to(ROOT))
        for stage in ("crawler", "learner", "extractor")
        for path in (ROOT / stage).rglob("*.py")
    }
    assert modules <= wheel_files


def test_the_wheel_holds_schema_types_and_licence(wheel_files: set[str]) -> None:
    expected = {"crawler/config/pipelines.schema.json", "crawler/config/template/pipelines.yaml"}
    expected |= {f"{stage}/py.typed" for stage in ("crawler", "learner", "extractor")}
    assert expected <= wheel_files
    assert any(name.endswith("licenses/LICENSE") for name in wheel_files)


def test_the_wheel_holds_nothing_else(wheel_files: set[str]) -> None:
    roots = {name.partition("/")[0] for name in wheel_files if ".dist-info/" not in name}
    assert roots == {"crawler", "learner", "extractor", "webstem.py"}


def test_every_dependency_has_a_lower_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    bounded_by_scrapy = {"twisted", "zope.interface", "tldextract"}
    lines = {line for group in groups for line in group} - bounded_by_scrapy
    assert [line for line in lines if ">=" not in line or "<" not in line] == []


@pytest.mark.parametrize(
    ("target", "command"),
    [("demo", "-m examples.demo"), ("test", "-m pytest"), ("test", "mypy"), ("test", "ruff")],
)
def test_make_runs_what_the_readme_says(target: str, command: str, tmp_path: Path) -> None:
    """A dry run with a fresh environment: it would be made, filled and used."""
    run = subprocess.run(
        ["make", "--dry-run", target, f"VENV={tmp_path}/venv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"-m venv {tmp_path}/venv" in run.stdout
    assert "-m pip install" in run.stdout
    assert command in run.stdout


def test_an_old_python_is_refused(tmp_path: Path) -> None:
    run = subprocess.run(
        ["make", "lint", f"VENV={tmp_path}/venv", "PYTHON="],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode != 0
    assert "expected Python 3.11 or newer" in run.stderr


def test_the_wheel_works_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """Installed, without what it depends on: that is taken from the environment of the tests."""
    home, folder = tmp_path / "home", tmp_path / "work"
    folder.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    here = sysconfig.get_path("purelib")
    (packages / "others.pth").write_text(f"{here}\n")
    python = str(home / "bin" / "python")

    def run(where: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [python, *arguments]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        return subprocess.run(
            command, cwd=where, env=environment, capture_output=True, text=True, check=False
        )

    webstem = ("-m", "crawler.console")
    place = run(folder, "-c", "import webstem; print(webstem.__file__)").stdout
    assert place.strip() == str(packages / "webstem.py")
    missing = run(folder, *webstem, "night")
    assert missing.returncode == 3 and "`webstem init` makes one" in missing.stderr
    made = run(folder, *webstem, "init", "mine")
    assert made.returncode == 0 and "next: cd mine; webstem add" in made.stdout, made.stderr
    names = {path.name for path in (folder / "mine").iterdir()}
    assert names == {
        "pipelines.yaml", "pipelines.schema.json", "scrapy.cfg", ".gitignore", "crontab",
    }  # fmt: skip
    below = folder / "mine" / "below"
    below.mkdir()
    none = run(below, *webstem, "night")
    assert (none.returncode, none.stderr) == (5, "pipelines.yaml has no site\n")
    again = run(folder, *webstem, "init", "mine")
    assert again.returncode == 1 and "is there already" in again.stderr
