"""The demo site as an archived one, for the benchmarks that measure real sites."""

import json
from pathlib import Path

import pytest

from examples.site import DemoSite, build_site
from examples.templates import shown_date

BASE = "https://lantern.test"


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Path:
    """Folder with pages, site.json and gold.jsonl. Whoever measures it needs the scorer."""
    folder = tmp_path_factory.mktemp("archive") / "lantern"
    site = build_site(1, BASE)
    for path, resource in site.resources.items():
        file = folder / "pages" / (path + "index.html" if path.endswith("/") else path).lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(resource.body)
    meta = {"base_url": f"{BASE}/", "language": "en (+ja)"}
    (folder / "site.json").write_text(json.dumps(meta))
    gold = "".join(json.dumps(page) + "\n" for page in gold_pages(site))
    (folder / "gold.jsonl").write_text(gold)
    return folder


def gold_pages(site: DemoSite) -> list[dict[str, str]]:
    articles = [
        {
            "url": BASE + story.path,
            "kind": "article",
            "title": story.title,
            "body": story.body,
            "date": shown_date(story),
            "author": story.author,
        }
        for story in site.stories
    ]
    lists = [{"url": BASE + page.path, "kind": "list"} for page in site.pages("list")]
    return [
        {**page, "path": page["url"][len(BASE) + 1 :] + "index.html"} for page in articles + lists
    ]
