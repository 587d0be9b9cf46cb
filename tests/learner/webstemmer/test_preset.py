from random import Random

import pytest

from crawler.config.stages import ExtractConfig, LearnConfig
from learner.kinds.kind import Kind
from learner.page.pages import Page
from learner.patterns.pattern import Role
from learner.webstemmer.preset import learn_webstemmer, match_webstemmer

CONFIG = LearnConfig(preset="webstemmer")
TITLES = {
    1: "Quarterly figures disappoint",
    2: "Zebras escaped overnight",
    3: "Mayor opens the new bridge",
    4: "Jazz festival sold out",
}
WORDS = ["quick", "brown", "foxes", "jump", "over", "lazy", "dogs", "vexed", "wizards", "gawk"]


def article(number, title=None, mark="", words=120):
    random = Random(number)
    text = " ".join(random.choice(WORDS) + str(random.randrange(99)) for _ in range(words))
    title = title or TITLES[number]
    return Page(
        url=f"http://example.com/news/{number}.html",
        html=(
            f"<title>The Site: {title}</title><ul id=menu><li>Start page<li>All the news</ul>"
            f"<h1 class='head{mark}'>{title}</h1><div class=body><p>{text[:400]}<p>{text[400:]}"
            f"</div><div id=foot>Copyright by the publishers</div>"
        ).encode(),
        anchor_texts=(title,),
    )


PAGES = [article(number) for number in TITLES]


def test_a_template_gives_one_article_pattern():
    (pattern,) = learn_webstemmer(PAGES, CONFIG)
    assert pattern.kind is Kind.ARTICLE
    roles = {section.path: section.role for section in pattern.sections}
    assert roles == {
        "title": Role.SUB,
        "ul:id=menu/li": Role.BOILERPLATE,
        "h1:class=head": Role.TITLE,
        "div:class=body/p": Role.MAIN,
        "div:id=foot": Role.BOILERPLATE,
    }
    assert pattern.sections[pattern.main].path == "div:class=body/p"
    assert pattern.example_urls == tuple(page.url for page in PAGES)


def test_the_order_of_pages_does_not_matter():
    expected = learn_webstemmer(PAGES, CONFIG)
    for seed in range(5):
        shuffled = list(PAGES)
        Random(seed).shuffle(shuffled)
        assert learn_webstemmer(shuffled, CONFIG) == expected


def test_a_new_page_gives_its_title_and_main_text():
    patterns = learn_webstemmer(PAGES, CONFIG)
    match = match_webstemmer(article(9, "Storm warning"), patterns, ExtractConfig())
    assert match.texts(Role.TITLE) == ["Storm warning"]
    assert len(match.texts(Role.MAIN)) == 2
    assert match.texts(Role.SUB) == ["The Site: Storm warning"]
    assert match.score == 1.0


def test_a_page_of_another_template_does_not_match():
    other = Page(url="http://example.com/x", html=b"<pre>Something else entirely</pre>")
    patterns = learn_webstemmer(PAGES, CONFIG)
    assert match_webstemmer(other, patterns, ExtractConfig()) is None


@pytest.mark.parametrize("html", [b"", b"\0", b"<p>1", b"\xff\xfe\xfd"])
def test_an_empty_page_matches_nothing(html):
    page = Page(url="http://example.com/x", html=html)
    assert match_webstemmer(page, learn_webstemmer(PAGES, CONFIG), ExtractConfig()) is None


def test_strict_mode_wants_every_section():
    patterns = learn_webstemmer(PAGES, CONFIG)
    page = article(9, "Storm warning")
    cut = Page(url=page.url, html=page.html.replace(b"Copyright by the publishers", b""))
    assert match_webstemmer(cut, patterns, ExtractConfig()) is not None
    assert match_webstemmer(cut, patterns, ExtractConfig(strict=True)) is None
    assert match_webstemmer(page, patterns, ExtractConfig(strict=True)) is not None


def test_the_match_threshold_is_a_share_of_the_page():
    patterns = learn_webstemmer(PAGES, CONFIG)
    page = article(9, "Storm warning")
    comments = b"<pre>" + b"y" * 10 * len(page.html) + b"</pre>"
    flooded = Page(url=page.url, html=page.html + comments)
    assert match_webstemmer(flooded, patterns, ExtractConfig()) is None
    match = match_webstemmer(flooded, patterns, ExtractConfig(match_threshold=0.01))
    assert match.score == pytest.approx(0.1, abs=0.05)


def test_thresholds_of_extraction_decide_the_roles():
    patterns = learn_webstemmer(PAGES, CONFIG)
    match = match_webstemmer(PAGES[0], patterns, ExtractConfig(main_threshold=10_000))
    assert match.texts(Role.MAIN) == []
    assert len(match.texts(Role.SUB)) == 3


def test_paths_that_differ_per_page_need_the_mangle_regex():
    pages = [article(number, mark=f"-{number}") for number in TITLES]
    sections = [[s.path for s in p.sections] for p in learn_webstemmer(pages, CONFIG)]
    assert not any("head" in path for paths in sections for path in paths)
    mangled = LearnConfig(preset="webstemmer", mangle="[a-z]+")
    (pattern,) = learn_webstemmer(pages, mangled)
    assert pattern.sections[pattern.title].path == "h1:class=head"
    page = article(9, "Storm warning", mark="-9")
    match = match_webstemmer(page, learn_webstemmer(pages, mangled), ExtractConfig())
    assert match.texts(Role.TITLE) == ["Storm warning"]


def test_without_anchor_texts_the_body_tells_the_title():
    pages = []
    for page in PAGES:
        title = page.anchor_texts[0].encode()
        echoed = page.html.replace(b"<p>", b"<p>" + title + b" they say. ", 1)
        pages.append(Page(url=page.url, html=echoed))
    (pattern,) = learn_webstemmer(pages, CONFIG)
    assert pattern.sections[pattern.title].path in ("h1:class=head", "title")


def test_one_page_or_a_low_score_gives_no_pattern():
    assert len(learn_webstemmer(PAGES[:1], CONFIG)) == 0
    assert len(learn_webstemmer([], CONFIG)) == 0
    low = LearnConfig(preset="webstemmer", score_threshold=1e9)
    assert len(learn_webstemmer(PAGES, low)) == 0


def test_min_pages_can_be_raised():
    assert len(learn_webstemmer(PAGES, LearnConfig(preset="webstemmer", min_pages=5))) == 0
