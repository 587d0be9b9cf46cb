"""The 78 features of a text node: its own, the same over what its parent, its grandparent and the
body hold, and which tags it and its parent are.

Computed as meant, not as written: ancestors are elements, not beginnings of XPaths (`div[1]` begins
`div[10]`), sums are differences of running sums, and nothing takes the logarithm of 0. Stop words,
once a list for one language, are the words that the page itself repeats most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from learner.dom.original.nodes import TextNode, TextNodes
from learner.dom.original.tokens import tokens_of
from learner.ensembles.trees import Floats
from learner.page.words import LINE_ENDS

COMMONEST = 20
"""Words of a page that count as stop words. Origin: guess."""

TAGS = tuple("a b br div em font h1 h2 h3 i li p pre span strong td time".split())
"""Tags that a node's element may be."""

PARENTS = tuple(
    "a article blockquote body div dl h1 h2 h3 li main ol p section span td tr ul".split()
)
"""Tags that its parent may be."""

N_FEATURES = 10 + 3 * 11 + len(TAGS) + len(PARENTS)
"""78, as domextract has."""

_MARKS = (*LINE_ENDS, "!", "?", "！", "？", "…")


def node_features(page: TextNodes) -> Floats:
    """A row for each text node of a page."""
    nodes = page.nodes
    if not nodes:
        return np.zeros((0, N_FEATURES), np.float32)
    counted = _counted(nodes)
    own = _own(page, counted)
    sums = np.vstack([np.zeros(counted.shape[1]), counted.cumsum(axis=0)])
    spans = _spans(page)
    around = [_held(sums, spans[:, level]) for level in range(3)]
    rows = np.hstack([own, *around, _tags(nodes)])
    return rows.astype(np.float32)


def _counted(nodes: Sequence[TextNode]) -> NDArray[np.float64]:
    """Of each node: tokens, letters of tokens, stop words, characters, marks, digits, whether it
    ends with a mark, characters in links."""
    tokens = [tokens_of(node.text) for node in nodes]
    common = Counter(token for each in tokens for token in each).most_common(COMMONEST)
    stops = {token for token, _ in common}
    return np.array(
        [
            (
                len(each),
                sum(map(len, each)),
                sum(token in stops for token in each),
                len(node.text),
                sum(not (sign.isalnum() or sign.isspace()) for sign in node.text),
                sum(map(str.isdecimal, node.text)),
                node.text.endswith(_MARKS),
                len(node.text) if node.is_linked else 0,
            )
            for node, each in zip(nodes, tokens, strict=True)
        ],
        np.float64,
    )


def _shares(sums: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Of counts: log tokens, mean length of a token, stop words, log characters, log marks,
    digits."""
    tokens, letters, stops, signs, marks, digits = sums.T[:6]
    n_tokens, n_signs = np.maximum(tokens, 1), np.maximum(signs, 1)
    return [
        np.log1p(tokens),
        letters / n_tokens,
        stops / n_tokens,
        np.log1p(signs),
        np.log1p(100 * marks / n_signs),
        digits / n_signs,
    ]


def _own(page: TextNodes, counted: NDArray[np.float64]) -> NDArray[np.float64]:
    nodes, n = page.nodes, len(page.nodes)
    copies = Counter(node.text for node in nodes)
    alike = Counter(page.paths[node.element] for node in nodes)
    columns = [
        np.log1p([copies[node.text] - 1 for node in nodes]),
        np.array([alike[page.paths[node.element]] / n for node in nodes]),
        *_shares(counted),
        counted[:, 6],
        np.arange(n) / n,
    ]
    return np.column_stack(columns)


def _spans(page: TextNodes) -> NDArray[np.int64]:
    """Of each node the stretches of its parent, its grandparent and the body."""
    whole = (0, len(page.nodes))

    def of(element: etree._Element | None) -> tuple[int, int]:
        return whole if element is None else page.spans[element]

    rows = []
    for node in page.nodes:
        parent = node.element.getparent()
        above = parent.getparent() if parent is not None else None
        rows.append((of(parent), of(above), whole))
    return np.array(rows, np.int64)


def _held(sums: NDArray[np.float64], spans: NDArray[np.int64]) -> NDArray[np.float64]:
    """The features of what elements hold, one a row."""
    start, end = spans.T
    held, whole = sums[end] - sums[start], np.maximum(sums[-1], 1)
    n_nodes, n = np.maximum(end - start, 1), len(sums) - 1
    columns = [
        *_shares(held),
        held[:, 6] / n_nodes,
        held[:, 7] / np.maximum(held[:, 3], 1),
        start / n,
        np.log1p(n_nodes),
        held[:, 3] / whole[3],
    ]
    return np.column_stack(columns)


def _tags(nodes: Sequence[TextNode]) -> NDArray[np.float64]:
    """Which tag each node's element and its parent are, a column for each."""
    rows = np.zeros((len(nodes), len(TAGS) + len(PARENTS)))
    own = {tag: place for place, tag in enumerate(TAGS)}
    above = {tag: len(TAGS) + place for place, tag in enumerate(PARENTS)}
    for row, node in zip(rows, nodes, strict=True):
        parent = node.element.getparent()
        for place in (own.get(str(node.element.tag)), above.get(str(getattr(parent, "tag", "")))):
            if place is not None:
                row[place] = 1
    return rows
