"""The hints that the learner takes from words: templates name authors."""

from __future__ import annotations

import re
from functools import lru_cache

MOST_ASKED = 50_000
"""Texts of which it is remembered whether they name an author: names of elements and what links
lead to repeat on every page. Origin: guess, 10 MB."""

_AUTHOR = re.compile(
    r"author(?!i)|作者|著者|投稿者|글쓴이|작성자"
    r"|(?<![^\W_])(?:aut(?:ore?|ora|eure?|eurs)|автор|yazar|penulis|szerző|författare|forfatter"
    r"|kirjoittaja|συντάκτης|tác giả|نویسنده|الكاتب)(?![^\W_])",
    re.IGNORECASE,
)

_BY = frozenset("by von par por door av af przez oleh bởi από מאת توسط بواسطة โดย".split())


@lru_cache(maxsize=MOST_ASKED)
def names_author(written: str) -> bool:
    """Whether something is named for an author, in some languages: templates write the word in
    class names and addresses, and before the name.

    >>> names_author("span.post-author__name"), names_author("文章作者"), names_author("span")
    (True, True, False)
    """
    return _AUTHOR.search(written) is not None


def leads_to_author(word: str) -> bool:
    """Whether a word before a name may say that an author's follows, in some languages.

    >>> leads_to_author("By"), leads_to_author("投稿者"), leads_to_author("in")
    (True, True, False)
    """
    return word.casefold() in _BY or names_author(word)
