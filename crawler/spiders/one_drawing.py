"""Draws one page that comes on standard input (`fetching.one_drawing`), and ends.

The first line tells as JSON what is to be done; the page's HTML follows, in UTF-8. The answer is a
line of JSON, the snapshot and the HTML after scripts.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crawler.config.sites import SiteConfig
from crawler.fetching.browser.answers import Answer, Answers, Asked, folder_answers
from crawler.fetching.browser.drawing import Outcome, Rendered, render_all
from crawler.fetching.browser.launch import BrowserMissingError
from crawler.spiders.manners import run_alone
from crawler.spiders.render_spider import make_render_spider
from crawler.spiders.rendered_pages import DrawnPage

UTF_8 = "text/html; charset=utf-8"


def drawn_from_net(site: SiteConfig, url: str, document: Answer) -> Outcome:
    """A page with what it refers to, by a crawl's manners and guards."""
    outcomes: list[Outcome] = []
    page = DrawnPage(
        run_id="", url_key=url, url=url, day=datetime.now(UTC).date(), document=document
    )
    spider = make_render_spider(site, "", lambda _, outcome: outcomes.append(outcome), [page])
    run_alone(spider)
    if spider.broken:
        raise spider.broken[0]
    return outcomes[0]


def drawn_offline(folder: Path | None, url: str, document: Answer) -> Outcome:
    """A page with what lies in its folder."""
    files: Answers | None = folder_answers(folder) if folder else None

    async def answer(asked: Asked) -> Answer | None:
        if asked.kind == "document" and asked.url == url:
            return document
        return await files(asked) if files else None

    return next(iter(render_all([url], answer, pictures=False)))


def main() -> None:
    """Draw the page of the input."""
    order = json.loads(sys.stdin.buffer.readline())
    document = Answer(body=sys.stdin.buffer.read(), content_type=UTF_8)
    try:
        if order["site"]:
            site = SiteConfig.model_validate_json(order["site"])
            outcome = drawn_from_net(site, order["url"], document)
        else:
            folder = Path(order["folder"]) if order["folder"] else None
            outcome = drawn_offline(folder, order["url"], document)
    except BrowserMissingError as problem:
        _answer({"missing": str(problem)})
        return
    if not isinstance(outcome, Rendered):
        _answer({"problem": outcome.problem})
        return
    head = {"styled": outcome.styled, "snapshot_bytes": len(outcome.snapshot)}
    _answer(head, outcome.snapshot, outcome.html.encode("utf-8", "replace"))


def _answer(head: dict[str, Any], *bodies: bytes) -> None:
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + b"".join(bodies))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
