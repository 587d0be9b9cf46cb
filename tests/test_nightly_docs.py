"""The snippets of docs/nightly.md are what their programs read."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from apscheduler.triggers.cron import CronTrigger

from tests.forking import ROOT

TEXT = (ROOT / "docs" / "nightly.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", TEXT, re.S | re.M)
UNITS = [block for _, block in BLOCKS if "[Unit]" in block]
PYTHON = [block for language, block in BLOCKS if language == "python"]


def test_crontab_lines() -> None:
    lines = re.findall(r"^((?:[\d*/,-]+ ){5})(cd .*)$", TEXT, re.M)
    assert len(lines) == 2
    for fields, command in lines:
        CronTrigger.from_crontab(fields.strip())
        assert ".venv/bin/scrapy night" in command
        subprocess.run(["bash", "-n", "-c", command], check=True)


def test_units(tmp_path: Path) -> None:
    assert len(UNITS) == 3
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze")
    paths = []
    for number, unit in enumerate(UNITS):
        kind = "timer" if "[Timer]" in unit else "service"
        # The timer starts the service of its own name.
        path = tmp_path / f"webstem{'' if number < 2 else number}.{kind}"
        program = unit.replace("/srv/webstem/.venv/bin/scrapy", sys.executable)
        path.write_text(program.replace("User=webstem", "User=root"))
        paths.append(str(path))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *paths], capture_output=True, text=True
    )
    assert not [line for line in done.stderr.splitlines() if str(tmp_path) in line], done.stderr


@pytest.mark.parametrize(("code", "package"), [*zip(PYTHON, ["airflow", "dagster"], strict=True)])
def test_tasks_of_others(code: str, package: str) -> None:
    compiled = compile(code, package, "exec")
    assert f"from {package} import" in code and "scrapy" in code
    pytest.importorskip(package)
    exec(compiled, {})
