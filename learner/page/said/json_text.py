"""JSON as pages have it: in comments, escaped as HTML, with commas too many, several values in a
row. What a browser's search engine reads all the same is read here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

_END = r"\s*+(?:[:}\]]|\Z|//|/\*|,\s*+(?:[\"{\[}\]\d/-]|true|false|null))"
"""What may follow the end of a string."""
# What is not closed takes all that follows, so that no character is looked at twice.
_PART = re.compile(
    rf'(?P<string>"(?:[^"\\]++|\\.|"(?!{_END}))*+(?:"|\Z))'
    r"|(?P<comment>/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|//[^\n]*+|<!--|-->|<!\[CDATA\[|\]\]>)"
    r"|(?P<comma>,(?=\s*+[}\]]))",
    re.DOTALL,
)
_NO_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|(.))', re.DOTALL)
_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*+"')
_SIGNS = re.compile(r"//\s*(?:<!\[CDATA\[|<!--|\]\]>|-->)|<!\[CDATA\[|\]\]>|<!--|-->")
_BETWEEN = re.compile(r"[^{\[]*+")
_decoder = json.JSONDecoder(strict=False)


def json_values(script: str) -> Iterator[Any]:
    """The objects and lists in a script, those that can be read; never an error.

    >>> list(json_values('/* a */ {"b": "c // d",}; {"e": "say \\"no\\" to it"} {'))
    [{'b': 'c // d'}, {'e': 'say "no" to it'}]
    >>> list(json_values("<!-- {&quot;a&quot;: 1} -->")), list(json_values("no"))
    ([{'a': 1}], [])
    """
    try:
        yield json.loads(script, strict=False)
        return
    except RecursionError:
        return
    except ValueError:
        pass
    if '"' not in script:
        script = unescape(script)
    plain = _SIGNS.sub(" ", script)
    found = list(_values(plain))
    yield from found or _values(_PART.sub(_mended, plain))


def _values(text: str) -> Iterator[Any]:
    """The values up to the first that cannot be read."""
    at = 0
    while (at := _start(text, at)) < len(text):
        try:
            value, at = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value


def _start(text: str, at: int) -> int:
    between = _BETWEEN.match(text, at)
    return between.end() if between else at


def _mended(part: re.Match[str]) -> str:
    """A part of a script as JSON has it."""
    if part["string"] is None:
        return " "
    inside = part["string"][1:].removesuffix('"')
    inside = _NO_ESCAPE.sub(lambda found: found[0] if found[1] else found[2], inside)
    return '"' + _QUOTE.sub(lambda quote: quote[0][:-1] + '\\"', inside) + '"'
