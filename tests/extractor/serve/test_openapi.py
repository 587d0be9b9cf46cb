"""The server does what its description says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.server import TestSite


def test_it_names_every_operation(client: httpx.Client) -> None:
    told = client.get("/openapi.json").json()
    assert set(told["paths"]) == {
        "/health", "/v1/analyze", "/v1/articles", "/v1/sites", "/v3/article", "/v3/product"
    }  # fmt: skip
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            assert operation["responses"]["200"], (path, method)
    names = [each["operationId"] for m in told["paths"].values() for each in m.values()]
    assert len(set(names)) == len(names)


SETTINGS = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "4xx", 502]

[[operations]]
include-method = "GET"
include-path-regex = "analyze|article$|product"
parameters = {{ url = "{url}" }}

[[operations]]
include-method = "POST"
checks.negative_data_rejection.enabled = false
"""
"""A page that does not come is no fault of the server's; those that are asked for are on this
machine. Of HTML that is sent nothing is wrong: all that can be is in other tests."""


def test_it_is_true(address: str, elsewhere: TestSite, tmp_path: Path) -> None:
    """Requests that fit the description, and such that do not, as schemathesis makes them."""
    pytest.importorskip("schemathesis")
    settings = tmp_path / "schemathesis.toml"
    settings.write_text(SETTINGS.format(url=f"{elsewhere.url}p/1"))
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings), "run",
        f"{address}/openapi.json", "--max-examples", "1", "--seed", "1",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    assert "Tested: 9" in done.stdout
