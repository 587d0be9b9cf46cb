"""Amounts of money in short texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from price_parser import Price

LONGEST = 40
"""Characters of a text that may be a price. Origin: guess; `from 1.234,50 EUR incl. VAT`."""

_NUMBER = re.compile(r"\d[\d.,'’\s]*")


def has_digit(text: str) -> bool:
    """Whether a text may hold an amount at all."""
    return any(map(str.isdecimal, text))


def read_price(text: str) -> Price | None:
    """The one amount of a short text with its currency; None if there is none or several.

    >>> price = read_price("Now only 1.234,50 €")
    >>> str(price.amount), price.currency
    ('1234.50', '€')
    >>> read_price("2 for 3.99 $") is None
    True
    """
    if len(text) > LONGEST or sum(1 for _ in _numbers(text)) != 1:
        return None
    price = Price.fromstring(text)
    return price if price.amount is not None else None


def _numbers(text: str) -> Iterator[str]:
    return (match.group() for match in _NUMBER.finditer(text))


def currency_signs(text: str) -> int:
    """How many characters are signs of currencies (Unicode's category Sc).

    >>> currency_signs("130.00৳ or $2")
    2
    """
    return sum(unicodedata.category(char) == "Sc" for char in text)
