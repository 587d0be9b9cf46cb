"""`scrapy serve` as a process: from its first line to Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.project import ROOT, Project, Run

TIMEOUT_SECONDS = 60

pytest.importorskip("uvicorn")
pytest.importorskip("starlette")


def test_it_answers_until_it_is_ended(empty_project: Project) -> None:
    process = empty_project.start("serve", "--port", "0")
    assert process.stdout is not None
    url = process.stdout.readline().strip()
    assert url.startswith("http://127.0.0.1:")
    with urlopen(f"{url}v1/sites", timeout=TIMEOUT_SECONDS) as answer:
        assert [row["site"] for row in json.load(answer)["sites"]] == ["site"]
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does at Ctrl-C
    assert (*process.communicate(timeout=TIMEOUT_SECONDS), process.returncode) == ("", "", 0)


def test_without_a_project_for_others_with_a_token(tmp_path: Path) -> None:
    token = "a-token-of-enough-letters"
    command = ["serve", "--port", "0", "--host", "0.0.0.0", "--token-env", "MINE"]
    process = subprocess.Popen(
        [sys.executable, "-m", "crawler.console", *command],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "MINE": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    url = process.stdout.readline().strip().replace("0.0.0.0", "127.0.0.1")
    headers = {"Content-Type": "text/html"}
    with pytest.raises(HTTPError, match="401"):
        urlopen(Request(f"{url}v1/analyze", b"<p>a", headers), timeout=TIMEOUT_SECONDS)
    headers["Authorization"] = f"Bearer {token}"
    sent = Request(f"{url}v1/analyze", b"<p>a", headers)
    with urlopen(sent, timeout=TIMEOUT_SECONDS) as answer:
        assert json.load(answer)["url"] == ""
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=TIMEOUT_SECONDS)[1] == ""
    assert process.returncode == 0 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--host", "0.0.0.0"), 1, "put a token into the environment variable WEBSTEM_TOKEN"),
        (("--host", "no such host"), 1, "choose another --host or --port"),
        (("--port", "70000"), 2, "expected a port from 0 to 65535"),
        (("--prot", "1"), 2, "did you mean '--port'?"),
        (("site",), 2, "expected no argument, got 'site'"),
    ],
)
def test_wrong_arguments_are_told(
    run_here: Run,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    monkeypatch.delenv("WEBSTEM_TOKEN", raising=False)
    found, out, err = run_here("serve", *arguments)
    assert (found, out) == (code, "") and said in err


def test_a_wrong_project_is_told(run_here: Run, tmp_path: Path) -> None:
    (tmp_path / "pipelines.yaml").write_text("storage: [1]\n")
    code, _, err = run_here("serve")
    assert code == 3 and "storage" in err


def test_what_is_not_installed_is_told(run_here: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, _, err = run_here("serve")
    assert code == 1 and "pip install 'webstem[serve]'" in err
