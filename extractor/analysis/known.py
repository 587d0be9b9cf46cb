"""What a project knows of the site that an address is of."""

from __future__ import annotations

from crawler.config.sites import Config, SiteConfig
from crawler.frontier.scope import Scope
from crawler.storage.partitions import Storage
from learner.patterns.pattern import PatternSet
from learner.patterns.stored import current_patterns


def site_of(config: Config, url: str) -> SiteConfig | None:
    """The first site of pipelines.yaml whose rules allow an address, or else on whose hosts it
    stands; None if it is of none."""
    own = [(site, scope) for site in config.sites if (scope := Scope.of_site(site)).is_own(url)]
    allowed = (site for site, scope in own if scope.refusal(url) is None)
    return next(allowed, own[0][0] if own else None)


def known_patterns(config: Config, site: SiteConfig) -> PatternSet:
    """What was learned of a site; no patterns if nothing was."""
    return current_patterns(Storage(config.storage), site.name)
