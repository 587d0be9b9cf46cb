"""The languages of a site, as far as dates need them: whose names the months have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from learner.page.calendars.named import words_in
from learner.page.dates import find_dates
from learner.page.months import months_by_language, names_in
from learner.page.tree import LayoutTree
from learner.site.sampling import evenly_spaced

LIKELY_LANGUAGES = 8
"""Languages that dates are read in to find out which one a site uses. Origin: guess."""

LANGUAGE_PAGES = 40
"""Pages of a family that are read for it, evenly spread. Origin: guess."""

FIRST_BLOCKS = 120
"""Blocks at the beginning of each of them. Origin: guess; bounds the time for long pages."""

LONGEST_DATED = 40
"""Characters of a text that may tell it. Origin: guess; sentences name months too."""

LANGUAGE_TEXTS = 200
"""Short texts with digits that it is learned from. Origin: guess."""

_DIGIT = re.compile(r"\d")


def site_languages(trees: Sequence[LayoutTree]) -> tuple[str, ...]:
    """The languages that the pages declare, the most frequent first; English, which templates of
    all languages fall back to; and, if neither has the names of their months, one that has."""
    declared: Counter[str] = Counter()
    texts: set[str] = set()
    for tree in evenly_spaced(trees, LANGUAGE_PAGES):
        if code := language_code(tree.metadata.language):
            declared[code] += 1
        for block in tree.blocks[:FIRST_BLOCKS]:
            if len(block.text) < LONGEST_DATED and _DIGIT.search(block.text):
                texts.add(block.text)
    known = sorted(declared, key=lambda code: (-declared[code], code))[:2]
    known.append("en")
    return tuple(dict.fromkeys([*known, *languages_of(sorted(texts)[:LANGUAGE_TEXTS], known)]))


def language_code(declared: str) -> str:
    """The code of a language that a page declares, without its region; empty if it is none.

    >>> language_code("it-IT"), language_code("pt_BR"), language_code("Italiano")
    ('it', 'pt', '')
    """
    code = declared.replace("_", "-").partition("-")[0].lower()
    return code if 2 <= len(code) <= 3 and code.isalpha() else ""


def languages_of(texts: Sequence[str], known: Sequence[str] = ()) -> tuple[str, ...]:
    """The language whose names of months make dates of the texts, if the known ones do not.

    One language or none: that which reads most of them, of equal ones the first by its code.

    >>> languages_of(["7 kvě 2010", "3 úno 2010", "1 čvc 2010"], ["en"])
    ('cs',)
    >>> languages_of(["7 May 2010", "2 April 2011"], ["en"])
    ()
    """
    ours = names_in(known)
    unread = [text for text in texts if not _is_named(text, ours)]
    words = {word for text in unread for _, _, word in words_in(text)}
    hits = {
        language: len(words & names_in((language,)).keys()) for language in months_by_language()
    }
    likely = sorted(hits, key=lambda code: (-hits[code], code))[:LIKELY_LANGUAGES]
    best, most = "", 1
    for language in likely:
        names = names_in((language,))
        n_read = sum(_is_named(text, names) for text in unread)
        if hits[language] > 1 and n_read > most:
            best, most = language, n_read
    return (best,) if best else ()


def _is_named(text: str, names: Mapping[str, int]) -> bool:
    return any(found.named and found.whole for found in find_dates(text, names))
