"""`make demo`: the whole product on a site of its own, in the commands a user types.

The demo site of this folder is served on loopback; then `scrapy crawl demo` fills Parquet, learns
the layouts and gives articles, the site publishes its second edition, and a second
`scrapy crawl demo` turns the new pages into articles. Everything is done in the Scrapy project
of the current folder, and stays there to be looked at.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import duckdb
from rich.console import Console
from rich.table import Table

from crawler.config.sites import Config, find_config, load_config
from crawler.config.yamlfile import ConfigError
from examples.server import DemoServer, PortTaken

SITE = "demo"

EXIT_FAILED = 1
EXIT_INTERRUPTED = 130
"""What shells report for a program ended by Ctrl-C (128 + SIGINT)."""


class Demo:
    """One run of the demo in the project that ``config`` describes."""

    def __init__(self, config: Config, config_path: Path, console: Console) -> None:
        self.storage = Path(os.path.relpath(config.storage))
        self.state = Path(config.state)
        self.port = urlsplit(config.site(SITE).start_urls[0]).port or 80
        self._console = console
        self._folder = config_path.resolve().parent
        self._environment = {**os.environ, "WEBSTEM_CONFIG": str(config_path.resolve())}

    def run(self) -> None:
        """Show everything; PortTaken or CalledProcessError if it cannot go on."""
        start = time.monotonic()
        with DemoServer(self.port) as server:
            self._forget_earlier_runs()
            articles = len(server.site.pages("article"))
            self._say(f"A site with {articles} articles in two languages is at {server.base_url}/")
            self._scrapy("crawl", "Fetch it, and learn its page layouts, without any labels.")
            server.show(2)
            new = len(server.site.pages("article")) - articles
            self._say(f"\nThe next morning: edition 2 is published, with {new} new articles.")
            self._scrapy("crawl", "Fetch what is new; the layouts are applied on the way.")
        self._scrapy("articles", "The newest articles that came out.", "--status", "ok")
        self._show_files()
        self._show_query()
        self._say(
            f"\nDone in {time.monotonic() - start:.0f} s. "
            "Look further, after `. .venv/bin/activate`, with"
            f"\n  scrapy patterns {SITE}            the layouts it learned"
            f"\n  scrapy articles {SITE}            the newest articles, and the number of others"
            f"\n  scrapy urldb {SITE}               every URL it knows"
        )

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False, soft_wrap=True)

    def _forget_earlier_runs(self) -> None:
        """The demo's own partitions and URL database, so that each demo starts from nothing."""
        for partition in self.storage.glob(f"*/site={SITE}"):
            shutil.rmtree(partition)
        for file in self.state.glob(f"{SITE}.*"):
            file.unlink()

    def _scrapy(self, command: str, purpose: str, *options: str) -> None:
        typed = " ".join(("scrapy", command, SITE, *options))
        self._say(f"\n[dim]# {purpose}[/dim]\n[bold]$ {typed}[/bold]")
        line = [sys.executable, "-m", "scrapy", command, SITE, *options]
        subprocess.run(line, cwd=self._folder, env=self._environment, check=True)

    def _show_files(self) -> None:
        self._say(f"\n[bold]The Parquet lies in {self.storage}[/bold]")
        for path in sorted(self.storage.glob("*/**/*.parquet")):
            name = path.relative_to(self.storage)
            self._say(f"  {name}  {path.stat().st_size / 1024:,.0f} KB")

    def _show_query(self) -> None:
        query = articles_query(self.storage)
        self._say(f"\n[bold]One query over it (DuckDB):[/bold]\n{query}\n")
        result = duckdb.connect().execute(query)
        table = Table(*(column[0] for column in result.description or ()))
        for row in result.fetchall():
            table.add_row(*("" if value is None else str(value) for value in row))
        self._console.print(table)


def articles_query(storage: Path) -> str:
    """What became of the pages, layout by layout, and from which days the articles are."""
    return (
        "select status, left(pattern_id, 8) as pattern, count(*) as records,\n"
        "       round(avg(length(body))) as mean_characters,\n"
        "       min(date_published)::date as oldest, max(date_published)::date as newest\n"
        f"from read_parquet('{storage}/articles/**/*.parquet', hive_partitioning = true)\n"
        f"where site = '{SITE}'\n"
        "group by all order by records desc"
    )


def main() -> int:
    console = Console()
    path = find_config()
    try:
        Demo(load_config(path), path, console).run()
    except (PortTaken, ConfigError) as error:
        print(error, file=sys.stderr)
    except subprocess.CalledProcessError as error:
        command = " ".join(error.cmd[2:])
        print(f"{command}: expected exit code 0, got {error.returncode}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nThe demo was stopped and its server ended.", file=sys.stderr)
        return EXIT_INTERRUPTED
    else:
        return 0
    return EXIT_FAILED


if __name__ == "__main__":
    raise SystemExit(main())
