"""`webstem`: the commands of this project, in any folder with a pipelines.yaml."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from pkgutil import walk_packages
from shutil import get_terminal_size
from textwrap import fill

from scrapy.cmdline import execute

from crawler import commands
from crawler.usage.exitcodes import EXIT_USAGE
from crawler.usage.help import WEBSTEM

SETTINGS = "SCRAPY_SETTINGS_MODULE"


def main() -> None:
    """The console command: `webstem COMMAND ...`, as `scrapy COMMAND ...` inside a project."""
    # Scrapy's own way to name the settings where no scrapy.cfg does.
    os.environ[SETTINGS] = "crawler.settings"
    arguments = sys.argv[1:]
    name = next((each for each in arguments if not each.startswith("-")), None)
    if "--version" in arguments and name is None:
        print(f"webstem {version('webstem')}")
        return
    if name is None:
        print(help_text())
        return
    known = dict(command_modules())
    if name not in known and not _is_of_scrapy(name):
        close = get_close_matches(name, known, n=1)
        advice = f"did you mean {close[0]!r}?" if close else "`webstem` lists them"
        print(f"unknown command {name!r}; {advice}", file=sys.stderr)
        raise SystemExit(EXIT_USAGE)
    sys.argv[0] = WEBSTEM  # by whatever path it was started
    execute([WEBSTEM, *arguments])


def help_text() -> str:
    """All commands, each with what it does."""
    lines = ["usage: webstem COMMAND [arguments]; webstem COMMAND -h", ""]
    for name, module in sorted(command_modules()):
        row = f"  {name:<16}{import_module(module).Command().short_desc()}"
        lines.append(fill(row, get_terminal_size().columns, subsequent_indent=" " * 18))
    return "\n".join(lines)


def command_modules() -> Iterator[tuple[str, str]]:
    """Name and module of each command of this project."""
    for found in walk_packages(commands.__path__, f"{commands.__name__}."):
        if not found.ispkg:
            yield found.name.rpartition(".")[2], found.name


def _is_of_scrapy(name: str) -> bool:
    import scrapy.commands

    return any(each.name == name for each in walk_packages(scrapy.commands.__path__))


if __name__ == "__main__":
    main()
