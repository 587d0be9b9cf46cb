"""The examples of docs/rendering.md run."""

import json
import re
from pathlib import Path

import pytest
from lxml import etree

from tests.learner.vision.blocknet.made_pages import article

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "rendering.md"


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    examples = "".join(re.findall(r"^```python\n(.*?)^```", text, re.S | re.M))
    (folder,) = set(re.findall(r"drawn/[\w-]+", examples))
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir(parents=True)
    Path(folder, "dom.json").write_text(json.dumps(article().raw()), "utf-8")
    Path(folder, "screenshot.jpeg").write_bytes(b"\xff\xd8\xff")
    exec(compile(examples, str(DOCUMENT), "exec"), {})
    said = capsys.readouterr().out
    # Once of its blocks, once of the element that holds its text.
    assert said.count("It rained all day") == 2 * 17
    assert "left Box(left=0.0, top=100.0" in said
    assert etree.parse("blocks.svg").getroot().find("{*}image") is not None
