"""What the HTML5 parser would do for a page: its algorithm is quadratic in what is left open.

Python's other threads wait while it parses, and nothing can stop it: a page of 1 MB can take it a
minute, or all memory.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

MAX_STEPS = 300_000_000
"""Steps that the HTML5 parser may take. Measured: 3 ns each, 1 s."""

STEPS_PER_COPY = 300
"""Steps that an element costs which the parser opens again. Measured: 1 µs."""

STEPS_PER_NAME = 4
"""Steps that looking for an open element of a name costs here. Measured: 12 ns."""

ALIKE = 3
"""Formatting elements with the same attributes that the parser opens again (HTML standard,
13.2.4.3, the "Noah's Ark clause")."""

_FORMATTING = frozenset(b"b big code em font i s small strike strong tt u".split())
"""Elements that are opened again in each block until they are closed (13.2.4.3), without `a` and
`nobr`, which close those before them."""

_VOID = frozenset(
    b"area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    b"track wbr".split()
)
_CLOSE_EACH_OTHER = frozenset(
    b"a caption colgroup dd dt li nobr optgroup option p rb rp rt rtc tbody td tfoot th thead "
    b"tr".split()
)
"""Elements that do not nest: left open, they are closed by those that follow."""

_LOOK_BACK = frozenset(
    b"a body button dd dt form hr html input li nobr optgroup option rb rp rt rtc select table "
    b"template".split()
)
"""Start tags for which the parser looks through the open elements (measured for all names)."""

COMMENT = rb"<!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>)?)"
"""A comment of HTML; one that is not closed takes all that follows."""

_TAG = re.compile(
    COMMENT + rb"|<(?P<raw>script|style|textarea|title|xmp)\b[^<]*+(?:<(?!/(?P=raw))[^<]*+)*+"
    rb"|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*+)(?P<rest>[^>]*+)",
    re.IGNORECASE,
)


def is_costly(data: bytes) -> bool:
    """Whether what is left open in a page would cost the HTML5 parser more than about a second.

    An estimate from the tags alone; some hundreds of elements left open are no matter.

    >>> is_costly(b"<p><b>text" * 500), is_costly(b"<p><a href=x><b>" * 80_000)
    (False, True)
    """
    elements = _OpenElements()
    steps = 0
    for tag in _TAG.finditer(data):
        name = tag["name"]
        if name is None:
            continue
        if tag["slash"]:
            steps += elements.end(name.lower())
        else:
            steps += elements.start(name.lower(), tag["rest"])
        if steps > MAX_STEPS:
            return True
    return False


class _OpenElements:
    """The elements that are open, as far as the tags alone tell."""

    def __init__(self) -> None:
        self._names: list[bytes] = []
        self._count: Counter[bytes] = Counter()
        self._options = 0
        self._formats: defaultdict[bytes, list[bytes]] = defaultdict(list)
        """For the name of a formatting element the attributes of those that are open."""
        self._alike: Counter[tuple[bytes, bytes]] = Counter()
        self._reopened = 0
        """Elements that the next block opens again."""

    def start(self, name: bytes, attributes: bytes) -> int:
        """Steps that a start tag costs."""
        steps = len(self._names) if name in _LOOK_BACK else 1
        if name in (b"option", b"optgroup"):
            # It looks through all those of the `select`.
            self._options += 1
            steps += self._options
        is_foreign = self._count[b"svg"] or self._count[b"math"]
        if is_foreign:
            nests = not attributes.endswith(b"/")
        else:
            nests = name not in _VOID and name not in _CLOSE_EACH_OTHER
        if nests:
            self._names.append(name)
            self._count[name] += 1
        if name in _FORMATTING:
            self._formats[name].append(attributes)
            self._alike[name, attributes] += 1
            self._reopened += self._alike[name, attributes] <= ALIKE
            return steps + self._reopened
        if name not in _VOID and name != b"a":
            steps += STEPS_PER_COPY * self._reopened
        return steps

    def end(self, name: bytes) -> int:
        """Steps that an end tag costs."""
        if self._formats[name]:
            alike = (name, self._formats[name].pop())
            self._reopened -= self._alike[alike] <= ALIKE
            self._alike[alike] -= 1
        depth = len(self._names)
        if not self._count[name]:
            return depth
        self._count[name] -= 1
        if self._names[-1] == name:
            self._names.pop()
            return 1
        # What was opened after it may stay open (13.2.6.4.7, the adoption agency).
        del self._names[depth - 1 - self._names[::-1].index(name)]
        return STEPS_PER_NAME * depth
