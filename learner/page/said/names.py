"""The names of authors in what a page says for machines: a list in one text, a label before the
name, an address behind it, markup around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape
from importlib import resources

from learner.page import hints
from learner.page.words import clean_text

LONGEST_NAMES = 400
"""Characters of a text with the names of authors. Origin: guess; ten names."""

LONGEST_NAME = 200
"""Characters of a name. Origin: guess."""

MOST_NAMES = 20
"""Authors of a page. Origin: guess."""

MOST_WORDS = 5
"""Words of a name among others in one text. Origin: guess."""

_TAG = re.compile(r"<[^<>]*>")
_MAIL = re.compile(r"\s*[(<\[]?\s*(?:mailto:)?[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\s*[)>\]]?\s*")
_BRACKETED = re.compile(r"\((.*)\)")
_ADDRESS = re.compile(r"^(?:https?:)?//|^@?[^\s@]+@\S+$|^\.{0,2}/")
_LETTER = re.compile(r"[^\W\d_]")
_COMMAS = re.compile(r"\s*[,，、]\s*")
_LABEL = re.compile(r"(\S+?)\s*[:：]\s*|(\S+)\s+")


def read_names(texts: Iterable[str], language: str) -> tuple[str, ...]:
    """The names in some texts, each once; addresses are none.

    >>> read_names(["By <a>Ann Lee</a> and Bob Fry", "Lee, Ann; Eve Hill, PhD"], "en")
    ('Ann Lee', 'Bob Fry', 'Lee, Ann', 'Eve Hill, PhD')
    >>> read_names(["ann@site.example (Ann Lee)", "https://site.example/ann"], "")
    ('Ann Lee',)
    """
    found: dict[str, None] = {}
    for text in texts:
        if len(text) <= LONGEST_NAMES:
            found.update(dict.fromkeys(_names_in(text, language)))
    return tuple(found)[:MOST_NAMES]


def _names_in(text: str, language: str) -> Iterator[str]:
    if "<" in text or "&" in text:
        text = _TAG.sub(" ", unescape(text))
    text = " ".join(clean_text(text).split())
    if "@" in text and not _ADDRESS.search(text):
        text = _without_mail(text)
    for part in text.split(";"):
        name = without_label(part.strip())
        if _LETTER.search(name) and not _ADDRESS.search(name):
            names = part_names(name, language)
            yield from (each for each in names if len(each) <= LONGEST_NAME)


def _without_mail(text: str) -> str:
    text = _MAIL.sub(" ", text, count=MOST_NAMES).strip()
    alone = _BRACKETED.fullmatch(text)
    return alone[1] if alone else text


def without_label(name: str) -> str:
    """A name without the word before it that says so."""
    label = _LABEL.match(name)
    word = (label[1] or label[2]) if label else ""
    return name[label.end() :] if label and hints.leads_to_author(word) else name


def part_names(name: str, language: str) -> list[str]:
    """The names of a list in one text, without the word that joins them in a language; the text
    itself if its parts are no full names.

    >>> part_names("Ann Lee, Bob Fry and Eve Hill", "en"), part_names("AND ANN LEE", "en")
    (['Ann Lee', 'Bob Fry', 'Eve Hill'], ['ANN LEE'])
    >>> part_names("José Ortega y Gasset", "es"), part_names("Lee, Ann", "en")
    (['José Ortega y Gasset'], ['Lee, Ann'])
    """
    joints = _joining_words(language)
    parts: list[list[str]] = []
    for part in _COMMAS.split(name):
        parts.append([])
        for word in part.split():
            if word.lower() in joints:
                parts.append([])
            else:
                parts[-1].append(word)
    names = [" ".join(words) for words in parts if words]
    if len(parts) == 1 or not all(map(is_full, names)):
        return [name]
    is_joined = len(parts) > len(_COMMAS.findall(name)) + 1
    # What commas alone part may be what somebody is: "Ann Lee, head of research".
    return names if is_joined or not any(map(str.islower, name.split())) else [name]


def is_full(name: str) -> bool:
    """Whether a text is first and last name by its looks."""
    words = name.split()
    ends = {words[0][0], words[-1][0]} if words else {""}
    return 2 <= len(words) <= MOST_WORDS and all(
        sign.isalpha() and not sign.islower() for sign in ends
    )


@lru_cache(maxsize=512)
def _joining_words(language: str) -> frozenset[str]:
    """What stands between the last two of a list in a language: `and`, `und` (CLDR)."""
    code = language.lower().replace("_", "-").partition("-")[0]
    words = _list_words()
    return frozenset({"&", words["en"], words.get(code, "&")})


@lru_cache(maxsize=1)
def _list_words() -> dict[str, str]:
    text = resources.files("learner.page.said").joinpath("list_words.json").read_text("utf-8")
    words: dict[str, str] = json.loads(text)
    return words
