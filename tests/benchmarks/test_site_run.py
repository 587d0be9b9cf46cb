"""The benchmark of whole sites, on an archive made of the demo site."""

import json
import subprocess
import sys
from pathlib import Path

from examples.site import build_site

ROOT = Path(__file__).resolve().parents[2]


def test_it_runs_the_commands_and_measures_them(archive: Path, tmp_path: Path) -> None:
    result = tmp_path / "figures.json"
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.site_run", str(archive), "--json", str(result)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 missed, 0 stored twice" in run.stdout
    figures = json.loads(result.read_text())["figures"]
    site = build_site(1, "https://lantern.test")
    assert figures["articles"] == len(site.stories)
    assert figures["lists"] == len(site.pages("list"))
    assert figures["pages_missed"] == figures["pages_twice"] == 0
    # The demo site is an easy one: less than this is a fault of the pipeline.
    assert figures["body_f1"] >= 0.95
    assert figures["title_exact"] >= 0.95
    assert figures["list_as_article"] == 0


def test_a_missing_archive_is_told(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.site_run", str(tmp_path / "none.zip")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 2
    assert "none.zip" in run.stderr
    assert "Traceback" not in run.stderr
