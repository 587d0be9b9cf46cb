from __future__ import annotations

import pytest

from tests.learner.vision.snapshots.made import Made


@pytest.fixture
def made() -> Made:
    """html > body > (div > (p > text, b > text), div > text)."""
    page = Made()
    html = page.node(0, "HTML")
    page.box(html, 0, 0, 1280, 3000)
    body = page.node(html, "BODY", **{"class": "a b"})
    page.box(body, 0, 0, 1280, 3000)
    first = page.node(body, "DIV")
    page.box(first, 0, 0, 640, 100)
    paragraph = page.node(first, "P")
    page.box(paragraph, 0, 0, 640, 20)
    page.text(paragraph, "Rain 😀 ", 0, 0, 80, 20)
    bold = page.node(paragraph, "B")
    page.box(bold, 80, 0, 40, 20, display="inline")
    page.text(bold, "today", 80, 0, 40, 20, display="inline")
    second = page.node(body, "DIV")
    page.box(second, 640, 0, 640, 100)
    page.text(second, "Menu", 640, 0, 60, 20)
    return page
