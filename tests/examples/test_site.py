"""The generated demo site holds what it promises."""

import html
from collections import Counter

import lxml.html
import pytest

from examples.site import (
    BROKEN_SLUG,
    MISSING_PATH,
    PRIVATE_PATH,
    REDIRECT_PATH,
    SHIFT_JIS_SLUG,
    DemoSite,
    build_site,
)
from examples.stories import all_stories, stories_of

BASE = "http://127.0.0.1:8123"


@pytest.fixture(scope="module")
def first() -> DemoSite:
    return build_site(1, BASE)


@pytest.fixture(scope="module")
def second() -> DemoSite:
    return build_site(2, BASE)


def test_it_has_the_size_of_a_small_site_in_two_languages(first: DemoSite) -> None:
    kinds = Counter(r.kind for r in first.resources.values())
    assert 80 <= kinds["article"] + kinds["list"] + kinds["other"] <= 100
    assert Counter(s.language for s in first.stories) == {"en": 28, "ja": 26}
    assert {s.layout for s in first.stories} == {"news", "column"}


def test_it_is_the_same_every_time(first: DemoSite) -> None:
    assert build_site(1, BASE) == first


def test_stories_have_different_titles_bodies_and_paths() -> None:
    stories = all_stories()
    for field in ("title", "body", "path"):
        assert len({getattr(story, field) for story in stories}) == len(stories)


def test_the_second_edition_adds_stories_and_changes_no_article(
    first: DemoSite, second: DemoSite
) -> None:
    old = {resource.path: resource for resource in first.pages("article")}
    new = {resource.path: resource for resource in second.pages("article")}
    assert len(new) - len(old) == 8
    assert all(new[path] == resource for path, resource in old.items())
    assert first.resources["/en/news/"].body != second.resources["/en/news/"].body


def test_articles_show_their_story_and_the_furniture_of_real_pages(first: DemoSite) -> None:
    story = next(s for s in first.stories if s.layout == "news" and s.comments)
    page = first.resources[story.path].body.decode()
    text = lxml.html.document_fromstring(page).text_content()
    for expected in (story.title, story.author, *story.body.splitlines()):
        assert expected in text
    for furniture in ("comments", "related", "share", "cookie-banner", "sidebar", "bio"):
        assert f'class="{furniture}' in page


def test_every_link_of_every_page_leads_somewhere_known(second: DemoSite) -> None:
    allowed = {MISSING_PATH}
    for resource in second.resources.values():
        if resource.content_type != "text/html" or not resource.body or resource.kind == "asset":
            continue
        for link in lxml.html.document_fromstring(resource.body).xpath("//a/@href"):
            known = link in second.resources or link in allowed or link.startswith("https://")
            assert known or resource.path.endswith(f"{BROKEN_SLUG}/"), (resource.path, link)


def test_every_article_is_linked_from_a_list(second: DemoSite) -> None:
    links = {
        link
        for page in second.pages("list")
        for link in lxml.html.document_fromstring(page.body).xpath("//a/@href")
    }
    assert {story.path for story in second.stories} <= links


def test_one_page_is_shift_jis_and_says_so_nowhere(first: DemoSite) -> None:
    story = next(s for s in first.stories if s.slug == SHIFT_JIS_SLUG)
    resource = first.resources[story.path]
    assert story.title in resource.body.decode("shift_jis")
    assert b"charset" not in resource.body
    assert resource.content_type == "text/html"


def test_one_page_is_broken_but_a_browser_still_shows_it(first: DemoSite) -> None:
    story = next(s for s in first.stories if s.slug == BROKEN_SLUG)
    page = first.resources[story.path].body.decode()
    assert page.count("<p") - page.count("</p>") >= 2
    assert page.index("</body>") < page.index(html.escape(story.parts[-1].lines[0]))


def test_robots_feed_sitemap_and_redirect(first: DemoSite) -> None:
    robots = first.resources["/robots.txt"].body.decode()
    assert "Disallow: /private/" in robots
    assert "Crawl-delay: 0.05" in robots
    assert first.resources["/feed.xml"].body.decode().count("<item>") == 20
    urls = first.resources["/sitemap.xml"].body.decode()
    assert urls.count("<loc>") == sum(len(first.pages(k)) for k in ("article", "list", "other")) - 1
    assert PRIVATE_PATH not in urls
    assert first.resources[REDIRECT_PATH].location in first.resources
    assert MISSING_PATH not in first.resources


def test_stories_of_an_edition_are_newest_first() -> None:
    dates = [story.published for story in stories_of(2)]
    assert dates == sorted(dates, reverse=True)
    assert all(story.edition == 2 for story in all_stories()[:2])
