"""`scrapy serve`: analyses, articles and the health of sites over HTTP."""

from __future__ import annotations

import argparse
import os
from importlib.util import find_spec
from typing import Any, ClassVar

from scrapy.exceptions import UsageError

from crawler.command import ProjectCommand, fail, reported
from crawler.config.sites import CONFIG_ENVIRONMENT_VARIABLE, Config, find_config, load_config
from crawler.usage.exitcodes import EXIT_FAILED, EXIT_OK

HOST, PORT = "127.0.0.1", 8477
TOKEN_ENV = "WEBSTEM_TOKEN"
HIGHEST_PORT = 65_535


class Command(ProjectCommand):
    """Runs until it is ended by a signal."""

    requires_project = False
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    examples = """\
  scrapy serve --port 8080
"""

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Answer over HTTP: what a page says, articles, how sites are"

    def long_desc(self) -> str:
        return (
            "Serves JSON (/v1/analyze, /v1/articles, /v1/sites, /openapi.json, and /v3/article and "
            "/v3/product for clients of Diffbot) and a page for people at /. Listens on loopback; "
            "elsewhere only with a token in the environment. Without a pipelines.yaml there are no "
            "sites, and pages are analyzed all the same. Ctrl-C and SIGTERM end it. Needs the "
            "extra `serve`: pip install 'webstem[serve]'."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--host", default=HOST, help=f"name or address to listen at (default: {HOST})"
        )
        parser.add_argument(
            "--port", type=_port, default=PORT, help=f"0: any that is free (default: {PORT})"
        )
        parser.add_argument(
            "--token-env",
            default=TOKEN_ENV,
            metavar="NAME",
            help="environment variable of the token that requests must bear "
            f"(default: {TOKEN_ENV}); needed beyond loopback",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(f"expected no argument, got {args[0]!r}", print_help=False)
        self.exitcode = reported(lambda: _serve(opts))


def _serve(opts: argparse.Namespace) -> int:
    if any(find_spec(name) is None for name in ("starlette", "uvicorn")):
        said = "serving needs Starlette and uvicorn: pip install 'webstem[serve]'"
        return fail(said, EXIT_FAILED)
    from extractor.serve.server import BindError, bind, serve

    _read_config()  # tells now what is wrong with it
    token = os.environ.get(opts.token_env) or None
    try:
        listening = bind(opts.host, opts.port, token, opts.token_env)
    except BindError as problem:
        return fail(problem, EXIT_FAILED)
    with listening:
        serve(listening, _read_config, token, lambda url: print(url, flush=True))
    return EXIT_OK


def _read_config() -> Config:
    """The project of this folder; one without sites if there is none."""
    path = find_config()
    is_there = path.exists() or CONFIG_ENVIRONMENT_VARIABLE in os.environ
    return load_config(path, leave_out=True) if is_there else Config()


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to {HIGHEST_PORT}, got {text!r}")
    return int(text)
