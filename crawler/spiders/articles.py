"""How often a run fetches what is stored as an article."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from crawler.config.sites import SiteConfig
from crawler.storage.partitions import Storage

OLD_ARTICLE = timedelta(days=30)
"""An article published so long before it was first seen is visited once more at most, for its
editors are done with it. Origin: guess."""


def visits_of_articles(storage: Storage, site: SiteConfig) -> Iterator[tuple[str, int]]:
    """The key of each stored article, and how often it is fetched in all."""
    more = site.revisit.articles
    columns = ["url_key", "first_seen_at", "date_published"]
    for batch in storage.read("articles", site.name, columns=columns):
        for row in batch.to_pylist():
            published = row["date_published"] or row["first_seen_at"]
            is_old = row["first_seen_at"] - published > OLD_ARTICLE
            yield row["url_key"], 1 + (min(1, more) if is_old else more)
