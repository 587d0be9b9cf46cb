"""What a crawl asks of its extraction process and what that answers, as lines of JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from crawler.config.sites import SiteConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the process is started for: its first line."""

    storage_root: str
    site: SiteConfig
    spool_folder: str
    """Records wait in one spool for each day in this folder."""

    def to_json(self) -> str:
        """The order as one line."""
        return json.dumps(
            {
                "storage_root": self.storage_root,
                "site": self.site.model_dump(mode="json"),
                "spool_folder": self.spool_folder,
            }
        )

    @classmethod
    def from_json(cls, line: str) -> Order:
        """The order that a line holds."""
        values = json.loads(line)
        site = SiteConfig.model_validate_json(json.dumps(values.pop("site")))
        return cls(site=site, **values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A line after the order: either a part file to extract or a day to finish."""

    part: str | None = None
    """Path of a part file of pages, whose records go to the spool."""
    day: str | None = None
    """ISO date of a partition whose articles are written now."""

    def to_json(self) -> str:
        """The job as one line."""
        return json.dumps({"part": self.part, "day": self.day})

    @classmethod
    def from_json(cls, line: str) -> Job:
        """The job that a line holds."""
        return cls(**json.loads(line))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a job."""

    statuses: dict[str, int] = field(default_factory=dict)
    """Number of pages per status."""
    articles_new: int = 0
    """Articles that were not stored before."""
    articles_edited: int = 0
    """Articles whose text is another one than before."""
    drift: str = ""
    """What fell on the day that was finished, for people; empty if nothing did."""
    flags: list[str] = field(default_factory=list)
    """The figures that fell, as `site_stats` calls them."""
    problem: str = ""
    """Why storage or disk did not let the job be done; empty if it was."""

    def to_json(self) -> str:
        """The answer as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str | bytes) -> Answer:
        """The answer that a line holds."""
        return cls(**json.loads(line))
