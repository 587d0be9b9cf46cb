"""Who is told of a change: by a real web server, a real mail server and a real program."""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from crawler.config.stages import EmailConfig, NotifyConfig
from extractor.health.state import Cause, Health, Trouble
from extractor.night.notify.changes import Change
from extractor.night.notify.channels import subject, tell_changes
from extractor.night.notify.metrics import write_metrics
from extractor.report.overview import Overview

DAY = date(2026, 11, 20)


def health(cause: Cause | None = None, site: str = "paper", days: int = 0) -> Health:
    trouble = cause and Trouble(cause=cause, since=DAY, said="8 of 9 pages say so")
    return Health(site=site, day=DAY + timedelta(days=days), trouble=trouble or None)


class Receiver(HTTPServer):
    """Takes what is posted, or refuses it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.got: list[dict[str, Any]] = []
        self.status = 200


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.status == 200:
            self.server.got.append(json.loads(body))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """No lines on stderr."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


def test_each_change_is_told_once(receiver: Receiver, tmp_path: Path) -> None:
    hook = NotifyConfig(webhook=f"http://127.0.0.1:{receiver.server_address[1]}/hook")
    nights = [
        health(),
        health(Cause.STOPPED),  # watch wakes nobody
        health(Cause.WALL),
        health(Cause.WALL, days=1),
        health(Cause.WALL, days=8),  # dead by now
        health(Cause.LAYOUT, days=9),
        health(Cause.STOPPED, days=9),  # nor is it well
        health(days=10),
        health(days=11),
    ]
    for night in nights:
        assert list(tell_changes([hook], str(tmp_path), [night, health(site="other")])) == []
    told = [(c["state"], c["cause"], c["before"]) for got in receiver.got for c in got["changes"]]
    assert told == [
        ("ill", "bot wall", "ok"),
        ("dead", "bot wall", "ill, bot wall"),
        ("ill", "layout changed", "dead, bot wall"),
        ("ok", None, "ill, layout changed"),
    ]
    first = receiver.got[0]
    assert first["summary"] == "Webstem: paper is ill"
    assert first["changes"][0]["said"] == "8 of 9 pages say so" and first["changes"][0]["advice"]


def test_what_could_not_be_told_is_told_the_next_time(receiver: Receiver, tmp_path: Path) -> None:
    hook = NotifyConfig(webhook=f"http://127.0.0.1:{receiver.server_address[1]}/hook")
    receiver.status = 503
    (problem,) = tell_changes([hook], str(tmp_path), [health(Cause.WALL)])
    assert "webhook" in problem and "503" in problem and "the next night tries again" in problem
    receiver.status = 200
    for _ in range(2):
        assert list(tell_changes([hook], str(tmp_path), [health(Cause.WALL)])) == []
    assert len(receiver.got) == 1


class Mailbox:
    """A mail server's handler that keeps what comes."""

    def __init__(self) -> None:
        self.got: list[Any] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.got.append(envelope)
        return "250 OK"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_a_message(tmp_path: Path) -> None:
    box = Mailbox()
    host, port = "127.0.0.1", free_port()
    controller = Controller(box, hostname=host, port=port)
    controller.start()
    try:
        email = EmailConfig(to=("me@a.example",), sender="w@a.example", host=host, port=port)
        channel = NotifyConfig(email=email)
        sites = [health(Cause.WALL), health(Cause.SHELL, "other")]
        assert list(tell_changes([channel], str(tmp_path), sites)) == []
    finally:
        controller.stop()
    (envelope,) = box.got
    text = envelope.content.decode()
    assert (envelope.mail_from, envelope.rcpt_tos) == ("w@a.example", ["me@a.example"])
    assert "Subject: Webstem: paper is ill, other is ill" in text
    assert "bot wall since 2026-11-20" in text and "script shell" in text
    (problem,) = tell_changes([channel], str(tmp_path), [health(), *sites[1:]])
    assert problem.startswith(f"notify: email by {host}:{port}: not told")


def test_a_program(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    code = f"import sys; open({str(out)!r}, 'w').write(sys.stdin.read())"
    channel = NotifyConfig(command=(sys.executable, "-c", code))
    assert list(tell_changes([channel], str(tmp_path), [health(Cause.WALL)])) == []
    assert json.loads(out.read_text())["changes"][0]["site"] == "paper"
    bad = NotifyConfig(command=(sys.executable, "-c", "raise SystemExit('no way')"))
    missing = NotifyConfig(command=("/no/such/program",))
    problems = list(tell_changes([bad, missing], str(tmp_path), [health(Cause.WALL)]))
    assert "exit code 1: no way" in problems[0] and "No such file" in problems[1]


def test_many_changes_in_few_words() -> None:
    changes = [Change(health=health(Cause.WALL, f"s{n}"), before="ok") for n in range(5)]
    changes.append(Change(health=health(), before="ill, bot wall"))
    words = "Webstem: s0 is ill, s1 is ill, s2 is ill, 2 more are ill, paper is well again"
    assert subject(changes) == words
    assert str(changes[-1]) == "paper: well again; it was ill, bot wall"


def test_metrics(tmp_path: Path) -> None:
    path = tmp_path / "webstem.prom"
    site = Overview(
        health=health(Cause.WALL), last_crawl=None, last_new=None,
        new_articles=(1, 2), match_rates=(None, 0.5, None),
    )  # fmt: skip
    write_metrics(str(path), [site])
    lines = path.read_text().splitlines()
    assert 'webstem_site_state{site="paper",state="ill"} 1.0' in lines
    assert 'webstem_site_state{site="paper",state="ok"} 0.0' in lines
    assert 'webstem_new_articles_30_days{site="paper"} 3.0' in lines
    assert 'webstem_match_rate{site="paper"} 0.5' in lines
