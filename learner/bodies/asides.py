"""Asides: what repeats below or beside a text and is none of it, comments and teasers."""

from __future__ import annotations

from collections.abc import Sequence

from learner.bodies.comments import comment_signatures
from learner.bodies.teasers import teaser_signatures
from learner.page.tree import LayoutTree
from learner.site.cluster_page import ClusterPage
from learner.site.signatures import Signatures


def find_asides(members: Sequence[ClusterPage], signatures: Signatures) -> frozenset[int]:
    """The places of the comments and teasers of some pages."""
    return comment_signatures(members, signatures) | teaser_signatures(members, signatures)


def aside_blocks(tree: LayoutTree, signatures: Sequence[int], asides: frozenset[int]) -> set[int]:
    """The indices of the blocks inside asides."""
    inside: set[int] = set()
    if asides:
        for element, signature in enumerate(signatures):
            if signature in asides:
                inside.update(range(tree.starts[element], tree.ends[element]))
    return inside
