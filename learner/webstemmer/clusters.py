"""The 2005 clustering: a page joins the first cluster all of whose pages are similar enough.

The outcome depends on the order of the pages, so callers sort them by URL first. (The original took
whatever order its dictionary gave.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from learner.site.sampling import evenly_spaced

Similarity = Callable[[int, int], float]

_FOLDER_DEPTH = 31
"""Deepest folder of an address that counts. Origin: paper, the original refused deeper ones."""


def greedy_clusters(
    urls: Sequence[str], similarity: Similarity, threshold: float, sample_size: int = 0
) -> list[list[int]]:
    """Clusters as lists of indexes into `urls`, in the order in which they were founded.

    Page by page: clusters are tried nearest URL folder first, the page joins the first one whose
    pages (at most `sample_size` of them, evenly spaced; 0 = all) all have a similarity >=
    `threshold`, or founds a new one.

    >>> numbers = [1.0, 1.1, 5.0, 1.2]
    >>> greedy_clusters(["a"] * 4, lambda i, j: -abs(numbers[i] - numbers[j]), threshold=-0.5)
    [[0, 1, 3], [2]]
    """
    folders = [_folder(url) for url in urls]
    near = cache(folder_distance)
    clusters: list[list[int]] = []
    for page in range(len(urls)):
        members = [{folders[member] for member in cluster} for cluster in clusters]
        distances = [min(near(folders[page], folder) for folder in found) for found in members]
        # Stable: of equally near clusters the older one is tried first.
        for nearest in sorted(range(len(clusters)), key=distances.__getitem__):
            sample = evenly_spaced(clusters[nearest], sample_size)
            if all(similarity(page, member) >= threshold for member in sample):
                clusters[nearest].append(page)
                break
        else:
            clusters.append([page])
    return clusters


def _folder(url: str) -> tuple[str, ...]:
    """Host and folders of a URL.

    >>> _folder("http://example.com/news/1.html")
    ('example.com', 'news')
    """
    return tuple(url.split("//", 1)[-1].split("/")[:-1][:_FOLDER_DEPTH])


def folder_distance(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """How far two URL folders are apart: each level that differs costs half of the level above it.

    >>> folder_distance(("host", "a"), ("host", "a"))
    0
    >>> near = folder_distance(("host", "a", "x"), ("host", "a", "y"))
    >>> near < folder_distance(("host", "a", "x"), ("host", "b", "x"))
    True
    """
    depth = max(len(first), len(second))
    padded = zip(*((*path, *[None] * (depth - len(path))) for path in (first, second)), strict=True)
    return sum(1 << (_FOLDER_DEPTH - i) for i, (one, other) in enumerate(padded) if one != other)
