"""Fixtures of the tests on commands."""

from pathlib import Path

import pytest
from scrapy.cmdline import execute

from tests.project import Answer, Project, Run


@pytest.fixture
def empty_project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.configure(start_urls=["http://127.0.0.1:1/"])
    return project


@pytest.fixture
def run_here(
    empty_project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run a command in this process: exit code, stdout, stderr. For what needs no more."""
    monkeypatch.chdir(empty_project.folder)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "crawler.settings")
    monkeypatch.delenv("WEBSTEM_CONFIG", raising=False)

    def run(*arguments: str) -> Answer:
        with pytest.raises(SystemExit) as end:
            execute(["scrapy", *arguments])
        return (int(end.value.code or 0), *capsys.readouterr())

    return run
