"""One process at a time works on a site."""

import subprocess
import sys
from pathlib import Path

import pytest

from crawler.storage.locks import SiteLock, SiteLockedError

HOLD = """import sys
from crawler.storage.locks import SiteLock
with SiteLock(sys.argv[1], 's', 'test'):
"""
ROOT = Path(__file__).resolve().parents[3]


def hold(folder: Path) -> subprocess.Popen[str]:
    code = HOLD + "    print('held', flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_another_process_is_kept_out_until_it_dies(tmp_path: Path) -> None:
    process = hold(tmp_path)
    with pytest.raises(SiteLockedError, match=f"test, process {process.pid}"):
        SiteLock(tmp_path, "s", "mine").acquire()
    with SiteLock(tmp_path, "other", "mine"):
        pass
    process.kill()
    process.communicate()
    with SiteLock(tmp_path, "s", "mine"):
        pass


def test_one_process_may_take_it_twice(tmp_path: Path) -> None:
    with SiteLock(tmp_path, "s", "outer"):
        with SiteLock(tmp_path, "s", "inner"):
            pass
        code = HOLD + "    pass"
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
        )
        assert "SiteLockedError" in done.stderr
