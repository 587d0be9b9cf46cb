"""Webstem as a library: learn the layouts of a site's pages, and extract articles by them.

Neither Scrapy nor a project is needed:

>>> body = "<h1>Flood in {0}</h1><p>The river of {0} rose. The mayor of {0} closed the bridge.</p>"
>>> html = "<title>{0}</title><ul><li>Home</ul><div id=text>" + body + "</div><p>Contact us</p>"
>>> towns = ["Arlen", "Bruck", "Calw", "Drei", "Elze", "Fulda", "Greiz", "Halle"]
>>> pages = [Page(url=f"http://e/{town}", html=html.format(town).encode()) for town in towns]
>>> patterns = learn_patterns(pages[:-1])
>>> article = extract_article(pages[-1], patterns)
>>> article.title, article.body
('Flood in Halle', 'The river of Halle rose. The mayor of Halle closed the bridge.')

A single page of any site, with who says what, where, and how likely it is right:

>>> said = '{"@type": "NewsArticle", "headline": "Flood in Ulm"}'
>>> head = "<title>Flood in Ulm</title><script type=application/ld+json>" + said + "</script>"
>>> analysis = analyze(head + body.format("Ulm"), url="http://e/Ulm")
>>> analysis.title, analysis.fields["title"].source, analysis.fields["title"].xpath
('Flood in Ulm', 'jsonld', '/html/body/h1')

Charsets and links, as the crawler reads them:

>>> detect_charset(b"<meta charset=euc-jp>").name
'euc_jp'
>>> root = parse_html(b"<a href='/next'>on</a>", "utf-8")
>>> [(link.url, link.text) for link in page_links(root, "http://e/")]
[('http://e/next', 'on')]
"""

from crawler.reading.html import Charset, detect_charset, parse_html
from crawler.reading.links import Link, page_links
from extractor.analysis.analysis import Analysis, Field
from extractor.analysis.analyze import analyze
from extractor.domextract import Extractor
from extractor.extraction import extract_article
from extractor.records.articles import ArticleRecord, Status
from learner.induction.steps import learn_patterns
from learner.page.pages import Page
from learner.patterns.pattern import (
    Pattern,
    PatternFileError,
    PatternSet,
    load_patterns,
    save_patterns,
)

__all__ = [
    "Analysis",
    "ArticleRecord",
    "Charset",
    "Extractor",
    "Field",
    "Link",
    "Page",
    "Pattern",
    "PatternFileError",
    "PatternSet",
    "Status",
    "analyze",
    "detect_charset",
    "extract_article",
    "learn_patterns",
    "load_patterns",
    "page_links",
    "parse_html",
    "save_patterns",
]
