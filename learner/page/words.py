"""What counts as a letter of a word, and a text on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256

LINE_ENDS = (".", "。", "．", ":", "：", ",", "，", "、")
"""A line that ends so is a sentence, or goes on."""

TEXT_WEIGHT = 20
"""Weight outside links from which on a block is text, not a byline. Origin: guess."""

LONG_TEXT = 100
"""Weight outside links of a block that makes a long text. Origin: guess."""

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")

UNSEEN = "\xad\u200b\u2060\ufeff"
"""Marks where a word may be broken, and the byte order mark: they are no part of a word."""
UNPARTED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
"""Letters of scripts that put no blanks between words, as ranges of a regular expression: Thai,
Lao, Burmese, Khmer, kana, Chinese characters."""
_UNSEEN = re.compile(f"[{UNSEEN}]")
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks of the direction of writing: around a whole text they say nothing, within one they may."""
# Only ASCII white space collapses: a no-break space is part of what an author wrote
# ("Home\xa0»\xa0Blog").
_BLANKS = re.compile(r"[\t-\r]\s*| \s+", re.ASCII)
"""Any white space but a single blank, which stays as it is."""


def word_letters(text: str) -> str:
    r"""The word characters (`\w`, any script) of a text, lower-cased: what is counted and compared.

    >>> word_letters("Tokyo, 7 May")
    'tokyo7may'
    """
    return "".join(_WORD.findall(text)).lower()


def clean_text(text: str) -> str:
    r"""The text on one line.

    >>> clean_text(" one\n  two "), clean_text("hy\xadphen \u200b"), clean_text("\u200fone \u200f")
    ('one two', 'hyphen', 'one')
    """
    text = text.strip()
    # Most texts have single blanks only: to see that is quicker than to look for others.
    if "  " not in text and text.isprintable():
        return text
    text = _UNSEEN.sub("", text).strip().strip(_DIRECTIONS).strip()
    return " ".join(text.split()) if text.isascii() else _BLANKS.sub(" ", text)


def text_digest(title: str | None, body: str | None) -> str:
    """What an article says: lower-case hex SHA-256 of title, line break and body in UTF-8.

    >>> text_digest("", "") == sha256(b"\\n").hexdigest()
    True
    """
    text = f"{title or ''}\n{body or ''}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def without_numbers(texts: Iterable[str]) -> str:
    """The words of some texts but for those with digits: a wall counts those it sends away.

    >>> without_numbers(["Please wait.", "Ray ID: 8f1c2"])
    'Please wait. Ray ID:'
    """
    words = (word for text in texts for word in text.split())
    return " ".join(word for word in words if not _DIGIT.search(word))
