"""The learned rule of a layout's kind: how much a page that fits it speaks for a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learner.kinds.measures import COEFFICIENTS
from learner.kinds.texts import body_evidence
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.kind_features import page_features
from learner.site.link_counts import Standing
from learner.site.model import SiteModel

USUAL_MARGIN = 0.7
"""By how much the standing of a page (`learner.site.link_counts`), weighed with the coefficients
below, may be above that of the usual article of its pattern ... Origin: measured, see
docs/decisions.md."""

STANDING_EVIDENCE = 2.0
"""... and how much each part of the rest counts. Origin: measured, see docs/decisions.md."""

SCRAP_WEIGHT = 0.3
"""Share of the weight of a pattern's usual text below which one may be a scrap ... Origin:
measured, see docs/decisions.md."""

SCRAP_PART = 0.5
"""... if its share of the main container is less than this share of what is usual: what stands
there is something else, the members of a category, say ... Origin: measured, see
docs/decisions.md."""

SCRAP_EVIDENCE = 2.0
"""... and how much that speaks for a list. Origin: measured, see docs/decisions.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRule:
    """What the pages of a layout are like among those of their site."""

    usual_standing: Standing | None = None
    """Where those that taught it stand by their links, on average; None if they did not tell."""
    usual_part: float = 0.0
    """Share of their main containers, by weight, that their texts are, in the median; 0 if they did
    not tell."""
    usual_weight: float = 0.0
    """The weight of their texts, in the median."""

    def evidence(
        self,
        tree: LayoutTree,
        inside: Sequence[TreeBlock],
        body: Sequence[TreeBlock],
        site: SiteModel,
    ) -> float:
        """How much the frame of a page with this text in its main containers, the text and its
        links speak for a list (above 0) or an article (below 0)."""
        frame = site.kind_features.testify(page_features(tree))
        of_text = body_evidence(tree, body) + self._scrap(inside, body)
        return frame + of_text + self._standing(tree, body, site)

    def _scrap(self, inside: Sequence[TreeBlock], body: Sequence[TreeBlock]) -> float:
        """What it adds that a text is short, and most of what stands around it is none."""
        weight = sum(block.weight for block in body)
        if weight >= SCRAP_WEIGHT * self.usual_weight:
            return 0.0
        part = weight / max(1, sum(block.weight for block in inside))
        return SCRAP_EVIDENCE if part < SCRAP_PART * self.usual_part else 0.0

    def _standing(self, tree: LayoutTree, body: Sequence[TreeBlock], site: SiteModel) -> float:
        if self.usual_standing is None:
            return 0.0
        standing = site.link_counts.standing(tree, (block.line for block in body))
        return standing_evidence(standing, self.usual_standing)


def standing_evidence(standing: Standing, usual: Standing) -> float:
    """What the standing of a page adds to the evidence, given that of the usual article of its
    pattern: never that it is an article.

    >>> usual = Standing(inlinks=0.0, pages_below=0.0, rare_links=1.0)
    >>> round(standing_evidence(Standing(inlinks=4.0, pages_below=1.0, rare_links=1.0), usual), 2)
    1.8
    """
    more = COEFFICIENTS.inlinks * (standing.inlinks - usual.inlinks)
    more += COEFFICIENTS.pages_below * (standing.pages_below - usual.pages_below)
    more += COEFFICIENTS.rare_links * (standing.rare_links - usual.rare_links)
    return STANDING_EVIDENCE * max(0.0, more - USUAL_MARGIN)
