"""`webstem`, the console command."""

import sys
from pathlib import Path

import pytest

from crawler import console


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
