"""Is a cluster of articles or of lists, by the texts that were found on its pages?

What its pages are by themselves (`learner.kinds.measures`) is one measure among others here; beside
it stand what the texts are like, how much of their pages they are, and what the page model takes
these for, which knows nothing of the site. The weights are data (`learner.kinds.weights`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from learner.dom.model import DomModel
from learner.dom.reading import LISTINGS, read_types
from learner.kinds.page_kinds import Family
from learner.kinds.texts import likeness
from learner.kinds.weights import INTERCEPT, shipped_weights
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.sampling import evenly_spaced

MOST_EVIDENCE = 1.0
"""Evidence of what pages are by themselves beyond which it says nothing more. Origin: measured, see
docs/decisions.md."""

MODEL_PAGES = 3
"""Pages of a cluster that the page model looks at. Origin: measured, see docs/decisions.md."""

MODEL_DOUBT = 0.01
"""What is added to the model's probability and its opposite: their log odds stay within
`MODEL_RANGE`. Origin: guess."""

MODEL_RANGE = math.log((1 + MODEL_DOUBT) / MODEL_DOUBT)

Scored = tuple[LayoutTree, int, Sequence[TreeBlock]]
"""A page, the element of its main container, and the text in that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMeasures:
    """What is measured on a cluster whose texts were found. Field names are also the names of the
    weights."""

    evidence: float
    """Mean evidence of its pages, within `MOST_EVIDENCE`."""
    undeclared: float
    """The same without what pages declare to be articles: a manual declares nothing."""
    likeness: float
    """How much the texts are like those of articles (`learner.kinds.texts`), on average."""
    length: float
    """Mean of ln(1 + weight of a text outside links)."""
    share: float
    """The cluster's share of all pages that were learned, 0 to 1."""


def measure_texts(
    family: Family,
    trees: Sequence[LayoutTree],
    scored: Sequence[Scored],
    n_site_pages: int,
) -> TextMeasures:
    """The measures of a cluster, given its pages, and some of them with the text found there."""
    headed = [(tree, _with_headings(tree, top, body)) for tree, top, body in scored]
    return TextMeasures(
        evidence=_within(family.mean(family.evidence, trees)),
        undeclared=_within(family.mean(family.undeclared, trees)),
        likeness=fmean(likeness(tree, text) for tree, text in headed),
        length=fmean(math.log1p(sum(b.unlinked_weight for b in body)) for _, _, body in scored),
        share=len(trees) / n_site_pages,
    )


def text_evidence(measures: TextMeasures, trees: Sequence[LayoutTree]) -> float:
    """How much speaks for a cluster of lists (above 0) or of articles (below 0), in log odds. The
    page model is asked only where its answer can tell."""
    weights = shipped_weights("texts")
    told = weights[INTERCEPT]
    for name, value in asdict(measures).items():
        told += weights[name] * float(value)
    if abs(told) > weights["listing"] * MODEL_RANGE:
        return told
    return told + weights["listing"] * model_evidence(trees)


def model_evidence(trees: Sequence[LayoutTree], model: DomModel | None = None) -> float:
    """How much the page model, by default the shipped one, takes some pages for lists, on average:
    log odds within `MODEL_RANGE`."""
    asked = evenly_spaced(sorted(trees, key=lambda tree: tree.key), MODEL_PAGES)
    return fmean(_listing(read_types(tree, model)) for tree in asked)


def _listing(types: Mapping[str, float]) -> float:
    listing = sum(types[each] for each in LISTINGS)
    return math.log((listing + MODEL_DOUBT) / (1 - listing + MODEL_DOUBT))


def _within(evidence: float) -> float:
    return max(-MOST_EVIDENCE, min(MOST_EVIDENCE, evidence))


def _with_headings(tree: LayoutTree, top: int, body: Iterable[TreeBlock]) -> list[TreeBlock]:
    """The text with all headings of its container: those of entries may have been left out."""
    indices = {block.index for block in body}
    return [
        block
        for block in tree.inside(top)
        if block.index in indices or tree.heading(block) is not None
    ]
