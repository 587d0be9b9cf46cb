"""The smallest site that teaches everything: four articles and two lists.

docs/learner.md follows it through the learner, step by step. Its words are few, so that every
number can be checked by hand.
"""

from __future__ import annotations

from learner.page.pages import Page

HOST = "https://gazette.example"

STORIES = {
    "Rain": ("It rained on all the roofs of the town.", "The cellars are full, the mayor said."),
    "Snow": ("It fell all night, and the trains stood still.", "Children were on the hill."),
    "Fog": ("Nobody saw the ferry until it was at the quay.", "It hooted for an hour."),
    "Hail": ("Stones like walnuts broke the glass of the station.", "The market was moved."),
    "Dew": ("The lawns were grey at six, and gone at seven.", "Nobody had ordered it."),
}
"""Title -> first and second paragraph. Nothing is learned from the last."""

FRAME = """\
<html><head><title>{title} | The Gazette</title></head><body>
<div id="top"><a href="/">The Gazette</a></div>
<div class="page">
{content}
</div>
<div class="foot"><p>Printed on paper since 1921</p></div>
</body></html>
"""

ARTICLE = """\
<div class="post post-{day}">
<h1>{title}</h1>
<p class="date">{day} May 2021</p>
<p>{first}</p>
<div class="share"><p>Tell your friends</p></div>
<p>{second}</p>
</div>
<ol>
<li class="talk"><b>Ann</b><p>{day} May, 10:30</p><p>I like {title}, whatever they say.</p></li>
<li class="talk"><b>Bob</b><p>{day} May, 12:15</p><p>You never met {title} on a bicycle.</p></li>
</ol>"""

LIST = """\
<h2>{title}</h2>
<ul>
<li><h3><a href="/snow.html">Snow</a></h3><p>It fell all night ...</p></li>
<li><h3><a href="/fog.html">Fog</a></h3><p>Nobody saw the ferry ...</p></li>
</ul>"""


def article(title: str) -> Page:
    """The page of a story; each appeared on a day of its own."""
    first, second = STORIES[title]
    day = 3 + list(STORIES).index(title)
    content = ARTICLE.format(title=title, day=day, first=first, second=second)
    return _page(title, content, f"{HOST}/{title.lower()}.html")


def listing(title: str) -> Page:
    """A list of stories."""
    return _page(title, LIST.format(title=title), f"{HOST}/{title.lower()}/")


def gazette() -> list[Page]:
    """What is learned from: four articles, then two lists."""
    return [*map(article, list(STORIES)[:4]), *map(listing, ("News", "Weather"))]


def _page(title: str, content: str, url: str) -> Page:
    return Page(url=url, html=FRAME.format(title=title, content=content).encode())
