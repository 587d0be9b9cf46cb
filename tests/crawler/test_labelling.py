"""Pages that a real browser draws go out with the labels of their site's pattern, and come back."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crawler.fetching.browser.launch import start_problem
from tests.project import Project
from tests.scripted import ScriptedSite

pytestmark = pytest.mark.skipif(start_problem() is not None, reason=start_problem() or "")


def test_labels_of_drawn_pages_say_what_the_articles_say(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with ScriptedSite(is_static=True) as site:
        stories = [{"allow": "/en/news/2026/"}, {"deny": "."}]
        project.configure(start_urls=[f"{site.url}/"], rules=stories)
        for command in (
            ("crawl", "site"),
            ("learn", "site"),
            ("extract", "site"),
            ("render", "site", "--pages", "4"),
            ("labels", "export", "site", "--to", "labelling"),
            ("labels", "import", "labelling"),
            ("labels", "show", "labelling"),
        ):
            done = project.run(*command)
            assert (done.returncode, done.stderr) == (0, ""), command
    labels = {row["url"]: row for row in pq.read_table(tmp_path / "labels.parquet").to_pylist()}
    articles = project.query("select url, title, body from {articles} where status = 'ok'")
    found = [(labels[url], title, body) for url, title, body in articles if url in labels]
    assert len(found) >= 3
    for row, title, body in found:
        assert row["title"] == title
        assert " ".join(row["body"].split()) == " ".join(body.split())
        assert row["date"] and row["page_type"] == "article" and row["body_xpath"]
        assert all(each["found"] == "proposed" for each in row["elements"])
