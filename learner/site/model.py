"""What the pages of a site told as a whole: stored once a learning, beside its patterns."""

from __future__ import annotations

from dataclasses import dataclass, field

from learner.site.affixes import Affixes
from learner.site.kind_features import KindFeatures
from learner.site.link_counts import LinkCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTitles:
    """What `<title>` says on the pages of a family, besides what each is called."""

    affixes: Affixes = field(default_factory=Affixes)
    """What stands before and after the names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteModel:
    """What a page of the site is compared with, whatever its layout."""

    kind_features: KindFeatures = field(default_factory=KindFeatures)
    """What tells its lists from its articles by standing on a page."""
    link_counts: LinkCounts = field(default_factory=LinkCounts)
    """Where its pages stand by their links."""
    families: tuple[FamilyTitles, ...] = field(default=(FamilyTitles(),))
    """Of each family of pages (`learner.site.frames`); patterns name theirs by its number."""
    soft_errors: frozenset[str] = frozenset()
    """Digests of what it says, with status 200, of pages that are not there
    (`learner.kinds.soft_errors`)."""
