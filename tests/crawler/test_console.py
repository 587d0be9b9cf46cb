"""`webstem`, the console command."""

import re
import sys
from pathlib import Path

import pytest

from crawler import console
from tests.project import Project


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """`webstem ARGUMENTS` in this process; its exit code."""
    monkeypatch.setenv(console.SETTINGS, "")  # put back at the end
    monkeypatch.setattr(sys, "argv", ["webstem", *arguments])
    try:
        console.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_all_commands_are_listed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch) == 0
    shown = capsys.readouterr().out
    assert "  crawl           Crawl" in shown and "  init            Make the files" in shown


COMMANDS = sorted(name for name, _ in console.command_modules())


@pytest.mark.parametrize("columns", [60, 100, 160])
@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_by_our_name_and_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    columns: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(monkeypatch, command, "--help") == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage\n=====\n  webstem {command} ")
    assert not re.search(r"\bscrapy [a-z]", shown)
    above, examples, codes = re.split("\n(?:Examples|Exit Codes)\n=+\n", shown)
    assert all(len(line) <= columns for line in (above + codes).splitlines())
    assert "  webstem " in examples and "  6  a site is ill" in codes


def test_arguments_are_refused_by_our_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "report", "--bogus") == 2
    assert "\nwebstem: error: unknown option '--bogus'\n" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["crawl", "articles", "labels"])
def test_started_as_scrapy_a_command_says_so(project: Project, command: str) -> None:
    project.configure(start_urls=["http://example.com/"])
    shown = project.run(command, "--help").stdout
    assert shown.startswith(f"Usage\n=====\n  scrapy {command} ")
    assert not re.search(r"\bwebstem [a-z]", shown)


def test_a_wrong_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "crwal") == 2
    assert capsys.readouterr().err == "unknown command 'crwal'; did you mean 'crawl'?\n"


def test_sites_are_listed_without_a_scrapy_cfg(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    entry = "sites: [{name: blog.example.org, start_urls: ['https://blog.example.org/']}]"
    (tmp_path / "pipelines.yaml").write_text(entry)
    (tmp_path / "below").mkdir()
    monkeypatch.delenv("WEBSTEM_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path / "below")
    assert run(monkeypatch, "list") == 0
    assert capsys.readouterr().out == "blog.example.org\n"


@pytest.mark.parametrize("name", ["a..b", ".a", "a.", "../a", "a/b"])
def test_a_name_that_is_none(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
) -> None:
    (tmp_path / "pipelines.yaml").write_text(
        f"sites: [{{name: {name}, start_urls: ['http://a/']}}]"
    )
    monkeypatch.delenv("WEBSTEM_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "list") == 0
    assert "expected lower-case letters" in capsys.readouterr().err
