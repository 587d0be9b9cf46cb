"""The nights that `benchmarks.health` simulates."""

from pathlib import Path

import pytest

from benchmarks import health
from benchmarks.material.corpus import GoldPage
from extractor.health.state import Cause


def live(monkeypatch: pytest.MonkeyPatch, cause: Cause) -> health.SiteHealth:
    """The demo with this ill, as it is told at once."""
    monkeypatch.setattr(health, "NIGHTS", 9)
    monkeypatch.setattr(health, "ill_of", lambda _: (cause, 5))
    found = health.measure(health.DEMO)
    assert (found.noticed_after, found.told) == (0, str(cause))
    assert (found.false_alarms, found.forgotten) == ([], False)
    return found


@pytest.mark.parametrize("cause", [Cause.LISTS, Cause.SHELL])
def test_an_ill_of_the_demo(monkeypatch: pytest.MonkeyPatch, cause: Cause) -> None:
    figures = health.summarise([live(monkeypatch, cause)])
    assert (figures["cause_right"], figures["false_alarms"]) == (1, 0)


def test_a_layout_that_changed_is_learned(monkeypatch: pytest.MonkeyPatch, shared: Path) -> None:
    assert live(monkeypatch, Cause.LAYOUT).f1_lost == pytest.approx(0, abs=0.05)


def test_an_article_that_is_cut(tmp_path: Path) -> None:
    body = "\n".join(f"This is line number {number} of the text." for number in range(20))
    page = GoldPage(
        url="http://a/", file=tmp_path, is_article=True, title="T", body=body, date=None,
        author=None,
    )  # fmt: skip
    lines = "<br>".join(body.splitlines())
    html = health.cut(page, f"<html><body><h1>T</h1><p>{lines}</p><p>Menu</p></body>".encode())
    assert b"line number 1 " in html and b"line number 9" not in html and b"Menu" in html
