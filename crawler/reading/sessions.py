"""Session ids in URLs: a server that knows its visitors by them gives each page a new address every
night.

They are told by their name and by a value that looks like one: `sid=5` may be a section.
"""

from __future__ import annotations

import re

_NAMES = frozenset(
    """
    jsessionid oscsid phpsessid s sess sessid session session_id sessionid sid xtcsid zenid
    """.split()
)
"""Lower-case names of parameters that hold session ids, whole names. Origin: the manuals of PHP,
Java servlets, osCommerce and Zen Cart, phpBB and vBulletin."""

LEAST_LENGTH = 16
"""Characters of a session id at least. Origin: OWASP, 64 bits in hexadecimal digits."""

LEAST_TURNS = 4
"""Times that letters and digits take turns in a session id at least. Origin: guess; half of the
characters' places in a drawn id, one in a name with a year."""

# No hyphens: a UUID may be the story that `sid` asks for.
_VALUE = re.compile(rf"[0-9a-z.,!]{{{LEAST_LENGTH},256}}", re.IGNORECASE)
_TURN = re.compile(r"(?<=[0-9])(?=[a-z])|(?<=[a-z])(?=[0-9])", re.IGNORECASE)
_PARAMETER = re.compile(r";([^;=/]+)=([^;/]*)")
# ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/`, perhaps with others such as X.
_SEGMENT = re.compile(r"/\((?:[A-Z]\([^()/]{1,512}\)){1,4}\)(?=/)")
# Numbers, or letters and digits with hyphens; both names stand together.
_COLDFUSION = re.compile(r"(cfid|cftoken)=[0-9a-f-]{5,}", re.IGNORECASE)


def without_session_ids(path: str, query: str) -> tuple[str, str]:
    """A URL's path and query without the session ids in them.

    >>> without_session_ids("/a;sid=5;sid=1f0c9a3e6d2b48d7", "p=2&osCsid=jt8vq1m7ceh02bsl4k9r")
    ('/a;sid=5', 'p=2')
    >>> without_session_ids("/shop/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "")
    ('/shop/a.aspx', '')
    """
    if "(" in path:
        path = _SEGMENT.sub("", path)
    if ";" in path:
        path = _PARAMETER.sub(lambda found: "" if _is_session(*found.groups()) else found[0], path)
    kept = [each for each in query.split("&") if not _is_session(*each.partition("=")[::2])]
    coldfusion = [each for each in kept if _COLDFUSION.fullmatch(each)]
    if len(coldfusion) > 1:
        kept = [each for each in kept if each not in coldfusion]
    return path, "&".join(kept)


def _is_session(name: str, value: str) -> bool:
    is_named = name.lower() in _NAMES and _VALUE.fullmatch(value) is not None
    return is_named and len(_TURN.findall(value)) >= LEAST_TURNS
