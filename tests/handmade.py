"""Small sites made by hand for tests of the learner: stories in any script, and templates.

A *template* turns a story into the page's content; `framed` puts the site's header, menu, related
links and footer around it. Words are made up from a script's letters, the same for the same seed,
so that no test rests on a language. `site` gives pages to learn from, `page` a new one of the same
template:

    new = Story(99)
    record = extract(page(new), site())
    assert record.body == new.body
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from crawler.reading.html import parse_html
from extractor.extraction import extract_article
from extractor.records.articles import ArticleRecord
from learner.bodies.rule import BodyRule
from learner.induction.steps import learn_patterns
from learner.kinds.kind import Kind
from learner.page.locators import Locator
from learner.page.pages import Page
from learner.page.tree import LayoutTree, TreeBlock, build_tree
from learner.patterns.matching import Match
from learner.patterns.pattern import Pattern
from learner.patterns.rules import Rules
from learner.site.cluster_page import ClusterPage
from learner.titles.rule import TitleRule

HOST = "https://site.example"

LATIN = "abcdefghilmnoprstuvz"
HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
JAPANESE = "あいうえおかきくけこ東京日本国人山川田中"

MENU = ("Home", "News", "Sport", "Culture", "Contact")


def words(seed: object, count: int, script: str = LATIN) -> str:
    """That many made-up words, the same for the same seed."""
    random = Random(f"{seed}")
    return " ".join("".join(random.choices(script, k=random.randint(3, 8))) for _ in range(count))


@dataclass(frozen=True)
class Story:
    """What one article tells."""

    number: int
    script: str = LATIN
    n_paragraphs: int = 4
    n_words: int = 30
    """Of each paragraph."""

    @cached_property
    def title(self) -> str:
        return words(f"title {self.number}", 5, self.script)

    @cached_property
    def paragraphs(self) -> list[str]:
        n = range(self.n_paragraphs)
        return [words(f"text {self.number} {i}", self.n_words, self.script) + "." for i in n]

    @property
    def body(self) -> str:
        """The body that should come out: a line for each paragraph."""
        return "\n".join(self.paragraphs)

    @property
    def html(self) -> str:
        return tags("p", self.paragraphs)

    @property
    def url(self) -> str:
        return f"{HOST}/news/story-{self.number}.html"

    @property
    def day(self) -> str:
        """A day of its own for each story, as its byline shows it."""
        return f"2021-{1 + self.number // 28 % 12:02}-{1 + self.number % 28:02}"


Template = Callable[[Story], str]


def tags(tag: str, texts: Iterable[str]) -> str:
    """Each text in an element of its own."""
    return "".join(f"<{tag}>{text}</{tag.split(' ')[0]}>" for text in texts)


def link(story: Story) -> str:
    return f'<a href="{story.url}">{story.title}</a>'


def article(story: Story) -> str:
    """The plain template of this module: a heading, a byline, the text."""
    return (
        f'<article class="post post-{story.number}"><h1>{story.title}</h1>'
        f'<p class="byline">{story.day}</p><div class="text">{story.html}</div></article>'
    )


def comments(story: Story, count: int, n_words: int = 20) -> str:
    """Readers' comments; every one differs."""
    each = (
        f'<li class="comment" id="c{story.number}{n}"><p class="who">{words(f"who {n}", 2)}, '
        f"{story.day} 10:{n:02}</p><p>{words(f'comment {story.number} {n}', n_words)}</p></li>"
        for n in range(count)
    )
    return f'<h3>Comments</h3><ol class="comments">{"".join(each)}</ol>'


def framed(story: Story, content: str, frame: str = "one", head_title: str | None = None) -> str:
    """A page of the site: `frame` names its generation of the layout."""
    menu = tags("li", (f'<a href="/{name.lower()}/">{name}</a>' for name in MENU))
    related = tags("li", (link(Story(story.number + n, story.script)) for n in (50, 60, 70)))
    title = f"{story.title} | The Site" if head_title is None else head_title
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}</title></head><body>"
        f'<div class="{frame}-header"><a href="/">The Site</a><ul class="menu">{menu}</ul></div>'
        f'<div class="{frame}-main">{content}</div>'
        f'<div class="{frame}-related"><h4>Read on</h4><ul>{related}</ul></div>'
        f'<div class="{frame}-footer"><p>All rights reserved, The Site and its authors.</p></div>'
        "</body></html>"
    )


def page(story: Story, template: Template = article, frame: str = "one") -> Page:
    """The page of one story."""
    return Page(url=story.url, html=framed(story, template(story), frame).encode())


def teaser(story: Story) -> str:
    """An entry of a list: linked title, excerpt."""
    excerpt = " ".join(story.paragraphs[0].split()[:12])
    return f'<div class="teaser"><h2>{link(story)}</h2><p>{excerpt} ...</p></div>'


def listing(number: int, stories: Sequence[Story], frame: str = "one") -> Page:
    """A list page: the home page is number 1, then `/page/2/` and so on."""
    content = "".join(map(teaser, stories))
    head_title = "The Site" if number == 1 else f"Page {number} | The Site"
    html = framed(Story(1000 + number), f'<div class="list">{content}</div>', frame, head_title)
    url = f"{HOST}/" if number == 1 else f"{HOST}/page/{number}/"
    return Page(url=url, html=html.encode())


def stories(count: int, first: int = 1, script: str = LATIN) -> list[Story]:
    return [Story(number, script) for number in range(first, first + count)]


def site(template: Template = article, n_articles: int = 10, n_lists: int = 3) -> list[Page]:
    """Pages to learn from: articles of one template, and the lists that name them."""
    told = stories(n_articles)
    lists = [listing(number, told[number - 1 :: n_lists]) for number in range(1, n_lists + 1)]
    return [*(page(story, template) for story in told), *lists]


def extract(new: Page, pages: Iterable[Page]) -> ArticleRecord:
    """What a page gives after a site was learned."""
    return extract_article(new, learn_patterns(pages))


def layout(body: str, head_title: str = "", url: str = HOST, head: str = "") -> LayoutTree:
    """The layout tree of what stands in a body."""
    source = f"<html><head><title>{head_title}</title>{head}</head><body>{body}</body></html>"
    return build_tree(parse_html(source.encode(), "utf-8"), url)


def block_of(tree: LayoutTree, text: str) -> TreeBlock:
    """The first block with this text."""
    return next(block for block in tree.blocks if block.text == text)


def element_of(tree: LayoutTree, name: str) -> int:
    """The first element with this tag, `#id` or `.class`."""
    tokens = zip(tree.tags, tree.tokens, strict=True)
    return next(e for e, (tag, names) in enumerate(tokens) if name == tag or name in names)


def members(trees: Iterable[LayoutTree], title: str = "h1") -> list[ClusterPage]:
    """The pages as members of one cluster; their titles stand in the first element of a tag."""
    found = []
    for tree in trees:
        blocks = (block for block in tree.blocks if tree.tags[block.element] == title)
        found.append(ClusterPage(tree, next(blocks, None)))
    return found


def match_on(
    tree: LayoutTree, title: TreeBlock | None = None, container: int = 0, **rules: Any
) -> Match:
    """A match of a pattern with these rules, whose text is all that the container holds."""
    places = {"title": TitleRule(place=None), "body": BodyRule(container=Locator.parse("body"))}
    pattern = Pattern(
        preset="default",
        kind=Kind.ARTICLE,
        score=1.0,
        n_pages=1,
        sections=(),
        rules=Rules(**{**places, **rules}),
    )
    return Match(pattern, None, title, (container,))
