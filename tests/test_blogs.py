"""docs/blogs.md: a site that is known by its feed only, with the commands and with the library."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.server import DemoServer
from tests.forking import ROOT
from tests.project import Project

RECIPE = ROOT / "docs" / "blogs.md"


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with DemoServer(port=0) as running:
        yield running


def test_new_entries_of_a_feed_come_out_as_articles(tmp_path: Path, server: DemoServer) -> None:
    project = Project(tmp_path)
    project.configure(feeds=[f"{server.base_url}/feed.xml"], depth=0)
    project.crawl()
    assert project.run("learn", "site").returncode == 0
    known = {url for (url,) in project.query("select url_key from {pages} where html is not null")}
    server.show(2)
    project.crawl()
    articles = dict(project.query("select url_key, title from {articles} where status = 'ok'"))
    titles = dict(
        project.query("select dst_url_key, anchor_text from {links} where source = 'feed'")
    )
    new = set(articles) - known
    assert len(new) >= 3
    assert {articles[url] for url in new} == {titles[url] for url in new}


def test_the_library_of_the_recipe_runs(server: DemoServer) -> None:
    code = re.search(r"```python\n(.*?)```", RECIPE.read_text(), re.DOTALL)
    assert code
    program = code[1].replace("http://127.0.0.1:8123", server.base_url)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    title, _, rest = done.stdout.partition(" ")
    assert title and len(rest) > 200
