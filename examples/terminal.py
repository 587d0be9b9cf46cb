"""The terminal of the README: `python -m examples.terminal docs/terminal.svg`.

Serves the demo site, runs the commands of a first day in an empty folder, on a terminal of its own,
and draws what they print. Nothing in it is written by hand.
"""

from __future__ import annotations

import argparse
import io
import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from rich.console import Console
from rich.text import Text

from examples.server import PORT, DemoServer

COLUMNS, ROWS = 110, 40
QUERY = (
    "select language, count(*) articles, max(date_published)::date newest from articles group by 1"
)
ROOT = Path(__file__).resolve().parents[1]

_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.S)
"""What would load fonts from another host."""


def on_terminal(arguments: Sequence[str], folder: Path) -> str:
    """What `webstem ARGUMENTS` prints to a terminal of `COLUMNS`; RuntimeError if it fails."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "LINES": str(ROWS), "TERM": "xterm"}
    environment["PYTHONPATH"] = str(ROOT)
    environment.pop("WEBSTEM_CONFIG", None)
    parts: list[bytes] = []
    reader = Thread(target=_read, args=(ours, parts))
    reader.start()
    done = subprocess.run(
        [sys.executable, "-m", "crawler.console", *arguments],
        cwd=folder, env=environment, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(theirs)
    reader.join()
    os.close(ours)
    if done.returncode:
        raise RuntimeError(f"webstem {' '.join(arguments)}: {done.stderr}")
    return b"".join(parts).decode().replace("\r\n", "\n")


def _read(descriptor: int, parts: list[bytes]) -> None:
    """Read until the other end is closed, which Linux tells as an error."""
    try:
        while part := os.read(descriptor, 2**16):
            parts.append(part)
    except OSError:
        return


def picture(shown: Sequence[tuple[str, str]]) -> str:
    """Commands and what they printed, as SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for command, said in shown:
        console.print(Text(f"$ {command}", style="bold"), soft_wrap=True)
        console.print(Text.from_ansi(said.rstrip()), soft_wrap=True)
        console.print()
    return _FONTS.sub("", console.export_svg(title="webstem", unique_id="terminal"))


def first_day(url: str, folder: Path) -> list[tuple[str, str]]:
    """The commands of a first day, and what each prints."""
    (folder / "pipelines.yaml").write_text("defaults: {delay_seconds: 0.1}\nsites: []\n")
    lines = (["add", url], ["sql", QUERY], ["report"])
    return [
        (f"webstem {shlex.join(line)}", on_terminal(line, folder).replace(f"{folder}/", ""))
        for line in lines
    ]


def main() -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(description="Draw the terminal of a first day.")
    parser.add_argument("output", type=Path, help="the SVG file to write")
    output = parser.parse_args().output
    with DemoServer(PORT) as server, TemporaryDirectory(prefix="webstem-terminal-") as folder:
        shown = first_day(f"{server.base_url}/", Path(folder))
    output.write_text(picture(shown), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
