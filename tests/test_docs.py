"""The documentation tells of what is there, and of nothing else."""

import argparse
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
from scrapy.commands import BaseRunSpiderCommand, ScrapyCommand
from scrapy.settings import Settings

from crawler.console import command_modules
from crawler.usage import exitcodes
from examples.server import PORT, DemoServer
from examples.site import build_site

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SCRAPY_COMMANDS = {"list", "shell", "fetch", "view", "settings"}
"""Commands of Scrapy itself that the documentation may name."""
MODULES = dict(command_modules())
OWN_COMMANDS = set(MODULES)


def fenced(text: str) -> str:
    """The code of a page: fenced blocks and inline code."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", text)])


def console_commands(text: str) -> list[str]:
    """What a reader types: the lines after `$ ` in console blocks, with those that go on."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.S | re.M)
    commands = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)]
    return [command.strip() for command in commands if command.strip()]


def mentions(text: str) -> set[tuple[str, str]]:
    """(command, rest of the line) wherever a page shows `scrapy COMMAND ...`."""
    lines = fenced(text).splitlines()
    found = (
        re.findall(r"\b(?:scrapy|webstem) ([a-z]+(?:-[a-z]+)*)([^#;|&)\n]*)", line)
        for line in lines
    )
    return {mention for line in found for mention in line}


def long_options(command: ScrapyCommand) -> set[str]:
    """The options a command takes, such as `--json`."""
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    command.add_options(parser)
    options = {option for action in parser._actions for option in action.option_strings}
    return {option for option in options if option.startswith("--")}


@cache
def options_of(command: str) -> set[str]:
    """The long options that a command of this project takes."""
    return long_options(importlib.import_module(MODULES[command]).Command())


class CommandOfScrapy(BaseRunSpiderCommand):
    """Has the options that Scrapy gives to every command."""

    def short_desc(self) -> str:
        return ""

    def run(self, args: list[str], opts: argparse.Namespace) -> None: ...


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_documented_commands_exist(page: Path) -> None:
    for command, rest in mentions(page.read_text()):
        assert command in OWN_COMMANDS | SCRAPY_COMMANDS, f"{page.name}: scrapy {command}"
        if command in OWN_COMMANDS:
            unknown = set(re.findall(r"--[a-z][a-z-]*", rest)) - options_of(command)
            assert not unknown, f"{page.name}: scrapy {command} has no {unknown}"


@pytest.mark.parametrize("command", sorted(OWN_COMMANDS))
def test_every_command_and_option_is_documented(command: str) -> None:
    reference = (ROOT / "docs" / "commands.md").read_text()
    section = re.search(rf"^## scrapy {command}\n(.*?)(?=^## |\Z)", reference, re.S | re.M)
    assert section, f"docs/commands.md has no section '## scrapy {command}'"
    own = options_of(command) - long_options(CommandOfScrapy())
    missing = {option for option in own if f"`{option}" not in section[1]}
    assert not missing, f"docs/commands.md, scrapy {command}: {missing} not explained"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / unquote(target)).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_stands_between_fences(page: Path) -> None:
    """A paragraph refilled over a fence swallows it."""
    lines = page.read_text().splitlines()
    fences = [line for line in lines if "```" in line]
    assert all(line.lstrip().startswith("```") for line in fences), page.name
    assert all(line.strip() == "```" for line in fences[1::2]), page.name
    assert len(fences) % 2 == 0, page.name


def test_the_readme_names_every_exit_code() -> None:
    codes = {value for name, value in vars(exitcodes).items() if name.startswith("EXIT_")}
    table = (ROOT / "README.md").read_text().partition("## Exit codes")[2]
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.M)} == codes


def test_the_library_example_of_the_readme_runs(tmp_path: Path) -> None:
    site = build_site(1, "http://127.0.0.1:8123")
    (tmp_path / "saved").mkdir()
    for number, page in enumerate(p for p in site.pages("article") if "/en/news/" in p.path):
        (tmp_path / "saved" / f"{number}.html").write_bytes(page.body)
    example = re.search(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.S | re.M)
    assert example
    run = subprocess.run(
        [sys.executable, "-c", example[1]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    status, _, text = run.stdout.partition(" ")
    assert status == "ok"
    assert any(text.startswith(story.title) for story in site.stories)


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


def test_the_tutorial_works_as_it_is_written(tmp_path: Path, server: DemoServer) -> None:
    original = f"http://127.0.0.1:{PORT}"
    config = (ROOT / "pipelines.yaml").read_text().replace(original, server.base_url)
    (tmp_path / "pipelines.yaml").write_text(config)
    (tmp_path / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text())
    folder = Path(sys.executable).parent
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    commands = console_commands((ROOT / "docs" / "tutorial.md").read_text())
    assert len(commands) > 10
    for command in commands:
        if command.startswith("python -m examples.server"):
            server.show(2 if "--edition 2" in command else 1)
            continue
        run = subprocess.run(
            command.replace(original, server.base_url),
            shell=True,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (run.returncode, run.stderr) == (0, ""), f"$ {command}\n{run.stdout}{run.stderr}"
