"""Threads of a forum: all posts are the text, without what tells of those who wrote them."""

from dataclasses import replace

from learner.page.pages import Page
from tests.handmade import HOST, Story, extract, framed, listing, page, site, stories, words

WRITERS = ("Ann", "Bob", "Carla", "Dmitri")


def posts_of(story):
    return [words(f"post {story.number} {n}", 25) + "." for n in range(1 + story.number % 4)]


def post(story, number, text):
    """One post: a heading, a byline, the text, a box about who wrote it."""
    writer = WRITERS[(story.number + number) % 4]
    return (
        f'<div class="post" id="p{story.number}{number}"><div class="inner">'
        f'<h3><a href="#p{story.number}{number}">Re: {story.title}</a></h3>'
        f'<p class="author">by <a href="/member/{writer}">{writer}</a>, {story.day} '
        f"10:{number:02}</p>"
        f'<div class="content"><p>{text}</p></div>'
        f"<dl class=profile><dt>{writer}</dt><dd>Posts: {story.number + number}</dd>"
        f"<dd>Joined: {story.day}</dd></dl></div></div>"
    )


def thread(story):
    shown = "".join(post(story, n, text) for n, text in enumerate(posts_of(story)))
    return f'<h2>{story.title}</h2><div class="posts">{shown}</div>'


def topic(story):
    """The page of a thread."""
    html = framed(story, thread(story))
    return Page(url=f"{HOST}/viewtopic.php?t={story.number}", html=html.encode())


def topics(number, told):
    """A page that lists threads."""
    rows = "".join(
        f'<li><a href="{topic(each).url}">{each.title}</a> {each.number} replies</li>'
        for each in told
    )
    html = framed(Story(900 + number), f"<h2>Topics</h2><ul>{rows}</ul>", head_title="Topics")
    return Page(url=f"{HOST}/viewforum.php?f={number}", html=html.encode())


def forum(count=24):
    told = stories(count)
    return [*map(topic, told), *(topics(n, told[n::6]) for n in range(6))]


def test_all_posts_of_a_thread_are_its_text():
    new = Story(99)
    record = extract(topic(new), forum())
    assert record.title == new.title
    assert record.body == "\n".join(posts_of(new))


def test_a_list_of_topics_is_none():
    assert extract(topics(7, stories(5, 200)), forum()).status == "list"


def test_comments_below_an_article_are_not_its_text():
    def commented(story):
        told = "".join(post(story, n, text) for n, text in enumerate(posts_of(story)))
        return f"<article><h2>{story.title}</h2>{story.html}{told}</article>"

    new = Story(99)
    assert extract(page(new, commented), site(commented, n_articles=24)).body == new.body


def test_archives_of_whole_posts_stay_lists():
    told = stories(24)
    pages = [*map(page, told), *(listing(n, told[n::4]) for n in range(1, 5))]
    dated = [replace(each, html=each.html.replace(b"<h2>", b"<p>10:30</p><h2>")) for each in pages]
    assert extract(dated[-1], dated).status == "list"
