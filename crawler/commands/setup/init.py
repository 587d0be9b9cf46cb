"""`webstem init [FOLDER]`: the files of a new project."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from importlib import resources
from pathlib import Path

from scrapy.exceptions import UsageError

from crawler.command import ProjectCommand, fail, reported
from crawler.config.sites import CONFIG_NAME, config_schema
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK


class Command(ProjectCommand):
    """A folder in, the files of a project with no site in it out."""

    requires_crawler_process = False

    examples = """\
  webstem init my_sites
"""

    def syntax(self) -> str:
        return "[folder]"

    def short_desc(self) -> str:
        return "Make the files of a new project"

    def long_desc(self) -> str:
        return (
            "Writes pipelines.yaml with comments, its schema for editors, scrapy.cfg, .gitignore "
            "and a crontab to a folder, or to this one. What is there already stays as it is."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) > 1:
            raise UsageError(f"expected one folder, got also {args[1:]!r}", print_help=False)
        self.exitcode = reported(lambda: _init(Path(args[0] if args else ".")))


def _init(folder: Path) -> int:
    if (folder / CONFIG_NAME).exists():
        return fail(f"{folder / CONFIG_NAME} is there already; nothing is written", EXIT_FAILED)
    make_project(folder)
    where = "" if folder == Path(".") else f"cd {shlex.quote(str(folder))}; "
    print(f"next: {where}webstem add https://blog.example.org/")
    return EXIT_OK


def make_project(folder: Path) -> None:
    """Write the files that are not there yet, and name them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in project_files(folder.resolve()).items():
        path = folder / name
        if path.exists():
            print(f"{path}: is there already, and stays")
        else:
            path.write_text(text, encoding="utf-8")
            print(path)


def project_files(folder: Path) -> dict[str, str]:
    """Name and text of each file of a new project."""
    template = resources.files("crawler.config.template")

    def text_of(name: str) -> str:
        return (template / name).read_text(encoding="utf-8")

    program = shutil.which("webstem") or f"{sys.executable} -m crawler.console"
    crontab = text_of("crontab").replace("{folder}", shlex.quote(str(folder)))
    return {
        CONFIG_NAME: text_of(CONFIG_NAME),
        "pipelines.schema.json": config_schema(),
        "scrapy.cfg": text_of("scrapy.cfg"),
        ".gitignore": text_of("gitignore"),
        "crontab": crontab.replace("{program}", program),
    }
