"""The whole way on an object store: moto's server stands for S3, keys come from the environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.dataset as ds
from pyarrow import fs

from examples.server import DemoServer
from tests.project import Project


def table(bucket: str, name: str) -> ds.Dataset:
    filesystem, root = fs.FileSystem.from_uri(f"s3://{bucket}/webstem/{name}")
    return ds.dataset(root, filesystem=filesystem, partitioning="hive")


def test_crawl_learn_and_extract_on_s3(tmp_path: Path, s3_bucket: Callable[[str], str]) -> None:
    bucket = s3_bucket("whole-way")
    project = Project(tmp_path)
    with DemoServer(port=0) as server:
        project.configure(start_urls=[f"{server.base_url}/"], depth=3)
        config = json.loads((tmp_path / "pipelines.yaml").read_text())
        config["storage"] = f"s3://{bucket}/webstem"
        (tmp_path / "pipelines.yaml").write_text(json.dumps(config))
        project.crawl()
    learned = project.run("learn", "--all", "--json")
    assert learned.returncode == 0, learned.stderr
    extracted = project.run("extract", "--all", "--json")
    assert extracted.returncode == 0, extracted.stderr
    pages, articles = table(bucket, "pages"), table(bucket, "articles")
    rows = duckdb.sql(
        "select count(*), count(distinct p.url_key) from pages p join articles a using (url_key) "
        "where a.status = 'ok' and a.title is not null"
    ).fetchall()
    assert rows[0][0] == rows[0][1] >= 20
    assert pages.count_rows() >= articles.count_rows()
    # Only locks, fingerprints and the URL database are local.
    assert not list(tmp_path.rglob("*.parquet"))
