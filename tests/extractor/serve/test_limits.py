"""How much, for how long, how many at once."""

from __future__ import annotations

import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

import anyio
import httpx
import pytest

from crawler.config.sites import Config
from extractor.serve.requests import bodies
from extractor.serve.requests.problems import Problem
from extractor.serve.service import Limits
from extractor.serve.workers import Workers
from tests.extractor.serve.conftest import served

HTML = {"Content-Type": "text/html"}
LARGE = b"<div><p>one <a href=x>two</a>" * 10_000


def test_a_process_that_takes_too_long_is_ended_and_another_begun() -> None:
    async def work() -> None:
        workers = Workers(1, 20.0, 2**30)
        first = await workers.run(os.getpid)
        assert await workers.run(os.getpid) == first
        began = time.monotonic()
        with pytest.raises(Problem) as told:
            await workers.run(time.sleep, 30, seconds=0.2)
        assert told.value.status is HTTPStatus.GATEWAY_TIMEOUT
        assert time.monotonic() - began < 10
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        assert await workers.run(os.getpid) != first

    anyio.run(work)


def test_a_process_that_dies_is_told_and_another_begun() -> None:
    async def work() -> None:
        workers = Workers(1, 20.0, 2**30)
        with pytest.raises(Problem) as told:
            await workers.run(os._exit, 9)
        assert told.value.status is HTTPStatus.INTERNAL_SERVER_ERROR
        assert await workers.run(abs, -1) == 1

    anyio.run(work)


def test_many_at_once_and_others_still_answered(config: Config) -> None:
    limits = Limits(workers=1, waiting=1)
    with served(config, limits) as url, ThreadPoolExecutor(8) as clients:

        def ask(_: int) -> httpx.Response:
            return httpx.post(f"{url}/v1/analyze", content=LARGE, headers=HTML, timeout=60)

        asked = [clients.submit(ask, number) for number in range(8)]
        while httpx.get(f"{url}/health").json()["requests"] == 0:
            assert not all(each.done() for each in asked)
        answers = [each.result() for each in asked]
        refused = [each for each in answers if each.status_code == 503]
        assert len(refused) >= 4 and all(each.headers["retry-after"] for each in refused)
        assert {each.status_code for each in answers} == {200, 503}
        assert httpx.get(f"{url}/health").json()["requests"] == 0


def test_a_page_that_takes_too_long(config: Config) -> None:
    with served(config, Limits(workers=1, page_seconds=0.01)) as url:
        answer = httpx.post(f"{url}/v1/analyze", content=LARGE, headers=HTML, timeout=60)
        assert answer.status_code == 504 and "0.01 s" in answer.json()["detail"]
        assert httpx.get(f"{url}/health").json()["requests"] == 0


def test_bodies_that_are_too_large_or_too_slow(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "SENDING_SECONDS", 0.3)
    with served(config, Limits(workers=1, body_bytes=1000)) as url:
        analyze = f"{url}/v1/analyze"
        assert httpx.post(analyze, content=b"a" * 1000, headers=HTML).status_code == 200
        assert httpx.post(analyze, content=b"a" * 1001, headers=HTML).status_code == 413
        parts = (b"a" * 600 for _ in range(2))  # chunked: without a length
        assert httpx.post(analyze, content=parts, headers=HTML).status_code == 413
        form = {"html": "a" * 1000}
        assert httpx.post(f"{url}/", data=form).status_code == 413
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as slow:
            head = "POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
            slow.sendall(f"{head}Content-Length: 9\r\n\r\nabc".encode())
            slow.settimeout(10)
            assert slow.recv(100).startswith(b"HTTP/1.1 408")


def test_a_process_gets_so_much_memory_and_no_more() -> None:
    async def work() -> None:
        workers = Workers(1, 20.0, 2**29)
        with pytest.raises(MemoryError):
            await workers.run(bytearray, 2**30)
        assert len(await workers.run(bytearray, 10)) == 10

    anyio.run(work)
