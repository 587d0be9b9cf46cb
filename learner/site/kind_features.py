"""The features of a page that tell a new page of one kind from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from learner.page.tree import LayoutTree
from learner.site.addresses import address_features


@dataclass(frozen=True, slots=True)
class KindFeatures:
    """Feature -> weight; a page is a list if their sum with `bias` is above 0."""

    weights: Mapping[int, float] = field(default_factory=dict)
    bias: float = -1.0

    def testify(self, features: set[int]) -> float:
        """How much a page's features speak for a list (above 0) or an article (below 0).

        >>> KindFeatures({1: 0.5, 2: -2.0, 3: 4.0}, bias=0.25).testify({1, 2})
        -1.25
        """
        return self.bias + sum(w for feature, w in self.weights.items() if feature in features)

    def list_share(self, features: set[int]) -> float:
        """How many of those that speak for lists a page has, by their weight; 0 to 1, and 1 if none
        do: then the site has but one kind of page.

        >>> KindFeatures({1: 0.5, 2: -2.0, 3: 1.5}, bias=0.25).list_share({1, 2})
        0.25
        """
        speaking = {feature: w for feature, w in self.weights.items() if w > 0}
        present = sum(w for feature, w in speaking.items() if feature in features)
        return present / sum(speaking.values()) if speaking else 1.0


def page_features(tree: LayoutTree) -> set[int]:
    """What may testify of a page: its skeleton, and what its address looks like."""
    return tree.skeleton | address_features(tree.address).keys()
