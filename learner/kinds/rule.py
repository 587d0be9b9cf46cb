"""The learned rule of a layout's kind: how much a page that fits it speaks for a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from learner.kinds.measures import body_evidence, standing_evidence
from learner.page.tree import LayoutTree, TreeBlock
from learner.site.kind_features import page_features
from learner.site.link_counts import Standing
from learner.site.model import SiteModel


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRule:
    """What the pages of a layout are like among those of their site."""

    usual_standing: Standing | None = None
    """Where those that taught it stand by their links, on average; None if they did not tell."""

    def evidence(self, tree: LayoutTree, body: Sequence[TreeBlock], site: SiteModel) -> float:
        """How much the frame of a page with this text, the text and its links speak for a list
        (above 0) or an article (below 0)."""
        frame = site.kind_features.testify(page_features(tree))
        return frame + body_evidence(tree, body) + self._standing(tree, body, site)

    def _standing(self, tree: LayoutTree, body: Sequence[TreeBlock], site: SiteModel) -> float:
        if self.usual_standing is None:
            return 0.0
        standing = site.link_counts.standing(tree, (block.line for block in body))
        return standing_evidence(standing, self.usual_standing)
