"""`make demo` as a user runs it, in a project folder of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from examples.demo import EXIT_FAILED, EXIT_INTERRUPTED
from examples.server import HOST, PORT, DemoServer
from examples.stories import all_stories

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 120


@pytest.fixture
def port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def project(tmp_path: Path, port: int) -> Path:
    """The repository's configuration, with the demo site on the free port."""
    config = (ROOT / "pipelines.yaml").read_text()
    (tmp_path / "pipelines.yaml").write_text(config.replace(f":{PORT}/", f":{port}/"))
    (tmp_path / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text())
    return tmp_path


def start_demo(project: Path) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name != "WEBSTEM_CONFIG"}
    return subprocess.Popen(
        [sys.executable, "-m", "examples.demo"],
        cwd=project,
        env={**environment, "PYTHONPATH": str(ROOT), "COLUMNS": "160"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_it_starts_from_nothing_and_shows_articles_files_and_a_query(project: Path) -> None:
    for partition in ("pages/site=demo", "pages/site=other"):
        (project / "data" / partition).mkdir(parents=True)
        (project / "data" / partition / "left.parquet").write_text("not Parquet")
    started = time.monotonic()
    demo = start_demo(project)
    output, errors = demo.communicate(timeout=TIMEOUT_SECONDS)
    assert (demo.returncode, errors) == (0, "")
    assert time.monotonic() - started < 90
    assert not (project / "data/pages/site=demo/left.parquet").exists()
    assert (project / "data/pages/site=other/left.parquet").exists()
    for command in ("crawl", "articles"):
        assert f"$ scrapy {command} demo" in output
    table = output.partition("$ scrapy articles demo")[2]
    for story in all_stories():
        if story.edition == 2:
            assert story.title[:10] in table
    for name in ("pages", "links", "patterns", "articles"):
        assert f"{name}/site=demo/date=" in output
    assert "mean_characters" in output


def test_a_taken_port_is_told_and_nothing_is_lost(project: Path, port: int) -> None:
    kept = project / "data/pages/site=demo/kept.parquet"
    kept.parent.mkdir(parents=True)
    kept.write_text("from an earlier demo")
    with DemoServer(port):
        demo = start_demo(project)
        _, errors = demo.communicate(timeout=TIMEOUT_SECONDS)
    assert demo.returncode == EXIT_FAILED
    assert f"expected {HOST}:{port} to be free" in errors
    assert "Traceback" not in errors
    assert kept.exists()


def test_ctrl_c_ends_the_server_too(project: Path, port: int) -> None:
    demo = start_demo(project)
    wait_for_port(port)
    os.killpg(demo.pid, signal.SIGINT)
    _, errors = demo.communicate(timeout=TIMEOUT_SECONDS)
    assert demo.returncode == EXIT_INTERRUPTED
    assert "The demo was stopped" in errors
    with DemoServer(port):
        pass


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"no server on port {port} after 30 s")
