"""One page in, one answer out: no site need be learned for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from crawler.config.sites import SiteConfig
from crawler.config.stages import ExtractConfig
from crawler.reading.html import parse_html
from crawler.reading.links import base_url, resolve
from extractor.analysis import by_machines, by_model, by_pattern
from extractor.analysis.analysis import Analysis
from extractor.analysis.found import Found
from extractor.analysis.objects import Said, read_objects
from extractor.analysis.shown_product import add_shown_product
from extractor.analysis.targets import DrawnTarget, Target, drawn, page_of
from extractor.analysis.xpaths import Xpaths
from extractor.extraction import extract_article
from learner.dom.model import TYPES
from learner.dom.reading import Reading, read_tree, tree_of
from learner.page.pages import Page
from learner.page.tree import LayoutTree
from learner.patterns.matching import Match, match_page
from learner.patterns.pattern import PatternSet

LARGEST_PAGE = 16 * 2**20
"""Bytes of a page that are read. Origin: those that a crawl fetches of one."""

PATTERNS_ALONE = ExtractConfig(guess=False)
"""The page model reads the page beside them, once."""


def analyze(
    target: Target,
    *,
    url: str = "",
    patterns: PatternSet | None = None,
    site: SiteConfig | None = None,
    render: bool = False,
) -> Analysis:
    """What a page is and says: by the patterns of its site, if they are given and fit, by what it
    says for machines where it shows the same, and by the page model.

    `target` is a page, HTML, a file, or an address, which alone is fetched (`Target`), by the
    manners of `site`; `url` is where HTML or a file stands. With `render` a browser draws the page
    first: the document after its scripts is read, and the text is sought in the element that looks
    as if it held it. Never raises on a page: what kept it from being read whole is among the
    remarks. FetchError if an address gives no page, OSError if a file cannot be read,
    BrowserMissingError if there is no browser.
    """
    page = page_of(target, url, site)
    return examine(page, patterns, drawn(target, page, site) if render else None)[0]


def examine(
    page: Page, patterns: PatternSet | None, drawing: DrawnTarget | None = None
) -> tuple[Analysis, Seen | None]:
    """The same with what the page was read by; None if it could not be read."""
    remarks: tuple[str, ...] = ()
    if drawing:
        page, remarks = drawing.page, drawing.remarks
    if len(page.html) > LARGEST_PAGE:
        remarks = (
            *remarks,
            f"of {len(page.html)} bytes only the first {LARGEST_PAGE} are read",
        )
        page = replace(page, html=page.html[:LARGEST_PAGE])
    try:
        seen = _see(page, patterns, drawing.snapshot if drawing else None)
        return _analyze(page, seen, patterns, remarks), seen
    except Exception as error:  # one bad page must not end what reads thousands
        said = f"not read: {type(error).__name__}: {error}"
        unread = Analysis(url=page.url, type="other", types=_UNKNOWN, remarks=(*remarks, said))
        return unread, None


_UNKNOWN = {name: float(name == "other") for name in TYPES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A page, and what the page model and the patterns of its site make of its blocks."""

    root: etree._Element
    objects: Sequence[Said]
    """What it says for machines."""
    tree: LayoutTree
    xpaths: Xpaths
    reading: Reading
    match: Match | None
    """None if no pattern is known or fits."""


def _see(page: Page, patterns: PatternSet | None, snapshot: bytes | None) -> Seen:
    root = parse_html(page.html, page.charset)
    xpaths, objects = Xpaths(root), read_objects(root)
    tree = tree_of(root, page.url)
    xpaths.read(tree)
    return Seen(
        root=root,
        objects=objects,
        tree=tree,
        xpaths=xpaths,
        reading=read_tree(tree, evidence=_evidence(tree, snapshot) if snapshot else None),
        match=match_page(tree, patterns) if patterns and tree.blocks else None,
    )


def _evidence(tree: LayoutTree, snapshot: bytes) -> NDArray[np.float32]:
    """What the look of a page says of its blocks; whoever renders nothing loads nothing of it."""
    from learner.vision.candidates.evidence import evidence_of
    from learner.vision.snapshots.reading import read_snapshot

    return evidence_of([block.text for block in tree.blocks], read_snapshot(snapshot))


def _analyze(
    page: Page, seen: Seen, patterns: PatternSet | None, remarks: tuple[str, ...]
) -> Analysis:
    root, tree, objects, reading = seen.root, seen.tree, seen.objects, seen.reading
    # A saved page may tell where it stood.
    base = base_url(root, page.url or resolve("", tree.metadata.canonical) or "")
    found, record = Found(tree, seen.xpaths), None
    if patterns:
        record = extract_article(page, patterns, PATTERNS_ALONE)
        by_pattern.add_record(found, record, seen.match)
    by_pattern.add_type(found, reading, record)
    by_model.add_reading(found, reading, base)
    by_machines.add_metadata(found, base)
    by_machines.add_language(found)
    by_machines.add_crumbs(found, objects, base)
    product = by_machines.add_product(found, objects, base)
    product = product or add_shown_product(found, root, base)
    known = {name: each.value for name, each in found.fields.items() if "." not in name}
    return Analysis(
        url=page.url,
        types=reading.types,
        product=product,
        fields=found.fields,
        remarks=remarks,
        **known,
    )
