"""The language of an article: what its page declares, if its letters can be of that language."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from resiliparse.parse.lang import detect_fast

from learner.page.months import names_of_months

LOOKED_AT = 400
"""Characters of the text whose alphabet is looked at. Origin: guess."""

GUESSED_FROM = 2000
"""Characters of the text that a language is guessed from. Origin: measured, see
docs/decisions.md."""

LEAST_LETTERS = 20
"""Letters below which nothing is guessed. Origin: guess."""

OWN_SHARE = 0.2
"""Share of the letters that must be of an alphabet of the declared language, inclusive. Origin:
guess; Japanese texts on programming have a third of Latin letters, English ones no kana at all."""

MOST_LETTERS = 10_000
"""Letters whose alphabet is remembered. Origin: guess; those of all living scripts but the rarest
Chinese characters, 1 MB."""

_ALPHABETS = {
    "ja": frozenset({"HIRAGANA", "KATAKANA"}),
    "zh": frozenset({"CJK"}),
    "yue": frozenset({"CJK"}),
    "ko": frozenset({"HANGUL"}),
}
"""Of the languages whose months are numbers; the others' alphabets are those of their months."""

_ONLY = {
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "HANGUL": "ko",
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "CJK": "zh",
}
"""Alphabets that (nearly) one language is written in, the surest first: kana make a text Japanese,
however many Chinese characters it has."""


def find_language(declared: str, text: str) -> str | None:
    """Two-letter code of a text's language; None if unknown.

    `declared` is the page's `lang`. If the letters contradict it, an alphabet that only one
    language uses tells, else the sequences of its letters.

    >>> find_language("en-US", "Good news"), find_language("en", "こんにちは世界")
    ('en', 'ja')
    """
    alphabets = count_alphabets(text[:LOOKED_AT])
    letters = sum(alphabets.values())
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    if len(code) == 2 and alphabets_of(code):
        own = sum(alphabets[name] for name in alphabets_of(code))
        if own >= OWN_SHARE * letters:
            return code
    for alphabet, language in _ONLY.items():
        if alphabets[alphabet] >= OWN_SHARE * max(1, letters):
            return language
    return guess_language(text[:GUESSED_FROM])


def count_alphabets(text: str) -> Counter[str]:
    """How many letters of each alphabet a text has, by the first word of their Unicode names.

    >>> count_alphabets("3 мая, 7 May") == {"CYRILLIC": 3, "LATIN": 3}
    True
    """
    others = text.encode("utf-8", "replace").translate(None, _ASCII).decode()
    counts = Counter(map(_ALPHABET_OF.__getitem__, others))
    del counts[""]
    latin = text.encode("ascii", "ignore").translate(None, _NO_LATIN)
    if latin:
        counts["LATIN"] += len(latin)
    return counts


_ASCII = bytes(range(128))
_NO_LATIN = bytes(code for code in _ASCII if not chr(code).isalpha())
"""ASCII is counted by leaving these out, a twentieth of the time of a look at each letter."""


class _AlphabetOf(dict[str, str]):
    """Letter -> its alphabet; empty for a sign that is no letter."""

    def __missing__(self, sign: str) -> str:
        if len(self) >= MOST_LETTERS:
            self.clear()
        named = unicodedata.name(sign, "").partition(" ")[0] if sign.isalpha() else ""
        self[sign] = named
        return named


_ALPHABET_OF = _AlphabetOf()


@lru_cache(maxsize=256)
def alphabets_of(code: str) -> frozenset[str]:
    """The alphabets that a language is written in; empty for a code that is none."""
    return _ALPHABETS.get(code) or frozenset(count_alphabets("".join(names_of_months(code))))


def guess_language(text: str) -> str | None:
    """What resiliparse's n-grams say; None for a text too short to tell.

    >>> guess_language("Le gouvernement a présenté hier son projet pour les impôts.")
    'fr'
    """
    if sum(map(str.isalpha, text[:LOOKED_AT])) < LEAST_LETTERS:
        return None
    code: str = detect_fast(text)[0]
    return code if len(code) == 2 else None
