"""What a site puts before or after the names of its pages in <title>."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

AFFIX_SHARE = 0.1
"""A leading or trailing segment of `<title>` is the site's, not the page's, if at least this share
of the pages (and two) have it. Origin: measured, see docs/decisions.md."""

_CJK = r"\u3040-\u9fff\uac00-\ud7af"
"""Kana, Chinese characters and Hangul."""

SEPARATOR = re.compile(
    r"(\s+[-|–—:·•»«/<>＜＞‹›｜~]+\s+|\s*[|｜—]+\s*|:+\s+|：|\s+(?=[(\[])"
    rf"|(?<=[{_CJK}])\s*[-_]+\s*|\s*[-_]+\s*(?=[{_CJK}]))"
)
"""Also the blank before a parenthesis or bracket: "Input (The Manual)", "input [Wiki]"; and beside
characters that know no blanks hyphens and underscores without any: "大雨_国内_晨光网". Without
blanks « and » are quotation marks."""


@dataclass(frozen=True, slots=True)
class Affixes:
    """What a site puts before or after the titles of its pages, separators included."""

    prefixes: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.prefixes | self.suffixes

    @classmethod
    def learn(cls, titles: Iterable[str]) -> Affixes:
        """The segments that recur at either end of the `<title>`s of a site.

        >>> Affixes.learn(["One | Site", "Two | Site", "Three"]).suffixes
        frozenset({' | Site'})
        >>> Affixes.learn(["rain [Site]", "sun [Site]"]).suffixes
        frozenset({' [Site]'})
        >>> Affixes.learn(["大雨_晨光网", "小雪_晨光网", "mod_alias", "mod_auth"]).suffixes
        frozenset({'_晨光网'})
        >>> Affixes.learn(["«Rain» - Site", "«Sun» - Site"]).suffixes
        frozenset({' - Site'})
        """
        prefixes: Counter[str] = Counter()
        suffixes: Counter[str] = Counter()
        n_titles = 0
        for title in titles:
            n_titles += 1
            parts = SEPARATOR.split(title)
            for i in range(1, len(parts), 2):
                prefixes["".join(parts[: i + 1])] += 1
                suffixes["".join(parts[i:])] += 1
        least = max(2, AFFIX_SHARE * n_titles)
        return cls(
            frozenset(text for text, count in prefixes.items() if count >= least),
            frozenset(text for text, count in suffixes.items() if count >= least),
        )

    def strip(self, title: str) -> str:
        """The title without the longest prefix and suffix of the site; never empty.

        >>> Affixes(frozenset(), frozenset({" | Site"})).strip("One | Site")
        'One'
        """
        if title.startswith(tuple(self.prefixes)):
            parts = SEPARATOR.split(title)
            for i in range(len(parts) - 2, 0, -2):
                prefix = "".join(parts[: i + 1])
                if prefix in self.prefixes and len(prefix) < len(title):
                    title = title[len(prefix) :]
                    break
        if title.endswith(tuple(self.suffixes)):
            parts = SEPARATOR.split(title)
            for i in range(1, len(parts), 2):
                suffix = "".join(parts[i:])
                if suffix in self.suffixes and len(suffix) < len(title):
                    title = title[: -len(suffix)]
                    break
        return title.strip()
