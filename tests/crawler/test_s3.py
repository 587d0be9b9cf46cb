"""The whole way on an object store: moto's server stands for S3, keys come from the environment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.dataset as ds
import pytest
from pyarrow import fs

from examples.server import DemoServer
from tests.project import Project


def table(bucket: str, name: str) -> ds.Dataset:
    filesystem, root = fs.FileSystem.from_uri(f"s3://{bucket}/webstem/{name}")
    return ds.dataset(root, filesystem=filesystem, partitioning="hive")


def run_on(tmp_path: Path, storage: str, *arguments: str) -> tuple[int, str]:
    project = Project(tmp_path)
    project.configure(start_urls=["http://a.example/"])
    config = json.loads((tmp_path / "pipelines.yaml").read_text()) | {"storage": storage}
    (tmp_path / "pipelines.yaml").write_text(json.dumps(config))
    done = project.run(*arguments)
    return done.returncode, done.stderr


def test_a_bucket_that_is_missing_is_named(tmp_path: Path, s3_bucket: Callable[[str], str]) -> None:
    code, said = run_on(tmp_path, "s3://no-such-bucket/web", "articles", "site")
    assert code == 1
    assert said.startswith("s3://no-such-bucket/web: expected a bucket 'no-such-bucket', found no")
    assert "check `storage` in pipelines.yaml" in said


@pytest.mark.parametrize("command", [("articles", "site"), ("extract", "--all")])
def test_a_store_that_refuses_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    code, said = run_on(tmp_path, "s3://bucket/web", *command)
    assert code == 1 and said.count("\n") == 1
    assert "bucket/web/" in said and ": not listed: " in said
    assert "check `storage` in pipelines.yaml, the network and the keys in the environment" in said


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
