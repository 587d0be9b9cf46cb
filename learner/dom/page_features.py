"""What is measured of a page as a whole: what tells an article from a list or a thread."""

from __future__ import annotations

import re
from collections import defaultdict
from urllib.parse import urlsplit

import numpy as np

from learner.dom.characters import ENDING, PAUSE
from learner.dom.features import PageBlocks, sure_extent
from learner.dom.names import WORD, words_of
from learner.ensembles.trees import Floats
from learner.page.said.metadata import Metadata
from learner.page.tree import LayoutTree

JSON_TYPES = (
    ("NewsArticle", "Article", "BlogPosting", "ReportageNewsArticle", "TechArticle", "article"),
    ("Product", "ProductGroup", "Offer", "IndividualProduct"),
    ("DiscussionForumPosting", "QAPage"),
    ("CollectionPage", "ItemList", "SearchResultsPage", "OfferCatalog"),
    ("FAQPage", "Question"),
    ("Organization", "Corporation", "LocalBusiness", "ProfessionalService", "Service"),
    ("WebSite",),
    ("BreadcrumbList",),
    ("Person", "ProfilePage"),
    ("VideoObject",),
    ("WebPage",),
    ("SoftwareApplication", "WebApplication"),
)
"""Types of schema.org that say much the same of a page."""

OPEN_GRAPH = ("article", "website", "product", "profile", "video")

COUNTED_TAGS = (
    "h1", "h2", "h3", "li", "tr", "pre", "form", "article", "section", "p", "figure", "dl",
    "blockquote", "fieldset",
)  # fmt: skip

MONEY = frozenset("$€£¥₹₽₩₺₫₪฿")

LONGEST_PRICE = 40
"""Characters of a block that may be a price. Origin: guess."""

LEAST_REPEATED = 3
"""Siblings alike from which on they are rows. Origin: guess."""

MOST_WORDS = 12
"""Words of one part of an address that are read. Origin: guess."""

_NUMBER = re.compile(r"\d")


def page_words(tree: LayoutTree) -> set[str]:
    """The words of a page's address and of the names of its elements, with signs for where they
    stand: `h:` host, `u:` folder, `l:` last part, `n:` name.

    >>> from learner.page.said.metadata import Metadata
    >>> tree = LayoutTree("https://docs.a.example/guide/first-steps", Metadata())
    >>> sorted(page_words(tree))
    ['h:docs', 'l:first', 'l:steps', 'u:guide']
    """
    parts = urlsplit(tree.url)
    folders = [each for each in parts.path.lower().split("/") if each]
    found = {f"h:{word}" for word in _words(parts.netloc.lower().rpartition(".")[0])}
    found |= {f"u:{word}" for folder in folders[:-1][:MOST_WORDS] for word in _words(folder)}
    found |= {f"l:{word}" for word in _words(folders[-1] if folders else "")}
    for names in set(tree.tokens):
        found.update("n:" + word for word in words_of(names))
    return found


def _words(text: str) -> list[str]:
    return WORD.findall(text)[:MOST_WORDS]


def page_features(page: PageBlocks, main: Floats) -> tuple[list[str], Floats]:
    """Names and values of the features of a page; `main` has the probability of each block to be
    main text."""
    values = {
        **_of_texts(page),
        **_of_rows(page),
        **_of_metadata(page.tree.metadata),
        **_of_address(page.tree.url),
        **_of_main(page, main),
    }
    return list(values), np.array(list(values.values()), np.float32)


def _of_texts(page: PageBlocks) -> dict[str, float]:
    tree, n, unlinked = page.tree, len(page), page.unlinked
    total = max(float(page.weight.sum()), 1.0)
    texts = unlinked[page.is_text]
    counts = page.counts.sum(axis=0)
    prices = sum(len(t) < LONGEST_PRICE and not MONEY.isdisjoint(t) for t in page.texts)
    title = page.title
    return {
        "blocks": np.log1p(n),
        "letters": np.log1p(total),
        "linked": 1 - float(unlinked.sum()) / total,
        "texts": np.log1p(len(texts)),
        "text_share": float(texts.sum()) / total,
        "text_mean": np.log1p(float(texts.mean())) if len(texts) else 0.0,
        "longest": np.log1p(float(unlinked.max())),
        "longest_ten": float(np.sort(unlinked)[-10:].sum()) / total,
        "pauses": float(counts[PAUSE]) / total,
        "endings": float(counts[ENDING]) / total,
        "copies": 1 - len(set(page.texts)) / n,
        "questions": np.log1p(sum("?" in text for text in page.texts)),
        "prices": np.log1p(prices),
        "price_share": prices / n,
        "dated": np.log1p(page.is_dated.sum()),
        "dated_share": float(page.is_dated.mean()),
        "times": np.log1p(len(tree.times)),
        "pictures": np.log1p(len(tree.pictured)),
        "links": np.log1p(len(tree.linked)),
        "links_per_letter": len(tree.linked) / total,
        "title_place": -1.0 if title is None else title / n,
        "title_level": 0.0 if title is None else float(page.level[title]),
        "title_similarity": float(page.similarity.max()),
        "title_parts": len(page.names),
        **{f"n_{tag}": np.log1p(tree.tags.count(tag)) for tag in COUNTED_TAGS},
    }


def _of_rows(page: PageBlocks) -> dict[str, float]:
    """The siblings alike that hold most text: posts, entries of a list, cards."""
    e, tree = page.elements, page.tree
    inside, total = e.held(page.unlinked), max(float(page.unlinked.sum()), 1.0)
    held: defaultdict[tuple[int, str, tuple[str, ...]], float] = defaultdict(float)
    sizes: defaultdict[tuple[int, str, tuple[str, ...]], int] = defaultdict(int)
    for element in np.flatnonzero((e.alike >= LEAST_REPEATED) & (inside > 0)).tolist():
        tag = tree.tags[element]
        if tag != "p":
            family = tree.parents[element], tag, tree.tokens[element]
            held[family] += float(inside[element])
            sizes[family] += 1
    best = max(held, key=held.__getitem__, default=None)
    share, size = (held[best], sizes[best]) if best else (0.0, 0)
    return {
        "alike": np.log1p(float(e.alike.max())),
        "rows": np.log1p(size),
        "row_share": share / total,
        "row_mean": np.log1p(share / max(size, 1)),
    }


def _of_metadata(said: Metadata) -> dict[str, float]:
    found = {f"json_{types[0]}": not said.json_types.isdisjoint(types) for types in JSON_TYPES}
    found |= {f"og_{kind}": said.type.startswith(kind) for kind in OPEN_GRAPH}
    return {
        **found,
        "og_none": not said.type,
        "json_types": len(said.json_types),
        "says_published": bool(said.json_published or said.meta_published),
        "says_modified": bool(said.json_modified or said.meta_modified),
        "says_authors": bool(said.authors),
        "says_body": np.log1p(len(said.json_body)),
        "says_about": np.log1p(len(said.json_about)),
        "says_replies": np.log1p(len(said.json_replies)),
        "crumbs": len(said.crumbs),
        "description": np.log1p(len(said.meta_description)),
        "title_length": len(said.title),
    }


def _of_address(url: str) -> dict[str, float]:
    parts = urlsplit(url)
    folders = [each for each in parts.path.split("/") if each]
    last = folders[-1] if folders else ""
    return {
        "folders": len(folders),
        "last_words": len(WORD.findall(last)),
        "last_length": len(last),
        "last_digits": len(_NUMBER.findall(last)),
        "path_digits": len(_NUMBER.findall(parts.path)),
        "query": len(parts.query),
        "ends_in_slash": parts.path.endswith("/"),
        "extension": "." in last,
        "host_parts": parts.netloc.count("."),
    }


def _of_main(page: PageBlocks, main: Floats) -> dict[str, float]:
    """What is thought to be its text."""
    mass, weight = main * page.weight, page.weight
    letters, blocks = max(float(mass.sum()), 1e-6), max(float(main.sum()), 1e-6)
    alike = np.log1p(page.elements.alike[page.element])
    sure = sure_extent(main)
    return {
        "p_mass": letters / max(float(weight.sum()), 1.0),
        "p_letters": np.log1p(letters),
        "p_blocks": np.log1p(blocks),
        "p_sure": float(weight[main > 0.8].sum()) / max(float(weight[main > 0.3].sum()), 1.0),
        "p_mean": np.log1p(letters / blocks),
        "p_linked": 1 - float((main * page.unlinked).sum()) / letters,
        "p_dated": float((main * page.is_dated).sum()) / blocks,
        "p_headings": float((main * (page.level > 0)).sum()) / blocks,
        "p_max": float(main.max()),
        "p_span": float(main[sure[0] : sure[1] + 1].mean()) if sure else 0.0,
        "p_alike": float((mass * alike).sum()) / letters,
    }
