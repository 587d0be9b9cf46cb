"""The terminal of the README is drawn from what commands print."""

from pathlib import Path

from lxml import etree

from examples.terminal import on_terminal, picture

ROOT = Path(__file__).resolve().parents[2]


def test_a_command_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "pipelines.yaml").write_text("sites: [{name: a.b, start_urls: ['http://a.b/']}]\n")
    said = on_terminal(["report"], tmp_path)
    assert "1 site: 1 watch" in said and "\x1b[" in said  # in colours, as on a terminal
    root = etree.fromstring(picture([("webstem report", said)]).encode())
    text = "".join(root.itertext()).replace("\xa0", " ")
    assert "$ webstem report" in text and "never crawled" in text


def test_the_terminal_of_the_readme_was_drawn_by_it() -> None:
    assert "docs/terminal.svg" in (ROOT / "README.md").read_text()
    drawn = (ROOT / "docs" / "terminal.svg").read_text()
    assert "webstem&#160;add" in drawn and "font-face" not in drawn
