"""The benchmark of whole sites, on an archive made of the demo site."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.gold import SCORE
from examples.site import DemoSite, build_site

ROOT = Path(__file__).resolve().parents[2]
BASE = "https://lantern.test"

pytestmark = pytest.mark.skipif(not SCORE.exists(), reason=f"no scorer at {SCORE}")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo site as an archived one: pages, site.json and gold.jsonl."""
    folder = tmp_path_factory.mktemp("archive") / "lantern"
    site = build_site(1, BASE)
    for path, resource in site.resources.items():
        file = folder / "pages" / (path + "index.html" if path.endswith("/") else path).lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(resource.body)
    (folder / "site.json").write_text(json.dumps({"base_url": f"{BASE}/", "language": "en"}))
    gold = "".join(json.dumps(page) + "\n" for page in gold_pages(site))
    (folder / "gold.jsonl").write_text(gold)
    return folder


def gold_pages(site: DemoSite) -> list[dict[str, str]]:
    articles = [
        {"url": BASE + s.path, "kind": "article", "title": s.title, "body": s.body}
        for s in site.stories
    ]
    lists = [{"url": BASE + page.path, "kind": "list"} for page in site.pages("list")]
    return [
        {**page, "path": page["url"][len(BASE) + 1 :] + "index.html"} for page in articles + lists
    ]


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
    assert figures["articles"] == 54
    assert figures["lists"] == 25
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
