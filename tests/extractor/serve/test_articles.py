"""Stored articles, page by page."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from crawler.config.sites import Config
from crawler.storage.partitions import Storage
from extractor.serve import articles
from extractor.serve.articles import read_articles
from extractor.serve.service import Limits
from tests.extractor.serve.conftest import HOSTILE, NOW, served


def all_of(client: httpx.Client, limit: int, **query: Any) -> list[list[str]]:
    """The addresses of each answer until the last."""
    found, cursor = [], None
    while True:
        params = {"site": "good", "limit": limit, **query} | ({"cursor": cursor} if cursor else {})
        told = client.get("/v1/articles", params=params).json()
        found.append([each["url"] for each in told["articles"]])
        cursor = told["next"]
        if cursor is None:
            return found


@pytest.mark.parametrize("limit", [1, 3, 10, 100])
def test_each_article_comes_once(client: httpx.Client, limit: int) -> None:
    answers = all_of(client, limit)
    urls = [url for answer in answers for url in answer]
    assert len(urls) == len(set(urls)) == 10
    assert {len(answer) for answer in answers[:-1]} <= {limit}


def test_since_a_day(client: httpx.Client) -> None:
    today, yesterday = NOW.date().isoformat(), (NOW - timedelta(days=1)).date().isoformat()
    assert len(all_of(client, 100, since=yesterday)[0]) == 10
    assert len(all_of(client, 100, since=today)[0]) == 5
    assert all_of(client, 100, since="2999-01-01") == [[]]


def test_an_article_with_all_that_is_known(client: httpx.Client) -> None:
    told = client.get("/v1/articles", params={"site": "good", "limit": 1}).json()["articles"][0]
    assert HOSTILE in told["title"] and told["body"] and told["status"] == "ok"
    assert told["fetched_at"].startswith(NOW.strftime("%Y-"))


def test_sites_without_articles_and_without_entry(client: httpx.Client) -> None:
    told = client.get("/v1/articles", params={"site": "near"}).json()
    assert told == {"articles": [], "next": None}
    assert client.get("/v1/articles", params={"site": "other"}).status_code == 404
    assert client.get("/v1/articles", params={"site": "../x"}).status_code == 400


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("limit=0", "limit: expected a number from 1 to 100, got '0'"),
        ("limit=x", "limit: expected a number"),
        ("since=yesterday", "since: expected the UTC day"),
        ("since=2026-02-30", "since: expected the UTC day"),
        ("cursor=x", "cursor: expected what the answer before gave"),
        ("sinse=2026-02-03", "did you mean 'since'?"),
    ],
)
def test_wrong_parameters_are_told(client: httpx.Client, query: str, said: str) -> None:
    answer = client.get(f"/v1/articles?site=good&{query}")
    assert answer.status_code == 400 and said in answer.json()["detail"]


def test_an_answer_ends_early_where_articles_are_long(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(articles, "MOST_LETTERS", 10)
    monkeypatch.setattr(articles, "AT_ONCE", 2)
    cursor, seen = None, []
    for _ in range(5):
        told = read_articles(config.storage, "good", date.min, cursor, 100)
        assert len(told["articles"]) == 2
        seen += [each["url_key"] for each in told["articles"]]
        cursor = told["next"]
    assert cursor is None and len(set(seen)) == 10


def test_sites_and_how_they_are(client: httpx.Client) -> None:
    rows = {each["site"]: each for each in client.get("/v1/sites").json()["sites"]}
    assert (rows["good"]["state"], rows["near"]["cause"]) == ("ok", "never crawled")
    assert sum(rows["good"]["new_articles"]) == 10


def test_the_tables_have_what_was_stored(config: Config) -> None:
    assert Storage(config.storage).sites("articles") == ["good"]


def test_a_damaged_file_is_named(tmp_path: Path, config: Config) -> None:
    day = tmp_path / "articles" / "site=good" / "date=2026-11-20"
    day.mkdir(parents=True)
    (day / "articles.parquet").write_bytes(b"PAR1 and no more")
    damaged = Config(storage=str(tmp_path), sites=config.sites)
    with served(damaged, Limits(workers=1)) as url:
        answer = httpx.get(f"{url}/v1/articles", params={"site": "good"}, timeout=60)
        sites = httpx.get(f"{url}/v1/sites", timeout=60).json()["sites"]
        page = httpx.get(f"{url}/sites/good.html", timeout=60)
    told = {each["site"]: (each["cause"], each["said"]) for each in sites}
    assert told["good"][0] == "unreadable" and "articles.parquet: not read: " in told["good"][1]
    assert told["near"][0] == "never crawled"
    assert page.status_code == 200 and "articles.parquet: not read: " in page.text
    assert answer.status_code == 500 and "articles.parquet" in answer.json()["detail"]
