"""The server judges a site again when something was written of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

from crawler.config.sites import Config, SiteConfig
from crawler.storage.partitions import Storage
from crawler.storage.runs import RunRecord, write_run
from extractor.report.overview import Overview, overview_of
from extractor.serve import sites as served
from extractor.serve.sites import Sites

NOW = datetime.now(UTC)


class Here:
    """Workers that are this process."""

    async def run(self, function: Callable[..., Any], *arguments: object, seconds: float) -> Any:
        return function(*arguments)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the sites as they are judged; what is known is looked at again at once."""
    names: list[str] = []

    def note(storage: Storage, site: SiteConfig, *rest: Any) -> Overview:
        names.append(site.name)
        return overview_of(storage, site, *rest)

    monkeypatch.setattr(served, "overview_of", note)
    monkeypatch.setattr(served, "KNOWN_SECONDS", -1.0)
    return names


def test_only_sites_of_which_something_was_written_are_judged_again(
    tmp_path: Path, judged: list[str]
) -> None:
    entries = tuple(SiteConfig(name=name, start_urls=(f"http://{name}/",)) for name in "ab")
    config = Config(storage=str(tmp_path), sites=entries)
    storage = Storage(str(tmp_path))
    sites = Sites(lambda: config, Here())  # type: ignore[arg-type]

    def causes() -> dict[str, str]:
        shown = anyio.run(sites.overviews)
        return {each.site: each.health.to_row()["cause"] for each in shown}

    assert causes() == {"a": "never crawled", "b": "never crawled"} == causes()
    assert judged == ["a", "b"]
    run = RunRecord(
        run_id="r", command="crawl", started_at=NOW, ended_at=NOW, exit_code=1, pages_new=0,
        pages_failed=1, cause="no disk",
    )  # fmt: skip
    path = write_run(storage, "b", run)
    assert causes() == {"a": "never crawled", "b": "crawl failed"} == causes()
    assert judged == ["a", "b", "b"]
    Path(path).write_bytes(b"PAR1 and no more")
    assert causes()["b"] == "unreadable"
    Path(path).unlink()
    assert causes()["b"] == "never crawled"
    assert judged == ["a", "b", "b", "b", "b"]


def test_what_was_judged_before_a_time_out_is_not_judged_again(
    tmp_path: Path, judged: list[str]
) -> None:
    class Once(Here):
        ends = 1

        async def run(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Any:
            if self.ends and arguments[1].name == "b":
                self.ends = 0
                raise TimeoutError
            return function(*arguments)

    entries = tuple(SiteConfig(name=name, start_urls=(f"http://{name}/",)) for name in "ab")
    config = Config(storage=str(tmp_path), sites=entries)
    sites = Sites(lambda: config, Once())  # type: ignore[arg-type]
    with pytest.raises(TimeoutError):
        anyio.run(sites.overviews)
    assert len(anyio.run(sites.overviews)) == 2
    assert judged == ["a", "b"]
