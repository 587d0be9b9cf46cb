"""All that a layout's pattern has learned to read, a rule each."""

from __future__ import annotations

from dataclasses import dataclass, field

from learner.bodies.rule import BodyRule
from learner.bylines.rule import AuthorRule, DateRule
from learner.kinds.rule import KindRule
from learner.page.locators import Locator
from learner.titles.rule import TitleRule
from learner.topics.rule import TopicRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one layout."""

    title: TitleRule
    body: BodyRule
    dates: DateRule = field(default_factory=DateRule)
    authors: AuthorRule = field(default_factory=AuthorRule)
    topics: TopicRule = field(default_factory=TopicRule)
    kind: KindRule = field(default_factory=KindRule)
    family: int = 0
    """The number of its family among those of the site (`learner.site.model.SiteModel`)."""

    @property
    def places(self) -> tuple[Locator | None, Locator]:
        """Those of title and container, which its pages share."""
        return self.title.place, self.body.container

    @property
    def specificity(self) -> int:
        """How many names these places ask for."""
        steps = (*(self.title.place.steps if self.title.place else ()), *self.body.container.steps)
        return sum(len(names) for _, names in steps)
