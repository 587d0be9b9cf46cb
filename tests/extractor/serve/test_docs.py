"""The examples of docs/serving.md are true."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.extractor.serve.conftest import NOW
from tests.handmade import Story, page
from tests.server import TestSite

TEXT = (Path(__file__).resolve().parents[3] / "docs" / "serving.md").read_text()
EXAMPLES = re.findall(r"^\$ (curl .*)$", TEXT, re.M)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_answered(
    example: str, address: str, elsewhere: TestSite, tmp_path: Path
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    (tmp_path / "saved.html").write_bytes(page(Story(99)).html)
    here = {
        "http://127.0.0.1:8477": address,
        "http://127.0.0.1:8123/en/": f"{elsewhere.url}p/1",
        "site=demo": "site=good",
        "2026-11-20": NOW.date().isoformat(),
    }
    for there, own in here.items():
        example = example.replace(there, own)
    command = example.replace("curl ", "curl --silent --show-error --fail-with-body ", 1)
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    if "articles" in told:
        assert told["articles"]
    assert "error" not in told


def test_there_are_examples_of_all_operations() -> None:
    shown = set(re.findall(r"8477(/[\w./]+)", "\n".join(EXAMPLES)))
    assert shown == {
        "/health", "/openapi.json", "/v1/analyze", "/v1/articles", "/v1/sites", "/v3/article",
        "/v3/product",
    }  # fmt: skip
