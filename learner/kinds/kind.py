"""What a page is: an article, a list, or something else."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What the pages of a pattern are."""

    ARTICLE = "article"
    LIST = "list"
    OTHER = "other"
