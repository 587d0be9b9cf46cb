"""Checks of this machine, each with what it shall find broken on purpose."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa

from crawler.config.sites import Config
from crawler.doctor.machine import machine_findings, site_findings
from crawler.storage.partitions import Storage
from tests.forking import ROOT

HOLD = """
import sys, time
from crawler.storage.locks import SiteLock
with SiteLock(sys.argv[1], "site", "crawl"):
    print("held", flush=True)
    time.sleep(60)
"""


def config(folder: Path) -> Config:
    return Config(storage=str(folder / "data"), state=str(folder / "state"))


def wrong(findings: object) -> dict[str, str]:
    return {each.subject: str(each) for each in findings if each.state != "well"}  # type: ignore[attr-defined]


def test_a_sound_machine(tmp_path: Path) -> None:
    assert wrong(machine_findings(config(tmp_path))) == {}
    assert wrong(site_findings(config(tmp_path), "site")) == {}
    assert list((tmp_path / "data").iterdir()) == []  # nothing is left behind


def test_folders_that_are_files(tmp_path: Path) -> None:
    for name in ("data", "state"):
        (tmp_path / name).write_text("in the way")
    assert set(wrong(machine_findings(config(tmp_path)))) == {"storage", "state folder"}


def test_an_object_store(s3_bucket: Callable[[str], str], tmp_path: Path) -> None:
    bucket = f"s3://{s3_bucket('nights')}/webstem"
    sound = Config(storage=bucket, state=str(tmp_path))
    assert wrong(machine_findings(sound)) == {}
    missing = Config(storage="s3://no-such-bucket/x", state=str(tmp_path))
    assert "expected a bucket" in wrong(machine_findings(missing))["storage"]


def test_a_lock_that_is_held(tmp_path: Path) -> None:
    state = config(tmp_path).state
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", HOLD, state]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        found = wrong(site_findings(config(tmp_path), "site"))
        holder.kill()
    assert f"held by crawl, process {holder.pid} since " in found["lock"]
    time.sleep(0.1)
    assert wrong(site_findings(config(tmp_path), "site")) == {}


def test_a_url_database_that_is_none(tmp_path: Path) -> None:
    state = Path(config(tmp_path).state)
    state.mkdir()
    (state / "site.sqlite").write_bytes(b"no database" * 1000)
    assert "move the file away" in wrong(site_findings(config(tmp_path), "site"))["URL database"]


def test_a_day_to_come(tmp_path: Path) -> None:
    day = datetime.now(UTC).date() + timedelta(days=400)
    Storage(config(tmp_path).storage).write_part("pages", "site", day, pa.table({"a": [1]}))
    assert f"the last {day}" in wrong(site_findings(config(tmp_path), "site"))["stored days"]
